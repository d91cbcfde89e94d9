"""`python -m tests.simulation.crashes`: a node dies at every step of its loop between a command and the end of what it began.

Each story is short: two nodes, one person, no other fault. The first time nothing dies, and the steps of the node are
counted; then it dies just before its first step, its second one, and so on. Whatever it left behind, the other one finishes,
every checker holds, and each chip is where it belongs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from tapete_client import Table
from tests.simulation import shortcuts
from tests.simulation.fate import Fate, draw
from tests.simulation.machine import Machine
from tests.simulation.network import Weather
from tests.simulation.people import Person
from tests.simulation.runner import collect, undisturbed
from tests.simulation.storewire import StoreWeather
from tests.simulation.story import Ending, Story

SEED = 1
CHIPS, BET = 10_000, 1_000
READY_S_MAX = 30.0
DONE_S_MAX = 60.0
AFTERMATH_S = 0.05
"""What a node does when the command has its answer is part of it."""
POINTS_MAX = 2_000
TIMES = {"betting_ms": 60_000, "turn_ms": 60_000, "pause_ms": 0, "card_ms": 0, "hold_ms": 60_000}


async def nothing(_: Table) -> None:
    """Nothing has to be so before."""


async def chips(table: Table) -> None:
    await table.buy_in(CHIPS)


async def bet(table: Table) -> None:
    await table.buy_in(CHIPS)
    spot = "main" if table.view.game == "double_exposure" else "punto"
    await table.place_bet(table.my_boxes[0], spot, BET)


async def buy_in(table: Table) -> None:
    await table.buy_in(CHIPS)


async def cash_out(table: Table) -> None:
    await table.cash_out(CHIPS // 2)


async def leave(table: Table) -> None:
    await table.leave()


async def settle(table: Table) -> None:
    """From the last word of the players to the next round."""
    number = table.view.round
    await table.ready()
    await table.until(lambda view: view.round > number or ((turn := view.felt.turn) is not None and bool(turn.owner)))
    if table.view.round == number and table.my_turn:
        await table.stand_all()
    await table.until(lambda view: view.round > number)


@dataclass(frozen=True, slots=True)
class Operation:
    """`before`: what has to be done first, on nodes that live."""

    name: str
    game: str
    before: Callable[[Table], Awaitable[None]]
    work: Callable[[Table], Awaitable[None]]


OPERATIONS = (
    Operation("buy-in", "punto_banco", nothing, buy_in),
    Operation("cash-out", "punto_banco", chips, cash_out),
    Operation("leave", "punto_banco", chips, leave),
    Operation("settlement of a coup", "punto_banco", bet, settle),
    Operation("settlement of a round", "double_exposure", bet, settle),
)


def fate_of(game: str) -> Fate:
    settings = json.dumps({"game": game, "times": TIMES}, separators=(",", ":"))
    calm = replace(
        draw(Random(SEED)), weather=Weather(), store_weather=StoreWeather(), blows={}, hits=(), hit_chance=0.0
    )
    return replace(calm, game=game, settings=settings, nodes=2, players=0, spectators=1, liars=0, stammerers=0, twins=0)


class Crash(Story):
    """`point`: before which of its steps the node dies, counted from the command; 0: it lives. `steps`: how many it took."""

    def __init__(self, operation: Operation, point: int) -> None:
        super().__init__(SEED, fate_of(operation.game))
        self._operation, self._point = operation, point
        self.steps = 0
        self.died = False

    async def _storm(self) -> None:
        (person,) = self.world.people
        await self._until(lambda: person.table is not None, READY_S_MAX, "nobody comes in")
        table = person.table
        assert table is not None
        await self._as(person, self._prepared(table))
        machine = self._machine_of(person)
        before, host = host_steps(machine), machine.host
        host.on_death = lambda: self.world.after_this(lambda: self._dies(machine))
        host.dies_at_step = before + self._point if self._point else 0
        await self._as(person, self._operation.work(table))
        await self._pass(AFTERMATH_S)
        host.dies_at_step, self.steps = 0, host_steps(machine) - before

    def _dies(self, machine: Machine) -> None:
        self.died = True
        self.world.say(machine.name, "KILL", f"before step {self._point}")
        machine.kill()

    async def _prepared(self, table: Table) -> None:
        await table.take_box()
        await self._operation.before(table)

    async def _as(self, person: Person, work: Awaitable[None]) -> None:
        """Done by somebody's device, in time."""

        async def done() -> None:
            await work

        task = self.world.loop.spawn(person.host, done())
        await self._until(task.done, DONE_S_MAX, f"{self._operation.name} does not end")
        task.result()

    async def _pass(self, seconds: float) -> None:
        until_s = self.world.loop.now + seconds
        await self._until(lambda: self.world.loop.now >= until_s, seconds + 1, "time stands still")

    def _machine_of(self, person: Person) -> Machine:
        pipe = next(one for one in self.world.network.pipes if one.client is person.host)
        return next(one for one in self.world.machines if one.host is pipe.node)


def host_steps(machine: Machine) -> int:
    return machine.host.steps


def crashes(operation: Operation) -> Iterator[tuple[int, Ending]]:
    """Point and ending of each story, the one in which nobody dies (0) first."""
    shortcuts.take()
    with undisturbed():
        yield from _stories(operation)


def _stories(operation: Operation) -> Iterator[tuple[int, Ending]]:
    whole = Crash(operation, 0)
    yield 0, whole.play()
    for point in range(1, min(whole.steps, POINTS_MAX) + 1):
        story = Crash(operation, point)
        ending = story.play()
        collect()
        if ending.failure is None and not story.died:
            ending.failure = "the node did not die: the operation took another way"
        yield point, ending


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.crashes", description=__doc__)
    parser.add_argument("--only", choices=[one.name for one in OPERATIONS], help="this operation")
    wanted = parser.parse_args(argv)
    failed = 0
    for operation in OPERATIONS:
        if wanted.only in {None, operation.name}:
            points = 0
            for point, ending in crashes(operation):
                points = point
                if ending.failure is not None:
                    failed += 1
                    sys.stdout.write(f"{operation.name}, dead before step {point}: {ending.failure}\n{ending.last}\n\n")
            sys.stdout.write(f"{operation.name}: {points} points, {'FAILED' if failed else 'each one mended'}\n")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
