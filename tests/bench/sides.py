"""Servers beside each other: each does the same work, and is measured in its turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tests.bench.crowd import Crowd, Spread
from tests.bench.processor import cpu_ns
from tests.bench.references import Reference


@dataclass(frozen=True, slots=True)
class Pace:
    """`at_once` events every `every_ms`, so many times in a round."""

    every_ms: int
    at_once: int
    times: int


@dataclass(frozen=True, slots=True)
class Round:
    """`copies`: delivered and checked. `answers`: of players' commands, where the side has players. `spreads`: a copy after
    the first copy of its batch."""

    cpu_ns: int
    copies: int
    commands: int
    spreads: Spread | None
    answers: Spread | None

    @property
    def us_per_copy(self) -> float:
        return self.cpu_ns / self.copies / 1000

    @property
    def us_per_command(self) -> float:
        return self.cpu_ns / self.commands / 1000


class Side(Protocol):
    name: str

    async def play(self, pace: Pace) -> Round:
        """One round; ends when everything was delivered. Raises `BadDelivery`."""
        ...


class House:
    """Tapete: players at tables of one or more nodes, and whoever looks on. The processor time is that of the nodes."""

    def __init__(self, name: str, pids: Sequence[int], players: Crowd, spectators: Crowd | None = None) -> None:
        self.name, self._pids, self._players, self._spectators = name, pids, players, spectators

    async def play(self, pace: Pace) -> Round:
        """Each player's turn comes once in `every_ms` times the number of players, or, where there is more than one event at
        once, all players' turns come together."""
        count = self._players.count
        together = pace.at_once > 1
        period_us = pace.every_ms * 1000 if together else pace.every_ms * 1000 * count
        each = max(1, pace.at_once // count)
        return await self._round(f"pace {period_us} {each}", pace.times * pace.at_once)

    async def play_flat_out(self, commands: int) -> Round:
        """The next command of a player as soon as the last one is answered."""
        return await self._round("flat", commands)

    async def timed_flat_out(self, commands: int) -> tuple[Round, float]:
        """And how many seconds it took until all of it was delivered."""
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        return await self.play_flat_out(commands), loop.time() - began_s

    async def play_each(self, every_us: float, commands: int) -> Round:
        """One command in that time, of all players together."""
        return await self._round(f"pace {round(every_us * self._players.count)} 1", commands)

    async def _round(self, how: str, commands: int) -> Round:
        players, spectators = self._players, self._spectators
        before = await players.look(mark=True)
        seen = await spectators.look(mark=True) if spectators else before
        began_ns = cpu_ns(self._pids)
        await players.say(how)
        wanted = before.acks + before.refused + commands
        await players.until(lambda look: look.acks + look.refused >= wanted)
        await players.say("hold")
        await self.settle()
        after = await players.look(mark=True)
        ended_ns = cpu_ns(self._pids)
        last = await spectators.look(mark=True) if spectators else after
        copies = last.batches - seen.batches + (after.batches - before.batches if spectators else 0)
        return Round(ended_ns - began_ns, copies, after.acks - before.acks, last.spreads, after.answers)

    async def settle(self) -> None:
        """Wait until nothing moves any more, and all have all of it."""
        before, newest = -1, (await self._players.look()).newest
        while before != newest:
            await asyncio.sleep(QUIET_S)
            before, newest = newest, (await self._players.look()).newest
        await self._players.level(newest)
        if self._spectators is not None:
            await self._spectators.level(newest)


QUIET_S = 0.05
"""A round of the game whose last command was answered has ended by then: no clock of its tables waits."""


class Listeners:
    """A reference, and those who listen to it."""

    def __init__(self, reference: Reference, crowd: Crowd) -> None:
        self.name, self._reference, self._crowd = reference.name, reference, crowd
        self._sent = 0

    async def play(self, pace: Pace) -> Round:
        seen = await self._crowd.look(mark=True)
        began_ns = cpu_ns([self._reference.pid])
        loop = asyncio.get_running_loop()
        started_s = loop.time()
        for number in range(pace.times):
            await asyncio.sleep(started_s + number * pace.every_ms / 1000 - loop.time())
            self._reference.send(pace.at_once)
        wanted = seen.batches + pace.times * pace.at_once * self._crowd.count
        await self._crowd.until(lambda look: look.batches >= wanted)
        ended_ns = cpu_ns([self._reference.pid])
        last = await self._crowd.look(mark=True)
        return Round(ended_ns - began_ns, last.batches - seen.batches, 0, last.spreads, None)


Told = Callable[[str], None]


async def in_turn(sides: Sequence[Side], pace: Pace, rounds: int, told: Told, kind: str = "") -> dict[str, list[Round]]:
    """A B C, A B C, ..: what the machine does besides is nobody's advantage."""
    found: dict[str, list[Round]] = {side.name: [] for side in sides}
    for number in range(1, rounds + 1):
        for side in sides:
            found[side.name].append(await side.play(pace))
            told(f"{kind} {side.name}, round {number}".strip())
    return found
