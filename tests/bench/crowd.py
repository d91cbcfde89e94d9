"""The load client, `native/crowd.c`, as the benchmark speaks to it: a process, lines in, lines of JSON out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.bench.child import Child
from tests.bench.native import built
from tests.bench.processor import CLIENT_CORE

QUANTILES = (0.5, 0.9, 0.99, 0.999, 1.0)
Kind = Literal["watch", "play", "raw", "echo"]
LOOK_S = 0.01
WAIT_S_MAX = 120.0


class BadDelivery(Exception):
    """A frame was lost, doubled, out of order or altered; or a connection broke."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How something was distributed: microseconds at `QUANTILES`, of `count` measured."""

    count: int
    us: tuple[int, ...]

    @classmethod
    def of(cls, told: dict[str, Any]) -> Spread:
        return cls(told["n"], tuple(told["us"]) or (0,) * len(QUANTILES))

    def at(self, share: float) -> int:
        return self.us[QUANTILES.index(share)]


@dataclass(frozen=True, slots=True)
class Look:
    """Counts are since the beginning. `newest`: the sum of the newest versions of all tables; `behind`: connections that do
    not have the newest one of theirs. Spreads are since the last mark: a command's answer; a copy after the first copy
    of its batch; a connection's return after all were dropped."""

    live: int
    lost: int
    batches: int
    snapshots: int
    acks: int
    refused: int
    refusal: str
    behind: int
    newest: int
    answers: Spread | None = None
    spreads: Spread | None = None
    returns: Spread | None = None


class Crowd(Child):
    """`count` connections of one kind: spectators (`watch`) and players (`play`) of a node, listeners of a server that sends
    frames only (`raw`), and players of an echo (`echo`). They are there from `start` until the stack ends."""

    def __init__(self, kind: Kind, count: int, ports: Sequence[int], *options: str) -> None:
        self.kind, self.count = kind, count
        self.may_lose = False
        """Of those who do not read it is expected."""
        self._words = [str(built("crowd")), kind, str(count), ",".join(map(str, ports)), *options]

    async def start(self, stack: AsyncExitStack) -> Crowd:
        """Returns when all of them are there."""
        await self.launch(self._words, CLIENT_CORE, stack)
        await self.until(lambda look: look.live == self.count)
        return self

    async def say(self, line: str) -> dict[str, Any]:
        self.write(line)
        told = await self.read()
        if not told:
            raise BadDelivery(f"the load client has ended with status {await self.process.wait()}")
        answer: dict[str, Any] = json.loads(told)
        return answer

    async def look(self, *, mark: bool = False) -> Look:
        """Raises `BadDelivery` when anything was wrong on any connection so far."""
        told = await self.say("mark" if mark else "look")
        if told["faults"]:
            raise BadDelivery(f"{told['faults']} faults, the first one: {told['fault']}")
        if told["lost"] and not self.may_lose:
            raise BadDelivery(f"{told['lost']} of {self.count} connections were lost")
        spreads: dict[str, Any] = {
            name: Spread.of(told.pop(name)) for name in ("answers", "spreads", "returns") if name in told
        }
        counts = {name: told[name] for name in Look.__dataclass_fields__ if name in told}
        return Look(**counts, **spreads)

    async def until(self, condition: Callable[[Look], bool], within_s: float = WAIT_S_MAX) -> Look:
        """The first look of which it holds. Raises `TimeoutError` with the last one."""
        look = await self.look()
        try:
            async with asyncio.timeout(within_s):
                while not condition(look):
                    await asyncio.sleep(LOOK_S)
                    look = await self.look()
        except TimeoutError:
            raise TimeoutError(f"{self.kind}: {look}") from None
        return look

    async def level(self, newest: int) -> Look:
        """Wait until each connection has all batches, the sum of whose newest versions is that."""
        return await self.until(lambda look: look.newest >= newest and not look.behind)


def tables_file(folder: Path, name: str, tables: Sequence[str]) -> str:
    """The option that tells a crowd where it is: one table for each connection, in turn (or for each `seats`)."""
    file = folder / f"{name}.tables"
    file.write_text("\n".join(tables) + "\n")
    return f"tables={file}"
