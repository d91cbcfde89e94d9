"""The store as one simulated node has it: the whole port, over a wire that may fail, on a vault that all nodes share."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store.era import went_back
from tapete_server.adapters.redis_store.keys import ECHO
from tapete_server.ports import StoreAway
from tests.simulation.store.asked_money import AskedMoney
from tests.simulation.store.asked_presence import AskedPresence
from tests.simulation.store.asked_tables import AskedTables
from tests.simulation.store.follower import Follower
from tests.simulation.store.lane import Lane
from tests.simulation.store.nodes import Era
from tests.simulation.store.vault import Vault
from tests.simulation.store.wire import Wire

R = TypeVar("R")


class SimStore(AskedTables, AskedMoney, AskedPresence):
    """Waits and pauses by the clock of the running loop, with the limits of the vault."""

    def __init__(self, vault: Vault, wire: Wire) -> None:
        self._vault = vault
        self._lane = Lane(wire, vault.limits, self._greet)
        self._way, self._era, self._incarnation = wire, Era(0, 0, waits=False), ""
        self._heard = 0
        self.seen: Callable[[], dict[TableId, tuple[int, bytes]]] = dict
        self._follower = Follower(vault, wire, vault.limits)
        self.on_batch: Callable[[TableId, bytes], None] = lambda _table, _batch: None
        self.on_resubscribed: Callable[[], None] = lambda: None
        self.on_available: Callable[[bool], None] = lambda _available: None
        self._lane.on_available = self._told
        self._follower.on_batch = self._batch
        self._follower.on_resubscribed = self._resubscribed
        self._echo = TableId(f"{ECHO}:{vault.name()}")
        self._echo_numbers = itertools.count(1)
        self._echoes: dict[bytes, asyncio.Event] = {}
        self._hears_itself = False

    async def start(self) -> None:
        """Raises `StoreAway` when the store does not answer."""
        await self._lane.start()
        self._follower.start()

    async def _greet(self) -> int:
        """As the real one does: come as a witness of a new era, and wait for the others. The last doubt."""
        await self._asked("", misses=False)
        if self._era.waits and self._incarnation:
            seen = self.seen()
            found = await self._journey(lambda: self._vault.heads(list(seen)))
            misses = self._era.doubted < self._heard or any(went_back(found.get(one), *seen[one]) for one in seen)
            await self._asked(self._incarnation, misses=misses)
        while self._era.waits:
            await asyncio.sleep(self._vault.limits.witness_look_ms / 1000)
            await self._asked("", misses=False)
        return self._era.doubted

    async def _asked(self, witness: str, *, misses: bool) -> None:
        self._era = await self._journey(lambda: self._vault.greet(witness, misses=misses))
        self._heard = max(self._heard, self._era.doubted)

    async def _journey(self, work: Callable[[], R]) -> R:
        async with asyncio.timeout(self._vault.limits.socket_timeout_ms / 1000):
            await self._way.request()
            answer = work()
            await self._way.reply()
        return answer

    async def beat(self, incarnation: str, node: str) -> None:
        self._incarnation = incarnation
        await super().beat(incarnation, node)

    async def close(self) -> None:
        """Ends everything of this node, what it has sent included."""
        await self._follower.close()
        await self._lane.close()

    def die(self) -> None:
        """The node's process has gone: it hears nothing more; what it has sent, the store may still carry out.

        At the end of a simulation `close` ends that, too.
        """
        self._follower.hang_up()
        self._lane.hang_up()

    def unbroken(self) -> AbstractContextManager[None]:
        return self._lane.sittings.unbroken()

    def _told(self, available: bool) -> None:
        if not available:
            self._follower.give_up("a command was not answered")
        self.on_available(available)

    def _resubscribed(self) -> None:
        self.on_resubscribed()

    async def subscribe(self, table: TableId) -> None:
        if not self._lane.available:
            raise StoreAway("the store is away")
        await self._follower.follow(table)

    async def unsubscribe(self, table: TableId) -> None:
        self._follower.unfollow(table)

    def _batch(self, table: TableId, batch: bytes) -> None:
        if table != self._echo:
            self.on_batch(table, batch)
        elif (event := self._echoes.get(batch)) is not None:
            event.set()

    async def echo(self) -> None:
        """Returns with the echo; it may never come, and the caller has the patience. Raises `StoreAway`."""
        if not self._hears_itself:
            await self._follower.follow(self._echo)
            self._hears_itself = True
        word = str(next(self._echo_numbers)).encode()
        event = self._echoes[word] = asyncio.Event()
        try:
            await self._lane.ask(self._vault.publish, self._echo, word)
            await event.wait()
        finally:
            del self._echoes[word]
