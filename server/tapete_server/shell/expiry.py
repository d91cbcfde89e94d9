"""Guests who do not come back: their account is burned and counted, unless chips of theirs are anywhere."""

from __future__ import annotations

import logging

from tapete_server.ports import MoneyStore
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.lobby import LobbyList

log = logging.getLogger("tapete.expiry")

SWEEP_MS = (30_000, 60_000)
SWEEP_ACCOUNTS_MAX = 200
"""Accounts that one sweep looks at; there is always another sweep."""
DAY_MS = 86_400_000


class Expiry:
    """`expired`: guests whose account this node has burned."""

    def __init__(self, store: MoneyStore, lobby: LobbyList, clock: StoreClock, *, guest_days: int) -> None:
        self._store, self._lobby, self._clock = store, lobby, clock
        self._unseen_ms = guest_days * DAY_MS
        self.expired = 0

    async def sweep(self) -> None:
        """Only once every table has been looked at: who has chips at one stays."""
        if not self._lobby.complete:
            return
        before_ms = self._clock.now_ms() - self._unseen_ms
        burned = 0
        for player in await self._store.stale_accounts(before_ms, SWEEP_ACCOUNTS_MAX):
            if not self._lobby.has_chips(player) and await self._store.expire_account(player, before_ms):
                burned += 1
            else:
                await self._store.see(player)  # to the end of the queue, so that it holds up nobody
        self.expired += burned
        if burned:
            log.info("accounts of %d guests expired", burned)
