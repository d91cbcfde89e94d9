"""Nodes without a door: floors, the players that sit at them, and all that a gateway would have been told."""

from __future__ import annotations

import asyncio
import itertools
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tapete_protocol import commands as c
from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.codec import decode_frame
from tapete_protocol.frames import Ack, Place, Refused, Snapshot, Welcome
from tapete_server.adapters.redis_store import RedisStore, StoreLimits
from tapete_server.adapters.system import SystemClock, SystemEntropy, jitter
from tapete_server.core.state import Player
from tapete_server.ports import OddsBench
from tapete_server.shell.actuary import Actuary
from tapete_server.shell.audit import Audit, audit
from tapete_server.shell.floor import TheFloor
from tapete_server.shell.floor_port import Actor
from tapete_server.shell.house import House
from tapete_server.shell.live_table import LiveTable
from tests.server.store.servers import Server

KEY = bytes(range(32))
SLOW = '{"game":"punto_banco","times":{"betting_ms":60000,"pause_ms":0,"card_ms":0}}'
STEADY = StoreLimits(socket_timeout_ms=20_000, call_deadline_ms=30_000, probe_interval_ms=50)
"""For a store that is there all the time, however slow the machine is at the moment."""
QUICK = StoreLimits(socket_timeout_ms=500, call_deadline_ms=1_500, probe_interval_ms=50)
"""For a store that is frozen: nobody wants to wait for long."""


async def until(condition: Callable[[], Any], within_s: float = 8) -> None:
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


@dataclass
class Ear:
    """A gateway that only listens."""

    batches: dict[TableId, list[int]] = field(default_factory=lambda: defaultdict(list))
    snapshots: list[Snapshot] = field(default_factory=list)
    went: list[TableId] = field(default_factory=list)
    wallets: dict[PlayerId, int] = field(default_factory=dict)
    lobbies: list[bytes] = field(default_factory=list)
    placed: list[tuple[str, Place]] = field(default_factory=list)

    def batch(self, table: TableId, version: int, payload: bytes) -> None:
        assert payload
        self.batches[table].append(version)

    def snapshot(self, table: TableId, version: int, payload: bytes) -> None:
        frame = decode_frame(payload)
        assert isinstance(frame, Snapshot)
        assert (frame.table, frame.v) == (table, version)
        self.snapshots.append(frame)

    def place(self, via: str, place: Place) -> None:
        assert via
        self.placed.append((via, place))

    @property
    def places(self) -> list[Place]:
        return [place for _, place in self.placed]

    def wallet(self, player: PlayerId, balance: int) -> None:
        self.wallets[player] = balance

    def gone(self, table: TableId) -> None:
        self.went.append(table)

    def crowd(self, table: TableId, spectators: int) -> None:
        assert table or spectators

    def lobby(self, payload: bytes) -> None:
        self.lobbies.append(payload)

    def store_state(self, available: bool) -> None:
        assert isinstance(available, bool)

    def lobby_is_watched(self) -> bool:
        return True

    def local_crowd(self) -> dict[TableId, int]:
        return {}


class Guest:
    """Somebody at one floor, who counts their own commands."""

    def __init__(self, floor: TheFloor, welcome: Welcome, number: int) -> None:
        self.floor, self.welcome = floor, welcome
        self.player = PlayerId(welcome.player)
        self.actor = Actor(self.player, welcome.name, f"{floor.incarnation}.{number}")
        self._numbers = itertools.count(1)

    def live(self, table: TableId) -> LiveTable:
        live = self.floor.registry.live(table)
        assert live is not None
        return live

    def placed(self, kind: Any, table: TableId, **fields: Any) -> Any:
        there = self.live(table).state.player(self.player)
        stint, seq = (there.stint, there.seq + 1) if there else (0, 1)
        return kind(id=next(self._numbers), table=table, stint=stint, seq=seq, **fields)

    async def play(self, kind: Any, table: TableId, **fields: Any) -> Ack | Refused:
        return await self.floor.play(self.actor, self.placed(kind, table, **fields))

    async def buy(self, table: TableId, amount: int, command: str = "") -> Ack | Refused:
        number = next(self._numbers)
        wish = c.BuyIn(id=number, command=command or f"command-{number}", table=table, amount=amount)
        return await self.floor.buy_in(self.actor, wish)

    async def sit(self, table: TableId, box: int, chips: int = 0) -> None:
        assert await self.floor.follow(table)
        assert isinstance(await self.play(c.TakeBox, table, box=box), Ack)
        if chips:
            assert isinstance(await self.buy(table, chips), Ack)

    async def bet(self, table: TableId, box: int, amount: int) -> Ack | Refused:
        return await self.play(c.PlaceBets, table, bets=(c.Bet(box=box, spot="punto", amount=amount),))


class Houses:
    """Makes floors, and stops them."""

    def __init__(self, server: Server, client: Any) -> None:
        self.server, self.client = server, client
        self.limits = STEADY
        self.floors: list[TheFloor] = []
        self.ears: dict[str, Ear] = {}
        self._numbers = itertools.count(1)
        self._stores: list[RedisStore] = []

    async def store(self) -> RedisStore:
        store = RedisStore(self.server.url, limits=self.limits, shards=4)
        await store.start()
        self._stores.append(store)
        return store

    async def floor(
        self, store: Any = None, *, bench: OddsBench | None = None, odds_per_hour_max: int = 30, **house: Any
    ) -> TheFloor:
        store = store or await self.store()
        name = SystemEntropy().token_bytes(8).hex()
        actuary = Actuary(store, bench, name, per_hour_max=odds_per_hour_max) if bench else None
        floor = TheFloor(
            store, SystemClock(), SystemEntropy(), key=KEY, house=House(**house), node="here", dice=jitter(),
            actuary=actuary,
        )  # fmt: skip
        ear = self.ears[floor.incarnation] = Ear()
        floor.sink = ear
        await floor.start()
        self.floors.append(floor)
        return floor

    def ear(self, floor: TheFloor) -> Ear:
        return self.ears[floor.incarnation]

    async def guest(self, floor: TheFloor, name: str = "Ana") -> Guest:
        welcome = await floor.sign_in(c.Hello(id=0, name=name), "192.0.2.1")
        assert isinstance(welcome, Welcome)
        return Guest(floor, welcome, next(self._numbers))

    async def table(self, guest: Guest, settings: str = SLOW, **more: Any) -> TableId:
        number = next(self._numbers)
        ack = await guest.floor.open_table(
            guest.actor, c.OpenTable(id=0, command=f"open-{number}", name=f"Felt {number}", settings=settings, **more)
        )
        assert isinstance(ack, Ack)
        assert ack.table
        return TableId(ack.table)

    async def audit(self) -> Audit:
        found = await audit(self._stores[0])
        assert not found.moved
        return found

    async def close(self) -> None:
        for floor in self.floors:
            await floor.stop()
        for store in self._stores:
            await store.close()


async def level(*guests_at: tuple[TheFloor, TableId]) -> None:
    """Wait until all have the same head."""

    def heads() -> set[bytes]:
        lives = [floor.registry.live(table) for floor, table in guests_at]
        return {live.state.head for live in lives if live is not None}

    await until(lambda: len(heads()) == 1)


Step = Callable[[], Awaitable[object]]


def seat(guest: Guest, table: TableId, at: Any = None) -> Player:
    live = (at or guest.floor).registry.live(table)
    found = live.state.player(guest.player) if live is not None else None
    assert found is not None
    return found


async def seated(houses: Houses, chips: int = 0) -> tuple[TheFloor, Guest, TableId]:
    """Ana at box 1 of a table of her own, through a node that has just begun."""
    floor = await houses.floor()
    ana = await houses.guest(floor)
    table = await houses.table(ana)
    await ana.sit(table, 1, chips)
    return floor, ana, table


async def followed_elsewhere(houses: Houses, table: TableId) -> TheFloor:
    """Another node, which sees the table."""
    floor = await houses.floor()
    assert await floor.follow(table)
    return floor
