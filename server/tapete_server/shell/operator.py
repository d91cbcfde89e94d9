"""What an operator does to a table by hand, through the store, whether nodes are running or not."""

from __future__ import annotations

from tapete_protocol.base import TableId
from tapete_protocol.frames import Batch, Place
from tapete_rules.settings import SettingsError
from tapete_server.core.commands import QueueSettings, Refusal
from tapete_server.core.games import game_for
from tapete_server.core.state import Table
from tapete_server.ports import Clock, Entropy, Jitter, TableStore
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.committer import Accepted, Committer
from tapete_server.shell.live_table import LiveTable

SETTINGS_BYTES_MAX = 1_200
"""As on the wire: a state has room for the present document and a queued one."""


class Nobody:
    """Watches nothing."""

    def batch(self, table: TableId, version: int, payload: bytes) -> None: ...
    def snapshot(self, table: TableId, version: int, payload: bytes) -> None: ...
    def place(self, via: str, place: Place) -> None: ...
    def wallet(self, player: str, balance: int) -> None: ...
    def gone(self, table: TableId) -> None: ...
    def crowd(self, table: TableId, spectators: int) -> None: ...
    def lobby(self, payload: bytes) -> None: ...
    def store_state(self, available: bool) -> None: ...  # noqa: FBT001 - as the port has it
    def lobby_is_watched(self) -> bool:
        return False

    def local_crowd(self) -> dict[TableId, int]:
        return {}


def _nothing(_live: LiveTable, _before: Table | None, _batch: Batch | None) -> None:
    """Nobody has to be told."""


class Operator:
    """Needs the cluster key of the house: what it changes may open the next round."""

    def __init__(self, store: TableStore, clock: Clock, entropy: Entropy, key: bytes, dice: Jitter) -> None:
        self._store, self._clock = store, StoreClock(clock)
        self._committer = Committer(store, self._clock, entropy, key, dice)

    async def queue_settings(self, table: TableId, document: str, *, refuse_player_edge: bool) -> Accepted | Refusal:
        """Go on with this document when the next round opens. Raises `StoreAway`, `UnreadableTable`."""
        if refusal := checked(document, refuse_player_edge=refuse_player_edge):
            return refusal
        self._clock.learn(await self._store.now_ms())
        live = LiveTable(table, self._store, self._clock, Nobody(), _nothing, counts=self._committer.counts)
        if not await live.load():
            return Refusal("no_such_table", {"table": table})
        outcome = await self._committer.run(live, QueueSettings(document))
        return outcome if isinstance(outcome, Accepted | Refusal) else Refusal("busy")


def checked(document: str, *, refuse_player_edge: bool) -> Refusal | None:
    if len(document.encode()) > SETTINGS_BYTES_MAX:
        return Refusal("bad_settings", {"field": "settings", "problem": f"has at most {SETTINGS_BYTES_MAX} bytes"})
    try:
        game = game_for(document)
    except SettingsError as wrong:
        return Refusal("bad_settings", {"field": wrong.field, "problem": wrong.message})
    if refuse_player_edge and (favoured := game.favours_player()):
        return Refusal("player_edge", {"spots": list(favoured)})
    return None
