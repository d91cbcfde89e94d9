"""A floor of tables that only count, for tests of the gateway: every command makes one batch."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.codec import encode
from tapete_protocol.commands import (
    AskAdvice,
    BuyIn,
    CloseTable,
    FreeBox,
    Hello,
    OpenTable,
    Reveal,
    Since,
    TableCommand,
    TakeBox,
    TopUp,
)
from tapete_protocol.frames import Ack, Advice, Lobby, LobbyTable, Place, Refused, Welcome, Worth
from tapete_server.ports import StoreAway
from tapete_server.shell.adviser import odds_of
from tapete_server.shell.floor_port import Actor, Sink


def batch(table: str, version: int, padding: int = 0) -> bytes:
    return msgspec.msgpack.encode({"t": "Batch", "table": table, "v": version, "pad": b"." * padding})


def snapshot(table: str, version: int, padding: int = 0) -> bytes:
    return msgspec.msgpack.encode({"t": "Snapshot", "table": table, "v": version, "pad": b"." * padding})


@dataclass
class CountingTable:
    version: int = 1
    followers: int = 0
    boxes: set[PlayerId] = field(default_factory=set)


class CountingFloor:
    """`gate`: commands wait for it when it is closed. `away`: the store is gone. `broken`: a command raises."""

    sink: Sink

    def __init__(self, *tables: str) -> None:
        self.tables: dict[str, CountingTable] = {table: CountingTable() for table in tables}
        self.gate = asyncio.Event()
        self.gate.set()
        self.away = self.broken = False
        self.waiting = 0
        self.arrivals: list[tuple[str, str]] = []
        self.departures: list[tuple[str, str]] = []
        self.played: list[Any] = []
        self.players = 0
        self.padding = 0
        self.calls: Counter[str] = Counter()

    def commit(self, table: str) -> int:
        found = self.tables[TableId(table)]
        found.version += 1
        self.sink.batch(TableId(table), found.version, batch(table, found.version, self.padding))
        return found.version

    async def _work(self) -> None:
        self.waiting += 1
        try:
            await self.gate.wait()
        finally:
            self.waiting -= 1
        if self.away:
            raise StoreAway
        if self.broken:
            raise RuntimeError("broken on purpose")

    def now_ms(self) -> int:
        return 1_000

    async def sign_in(self, hello: Hello, address: str) -> Welcome | Refused:
        await self._work()
        if hello.token == "wrong":
            return Refused(id=hello.id, code="bad_token", message="")
        self.players += 1
        player = hello.token or f"p{self.players}"
        return Welcome(id=hello.id, player=player, name=hello.name or "", token=player, balance=5, now=1, node=address)

    async def follow(self, table: TableId) -> bool:
        await self._work()
        if table not in self.tables:
            return False
        self.tables[table].followers += 1
        return True

    def unfollow(self, table: TableId) -> None:
        self.calls["unfollow"] += 1
        if table in self.tables:
            self.tables[table].followers -= 1

    def catch_up(self, table: TableId, since: Since | None) -> list[bytes]:
        if table not in self.tables:
            return []
        version = self.tables[table].version
        if since is not None and since.version <= version:
            return [batch(table, missed) for missed in range(since.version + 1, version + 1)]
        self.calls["snapshot"] += 1
        return [snapshot(table, version, self.padding)]

    def version(self, table: TableId) -> int:
        return self.tables[table].version if table in self.tables else 0

    def place_of(self, table: TableId, player: PlayerId) -> Place | None:
        return Place(table=table, stint=1, seq=0) if self.holds_box(table, player) else None

    def holds_box(self, table: TableId, player: PlayerId) -> bool:
        return table in self.tables and player in self.tables[table].boxes

    async def arrived(self, actor: Actor, table: TableId) -> None:
        await self._work()
        self.arrivals.append((actor.via, table))

    async def left(self, actor: Actor, tables: list[TableId]) -> None:
        if self.away:
            raise StoreAway
        self.departures.extend((actor.via, table) for table in tables)

    async def play(self, actor: Actor, command: TableCommand | Reveal) -> Ack | Refused:
        await self._work()
        table = self.tables[TableId(command.table)]
        self.played.append(command)
        if isinstance(command, TakeBox):
            table.boxes.add(actor.player)
        if isinstance(command, FreeBox):
            table.boxes.discard(actor.player)
        version = self.commit(command.table)
        if isinstance(command, TakeBox):
            self.sink.place(actor.via, Place(table=command.table, stint=version, seq=command.seq))
        return Ack(id=command.id, now=1, version=version, table=command.table)

    async def buy_in(self, actor: Actor, command: BuyIn) -> Ack | Refused:
        await self._work()
        self.sink.wallet(actor.player, 3)
        return Ack(id=command.id, now=1, version=self.commit(command.table), table=command.table)

    async def advise(self, actor: Actor, command: AskAdvice) -> Advice | Refused:
        await self._work()
        return Advice(
            id=command.id, table=command.table, v=1, box=1, hand=0, stake=100, exact=command.exact,
            worth=(Worth(action="hit", millionths=actor.player.count("p")),), very_bad=(),
        )  # fmt: skip

    async def odds(self, table: TableId) -> Mapping[str, Any] | None:
        settings = {"felt": {"game": "double_exposure"}, "own-rules": {"game": "double_exposure", "seven_odds": [9, 2]}}
        return odds_of(json.dumps(settings[table])) if table in settings else None

    async def top_up(self, actor: Actor, command: TopUp) -> Ack | Refused:
        await self._work()
        self.sink.wallet(actor.player, 7)
        return Ack(id=command.id, now=1)

    async def open_table(self, actor: Actor, command: OpenTable) -> Ack | Refused:  # noqa: ARG002 - no owner here
        await self._work()
        self.tables[TableId(command.name)] = CountingTable()
        return Ack(id=command.id, now=1, version=1, table=command.name)

    async def close_table(self, actor: Actor, command: CloseTable) -> Ack | Refused:  # noqa: ARG002 - no owner here
        await self._work()
        version = self.commit(command.table)
        del self.tables[TableId(command.table)]
        self.sink.gone(TableId(command.table))
        return Ack(id=command.id, now=1, version=version, table=command.table)

    async def lobby(self) -> bytes:
        if self.away:
            raise StoreAway
        return encode(Lobby(tables=tuple(_row(table) for table in self.tables)))


def _row(table: str) -> LobbyTable:
    return LobbyTable(
        table=table, name=table, game="g", phase="betting", players=0, free_boxes=4, spectators=0, minimum=1, maximum=2,
        round=1, recent=(),
    )  # fmt: skip


class KeptRecords:
    def __init__(self) -> None:
        self.kept = {
            ("felt", 1): msgspec.msgpack.encode({"round": 1, "secret": b"\xab"}),
            ("felt", 2): msgspec.msgpack.encode({"round": 2}),
        }
        self.away = False

    async def record(self, table: TableId, number: int, /) -> bytes | None:
        if self.away:
            raise StoreAway
        return self.kept.get((table, number))

    async def records(self, table: TableId, last: int, /) -> list[tuple[int, bytes]]:
        found = [(number, record) for (of, number), record in self.kept.items() if of == table]
        return sorted(found)[-last:]
