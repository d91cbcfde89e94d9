"""Which nodes are alive, which tables they served, and how many watch where."""

from __future__ import annotations

from collections import Counter

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store import scripts
from tapete_server.adapters.redis_store.connection import Word
from tapete_server.adapters.redis_store.part import Part


class Presence(Part):
    async def beat(self, incarnation: str, node: str) -> None:
        self._era.incarnation = incarnation
        key, limits = self._keys.node, self._limits
        names = [key("hb"), key("hu"), key("n", incarnation)]
        await self._lane.run(scripts.BEAT, names, incarnation, node, limits.beats_kept_ms, limits.node_name_s)

    async def retire(self, incarnation: str) -> None:
        """Its tables are for anyone to walk at once; its last heartbeat is remembered a while."""
        key = self._keys.node
        names = [key("hu"), key("p", incarnation), key("w", incarnation), key("n", incarnation)]
        await self._lane.run(scripts.RETIRE, names, incarnation)

    async def alive(self) -> dict[str, int]:
        reply = await self._lane.run(scripts.ALIVE, [self._keys.node("hb")], self._limits.beats_kept_ms)
        return {reply[at].decode(): int(reply[at + 1]) for at in range(0, len(reply), 2)}

    async def serve_table(self, incarnation: str, table: TableId) -> None:
        key = self._keys.node
        await self._lane.run(scripts.SERVE_TABLE, [key("hu"), key("p", incarnation)], incarnation, table)

    async def lapsed(self) -> list[tuple[str, list[TableId]]]:
        reply = await self._lane.run(scripts.LAPSED, [self._keys.node("hu")], self._limits.lapse_ms)
        incarnations = [name.decode() for name in reply]
        served = await self._lane.calls([("SMEMBERS", self._keys.node("p", name)) for name in incarnations])
        return [
            (name, sorted(TableId(table.decode()) for table in tables))
            for name, tables in zip(incarnations, served, strict=True)
        ]

    async def forget(self, incarnation: str) -> None:
        key = self._keys.node
        await self._lane.calls([("DEL", key("p", incarnation)), ("ZREM", key("hu"), incarnation)])

    async def crowd(self, incarnation: str, counts: dict[TableId, int]) -> None:
        pairs: list[Word] = [word for table, count in counts.items() if count for word in (table, count)]
        await self._lane.run(scripts.CROWD, [self._keys.node("w", incarnation)], self._limits.crowd_s, *pairs)

    async def crowds(self) -> dict[TableId, int]:
        replies = await self._lane.calls([("HGETALL", self._keys.node("w", name)) for name in await self.alive()])
        total: Counter[TableId] = Counter()
        for reply in replies:
            for at in range(0, len(reply), 2):
                total[TableId(reply[at].decode())] += int(reply[at + 1])
        return dict(total)
