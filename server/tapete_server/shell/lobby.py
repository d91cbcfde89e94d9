"""The list of tables, as this node last saw it: a row per table, made again when its version moved."""

from __future__ import annotations

import asyncio
import logging

from msgspec.structs import replace

from tapete_protocol.base import TableId
from tapete_protocol.codec import encode
from tapete_protocol.frames import Lobby, LobbyTable
from tapete_server.core.codec import UnreadableTable, unpack_table
from tapete_server.core.games import game_for
from tapete_server.core.state import Table
from tapete_server.ports import PresenceStore, StoreAway, TableStore
from tapete_server.shell.floor_port import Sink
from tapete_server.shell.registry import Registry

log = logging.getLogger("tapete.lobby")

LOOK_MS = 1_000
"""Between two looks at the store."""
READS_MAX = 200
"""Tables that are read anew at one look; the others follow at the next."""


class LobbyList:
    """Spectators are counted over all nodes; `places` tells where a player sits, for those who come back."""

    def __init__(self, tables: TableStore, presence: PresenceStore, registry: Registry, incarnation: str) -> None:
        self._tables, self._presence, self._registry, self._incarnation = tables, presence, registry, incarnation
        self.sink: Sink
        self._rows: dict[TableId, tuple[int, LobbyTable, frozenset[str]]] = {}
        self._public: set[TableId] = set()
        self._crowds: dict[TableId, int] = {}
        self._sent = b""

    def payload(self) -> bytes:
        rows = [self._row(table) for table in sorted(self._rows) if table in self._public]
        return encode(Lobby(tables=tuple(rows)))

    def rows(self) -> list[LobbyTable]:
        return [self._row(table) for table in sorted(self._rows) if table in self._public]

    def places(self, player: str) -> tuple[str, ...]:
        return tuple(sorted(table for table, (_, _, players) in self._rows.items() if player in players))

    def _row(self, table: TableId) -> LobbyTable:
        return replace(self._rows[table][1], spectators=self._crowds.get(table, 0))

    async def look(self) -> None:
        """Read what has changed."""
        await self._presence.crowd(self._incarnation, self.sink.local_crowd())
        self._tell_crowds(await self._presence.crowds())
        listed = await self._tables.listed()
        self._public = {one.table for one in listed if one.public}
        heads = await self._tables.heads([one.table for one in listed])
        for table in set(self._rows) - set(heads):
            del self._rows[table]
        stale = [table for table, (version, _) in heads.items() if self._rows.get(table, (0,))[0] != version]
        for table in stale[:READS_MAX]:
            await self._read(table)
        payload = self.payload()
        if payload != self._sent:
            self._sent = payload
            self.sink.lobby(payload)

    async def _read(self, table: TableId) -> None:
        live = self._registry.live(table)
        state = live.state if live else None
        if state is None:
            stored = await self._tables.read(table)
            if stored is None:
                return
            try:
                state = unpack_table(stored.blob)
            except UnreadableTable:
                log.error("a table cannot be read", extra={"table": table})
                return
        players = frozenset(player.id for player in state.players)
        self._rows[table] = (state.version, row_of(state), players)

    def _tell_crowds(self, crowds: dict[TableId, int]) -> None:
        for table in crowds.keys() | self._crowds.keys():
            if crowds.get(table, 0) != self._crowds.get(table, 0):
                self.sink.crowd(table, crowds.get(table, 0))
        self._crowds = crowds

    async def look_for_ever(self) -> None:
        while True:
            try:
                await self.look()
            except StoreAway:
                pass
            except Exception:
                log.exception("the lobby could not be brought up to date")
            await asyncio.sleep(LOOK_MS / 1000)


def row_of(state: Table) -> LobbyTable:
    game = game_for(state.settings)
    low, high = game.limits(game.spots[0])
    return LobbyTable(
        table=state.id, name=state.name, game=state.game, phase=state.phase, players=len(state.players),
        free_boxes=sum(holder is None for holder in state.boxes), spectators=0, minimum=low, maximum=high,
        round=state.round, recent=state.recent[-12:], tableau=game.document().get("tableau"),
    )  # fmt: skip
