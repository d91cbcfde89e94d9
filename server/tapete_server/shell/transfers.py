"""Chips between wallet and table. A transfer that anyone has started is driven to its end by whoever looks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from random import Random

from tapete_protocol.base import PlayerId, TableId
from tapete_server.core.commands import ConfirmOut, CreditBuyIn, Refusal
from tapete_server.ports import MoneyStore, StoreAway, Transfer
from tapete_server.shell.committer import Accepted, Committer
from tapete_server.shell.live_table import LiveTable

log = logging.getLogger("tapete.transfers")

SWEEP_MS_MIN, SWEEP_MS_MAX = 2_000, 4_000
STUCK_MS = 5_000
"""A transfer that is open for longer was left over by somebody."""

Visit = Callable[[TableId], AbstractAsyncContextManager[LiveTable | None]]


class Transfers:
    """`visit(table)` follows a table for as long as it takes; None when there is none."""

    def __init__(
        self,
        store: MoneyStore,
        committer: Committer,
        visit: Visit,
        wallet: Callable[[PlayerId, int], None],
        dice: Random,
    ) -> None:
        self._store, self._committer, self._visit, self._wallet, self._dice = store, committer, visit, wallet, dice
        self._paying: set[str] = set()

    async def buy_in(self, transfer_id: str, player: PlayerId, table: TableId, amount: int) -> Accepted | Refusal:
        """Debit the wallet and credit the stack. The same id again drives the same transfer on, and answers the same."""
        started = await self._store.start_transfer(transfer_id, player, table, amount)
        if started == "not_enough":
            account = await self._store.account(player)
            return Refusal("not_enough_money", {"amount": amount, "balance": account.balance if account else 0})
        if started.table != table or started.amount != amount:
            return Refusal("stale")
        return await self.drive(started)

    async def drive(self, transfer: Transfer) -> Accepted | Refusal:
        if transfer.status == "done":
            return Accepted(0)
        if transfer.status == "refunded":
            return Refusal("buy_in_refused")
        version = 0
        async with self._visit(transfer.table) as live:
            outcome: Accepted | Refusal | None = None
            if live is not None:
                credit = CreditBuyIn(transfer.id, transfer.player, transfer.amount)
                ran = await self._committer.run(live, credit)
                outcome = ran if isinstance(ran, Accepted | Refusal) else None
            if isinstance(outcome, Refusal) and outcome.code == "busy":
                return outcome  # still pending: the same command again, or a sweep, goes on
            if isinstance(outcome, Accepted):
                version, decided = outcome.version, "credited"
            else:
                decided = await self._store.refuse_transfer(transfer)
        account = await self._store.finish_transfer(transfer, "credited" if decided == "credited" else "refused")
        self._wallet(transfer.player, account.balance)
        if decided == "credited":
            return Accepted(version)
        return outcome if isinstance(outcome, Refusal) else Refusal("buy_in_refused")

    async def pay_out(self, live: LiveTable) -> None:
        """All that is on its way from this table to wallets."""
        for out in live.state.outgoing:
            if out.transfer in self._paying:
                continue
            self._paying.add(out.transfer)
            try:
                account = await self._store.pay_out(out.transfer, out.player, live.id, out.amount)
                if account is None:
                    log.error("a cash-out has no account", extra={"table": live.id, "transfer": out.transfer})
                    continue
                self._wallet(out.player, account.balance)
                await self._committer.run(live, ConfirmOut(out.transfer))
                await self._store.settle_pay_out(out.transfer, out.player)
            finally:
                self._paying.discard(out.transfer)

    async def sweep(self) -> None:
        """For ever: drive on what somebody left over."""
        while True:
            await asyncio.sleep(self._dice.uniform(SWEEP_MS_MIN, SWEEP_MS_MAX) / 1000)
            try:
                for transfer in await self._store.open_transfers(STUCK_MS):
                    await self.drive(transfer)
            except StoreAway:
                continue
            except Exception:
                log.exception("a transfer could not be driven on")
