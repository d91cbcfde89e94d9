"""Who is connected where. A node beats; whoever sees that one has stopped marks its players away."""

from __future__ import annotations

import asyncio
import logging

from tapete_protocol.base import PlayerId, TableId
from tapete_server.core.commands import GiveTime, MarkAway, MarkBack, Refusal
from tapete_server.core.state import Player, Table
from tapete_server.ports import Store, StoreAway
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.committer import Committer
from tapete_server.shell.live_table import LiveTable
from tapete_server.shell.registry import Registry
from tapete_server.shell.sweeping import quietly

log = logging.getLogger("tapete.presence")

BEAT_MS = (1_000, 1_000)
"""Between two heartbeats of a node."""
SILENT_MS = 5_000
"""A node that has not beaten for so long is not counted on any more."""
BEAT_LATE_MS = 1_250
"""A node that is silent for longer has missed a beat: time that its players lose on the way is given back."""
LAPSE_LOOK_MS = (1_000, 2_000)
SERVE_AGAIN_BEATS = 5
"""Every so many beats a node says again where its players sit: it may have been taken for dead, and its list with it."""
BUSY_TRIES_MAX = 3


class Presence:
    """`incarnation` names this run of this node; `via` is incarnation, a dot, and the connection's number."""

    def __init__(
        self, store: Store, registry: Registry, committer: Committer, clock: StoreClock, *, node: str, incarnation: str
    ) -> None:
        self._store, self._registry, self._committer, self._clock = store, registry, committer, clock
        self.node, self.incarnation = node, incarnation
        self.leaving = False
        """This node is going: its connections end because of it, and their players come back elsewhere."""
        self._served: set[TableId] = set()
        self._connected: dict[tuple[TableId, PlayerId], dict[str, None]] = {}
        """The connections by which a player sat down, came or acted at a table; whichever did so last stands last."""
        self._beats = 0
        self._wondering: set[asyncio.Task[bool]] = set()

    def connected_here(self, via: str) -> bool:
        return via.startswith(self.incarnation + ".")

    async def alone(self, crew: str = "") -> bool:
        """No other node of the house has beaten lately, but those of this crew. Not known (the store is away): no."""
        try:
            return all(crew and other.startswith(crew) for other in await self._others())
        except StoreAway:
            return False

    async def first(self) -> bool:
        """Of the nodes that have beaten lately, this one does what one of them has to. Raises `StoreAway`."""
        return all(self.incarnation < other for other in await self._others())

    async def _others(self) -> list[str]:
        recent = self._clock.now_ms() - SILENT_MS
        beats = await self._store.alive()
        return [incarnation for incarnation, at in beats.items() if at > recent and incarnation != self.incarnation]

    def players_here(self, state: Table) -> bool:
        return any(self.connected_here(player.via) for player in state.players)

    async def serve_table(self, table: TableId) -> None:
        """Before a player of this node sits down: so that whoever sees this node die knows where to look."""
        if table not in self._served:
            await self._store.serve_table(self.incarnation, table)
            self._served.add(table)

    async def acts(self, live: LiveTable, player: PlayerId, via: str) -> None:
        """Before a command of a player is decided: the seat may pass to this connection by it."""
        self._note(live.id, player, via)
        found = live.state.player(player)
        if found is None or found.via != via:
            await self.serve_table(live.id)

    def _note(self, table: TableId, player: PlayerId, via: str) -> None:
        vias = self._connected.setdefault((table, player), {})
        vias.pop(via, None)
        vias[via] = None

    async def back(self, table: TableId, player: PlayerId, via: str) -> None:
        live = self._registry.live(table)
        found = live.state.player(player) if live else None
        if live is None or found is None:
            return
        self._note(table, player, via)
        if found.via == via:
            return
        await self.serve_table(table)
        node = "" if not found.via or self.connected_here(found.via) else found.via.partition(".")[0]
        last = (await self._store.alive()).get(node, 0) if node else 0
        silent_ms = self._clock.now_ms() - last if last else 0
        late = silent_ms > BEAT_LATE_MS
        await self._surely(live, MarkBack(player, via, silent_ms if late else 0))
        if last and not late and live.state.deadline("turn"):
            self._wonder(node, last, table, GiveTime(player, live.state.deadline("turn"), silent_ms))

    async def still_here(self, table: TableId, player: PlayerId) -> None:
        """Back, if they are away yet, and here: both may have changed since somebody thought of it."""
        live = self._registry.live(table)
        if live is not None and live.loaded and not live.gone and (via := self.wrongly_away(live).get(player)):
            await self.back(table, player, via)

    def _wonder(self, node: str, last: int, table: TableId, command: GiveTime) -> None:
        """Whether a node is dead is known when its next heartbeat does not come: sooner than that, its players are here."""
        work = quietly(self._give_time_if_dead(node, last, table, command), f"giving {command.player} time back")
        task = asyncio.get_running_loop().create_task(work)
        self._wondering.add(task)
        task.add_done_callback(self._wondering.discard)

    async def _give_time_if_dead(self, node: str, last: int, table: TableId, command: GiveTime) -> None:
        await asyncio.sleep(max(0, last + BEAT_LATE_MS - self._clock.now_ms()) / 1000)
        if (await self._store.alive()).get(node) != last:
            return
        async with self._registry.visit(table) as live:
            if live is not None and live.state.deadline("turn") == command.until_at:
                await self._surely(live, command)

    def stop(self) -> None:
        for task in self._wondering:
            task.cancel()

    async def away(self, table: TableId, player: PlayerId, via: str) -> None:
        """The seat passes to another connection of theirs, if there is one. Unless the node is going: then whoever does not come
        back elsewhere is marked by those who stay."""
        others = self._connected.get((table, player), {})
        others.pop(via, None)
        if not others:
            self._connected.pop((table, player), None)
        if self.leaving:
            return
        async with self._registry.visit(table) as live:
            found = live.state.player(player) if live else None
            if live is not None and found is not None and found.via == via:
                others = self._connected.get((table, player), {})
                back = MarkBack(player, _last(others), instead_of=via) if others else None
                await self._surely(live, back or MarkAway(player, via))

    async def _surely(self, live: LiveTable, command: MarkAway | MarkBack | GiveTime) -> bool:
        """Whether it was taken, or can never be."""
        for _ in range(BUSY_TRIES_MAX):
            outcome = await self._committer.run(live, command)
            if not isinstance(outcome, Refusal) or outcome.code != "busy":
                return True
        return False

    def connected(self, table: TableId) -> list[tuple[PlayerId, str]]:
        """Who sits or sat at the table through this node, and by which connection last."""
        return [(player, _last(vias)) for (place, player), vias in self._connected.items() if place == table]

    def here(self, table: TableId, player: PlayerId, via: str) -> bool:
        """That connection of the player is at the table."""
        return via in self._connected.get((table, player), ())

    def wrongly_away(self, live: LiveTable) -> dict[PlayerId, str]:
        """Players marked away of whom a connection is here, with the last one: this node was taken for dead, and is not; or
        another connection of theirs has ended elsewhere."""
        if self.leaving:
            return {}
        absent = [player.id for player in live.state.players if player.away]
        return {player: _last(vias) for player in absent if (vias := self._connected.get((live.id, player)))}

    def forget_table(self, table: TableId) -> None:
        """It has gone: whoever comes when it is back comes anew."""
        self._connected = {place: vias for place, vias in self._connected.items() if place[0] != table}

    # --- nodes ---

    async def beat(self) -> None:
        self._clock.learn(await self._store.now_ms())
        late = (await self._store.alive()).get(self.incarnation, 0) < self._clock.now_ms() - 2 * BEAT_LATE_MS
        await self._store.beat(self.incarnation, self.node)
        self._beats += 1
        if late or self._beats % SERVE_AGAIN_BEATS == 0:
            await self._serve_again()

    async def _serve_again(self) -> None:
        tables = tuple(self._registry.tables.values())
        mine = {live.id for live in tables if live.loaded and not live.gone and self.players_here(live.state)}
        for table in mine:
            await self._store.serve_table(self.incarnation, table)
        self._served = mine
        self._connected = {place: vias for place, vias in self._connected.items() if place[0] in self._registry.tables}

    def store_came_back(self) -> None:
        """What it was told of late it may have forgotten: say again where players of this node sit."""
        self._served.clear()

    async def watch(self) -> None:
        """Walk the tables of nodes whose heartbeat has lapsed; and look at followed tables for whoever holds a seat from
        nowhere."""
        for incarnation, tables in await self._store.lapsed():
            if incarnation != self.incarnation:
                await quietly(self._mark_all_away(incarnation, tables), f"marking the players of {incarnation} away")
        await self._look_for_strangers()

    async def _look_for_strangers(self) -> None:
        """A store that went back may have forgotten which tables a node served, or that there was such a node; or seat
        somebody by a connection that has ended since."""
        beats = await self._store.alive()
        recent = self._clock.now_ms() - SILENT_MS
        for live in tuple(self._registry.tables.values()):
            if not live.loaded or live.gone:
                continue
            for incarnation in {player.via.partition(".")[0]: None for player in live.state.players if player.via}:
                last = beats.get(incarnation, 0)
                if incarnation != self.incarnation and last <= recent:
                    await quietly(self._mark_stranger_away(incarnation, live.id), f"walking {live.id}")
            for absent in self.wrongly_away(live):
                await quietly(self.still_here(live.id, absent), f"marking {absent} back")
            for player in live.state.players:
                if self._has_ended(live.id, player):
                    await quietly(self._surely(live, MarkAway(player.id, player.via)), f"walking {live.id}")

    async def _mark_stranger_away(self, incarnation: str, table: TableId) -> None:
        """Unless it has been heard of since: a node beats before it seats anybody, but perhaps after the beats were read."""
        last = (await self._store.alive()).get(incarnation, 0)
        if last <= self._clock.now_ms() - SILENT_MS:
            await self._mark_away(incarnation, table, last)

    def _has_ended(self, table: TableId, player: Player) -> bool:
        """The seat names a connection of this node that is no more."""
        return not self.leaving and self.connected_here(player.via) and not self.here(table, player.id, player.via)

    async def _mark_all_away(self, incarnation: str, tables: list[TableId]) -> None:
        last = (await self._store.alive()).get(incarnation, 0)
        log.warning("node %s is gone, it served %d tables", incarnation, len(tables))
        marked = [await quietly(self._mark_away(incarnation, table, last), f"walking {table}") for table in tables]
        if all(marked):
            await self._store.forget(incarnation)

    async def _mark_away(self, incarnation: str, table: TableId, last: int) -> None:
        async with self._registry.visit(table) as live:
            if live is None:
                return
            await live.refresh()
            for player in live.state.players:
                if player.via.startswith(incarnation + "."):
                    taken = await self._surely(live, MarkAway(player.id, player.via, last))
                    assert taken, "tables that are busy for so long are looked at again"


def _last(vias: dict[str, None]) -> str:
    return next(reversed(vias))
