"""Play stories until a checker speaks: `python -m tests.simulation.teeth.bite FIRST LAST` prints the seed and what it says."""

from __future__ import annotations

import json
import sys

from tests.simulation.runner import play_all


def main(first: int, last: int) -> None:
    for seed in range(first, last + 1):
        try:
            (ending,) = play_all([seed])
            failure = ending.failure
        except Exception as failed:  # noqa: BLE001 - whatever it is, it does not go unnoticed
            failure = f"{type(failed).__name__}: {failed}"
        if failure is not None:
            sys.stdout.write(json.dumps({"seed": seed, "failure": failure}))
            return


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
