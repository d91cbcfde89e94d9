"""What the real server costs, beside others that do the same work, in one run.

Nodes and a Valkey of their own are started on this machine's loopback, with players and spectators from a load client in C;
so are Node's `ws`, `websockets.broadcast()` and a C writer, as references. Report, JSON and plots go to a folder.
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
from tests.bench import busy, commands, connections, fanout, report
from tests.bench.crowd import BadDelivery
from tests.bench.figures import Outcome
from tests.bench.native import NoCompiler
from tests.bench.scale import FULL, SHORT, Scale, Told
from tests.chaos.progress import Progress

Case = Callable[[Scale, Told], Awaitable[Outcome]]

CASES: dict[str, tuple[Case, Callable[[Scale], int]]] = {
    "fan-out": (fanout.fan_out, lambda scale: 6 + 10 * scale.rounds),
    "sizes": (fanout.sizes, lambda scale: len(scale.sizes) * (1 + 4 * scale.rounds)),
    "commands": (commands.commands, lambda scale: 6 * scale.rounds),
    "players": (commands.beside, lambda scale: 2 * scale.rounds),
    "idle": (connections.idle, lambda _: 3),
    "stalled": (connections.stalled, lambda scale: min(3, scale.rounds)),
    "tables": (busy.tables, lambda scale: 4 + 2 * scale.rounds),
    "company": (busy.company, lambda scale: 1 + scale.rounds),
    "nodes": (busy.nodes, lambda scale: 3 + 3 * scale.rounds),
    "workers": (busy.workers, lambda scale: 2 + 2 * scale.rounds),
    "herd": (connections.herd, lambda scale: scale.rounds),
    "start-up": (connections.start_up, lambda scale: scale.starts),
}
"""And how many steps of progress each takes."""
CASE_S_MAX = 900.0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m tests.bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--only", action="append", choices=sorted(CASES), help="one case; may be repeated")
    made.add_argument("--rounds", type=int, default=FULL.rounds, metavar="N", help=f"default: {FULL.rounds}")
    made.add_argument(
        "--short", action="store_true", help="few of everything: shows that all is delivered, measures nothing"
    )
    made.add_argument("--to", type=Path, default=Path("bench-report"), metavar="FOLDER", help="default: bench-report")
    return made


async def measured(name: str, scale: Scale, told: Told) -> Outcome:
    """One case; what ends it is its outcome."""
    case, began = CASES[name][0], time.monotonic()
    try:
        async with asyncio.timeout(CASE_S_MAX):
            outcome = await case(scale, told)
    except NoCompiler:
        raise
    except BadDelivery as wrong:
        outcome = Outcome(name, "Not everything was delivered.", faults=[str(wrong)])
    except Exception as wrong:  # noqa: BLE001 - the others are measured all the same
        outcome = Outcome(name, "It did not come to its end.", faults=[f"{type(wrong).__name__}: {wrong}"])
    outcome.seconds = time.monotonic() - began
    return outcome


async def measure_all(names: Sequence[str], scale: Scale, keep: Callable[[Sequence[Outcome]], object]) -> list[Outcome]:
    """`keep` is given what is known so far, after each case."""
    progress = Progress(sum(CASES[name][1](scale) for name in names))
    outcomes = []
    for name in names:
        progress.title(name)
        outcomes.append(await measured(name, scale, progress.step))
        keep(outcomes)
    progress.end()
    return outcomes


def main(arguments: Sequence[str]) -> int:
    """0: all was delivered; 1: it was not, or a goal was missed; 2: there is nothing to measure with."""
    options = parser().parse_args(arguments)
    scale = SHORT if options.short else dataclasses.replace(FULL, rounds=options.rounds, starts=options.rounds)
    names = [name for name in CASES if not options.only or name in options.only]
    try:
        outcomes = run(measure_all(names, scale, lambda known: report.write(known, options.to)))
    except NoCompiler as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    sys.stdout.write(report.markdown(outcomes) + "\n")
    return int(any(one.faults or (one.missed and not options.short) for one in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
