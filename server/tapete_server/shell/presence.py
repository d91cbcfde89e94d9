"""Who is connected where. A node beats; whoever sees that one has stopped marks its players away."""

from __future__ import annotations

import asyncio
import logging
from random import Random

from tapete_protocol.base import PlayerId, TableId
from tapete_server.core.commands import MarkAway, MarkBack
from tapete_server.ports import PresenceStore, StoreAway
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.committer import Committer
from tapete_server.shell.registry import Registry

log = logging.getLogger("tapete.presence")

BEAT_MS = 1_000
"""Between two heartbeats of a node."""
BEAT_LATE_MS = 1_250
"""A node that is silent for longer has missed a beat: time that its players lose on the way is given back."""
LAPSE_LOOK_MS_MIN, LAPSE_LOOK_MS_MAX = 1_000, 2_000


class Presence:
    """`incarnation` names this run of this node; `via` is incarnation, a dot, and the connection's number."""

    def __init__(
        self, store: PresenceStore, registry: Registry, committer: Committer, clock: StoreClock, node: str, incarnation: str,
        dice: Random,
    ) -> None:  # fmt: skip
        self._store, self._registry, self._committer, self._clock = store, registry, committer, clock
        self.node, self.incarnation, self._dice = node, incarnation, dice
        self._served: set[TableId] = set()

    def connected_here(self, via: str) -> bool:
        return via.startswith(self.incarnation + ".")

    async def serve_table(self, table: TableId) -> None:
        """Before a player of this node sits down: so that whoever sees this node die knows where to look."""
        if table not in self._served:
            await self._store.serve_table(self.incarnation, table)
            self._served.add(table)

    async def back(self, table: TableId, player: PlayerId, via: str) -> None:
        live = self._registry.live(table)
        found = live.state.player(player) if live else None
        if live is None or found is None or found.via == via:
            return
        await self.serve_table(table)
        lost_ms = 0
        if found.via and not self.connected_here(found.via):
            last = (await self._store.alive()).get(found.via.partition(".")[0], 0)
            silent_ms = self._clock.now_ms() - last
            lost_ms = silent_ms if last and silent_ms > BEAT_LATE_MS else 0
        await self._committer.run(live, MarkBack(player, via, lost_ms))

    async def away(self, table: TableId, player: PlayerId, via: str) -> None:
        async with self._registry.visit(table) as live:
            found = live.state.player(player) if live else None
            if live is not None and found is not None and found.via == via:
                await self._committer.run(live, MarkAway(player, via))

    async def beat_for_ever(self) -> None:
        while True:
            try:
                await self._store.beat(self.incarnation, self.node)
            except StoreAway:
                pass
            await asyncio.sleep(BEAT_MS / 1000)

    async def watch_for_ever(self) -> None:
        """Walk the tables of nodes whose heartbeat has lapsed."""
        while True:
            await asyncio.sleep(self._dice.uniform(LAPSE_LOOK_MS_MIN, LAPSE_LOOK_MS_MAX) / 1000)
            try:
                for incarnation, tables in await self._store.lapsed():
                    if incarnation != self.incarnation:
                        await self._mark_all_away(incarnation, tables)
            except StoreAway:
                continue
            except Exception:
                log.exception("the players of a dead node could not be marked away")

    async def _mark_all_away(self, incarnation: str, tables: list[TableId]) -> None:
        last = (await self._store.alive()).get(incarnation, 0)
        log.warning("node is gone", extra={"incarnation": incarnation, "tables": len(tables)})
        for table in tables:
            async with self._registry.visit(table) as live:
                if live is None:
                    continue
                for player in live.state.players:
                    if player.via.startswith(incarnation + "."):
                        await self._committer.run(live, MarkAway(player.id, player.via, last))
        await self._store.forget(incarnation)
