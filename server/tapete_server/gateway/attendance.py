"""Who comes to a table and who goes: told to the floor, and told again later when the store was away."""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import Any

from tapete_protocol.base import TableId
from tapete_server.gateway.counters import Counters
from tapete_server.ports import StoreAway
from tapete_server.shell.floor_port import Actor, Floor

log = logging.getLogger("tapete.gateway")


class Attendance:
    """One open note for each connection and table: the last thing that happened."""

    def __init__(self, floor: Floor, counters: Counters) -> None:
        self._floor, self._counters = floor, counters
        self._owed: dict[tuple[Actor, TableId], bool] = {}

    def __len__(self) -> int:
        return len(self._owed)

    async def arrived(self, actor: Actor, table: TableId) -> None:
        await self._tell(actor, table, here=True)

    async def left(self, actor: Actor, tables: list[TableId]) -> None:
        for table in tables:
            await self._tell(actor, table, here=False)

    async def retry(self) -> None:
        """The store may be back."""
        for (actor, table), here in list(self._owed.items()):
            if self._owed.get((actor, table)) is here:
                await self._tell(actor, table, here=here)

    async def _tell(self, actor: Actor, table: TableId, *, here: bool) -> None:
        self._owed[actor, table] = here
        work: Coroutine[Any, Any, None]
        work = self._floor.arrived(actor, table) if here else self._floor.left(actor, [table])
        try:
            await work
        except StoreAway:
            return
        except Exception:
            self._counters.internal_errors += 1
            log.exception("the floor could not be told who is here", extra={"table": table, "via": actor.via})
        if self._owed.get((actor, table)) is here:
            del self._owed[actor, table]
