"""Tables are opened and closed: by players, and by the house at its first start."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable

from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.chain import genesis_head
from tapete_protocol.commands import OpenTable
from tapete_protocol.events import TableOpened
from tapete_protocol.limits import TABLE_NAME_CHARS_MAX
from tapete_protocol.names import table_name
from tapete_rules.settings import SettingsError
from tapete_server.core.codec import pack_batch, pack_table, unpack_table
from tapete_server.core.commands import Close, Decision, Dice, Refusal
from tapete_server.core.decide import decide, open_table
from tapete_server.core.evolve import opened, sealed
from tapete_server.core.games import game_for
from tapete_server.core.state import Table
from tapete_server.ports import Done, Entropy, Store
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.house import House
from tapete_server.shell.live_table import LiveTable

CLOSE_TRIES_MAX = 8
COLLISIONS = ("", "-2", "-3")
"""What is added to an id that is somebody else's already."""


class Openings:
    """`opened_by` tells how many tables a player has opened."""

    def __init__(
        self,
        store: Store,
        clock: StoreClock,
        entropy: Entropy,
        key: bytes,
        house: House,
        *,
        opened_by: Callable[[str], int],
    ) -> None:
        self._store, self._clock, self._entropy, self._key, self._house = store, clock, entropy, key, house
        self._opened_by = opened_by

    async def open(self, player: PlayerId, command: OpenTable) -> TableId | Refusal:
        """A player's own table; the same command again is the same table."""
        name = table_name(command.name)
        if name is None:
            return Refusal("bad_name", {"max": TABLE_NAME_CHARS_MAX, "name": command.name})
        if refusal := self.check(command.settings):
            return refusal
        wanted = await self._store.remembered(player, command.command)
        if wanted is None:
            if refusal := await self._no_room(player):
                return refusal
            fresh = f"{slug(name)}-{self._entropy.token_bytes(4).hex()}"
            wanted = await self._store.remember(player, command.command, fresh)
        for table in (TableId(f"{wanted}{suffix}") for suffix in COLLISIONS):
            opened = await self.create(table, name, command.settings, public=command.public, opener=player)
            if opened or await self._is_of(table, player):
                return table
        return Refusal("busy")

    async def _no_room(self, player: PlayerId) -> Refusal | None:
        if self._opened_by(player) >= self._house.tables_per_player_max:
            return Refusal("too_many_tables", {"max": self._house.tables_per_player_max})
        if len(await self._store.listed()) >= self._house.tables_max:
            return Refusal("too_many_tables", {"max": self._house.tables_max})
        return None

    async def _is_of(self, table: TableId, player: PlayerId) -> bool:
        """What is there under this id is the player's own: the same command, asked once more."""
        stored = await self._store.read(table)
        return stored is not None and unpack_table(stored.blob).opener == player

    def check(self, settings: str) -> Refusal | None:
        try:
            game = game_for(settings)
        except SettingsError as wrong:
            return Refusal("bad_settings", {"field": wrong.field, "problem": wrong.message})
        if self._house.refuse_player_edge and (favoured := game.favours_player()):
            return Refusal("player_edge", {"spots": list(favoured)})
        return None

    async def create(self, table: TableId, name: str, settings: str, *, public: bool, opener: str) -> bool:
        """Version 1. False: it is there already. The settings were checked before."""
        game = game_for(settings)
        event = TableOpened(name, game.name, settings, public, opener)
        empty = opened(table, event, genesis_head(table))
        now = self._clock.now_ms()
        events, after = open_table(empty, event, now, Dice(self._key, self._entropy.token_bytes(32)))
        batch, payload = pack_batch(empty, events, now, None)
        state = sealed(after, batch, payload)
        return await self._store.create(table, state.head, pack_table(state), payload, public, 0)

    async def close(self, live: LiveTable, by: PlayerId) -> int | Refusal:
        """The version that closed it."""
        async with live.lock:
            for _ in range(CLOSE_TRIES_MAX):
                if live.gone:
                    return Refusal("no_such_table", {"table": live.id})
                state, now = live.state, self._clock.now_ms()
                answer = decide(state, Close(by), now, Dice(self._key, self._entropy.token_bytes(32)))
                if isinstance(answer, Decision):
                    if closed := await self._remove(live, state, answer, now):
                        return closed
                    await live.refresh()
                    continue
                await live.refresh()
                if live.stands_at(state) and isinstance(answer, Refusal):
                    return answer
        return Refusal("busy")

    async def _remove(self, live: LiveTable, state: Table, answer: Decision, now: int) -> int | None:
        batch, payload = pack_batch(state, answer.events, now, None)
        live.expect(payload, batch, sealed(answer.table, batch, payload))
        done = await self._store.remove(state.id, state.version, state.head, payload, state.bank)
        if not isinstance(done, Done):
            return None
        live.receive(payload)
        return batch.v


def slug(name: str) -> str:
    """A table's name as the beginning of its id: `La Peña del Jueves` is `la-pena-del-jueves`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:20].strip("-") or "table"


def compact(document: dict[str, object]) -> str:
    """A settings document as the text that a table keeps."""
    return json.dumps(document, separators=(",", ":"), sort_keys=True)
