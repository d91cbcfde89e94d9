"""The list of tables, as this node last saw it: a row for each table, made again when its version moved."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from tapete_odds import shelf
from tapete_odds.spots import edges_of, unpriced
from tapete_odds.terms import terms_hash
from tapete_protocol.base import TableId
from tapete_protocol.codec import encode
from tapete_protocol.frames import Edge, Lobby, LobbyBox, LobbyTable
from tapete_protocol.view import BoxFelt, TableView
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.game import Game
from tapete_server.core.codec import UnreadableTable, unpack_table
from tapete_server.core.games import game_for
from tapete_server.core.state import Table
from tapete_server.core.view import view_of
from tapete_server.ports import Listed, PresenceStore, TableStore
from tapete_server.shell.actuary import Actuary
from tapete_server.shell.floor_port import Sink
from tapete_server.shell.registry import Registry

log = logging.getLogger("tapete.lobby")

LOOK_MS = (1_000, 1_000)
"""Between two looks at the store."""
HEADS_MAX = 2_000
"""Tables whose version is compared at one look; the others follow at the next ones."""
READS_MAX = 200
"""Tables that are read anew at one look."""
RULES_KEPT_MAX = 256
"""Settings of which is remembered what a row says of them."""
SHOWN_MAX = 1_000
"""Tables in the list that clients get: those with players first."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of a table at a version. `shown` is None when it cannot be read."""

    version: int
    head: bytes
    shown: LobbyTable | None
    opener: str = ""
    players: frozenset[str] = frozenset()
    owed: frozenset[str] = frozenset()
    """Players to whom a cash-out is on its way."""
    chips: Mapping[str, int] = field(default_factory=dict)
    """What each player has at the table: stack, stakes, and what is on its way out."""
    unpriced: tuple[str, DoubleExposureSettings] | None = None
    """Whose odds nobody has worked out, and the hash of what they depend on."""


class LobbyList:
    """Spectators are counted over all nodes; `places` tells where a player sits, for those who come back."""

    def __init__(
        self,
        tables: TableStore,
        presence: PresenceStore,
        registry: Registry,
        incarnation: str,
        actuary: Actuary | None = None,
    ) -> None:
        """`actuary`: is told whose odds are not known; nobody: they stay unknown."""
        self._tables, self._presence, self._registry, self._incarnation = tables, presence, registry, incarnation
        self._actuary = actuary
        self.sink: Sink
        self._rows: dict[TableId, Row] = {}
        self._public: frozenset[TableId] = frozenset()
        self._crowds: dict[TableId, int] = {}
        self._cursor = 0
        self._sent = b""
        self.complete = False
        """Every table of the store has a row that was right at some time since this node came."""

    def payload(self) -> bytes:
        shown = [row.shown for table, row in self._rows.items() if table in self._public and row.shown is not None]
        shown.sort(key=lambda row: (-row.players, row.table))
        seen = [replace(row, spectators=self._crowds.get(TableId(row.table), 0)) for row in shown[:SHOWN_MAX]]
        return encode(Lobby(tables=tuple(sorted(seen, key=lambda row: row.table))))

    def places(self, player: str) -> tuple[str, ...]:
        return tuple(sorted(table for table, row in self._rows.items() if player in row.players))

    def opened_by(self, player: str) -> int:
        """How many tables this player has opened, as far as the rows tell."""
        return sum(row.opener == player for row in self._rows.values())

    def chips_of(self, player: str) -> int:
        """All that this player has at tables: as it is now where this node follows one, else as of the last look."""
        total = 0
        for table in self._rows.keys() | self._registry.tables.keys():
            live, row = self._registry.live(table), self._rows.get(table)
            chips = chips_at(live.state) if live else row.chips if row else {}
            total += chips.get(player, 0)
        return total

    def has_chips(self, player: str) -> bool:
        """Sits at a table, or waits for a cash-out of one, as far as the rows tell."""
        return any(player in row.players or player in row.owed for row in self._rows.values())

    async def look(self) -> None:
        """Read what has changed."""
        await self._presence.crowd(self._incarnation, self.sink.local_crowd())
        self._tell_crowds(await self._presence.crowds())
        listed = await self._tables.listed()
        self._public = frozenset(one.table for one in listed if one.public)
        for table in self._rows.keys() - {one.table for one in listed}:
            del self._rows[table]
        heads = await self._heads(self._part(listed))
        stale = [table for table, known in heads.items() if not self._knows(table, *known)]
        await asyncio.gather(*(self._read(table) for table in stale[:READS_MAX]))
        self.complete = self.complete or len(self._rows) == len(listed)
        if self._actuary is not None:
            self._actuary.wanted = dict(row.unpriced for row in self._rows.values() if row.unpriced is not None)
        if self.sink.lobby_is_watched() and (payload := self.payload()) != self._sent:
            self._sent = payload
            self.sink.lobby(payload)

    async def _heads(self, tables: Sequence[TableId]) -> dict[TableId, tuple[int, bytes]]:
        """What the node follows is level with the store already."""
        followed = self._registry.seen()
        asked = await self._tables.heads([table for table in tables if table not in followed])
        return {**asked, **{table: followed[table] for table in tables if table in followed}}

    def _part(self, listed: Sequence[Listed]) -> list[TableId]:
        """The next so many tables, round and round."""
        tables = [one.table for one in listed]
        if len(tables) <= HEADS_MAX:
            return tables
        start = self._cursor % len(tables)
        self._cursor = start + HEADS_MAX
        return (tables[start:] + tables[:start])[:HEADS_MAX]

    def _knows(self, table: TableId, version: int, head: bytes) -> bool:
        row = self._rows.get(table)
        priced_since = row is not None and row.unpriced is not None and shelf.is_laid(row.unpriced[0])
        return row is not None and (row.version, row.head) == (version, head) and not priced_since

    async def _read(self, table: TableId) -> None:
        live = self._registry.live(table)
        if live is not None:
            self._rows[table] = row_of(live.state)
        elif (stored := await self._tables.read(table)) is not None:
            try:
                self._rows[table] = row_of(unpack_table(stored.blob))
            except (UnreadableTable, ValueError) as wrong:
                log.warning("a table cannot be read: %s", wrong, extra={"table": table})
                self._rows[table] = Row(stored.version, stored.head, None)

    def _tell_crowds(self, crowds: dict[TableId, int]) -> None:
        for table in crowds.keys() | self._crowds.keys():
            if crowds.get(table, 0) != self._crowds.get(table, 0):
                self.sink.crowd(table, crowds.get(table, 0))
        self._crowds = crowds


@dataclass(frozen=True, slots=True)
class Rules:
    """What a row says of a table's settings."""

    limits: tuple[int, int]
    tableau: str | None
    edges: tuple[Edge, ...]
    unpriced: tuple[str, DoubleExposureSettings] | None


def rules_of(settings: str) -> Rules:
    """Of Punto Banco worked out once for each document: it is more than half of what a row costs. What is known of Double
    Exposure's odds comes and goes."""
    game = game_for(settings)
    return _counted(settings) if game.name == "punto_banco" else _rules_of(game)


@lru_cache(maxsize=RULES_KEPT_MAX)
def _counted(settings: str) -> Rules:
    return _rules_of(game_for(settings))


def _rules_of(game: Game[Any]) -> Rules:
    lacking = unpriced(game)
    return Rules(
        game.limits(game.spots[0]), game.document().get("tableau"),
        tuple(Edge(spot, millionths) for spot, millionths in edges_of(game)),
        (terms_hash(lacking), lacking) if lacking else None,
    )  # fmt: skip


def row_of(state: Table) -> Row:
    rules = rules_of(state.settings)
    low, high = rules.limits
    view = view_of(state)
    dealer, turn = view.felt.dealer, view.felt.turn
    clock = "turn" if turn else "betting"
    shown = LobbyTable(
        table=state.id, name=state.name, game=state.game, phase=state.phase, players=len(state.players),
        free_boxes=sum(holder is None for holder in state.boxes), spectators=0, minimum=low, maximum=high,
        round=state.round, recent=state.recent[-12:], tableau=rules.tableau,
        boxes=tuple(_box(view, box, holder) for box, holder in enumerate(view.boxes, 1) if holder is not None),
        dealer=dealer.cards if dealer and view.phase != "betting" else (), turn=turn.box if turn else None,
        until_at=state.deadline(clock) or None,
        edges=rules.edges,
    )  # fmt: skip
    players, owed = (frozenset(one.id for one in state.players), frozenset(out.player for out in state.outgoing))
    return Row(state.version, state.head, shown, state.opener, players, owed, chips_at(state), rules.unpriced)


def _box(view: TableView, box: int, holder: str) -> LobbyBox:
    name = next((one.name for one in view.players if one.player == holder), holder)
    laid = sum(bet.amount for bet in view.bets if bet.box == box)
    played = next((one for one in view.felt.boxes if one.box == box), None)
    if view.phase == "betting" or played is None:
        return LobbyBox(box, name, laid)
    return LobbyBox(box, name, played.staked, _hand(view, played))


def _hand(view: TableView, box: BoxFelt) -> tuple[str, ...]:
    """The cards of the hand that is played, or else of the first one; at Punto Banco nobody has any."""
    turn = view.felt.turn
    number = turn.hand if turn and turn.box == box.box else 0
    return box.hands[number].cards if box.hands else ()


def chips_at(state: Table) -> dict[str, int]:
    """Every player's chips at a table, wherever on it they lie."""
    chips: Counter[str] = Counter({player.id: player.stack for player in state.players})
    for bet in state.bets:
        holder = state.boxes[bet.box - 1]
        if holder is not None:
            chips[holder] += bet.amount
    for stake in state.staked:
        chips[stake.owner] += stake.amount
    for out in state.outgoing:
        chips[out.player] += out.amount
    return dict(chips)
