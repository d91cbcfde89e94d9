"""Whether this node can serve: a real write, a read of it, and its own echo through the store. Not a ping."""

from __future__ import annotations

import asyncio
import logging

from tapete_server.ports import StoreAway, TableStore

log = logging.getLogger("tapete.readiness")

LOOK_MS = (1_000, 1_000)
"""How long an answer is good for."""
LOOK_MS_MAX = 3_000
"""An echo that takes longer does not count: with the pause, a frozen store is noticed within five seconds."""


class Readiness:
    def __init__(self, store: TableStore) -> None:
        self._store = store
        self.ready = False

    async def look(self) -> None:
        try:
            async with asyncio.timeout(LOOK_MS_MAX / 1000):
                await self._store.echo()
        except (StoreAway, TimeoutError):
            self._say(ready=False)
        except Exception:
            self._say(ready=False)
            raise
        else:
            self._say(ready=True)

    def _say(self, *, ready: bool) -> None:
        if ready != self.ready:
            log.info("ready" if ready else "not ready: the store does not echo")
        self.ready = ready
