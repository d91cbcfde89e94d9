"""The whole house's sum, looked at rarely, by one node: every chip that was minted is somewhere."""

from __future__ import annotations

import asyncio
import logging

from tapete_server.ports import Store
from tapete_server.shell.audit import Audit, HouseTooBig, audit
from tapete_server.shell.presence import Presence

log = logging.getLogger("tapete.money")

LOOK_MS = (240_000, 360_000)
LOOK_MS_MAX = 20_000
"""For one audit; one that takes longer is given up."""
PASSES_MAX = 5
ACCOUNTS_MAX = 50_000
"""A house with more is left to `tapete audit`."""


class HouseSum:
    """`found`: the last audit that saw the house at rest, at `found_at_s` of the loop's clock; None on all nodes but one."""

    def __init__(self, store: Store, presence: Presence) -> None:
        self._store, self._presence = store, presence
        self.found: Audit | None = None
        self.found_at_s = 0.0

    async def look(self) -> None:
        if not await self._presence.first():
            self.found = None
            return
        try:
            async with asyncio.timeout(LOOK_MS_MAX / 1000):
                found = await audit(self._store, passes=PASSES_MAX, accounts_max=ACCOUNTS_MAX)
        except (TimeoutError, HouseTooBig):
            return
        if not found.moved:
            self.found, self.found_at_s = found, asyncio.get_running_loop().time()
            if found.difference or found.faults:
                told = {"difference": found.difference, "faults": "; ".join(found.faults) or None}
                log.critical("the house's sum is wrong", extra=told)
