"""What a player's command costs and takes: rules, commit in the store, answer, and event to the table."""

from __future__ import annotations

import asyncio
import statistics
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from tests.bench.crowd import QUANTILES, Crowd, Spread
from tests.bench.figures import Figure, Goal, Outcome, Plot, Ratio
from tests.bench.house import BenchHouse
from tests.bench.processor import SERVER_CORE, pin
from tests.bench.references import BROADCAST, Reference
from tests.bench.scale import Scale, Told
from tests.bench.sides import House, Pace, Round

TAPETE, ECHO, ECHO_AS_IT_COMES = "tapete", "echo", "echo on asyncio's own loop"
TRIP, PACED = "store round trip", ", at the pace of the commands"
ROUND_TRIP = Path(__file__).parent / "references" / "round_trip.py"


async def echo_server(stack: AsyncExitStack, folder: Path, loop: str = "uvloop") -> Reference:
    """Bare `websockets`, which gives back each message: on the event loop that the node is on."""
    log = folder / "nothing"
    log.touch()
    return await Reference(f"{BROADCAST}, {loop}", log).start(stack)


class Echo(House):
    """Players whose commands are given back to them, as they are."""

    async def settle(self) -> None:
        """There are no tables."""


async def commands(scale: Scale, told: Told) -> Outcome:
    outcome = Outcome(
        "commands",
        f"{scale.players} tables, one player at each, whose next command follows the answer at once; an echo of the same frames "
        "to as many. Then both at half of what they could do; the store's round trip is a PING by redis.asyncio. A processor "
        "that rests in between is slower at each of these, so echo and PING are measured at the pace of the commands, too.",
    )
    async with AsyncExitStack() as stack:
        house = await BenchHouse(stack).open()
        ours = House(TAPETE, house.pids, await house.players(await house.tables(scale.players)))
        other, slower = [
            Echo(name, [echo.pid], await Crowd("echo", scale.players, [echo.port]).start(stack))
            for name, loop in ((ECHO, "uvloop"), (ECHO_AS_IT_COMES, "asyncio"))
            for echo in [await echo_server(stack, house.folder, loop)]
        ]
        found: dict[str, list[Round]] = {TAPETE: [], ECHO: [], ECHO_AS_IT_COMES: []}
        per_s: dict[str, list[float]] = {TAPETE: [], ECHO: [], ECHO_AS_IT_COMES: []}
        for number in range(scale.rounds):
            for side in (ours, other, slower):
                one, seconds = await side.timed_flat_out(scale.commands)
                found[side.name].append(one)
                per_s[side.name].append(scale.commands / seconds)
                told(f"{side.name}, flat out, round {number + 1}")
        cost = Figure(
            "processor time of a command", "µs", {k: [one.us_per_command for one in of] for k, of in found.items()}
        )
        outcome.figures += [cost, Figure("flat out", "commands/s", per_s)]
        outcome.ratios += [
            Ratio("a command, of a bare echo's processor time", cost.over(TAPETE, ECHO), Goal(4, 2.5, most=True)),
            Ratio("the same, of an echo's on asyncio's own loop", cost.over(TAPETE, ECHO_AS_IT_COMES)),
        ]
        await _half_load(outcome, scale, house, {ours: max(per_s[TAPETE]), other: max(per_s[ECHO])}, told)
    return outcome


async def _half_load(outcome: Outcome, scale: Scale, house: BenchHouse, sides: dict[House, float], told: Told) -> None:
    """`sides`: the node and the echo, and what each could do in a second."""
    (node, node_us), (echo, echo_us) = ((side, 2_000_000 / per_s) for side, per_s in sides.items())
    took: dict[str, list[float]] = {name: [] for name in (TAPETE, ECHO, TRIP, ECHO + PACED, TRIP + PACED)}
    for number in range(scale.rounds):
        took[TRIP].append(await round_trip_ms(house.store_url))
        took[TRIP + PACED].append(await round_trip_ms(house.store_url, node_us))
        for side, name, every_us in ((node, TAPETE, node_us), (echo, ECHO, echo_us), (echo, ECHO + PACED, node_us)):
            one = await side.play_each(every_us, scale.commands // 6)
            assert one.answers is not None
            took[name].append(one.answers.at(0.5) / 1000)
            told(f"{name}, half load, round {number + 1}")
    outcome.figures.append(Figure("half load: median of answers", "ms", took))
    for how, goal in (("", Goal(3, 2, most=True)), (PACED, None)):
        values = [
            command / (there_and_back + trip)
            for command, there_and_back, trip in zip(took[TAPETE], took[ECHO + how], took[TRIP + how], strict=True)
        ]
        name = f"a command's latency at half load, of one round trip to the store and one echo{how}"
        outcome.ratios.append(Ratio(name, values, goal))


async def round_trip_ms(url: str, every_us: float = 0) -> float:
    """Median of PINGs by redis.asyncio on uvloop, from the servers' core; 0: one after the other."""
    words = (sys.executable, str(ROUND_TRIP), url, str(every_us))
    asked = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    pin(asked.pid, SERVER_CORE)
    out, _ = await asked.communicate()
    return float(out)


async def beside(scale: Scale, told: Told) -> Outcome:
    """Players beside a crowd: what a broadcast to many does to those who play."""
    outcome = Outcome(
        "players",
        f"{scale.probes} players at tables of their own, each ten commands a second, beside a table with {scale.beside:,} "
        "spectators and ten events a second; the other server broadcasts as often, and echoes what its players send.",
    )
    every = Pace(100, 1, max(3, scale.events // 2))
    async with AsyncExitStack() as stack:
        house = await BenchHouse(stack).open()
        show, *own = await house.tables(1 + scale.probes)
        log = house.folder / "log"
        spectators = await house.spectators(scale.beside, [show], f"record={log}")
        table = House(TAPETE, house.pids, await house.players([show]), spectators)
        ours = await house.players(own)
        while (await spectators.look()).newest < 10 + (scale.rounds + 1) * every.times:
            await table.play(Pace(10, 1, every.times))
        other = await Reference(f"{BROADCAST}, uvloop", log).start(stack)
        await Crowd("raw", scale.beside, [other.port]).start(stack)
        probes = await Crowd("echo", scale.probes, [other.port]).start(stack)
        taken: dict[str, list[Spread]] = {TAPETE: [], BROADCAST: []}
        for number in range(scale.rounds):
            for name, crowd in ((TAPETE, ours), (BROADCAST, probes)):
                await crowd.look(mark=True)
                await crowd.say("pace 100000 1")
                if name == TAPETE:
                    await table.play(every)
                else:
                    await _broadcast(other, every)
                await crowd.say("hold")
                answers = (await crowd.look(mark=True)).answers
                assert answers is not None
                taken[name].append(answers)
                told(f"{name}, round {number + 1}")
    figure = Figure("99th percentile of answers", "ms", _ms(taken, 0.99))
    outcome.figures += [Figure("median of answers", "ms", _ms(taken, 0.5)), figure]
    lines = {
        name: [(round(1 / (1 - share)), statistics.median(_ms(taken, share)[name])) for share in QUANTILES if share < 1]
        for name in taken
    }
    outcome.plots.append(Plot("Answers beside a crowd", "one answer in so many takes longer than", "ms", lines))
    name = f"players' 99th percentile beside {scale.beside:,} spectators, of a `broadcast()` server's"
    outcome.ratios.append(Ratio(name, figure.over(TAPETE, BROADCAST), Goal(0.35, 0.15, most=True)))
    return outcome


def _ms(taken: dict[str, list[Spread]], share: float) -> dict[str, list[float]]:
    return {name: [one.at(share) / 1000 for one in spreads] for name, spreads in taken.items()}


async def _broadcast(server: Reference, pace: Pace) -> None:
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    for number in range(pace.times):
        await asyncio.sleep(began_s + number * pace.every_ms / 1000 - loop.time())
        server.send(1)
