"""Buy-ins and cash-outs in the vault, each step as its script takes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from tapete_protocol.base import PlayerId, TableId
from tapete_server.adapters.redis_store import ScriptError, StoreLimits
from tapete_server.adapters.redis_store.part import WHOLE_MAX
from tapete_server.ports import Account, Transfer
from tests.simulation.store.fading import Fading
from tests.simulation.store.felts import Felts
from tests.simulation.store.wallets import Wallets

Entry = tuple[PlayerId, str]
"""A player and a transfer of theirs."""


class Journal(Felts, Wallets):
    def __init__(self, clock_ms: Callable[[], int], limits: StoreLimits) -> None:
        super().__init__(clock_ms, limits)
        self._journal: dict[Entry, Transfer] = {}
        self._finished: Fading[Entry, Transfer] = Fading(self._undo)
        self._outgoing: dict[Entry, Transfer] = {}
        self._paid: Fading[Entry, bool] = Fading(self._undo)

    # --- buy-ins ---

    def start_transfer(
        self, transfer: str, player: PlayerId, table: TableId, amount: int
    ) -> Transfer | Literal["not_enough"]:
        now, entry = self.now_ms(), (player, transfer)
        there = self._journal.get(entry) or self._finished.get(entry)
        if there is not None:
            return there
        wallet = self._wallets.get(player)
        if wallet is None or wallet.balance < amount:
            return "not_enough"
        started = Transfer(transfer, player, table, amount, "pending", now)
        self._undo.put(self._journal, entry, started)
        self._undo.put(self._seen, player, now)
        self._move("buy_in", player, -amount, transfer, opened=1)
        return started

    def refuse_transfer(self, table: TableId, transfer: str) -> str:
        """What the mark says now."""
        now = self.now_ms()
        before = self._marks.get((table, transfer))
        if before is not None:
            return before
        self._marks.put((table, transfer), "refused")
        for observer in self.observers:
            observer.marked(table, transfer, "refused", now)
        return "refused"

    def finish_transfer(self, player: PlayerId, transfer: str, status: Literal["done", "refunded"]) -> Account | None:
        self.now_ms()
        account, entry = self.account(player), (player, transfer)
        there = self._journal.get(entry)
        if account is None or there is None or there.status != "pending":
            return account
        if status == "refunded":
            account = self._move("refund", player, there.amount, transfer)
        ended = replace(there, status=status)
        self._undo.put(self._journal, entry, ended)
        self._finished.put(entry, ended, self.limits.finished_s)
        return account

    def expire_mark(self, table: TableId, transfer: str) -> None:
        self.now_ms()
        self._marks.expire((table, transfer), self.limits.mark_s)

    def forget_transfer(self, player: PlayerId, transfer: str) -> None:
        self.now_ms()
        entry = (player, transfer)
        there = self._journal.get(entry)
        if there is None or there.status == "pending":
            return
        self._finished.put(entry, there, self.limits.finished_s)
        self._undo.drop(self._journal, entry)
        self._ended(player)

    def journal(self, older_than_ms: int) -> list[Transfer]:
        """Buy-ins that have not been forgotten, ended ones as well."""
        until_ms = self.now_ms() - older_than_ms
        return [one for one in self._journal.values() if one.started_ms <= until_ms]

    def mark_of(self, table: TableId, transfer: str) -> str | None:
        self.now_ms()
        return self._marks.get((table, transfer))

    # --- cash-outs ---

    def pay_out(self, transfer: str, player: PlayerId, table: TableId, amount: int) -> Account | None:
        now = self.now_ms()
        account = self.account(player)
        if account is None or self.paid_out(transfer, player):
            return account
        if account.balance + amount > WHOLE_MAX:
            raise ScriptError(f"the balance of {player} would pass {WHOLE_MAX}")
        self._undo.put(self._seen, player, now)
        self._undo.put(self._outgoing, (player, transfer), Transfer(transfer, player, table, amount, "pending", now))
        return self._move("cash_out", player, amount, transfer, opened=1)

    def settle_pay_out(self, transfer: str, player: PlayerId) -> None:
        self.now_ms()
        entry = (player, transfer)
        if entry in self._outgoing:
            self._undo.drop(self._outgoing, entry)
            self._paid.put(entry, True, self.limits.mark_s)
            self._ended(player)

    def unsettled_pay_outs(self, older_than_ms: int) -> list[Transfer]:
        until_ms = self.now_ms() - older_than_ms
        return [one for one in self._outgoing.values() if one.started_ms <= until_ms]

    def paid_out(self, transfer: str, player: PlayerId) -> bool:
        self.now_ms()
        entry = (player, transfer)
        return entry in self._outgoing or self._paid.get(entry) is not None
