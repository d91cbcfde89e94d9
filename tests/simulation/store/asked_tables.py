"""Tables, as a simulated node asks for them: in as many journeys to the store as the real one makes."""

from __future__ import annotations

from collections.abc import Sequence

from tapete_protocol.base import TableId
from tapete_server.ports import Commit, Committed, Listed, Stored
from tests.simulation.store.lane import Lane
from tests.simulation.store.nodes import Era
from tests.simulation.store.vault import Vault


class Asking:
    """Commands go through `_lane`, and are steps of the `_vault`."""

    _lane: Lane
    _vault: Vault
    _era: Era


class AskedTables(Asking):
    async def now_ms(self) -> int:
        return await self._lane.ask(self._vault.now_ms)

    async def commit(self, commit: Commit) -> Committed:
        return await self._lane.ask(self._vault.commit, commit, self._era.began)

    async def create(  # noqa: PLR0917 - as the port has it
        self, table: TableId, head: bytes, blob: bytes, batch: bytes, public: bool, deadline_ms: int
    ) -> bool:
        return await self._lane.ask(self._vault.create, table, head, blob, batch, public, deadline_ms, self._era.began)

    async def remove(self, table: TableId, version: int, head: bytes, batch: bytes, bank: int) -> Committed:
        return await self._lane.ask(self._vault.remove, table, version, head, batch, bank)

    async def read(self, table: TableId) -> Stored | None:
        return await self._lane.ask(self._vault.read, table)

    @property
    def doubted(self) -> int:
        return self._era.doubted

    async def heads(self, tables: Sequence[TableId]) -> dict[TableId, tuple[int, bytes]]:
        return await self._lane.ask(self._vault.heads, list(tables)) if tables else {}

    async def batches(self, table: TableId, after: int, until: int = 0) -> list[tuple[int, bytes]]:
        found: list[tuple[int, bytes]] = []
        while True:
            page = await self._lane.ask(self._vault.batches, table, after, until)
            found += page
            if len(page) < self._vault.limits.read_batches_max:
                return found
            after = found[-1][0]

    async def record(self, table: TableId, round: int) -> bytes | None:  # noqa: A002 - as the port has it
        return await self._lane.ask(self._vault.record, table, round)

    async def records(self, table: TableId, last: int) -> list[tuple[int, bytes]]:
        return await self._lane.ask(self._vault.records, table, last) if last > 0 else []

    async def listed(self) -> list[Listed]:
        return await self._lane.ask(self._vault.listed)

    async def due(self, until_ms: int) -> list[tuple[TableId, int]]:
        return await self._lane.ask(self._vault.due, until_ms)
