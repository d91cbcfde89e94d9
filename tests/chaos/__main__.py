"""A hand survives anything: tried on real processes.

Three nodes and one store are started on this machine's loopback, with bots and onlookers, and everything is done to them
that can happen: processes are killed, stopped and woken, restarted one after the other; the store is killed, and comes
back without the end of its log; wires are slow, swallow everything, break. The report goes to standard output.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from tapete_server.gateway.runtime import run
from tests.chaos import clocks, on_nodes, on_store, on_wires, transfers
from tests.chaos.evening import Scale
from tests.chaos.figures import Outcome, as_json, markdown
from tests.chaos.progress import Progress

Scenario = Callable[[Scale, Callable[[str], None]], Awaitable[Outcome]]

SCENARIOS: dict[str, tuple[Scenario, int]] = {
    "kills": (on_nodes.kills, 3),
    "clocks": (clocks.clocks, 3),
    "zombies": (on_nodes.zombies, 3),
    "rolling": (on_nodes.rolling, 3),
    "store": (on_store.kills, 3),
    "forgetful": (on_store.forgetful, 4),
    "wires": (on_wires.wires, len(on_wires.FAULTS)),
    "herd": (on_nodes.herd, 4),
    "crash-points": (transfers.crash_points, 60),
}
"""And how many steps of progress each takes, about."""
SCENARIO_S_MAX = 1_800.0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m tests.chaos", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--only", action="append", choices=sorted(SCENARIOS), help="one scenario; may be repeated")
    for option in dataclasses.fields(Scale):
        made.add_argument(
            "--" + option.name.replace("_", "-"),
            type=int,
            default=option.default,
            metavar="N",
            help=f"default: {option.default}",
        )
    made.add_argument("--json", type=Path, metavar="FILE", help="every measured value, too, after each scenario")
    return made


async def play(scenario: Scenario, scale: Scale, name: str, progress: Progress) -> Outcome:
    """One scenario; whatever ends it is its outcome."""
    began = time.monotonic()
    try:
        async with asyncio.timeout(SCENARIO_S_MAX):
            outcome = await scenario(scale, progress.step)
    except Exception as wrong:  # noqa: BLE001 - the others are played all the same
        outcome = Outcome(name, "It did not come to its end.", faults=[f"{type(wrong).__name__}: {wrong}"])
    outcome.seconds = time.monotonic() - began
    return outcome


async def play_all(names: Sequence[str], scale: Scale, keep: Callable[[Sequence[Outcome]], object]) -> list[Outcome]:
    """`keep` is given what is known so far, after each scenario."""
    progress = Progress(sum(SCENARIOS[name][1] for name in names))
    outcomes = []
    for name in names:
        progress.title(name)
        outcomes.append(await play(SCENARIOS[name][0], scale, name, progress))
        keep(outcomes)
    progress.end()
    return outcomes


def main(arguments: Sequence[str]) -> int:
    """0: all as it should be; 1: something is wrong, or a figure was missed."""
    options = parser().parse_args(arguments)
    scale = Scale(**{option.name: getattr(options, option.name) for option in dataclasses.fields(Scale)})

    def keep(known: Sequence[Outcome]) -> None:
        if options.json:
            options.json.write_text(as_json(known))

    outcomes = run(play_all(options.only or list(SCENARIOS), scale, keep))
    sys.stdout.write(markdown(outcomes) + "\n")
    return int(any(one.wrong or one.missed for one in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
