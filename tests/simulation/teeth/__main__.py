"""`python -m tests.simulation.teeth`: plant each bug in a copy of the house, and see how many stories it takes to catch it."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from tests.simulation.teeth.copies import ROOT, plant, python
from tests.simulation.teeth.planted import BUGS, Bug

SEEDS_MAX = 1_000
PER_PROCESS_SEEDS = 100
"""A process that has played so many is replaced: what the dead leave behind is never collected."""
PROCESS_S_MAX = 3_600
CONTROL_SEEDS = 5
NO_BUG = Bug("no bug", "nothing: a copy that is as it was has to be well", ())
ROW = "| {name} | {breaks} | {file} | {seeds} | {caught} |"


@dataclass(frozen=True, slots=True)
class Bite:
    """`seeds`: how many stories it took; 0: it was never caught."""

    bug: Bug
    seeds: int
    failure: str
    seconds: float

    @property
    def checker(self) -> str:
        first = self.failure.partition(":")[0]
        return first if first.isidentifier() else self.failure.partition(":")[0][:60]


def hunt(bug: Bug, first: int, seeds: int) -> Bite:
    """Seed after seed, up to the bound."""
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="teeth-") as where:
        environment = plant(bug, Path(where))
        for begin in range(first, first + seeds, PER_PROCESS_SEEDS):
            end = min(begin + PER_PROCESS_SEEDS, first + seeds) - 1
            command = [python(), "-m", "tests.simulation.teeth.bite", str(begin), str(end)]
            ran = subprocess.run(
                command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=PROCESS_S_MAX, check=False
            )
            if ran.returncode:
                raise RuntimeError(f"{bug.name} cannot be played:\n{ran.stderr}")
            if ran.stdout:
                said = json.loads(ran.stdout)
                return Bite(bug, said["seed"] - first + 1, said["failure"], time.monotonic() - began_s)
    return Bite(bug, 0, "", time.monotonic() - began_s)


def hunt_all(bugs: list[Bug], first: int, seeds: int, workers: int) -> Iterator[Bite]:
    with ThreadPoolExecutor(workers) as pool:
        for done in as_completed([pool.submit(hunt, bug, first, seeds) for bug in bugs]):
            yield done.result()


def row(bite: Bite) -> str:
    return ROW.format(
        name=f"`{bite.bug.name}`",
        breaks=bite.bug.breaks,
        file=", ".join(dict.fromkeys(Path(edit.file).name for edit in bite.bug.edits)),
        seeds=bite.seeds or "not caught",
        caught=bite.checker,
    )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.teeth", description=__doc__)
    parser.add_argument("--only", action="append", metavar="NAME", help="this bug (may be repeated)")
    parser.add_argument("--seeds", type=int, default=SEEDS_MAX, help=f"stories at most (default {SEEDS_MAX})")
    parser.add_argument(
        "--from", dest="first", type=int, default=1, metavar="SEED", help="the first of them (default 1)"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="bugs at once (default: one a core)")
    wanted = parser.parse_args(argv)
    unknown = set(wanted.only or ()) - {one.name for one in BUGS}
    if unknown:
        parser.error(f"no such bug: {', '.join(sorted(unknown))}; there are {', '.join(one.name for one in BUGS)}")
    bugs = [one for one in BUGS if not wanted.only or one.name in wanted.only]
    control = hunt(NO_BUG, wanted.first, CONTROL_SEEDS)
    if control.seeds:
        sys.stderr.write(f"a copy without a bug is not well, and shows nothing: {control.failure}\n")
        return 1
    bites: list[Bite] = []
    for bite in hunt_all(bugs, wanted.first, wanted.seeds, wanted.workers):
        bites.append(bite)
        found = f"seed {bite.seeds}, {bite.failure[:120]}" if bite.seeds else "NOT CAUGHT"
        sys.stderr.write(f"{len(bites)}/{len(bugs)}  {bite.bug.name}  {bite.seconds:.0f} s  {found}\n")
        sys.stderr.flush()
    order = {one.name: at for at, one in enumerate(bugs)}
    sys.stdout.write("| bug | breaks | file | seeds | caught by |\n|---|---|---|---|---|\n")
    for bite in sorted(bites, key=lambda one: order[one.bug.name]):
        sys.stdout.write(row(bite) + "\n")
    return 0 if all(bite.seeds for bite in bites) else 1


if __name__ == "__main__":
    sys.exit(main())
