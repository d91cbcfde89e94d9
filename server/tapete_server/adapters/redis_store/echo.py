"""Whether the store can be worked with: it takes a write, shows it, and passes on what is said."""

from __future__ import annotations

import asyncio
import itertools

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store.coalescer import Coalescer
from tapete_server.adapters.redis_store.follow import Follower
from tapete_server.ports import StoreAway

KEPT_S = 60


class Echo:
    """`name` is the key and the channel of this connection alone.."""

    def __init__(self, lane: Coalescer, follower: Follower, name: str) -> None:
        self._lane, self._follower, self._name = lane, follower, name
        self._channel = TableId(name)
        self._numbers = itertools.count(1)
        self._waiting: dict[bytes, asyncio.Event] = {}
        self._follows = False

    def heard(self, channel: TableId, said: bytes) -> bool:
        """Whether this was an echo."""
        if channel != self._channel:
            return False
        if (event := self._waiting.get(said)) is not None:
            event.set()
        return True

    async def call(self) -> None:
        """Returns with the echo; it may never come, and the caller has the patience. Raises `StoreAway`."""
        if not self._follows:
            await self._follower.follow(self._name, self._channel)
            self._follows = True
        word = str(next(self._numbers)).encode()
        event = self._waiting[word] = asyncio.Event()
        try:
            _, read, _ = await self._lane.calls(
                [("SET", self._name, word, "EX", KEPT_S), ("GET", self._name), ("PUBLISH", self._name, word)]
            )
            if read != word:
                raise StoreAway("the store does not show what it was given")
            await event.wait()
        finally:
            del self._waiting[word]
