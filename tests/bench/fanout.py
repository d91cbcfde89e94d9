"""One table and all who look on."""

from __future__ import annotations

import statistics
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path

from tests.bench.crowd import Crowd
from tests.bench.figures import Figure, Goal, Outcome, Plot, Ratio
from tests.bench.house import BenchHouse
from tests.bench.native import NoCompiler
from tests.bench.references import BROADCAST, LIMIT, WS, NotHere, Reference
from tests.bench.scale import BURST, Scale, Told
from tests.bench.sides import House, Listeners, Pace, Round, Side, in_turn

SEATS = 4
FLAT = Goal(1.2, 1.2, most=True)
TAPETE = "tapete"
BURSTS = f", bursts of {BURST}"
KINDS_OF_OURS = (TAPETE, TAPETE + BURSTS)
COPIES_MAX = 200_000
"""Of one round, about; enough of them at any size."""


async def fan_out(scale: Scale, told: Told) -> Outcome:
    """The same bytes to the same number of connections: by the node, and by each reference."""
    said = f"One table, {scale.spectators:,} spectators: single events, and bursts of {BURST}; players bet through the node."
    outcome = Outcome("fan-out", said)
    single = Pace(scale.every_ms, 1, scale.events)
    burst = Pace(BURST * scale.every_ms, BURST, scale.bursts)
    async with AsyncExitStack() as stack:
        house = await BenchHouse(stack).open()
        (table,) = await house.tables(1)
        log = house.folder / "log"
        spectators = await house.spectators(scale.spectators, [table], f"record={log}")
        players = await house.players([table], SEATS)
        ours = House(TAPETE, house.pids, players, spectators)
        await _record(ours, spectators, scale)
        told("a log is recorded")
        sides: list[Side] = [ours]
        for name in (WS, BROADCAST, f"{BROADCAST}, uvloop", LIMIT):
            try:
                sides.append(await _listeners(name, log, scale.spectators, stack))
            except (NotHere, NoCompiler) as wrong:
                outcome.notes.append(f"{name} was not measured. {wrong}")
        await in_turn(sides, Pace(scale.every_ms, 1, 5), 1, told, "warm")
        for pace, kind in ((single, "single"), (burst, "bursts")):
            _compare(outcome, kind, await in_turn(sides, pace, scale.rounds, told, kind))
    return outcome


async def _record(ours: House, spectators: Crowd, scale: Scale) -> None:
    """Play until there is a log for all rounds of a reference: real batches of real rounds."""
    wanted = 10 + scale.rounds * (scale.events + BURST * scale.bursts)
    while (await spectators.look()).newest < wanted:
        await ours.play(Pace(BURST * 2, BURST, 1 + scale.bursts // 2))


async def _listeners(name: str, log: Path, count: int, stack: AsyncExitStack) -> Listeners:
    reference = await Reference(name, log).start(stack)
    return Listeners(reference, await Crowd("raw", count, [reference.port]).start(stack))


GOALS = {
    ("single", WS): Goal(1.15, 1.35),
    ("single", LIMIT): Goal(0.65, 0.75),
    ("bursts", WS): Goal(3, 5),
}


def _compare(outcome: Outcome, kind: str, found: dict[str, list[Round]]) -> None:
    cost = Figure(
        f"{kind}: processor time of a delivered copy",
        "µs",
        {name: [one.us_per_copy for one in of] for name, of in found.items()},
    )
    late = {name: [one.spreads.at(0.99) / 1000 for one in of if one.spreads] for name, of in found.items()}
    outcome.figures += [cost, Figure(f"{kind}: from the first copy of a batch to the 99th of a hundred", "ms", late)]
    for other in found:
        if other != TAPETE:
            name = f"{kind}: work per processor second, of {other}'s"
            outcome.ratios.append(Ratio(name, cost.over(other, TAPETE), GOALS.get((kind, other))))


async def sizes(scale: Scale, told: Told) -> Outcome:
    """What a copy costs where more look on: a house for each size, and a C writer, which shows what the machine adds."""
    named = ", ".join(f"{size:,}" for size in scale.sizes)
    said = f"A table with {named} spectators, single events and bursts of {BURST}; the players' commands are in it."
    outcome = Outcome("sizes", said)
    async with AsyncExitStack() as stack:
        sides: list[list[Side]] = []
        log: Path | None = None
        for size in scale.sizes:
            house = await BenchHouse(stack).open()
            (table,) = await house.tables(1)
            own = house.folder / "log"
            spectators = await house.spectators(size, [table], f"record={own}")
            ours = House(TAPETE, house.pids, await house.players([table], SEATS), spectators)
            if log is None:
                await _record(ours, spectators, scale)
                log = own
            sides.append([ours])
            told(f"{size} spectators are there")
            try:
                sides[-1].append(await _listeners(LIMIT, log, size, stack))
            except NoCompiler as wrong:
                outcome.notes.append(f"{LIMIT} was not measured. {wrong}")
        found = await _by_size(sides, scale, told)
    for name, rounds in found.items():
        figure = Figure(f"{name}: processor time of a delivered copy", "µs", rounds)
        outcome.figures.append(figure)
        for less, more in pairwise(rounds):
            ratio = f"{name}: a copy to {more} spectators, of one to {less}"
            outcome.ratios.append(Ratio(ratio, figure.over(more, less), FLAT if name in KINDS_OF_OURS else None))
    lines = {
        name: [(float(size), statistics.median(values)) for size, values in rounds.items()]
        for name, rounds in found.items()
    }
    outcome.plots.append(Plot("Cost of a copy", "spectators of a table", "µs of processor time", lines))
    return outcome


async def _by_size(sides: list[list[Side]], scale: Scale, told: Told) -> dict[str, dict[str, list[float]]]:
    """For each server and kind of event, and each size, one value a round; all of them in turn."""
    found: dict[str, dict[str, list[float]]] = {}
    for number in range(scale.rounds):
        for size, beside in zip(scale.sizes, sides, strict=True):
            every_ms, events_max = max(scale.every_ms, size // 50), COPIES_MAX // size
            single = Pace(every_ms, 1, min(scale.events, max(8, events_max)))
            bursts = Pace(BURST * every_ms, BURST, min(scale.bursts, max(2, events_max // BURST)))
            for pace, kind in ((single, ""), (bursts, BURSTS)):
                for side in beside:
                    played = await side.play(pace)
                    found.setdefault(side.name + kind, {}).setdefault(str(size), []).append(played.us_per_copy)
                    told(f"{side.name}{kind}, {size} spectators, round {number + 1}")
    return found
