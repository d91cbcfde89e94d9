"""Chips between wallet and table. A transfer that anyone has started is driven to its end by whoever looks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

from tapete_protocol.base import PlayerId, TableId
from tapete_server.core.commands import ConfirmOut, CreditBuyIn, Refusal
from tapete_server.core.state import Outgoing
from tapete_server.ports import Account, MoneyStore, Transfer
from tapete_server.shell.committer import Accepted, Committer
from tapete_server.shell.live_table import LiveTable
from tapete_server.shell.sweeping import quietly

log = logging.getLogger("tapete.transfers")

SWEEP_MS = (2_000, 4_000)
STUCK_MS = 5_000
"""A transfer that is open for longer was left over by somebody."""

Visit = Callable[[TableId], AbstractAsyncContextManager[LiveTable | None]]


class Transfers:
    """`visit(table)` follows a table for as long as it takes; None when there is none."""

    def __init__(
        self, store: MoneyStore, committer: Committer, visit: Visit, wallet: Callable[[PlayerId, int], None]
    ) -> None:
        self._store, self._committer, self._visit, self._wallet = store, committer, visit, wallet
        self._paying: dict[str, asyncio.Task[bool]] = {}
        self.driving = self.stuck = 0
        """Buy-ins that this node has in work, and transfers that the last sweep found left over."""

    # --- towards the table ---

    async def buy_in(self, transfer_id: str, player: PlayerId, live: LiveTable, amount: int) -> Accepted | Refusal:
        """Debit the wallet and credit the stack. The same id again drives the same transfer on, and answers the same."""
        if not self._welcome(live, player):
            await live.refresh()
            if not self._welcome(live, player):
                return await self._unwelcome(transfer_id, player, live, amount)
        with self._store.unbroken():
            started = await self._store.start_transfer(transfer_id, player, live.id, amount)
            if started == "not_enough":
                account = await self._store.account(player)
                if account is None:  # the store went back to before this guest came
                    return Refusal("bad_token")
                return Refusal("not_enough_money", {"amount": amount, "balance": account.balance})
            if started.table != live.id or started.amount != amount:
                return Refusal("stale")
            return await self.drive(started)

    @staticmethod
    def _welcome(live: LiveTable, player: PlayerId) -> bool:
        found = live.state.player(player)
        return not live.gone and not live.state.frozen and found is not None and not found.leaving

    async def _unwelcome(self, transfer_id: str, player: PlayerId, live: LiveTable, amount: int) -> Accepted | Refusal:
        """Nothing is debited that the table would not take; what it took before, and this is a repeat of, it has."""
        mark = await self._store.mark_of(Transfer(transfer_id, player, live.id, amount, "pending", 0))
        if mark == "credited":
            return Accepted(0)
        if live.gone:
            return Refusal("no_such_table", {"table": live.id})
        if live.state.frozen:
            return Refusal("table_frozen", {"incident": live.state.frozen})
        return Refusal("buy_in_refused")

    async def drive(self, transfer: Transfer) -> Accepted | Refusal:
        """On from wherever it stands, in one sitting with the look at where that is: never a credit for a debit that the
        store has forgotten. Raises `StoreAway`; then it is still there for the next one who looks."""
        self.driving += 1
        try:
            return await self._drive(transfer)
        finally:
            self.driving -= 1

    async def _drive(self, transfer: Transfer) -> Accepted | Refusal:
        if transfer.status == "done":
            return Accepted(0)
        if transfer.status == "refunded":
            return Refusal("buy_in_refused")
        outcome = await self._credit(transfer)
        if isinstance(outcome, Refusal):
            if outcome.code == "busy":
                return outcome  # still pending: the same command again, or a sweep, goes on
            decided = await self._store.refuse_transfer(transfer)
            if decided == "credited":
                outcome = Accepted(0)
        account = await self._store.finish_transfer(
            transfer, "credited" if isinstance(outcome, Accepted) else "refused"
        )
        self._wallet(transfer.player, account.balance)
        return outcome

    async def _credit(self, transfer: Transfer) -> Accepted | Refusal:
        async with self._visit(transfer.table) as live:
            if live is None:
                return Refusal("no_such_table", {"table": transfer.table})
            credit = CreditBuyIn(transfer.id, transfer.player, transfer.amount)
            outcome = await self._committer.run(live, credit)
        return outcome if isinstance(outcome, Accepted | Refusal) else Refusal("busy")

    # --- towards the wallet ---

    async def pay_out(self, live: LiveTable) -> None:
        """All that is on its way from this table to wallets: returns when each has arrived, or has failed for now. One that
        fails does not hold up the others, and whoever stops waiting does not stop the payment."""
        outgoing = live.state.outgoing
        for out in outgoing:
            if out.transfer not in self._paying:
                paying = asyncio.create_task(quietly(self._pay(live, out), f"paying out {out.transfer}"))
                self._paying[out.transfer] = paying
                paying.add_done_callback(partial(self._paid, out.transfer))
        under_way = [self._paying[out.transfer] for out in outgoing if out.transfer in self._paying]
        if under_way:
            await asyncio.wait(under_way)

    def _paid(self, transfer: str, _: asyncio.Task[bool]) -> None:
        self._paying.pop(transfer, None)

    async def _pay(self, live: LiveTable, out: Outgoing) -> None:
        """In one sitting with a look at the table: never chips for a wallet that the table still has."""
        with self._store.unbroken():
            await live.refresh()
            if out in live.state.outgoing and not live.gone:
                await self._pay_now(live, out)

    async def _pay_now(self, live: LiveTable, out: Outgoing) -> None:
        account = await self._store.pay_out(out.transfer, out.player, live.id, out.amount)
        if account is None:
            account = await self._for_whom_has_gone(live, out)
        if account is None:
            return
        self._wallet(out.player, account.balance)
        if isinstance(await self._committer.run(live, ConfirmOut(out.transfer)), Accepted):
            await self._store.settle_pay_out(out.transfer, out.player)

    async def _for_whom_has_gone(self, live: LiveTable, out: Outgoing) -> Account | None:
        """The account expired while chips of it were on their way: it is there again, empty, and expires in its time."""
        log.warning("a cash-out has no account", extra={"table": live.id, "transfer": out.transfer})
        await self._store.open_account(out.player, f"Guest {out.player[-4:]}", 0, "")
        return await self._store.pay_out(out.transfer, out.player, live.id, out.amount)

    # --- what was left over ---

    async def sweep(self) -> None:
        """Drive on what somebody left over: buy-ins, and cash-outs that the table may not have taken note of."""
        with self._store.unbroken():
            bought = await self._store.open_transfers(STUCK_MS)
            for transfer in bought:
                await quietly(self.drive(transfer), f"driving the transfer {transfer.id} on")
        paid = await self._store.unsettled_pay_outs(STUCK_MS)
        self.stuck = len(bought) + len(paid)
        for transfer in paid:
            await quietly(self._settle(transfer), f"settling the cash-out {transfer.id}")

    async def _settle(self, paid: Transfer) -> None:
        """The wallet has it. When the table has nothing of it any more, the mark that it was paid may expire."""
        async with self._visit(paid.table) as live:
            if live is not None:
                await live.refresh()
                out = next((one for one in live.state.outgoing if one.transfer == paid.id), None)
                if out is not None and not live.gone:
                    await self.pay_out(live)
                    return
        await self._store.settle_pay_out(paid.id, paid.player)
