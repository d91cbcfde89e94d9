"""Presence, as a simulated node asks for it."""

from __future__ import annotations

from collections import Counter

from tapete_protocol.base import TableId
from tests.simulation.store.asked_tables import Asking


class AskedPresence(Asking):
    async def beat(self, incarnation: str, node: str) -> None:
        await self._lane.ask(self._vault.beat, incarnation, node)

    async def retire(self, incarnation: str) -> None:
        await self._lane.ask(self._vault.retire, incarnation)

    async def alive(self) -> dict[str, int]:
        return await self._lane.ask(self._vault.alive)

    async def serve_table(self, incarnation: str, table: TableId) -> None:
        await self._lane.ask(self._vault.serve_table, incarnation, table)

    async def lapsed(self) -> list[tuple[str, list[TableId]]]:
        incarnations = await self._lane.ask(self._vault.lapsed)
        if not incarnations:
            return []
        return list(zip(incarnations, await self._lane.ask(self._vault.served, incarnations), strict=True))

    async def forget(self, incarnation: str) -> None:
        await self._lane.ask(self._vault.forget, incarnation)

    async def crowd(self, incarnation: str, counts: dict[TableId, int]) -> None:
        some = {table: count for table, count in counts.items() if count}
        await self._lane.ask(self._vault.crowd, incarnation, some)

    async def crowds(self) -> dict[TableId, int]:
        names = list(await self.alive())
        total: Counter[TableId] = Counter()
        for crowd in await self._lane.ask(self._vault.crowds, names) if names else ():
            total.update(crowd)
        return dict(total)
