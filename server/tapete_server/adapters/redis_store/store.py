"""The store of a node: two connections, one for commands and one for the subscription."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from random import Random

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store import scripts
from tapete_server.adapters.redis_store.coalescer import Coalescer
from tapete_server.adapters.redis_store.connection import ScriptError, connector
from tapete_server.adapters.redis_store.counts import Counts
from tapete_server.adapters.redis_store.echo import Echo
from tapete_server.adapters.redis_store.era import Era
from tapete_server.adapters.redis_store.follow import Follower
from tapete_server.adapters.redis_store.keys import ECHO, SHARDS, Keys
from tapete_server.adapters.redis_store.limits import StoreLimits
from tapete_server.adapters.redis_store.money import Money
from tapete_server.adapters.redis_store.odds import Odds
from tapete_server.adapters.redis_store.presence import Presence
from tapete_server.adapters.redis_store.tables import Tables
from tapete_server.ports import StoreAway


class RedisStore(Tables, Money, Presence, Odds):
    """Redis ≥ 7.0 or Valkey ≥ 7.2 at `redis://`, `rediss://` or `unix://`. `shards` counts for an unused store only."""

    def __init__(
        self, url: str, *, shards: int = 64, limits: StoreLimits | None = None, dice: Random | None = None
    ) -> None:
        self._limits = limits or StoreLimits()
        self._keys = Keys(shards)
        dice = dice or Random()  # noqa: S311 - jitter
        connect = connector(url, self._limits)
        self._lane = Coalescer(connect, self._limits, dice)
        self._era = Era(self._limits, self._keys)
        self._era.seen = self._seen
        self.seen: Callable[[], dict[TableId, tuple[int, bytes]]] = dict
        self._lane.greet = self._era.greet
        self._follower = Follower(connect, self._limits, dice)
        self.on_batch: Callable[[TableId, bytes], None] = lambda _table, _batch: None
        self.on_resubscribed: Callable[[], None] = lambda: None
        self.on_available: Callable[[bool], None] = lambda _available: None
        self._lane.on_available = self._told
        self._follower.on_batch = self._batch
        self._echo = Echo(self._lane, self._follower, f"{ECHO}:{dice.getrandbits(64):016x}")
        self._follower.on_resubscribed = self._resubscribed

    @property
    def counts(self) -> Counts:
        return self._lane.counts

    @property
    def shards(self) -> int:
        return self._keys.shards

    async def start(self) -> None:
        await self._lane.start()
        settled = False
        try:
            _, shards, *_ = await self._lane.calls(
                [
                    ("SET", SHARDS, self._keys.shards, "NX"),
                    ("GET", SHARDS),
                    *(("SCRIPT", "LOAD", script.body) for script in scripts.ALL),
                ]
            )
            self._keys.shards = int(shards)
            settled = True
        except (ScriptError, StoreAway, ValueError) as wrong:
            raise StoreAway(f"the store cannot be used: {wrong}") from wrong
        finally:
            if not settled:
                await self._lane.close()
        self._follower.start()

    def unbroken(self) -> AbstractContextManager[None]:
        return self._lane.sittings.unbroken()

    def _seen(self) -> dict[TableId, tuple[int, bytes]]:
        return self.seen()

    def _told(self, available: bool) -> None:  # noqa: FBT001 - as the port has it
        if not available:
            self._follower.give_up("a command was not answered")
        self.on_available(available)

    def _batch(self, table: TableId, batch: bytes) -> None:
        if not self._echo.heard(table, batch):
            self.on_batch(table, batch)

    async def echo(self) -> None:
        await self._echo.call()

    def _resubscribed(self) -> None:
        self.on_resubscribed()

    async def close(self) -> None:
        await self._follower.close()
        await self._lane.close()

    async def subscribe(self, table: TableId) -> None:
        if not self._lane.available:
            raise StoreAway("the store is away")
        await self._follower.follow(self._keys.channel(table), table)

    async def unsubscribe(self, table: TableId) -> None:
        await self._follower.unfollow(self._keys.channel(table))
