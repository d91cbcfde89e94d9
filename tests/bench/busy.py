"""Many tables: a full house, many on one store, and more than one node."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tests.bench.figures import Figure, Goal, Outcome, Plot, Ratio
from tests.bench.house import BenchHouse
from tests.bench.scale import Scale, Told
from tests.bench.sides import House, Pace, Round, in_turn

SEATS = 4
NODES = (1, 2, 3)


async def company(scale: Scale, told: Told) -> Outcome:
    """A full house: four players at each table, and spectators."""
    tables, watching = scale.company_tables, scale.company_spectators
    each = watching // tables
    outcome = Outcome("company", f"{tables} tables of {SEATS} players, {each} spectators at each, on one node.")
    async with AsyncExitStack() as stack:
        house = await BenchHouse(stack).open()
        opened = await house.tables(tables)
        players = await house.players(opened, SEATS)
        told("the players are there")
        ours = House("tapete", house.pids, players, await house.spectators(watching, opened))
        found = (await in_turn([ours], Pace(5, 1, 4 * scale.events), scale.rounds, told))["tapete"]
    outcome.figures += [
        Figure("processor time of a command and its copies", "µs", {"tapete": [one.us_per_command for one in found]}),
        Figure(
            "processor time of a delivered copy, commands and all", "µs", {"tapete": [one.us_per_copy for one in found]}
        ),
        _answers(found),
    ]
    return outcome


def _answers(found: list[Round]) -> Figure:
    taken = [one.answers for one in found if one.answers]
    rounds = {f"{share:.0%} of answers": [one.at(share) / 1000 for one in taken] for share in (0.5, 0.99)}
    return Figure("from a command to its answer", "ms", rounds)


async def tables(scale: Scale, told: Told) -> Outcome:
    """What a commit costs where the store has more tables: the same commands per second, over few tables or many."""
    few, many = scale.few_tables, scale.many_tables
    outcome = Outcome(
        "tables", f"The same commands per second over {few} tables, and over {many:,} on one store and node."
    )
    async with AsyncExitStack() as stack:
        sides = []
        for count in (few, many):
            house = await BenchHouse(stack).open()
            sides.append(House(str(count), house.pids, await house.players(await house.tables(count))))
            told(f"{count} tables are open")
        await in_turn(sides, Pace(2, 1, max(scale.commands // 10, 2 * many)), 1, told)  # until everyone has bet
        found = await in_turn(sides, Pace(2, 1, max(scale.commands // 6, many)), scale.rounds, told)
    cost = Figure(
        "processor time of a command", "µs", {k: [one.us_per_command for one in of] for k, of in found.items()}
    )
    outcome.figures.append(cost)
    name = f"a command among {many:,} tables, of one among {few}"
    outcome.ratios.append(Ratio(name, cost.over(str(many), str(few)), Goal(1.2, 1.2, most=True)))
    line = [(float(size), cost.median(str(size))) for size in (few, many)]
    outcome.plots.append(Plot("Cost of a command", "tables on one store", "µs of processor time", {"tapete": line}))
    return outcome


async def workers(scale: Scale, told: Told) -> Outcome:
    """One process, and two on one port, as far as the machine has cores: nothing is pinned, clients and store want some, too."""
    watching = scale.spectators // scale.players
    outcome = Outcome(
        "workers",
        f"{scale.players} tables, a player at each who does not wait, and {watching} spectators; on all cores.",
    )
    async with AsyncExitStack() as stack:
        sides: dict[str, House] = {}
        for count in (1, 2):
            house = await BenchHouse(stack).open(0)
            await house.add_node("--workers", str(count))
            tables = await house.tables(scale.players)
            spectators = await house.spectators(watching * scale.players, tables)
            sides[f"workers: {count}"] = House("tapete", house.pids, await house.players(tables), spectators)
            told(f"{count} workers are up")
        per_s: dict[str, list[float]] = {name: [] for name in sides}
        cost: dict[str, list[float]] = {name: [] for name in sides}
        for number in range(scale.rounds):
            for name, side in sides.items():
                one, seconds = await side.timed_flat_out(scale.commands // 3)
                per_s[name].append(one.commands / seconds)
                cost[name].append(one.us_per_command)
                told(f"{name}, round {number + 1}")
    rate = Figure("commands and their events", "per second", per_s)
    outcome.figures += [rate, Figure("processor time of a command and its copies", "µs", cost)]
    outcome.ratios.append(Ratio("commands per second of two workers, of one's", rate.over("workers: 2", "workers: 1")))
    return outcome


async def nodes(scale: Scale, told: Told) -> Outcome:
    """The same players, spread over one, two or three nodes that share a core: what it costs to share tables."""
    outcome = Outcome(
        "nodes",
        f"{scale.players} tables, two players at each, who are on different nodes where there are more than one.",
    )
    async with AsyncExitStack() as stack:
        sides = []
        for count in NODES:
            house = await BenchHouse(stack).open(count)
            players = await house.players(await house.tables(scale.players), 2)
            sides.append(House(f"{count} nodes", house.pids, players))
            told(f"{count} nodes are up")
        found = await in_turn(sides, Pace(5, 1, scale.commands // 12), scale.rounds, told)
    cost = Figure(
        "processor time of a command, all nodes together",
        "µs",
        {k: [one.us_per_command for one in of] for k, of in found.items()},
    )
    outcome.figures.append(cost)
    for count in NODES[1:]:
        outcome.ratios.append(
            Ratio(f"a command on {count} nodes, of one on a single node", cost.over(f"{count} nodes", "1 nodes"))
        )
    return outcome
