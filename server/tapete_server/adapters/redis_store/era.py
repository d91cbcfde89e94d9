"""Whether the store may have gone back behind what somebody saw: asked over every new connection, before anything else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any

from redis.exceptions import ResponseError

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store import scripts
from tapete_server.adapters.redis_store.connection import REFUSALS, Command, Line, code_of
from tapete_server.adapters.redis_store.keys import ERA, NODES_UNWALKED, WITNESSES, Keys
from tapete_server.adapters.redis_store.limits import StoreLimits

log = logging.getLogger("tapete.store")

RUN = b"run_id:"
DURABLE = {b"appendonly": b"yes", b"appendfsync": b"always"}
"""With these settings, what was acknowledged is on the disk."""


class Era:
    """`began` and `doubted` by the store's clock, in ms: the era that it is, and the last doubted one (0: none).
    `incarnation`: this node, once it is at work; `seen`: version and head of each table that it follows."""

    def __init__(self, limits: StoreLimits, keys: Keys) -> None:
        self._limits, self._keys = limits, keys
        self.began, self.doubted = 0, 0
        self._heard = 0
        """The last doubt that this node was told of; the store may have forgotten that, too."""
        self.incarnation = ""
        self.seen: Callable[[], dict[TableId, tuple[int, bytes]]] = dict

    async def greet(self, line: Line) -> int:
        """Over a connection that was just opened: come as a witness, and wait for the others. The last doubt. A store that does
        not say which run of it this is, is not doubted."""
        told, *settings = await line.ask(("INFO", "server"), *(("CONFIG", "GET", name) for name in DURABLE))
        if not (run := run_in(told)):
            log.warning("the store does not say which run of it this is: whether it went back is not seen")
            return self.doubted
        durable = all(value_in(one) == wanted for one, wanted in zip(settings, DURABLE.values(), strict=True))
        async with asyncio.timeout(2 * self._limits.witness_ms / 1000):
            waits = await self._asked(line, run, durable)
            if waits and self.incarnation:
                misses = self.doubted < self._heard or await self._misses(line)
                waits = await self._asked(line, run, durable, self.incarnation, misses)
            while waits:
                await asyncio.sleep(self._limits.witness_look_ms / 1000)
                waits = await self._asked(line, run, durable)
        return self.doubted

    async def _misses(self, line: Line) -> bool:
        """Whether the store has gone back behind what this node has seen of any table. One that was closed is missed, too:
        it cannot be told from one that is not there yet."""
        seen = self.seen()
        groups = self._keys.together(seen, self._limits.heads_tables_max)
        asked: list[Command] = [
            ("EVAL", scripts.HEADS.body, len(group), *map(self._keys.table, group)) for group in groups
        ]
        found = await line.ask(*asked)
        for refused in found:
            if isinstance(refused, ResponseError) and code_of(refused) in REFUSALS:
                raise refused  # for now: it says nothing of the tables
        return any(
            isinstance(stored, ResponseError)
            or any(went_back(one, *seen[table]) for table, one in zip(group, stored, strict=True))
            for group, stored in zip(groups, found, strict=True)
        )

    async def _asked(self, line: Line, run: bytes, durable: bool, witness: str = "", misses: bool = False) -> bool:  # noqa: FBT001, FBT002 - as the script has it
        """Whether the era waits for witnesses."""
        keys = (ERA, NODES_UNWALKED, WITNESSES)
        asked = (run, int(durable), witness, int(misses), self._limits.witness_ms)
        (answer,) = await line.ask(("EVAL", scripts.ERA.body, len(keys), *keys, *asked))
        if isinstance(answer, ResponseError):
            raise answer
        self.began, self.doubted, waits = answer
        if self.doubted > self._heard:
            self._heard = self.doubted
            log.warning("the store came up anew, and may have forgotten something: rounds that were open are void")
        return bool(waits)


def went_back(stored: Sequence[Any] | None, version: int, head: bytes) -> bool:
    """`stored`: version and head as they are now, or nothing in their place."""
    if stored is None or stored[0] is None:
        return True
    return int(stored[0]) < version or (int(stored[0]) == version and stored[1] != head)


def run_in(told: Any) -> bytes:
    """The run of the server, as INFO gives it; empty where it is not allowed to say."""
    lines = [] if isinstance(told, ResponseError) else told.splitlines()
    return next((line.removeprefix(RUN) for line in lines if line.startswith(RUN)), b"")


def value_in(told: Any) -> bytes:
    """One setting, as CONFIG GET gives it; empty where that is not allowed."""
    return told[1] if isinstance(told, list) and len(told) == 2 else b""
