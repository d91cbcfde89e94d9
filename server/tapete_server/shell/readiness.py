"""Whether this node can serve: a real write, a read of it, its own echo through the store, and a loop that keeps time."""

from __future__ import annotations

import asyncio
import logging

from tapete_server.ports import StoreAway, TableStore
from tapete_server.shell.loop_lag import LoopLag

log = logging.getLogger("tapete.readiness")

LOOK_MS = (1_000, 1_000)
"""How long an answer is good for."""
LOOK_MS_MAX = 3_000
"""An echo that takes longer does not count: with the pause, a frozen store is noticed within five seconds."""

NOT_YET = "the node is starting"
REFUSED = "the store does not take writes or does not show them"
SILENT = "the node does not hear itself through the store"
LATE = "the event loop is late"


class Readiness:
    """`faults`: what keeps this node from serving, in words that may be public; none: it is ready."""

    def __init__(self, store: TableStore, lag: LoopLag) -> None:
        self._store, self._lag = store, lag
        self._store_fault: str | None = NOT_YET
        self._told: tuple[str, ...] | None = None

    @property
    def faults(self) -> tuple[str, ...]:
        late = LATE if self._lag.lags else None
        return tuple(fault for fault in (self._store_fault, late) if fault is not None)

    async def look(self) -> None:
        fault: str | None = REFUSED
        try:
            async with asyncio.timeout(LOOK_MS_MAX / 1000):
                await self._store.echo()
            fault = None
        except StoreAway:
            pass
        except TimeoutError:
            fault = SILENT
        finally:
            self._store_fault = fault
            self._say()

    def _say(self) -> None:
        if self.faults != self._told:
            self._told = self.faults
            if self._told:
                log.warning("not ready", extra={"why": "; ".join(self._told)})
            else:
                log.info("ready")
