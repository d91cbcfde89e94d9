"""No chip is made or lost: at each table, and in the house as a whole, after every single change."""

from __future__ import annotations

from tapete_protocol.base import PlayerId
from tapete_server.core.state import broken
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step
from tests.simulation.store.observer import Movement


class ChipsAreConserved(Checker):
    def watch(self) -> None:
        self.world.chronicle.on_step.append(self._step)
        self.world.chronicle.on_money.append(self._money)

    def _step(self, step: Step) -> None:
        if step.after.frozen:
            self.broken(f"{step.table} v{step.version} froze: {step.after.frozen}")
        if (why := broken(step.after)) is not None:
            self.broken(f"{step.table} v{step.version}: {why}")
        before = step.before
        if before is None or (before.chips_in, before.chips_out) != (step.after.chips_in, step.after.chips_out):
            self._sum(f"{step.table} v{step.version}")

    def _money(self, kind: Movement, player: PlayerId, amount: int, reference: str, _at: int) -> None:
        vault = self.world.vault
        if (account := vault.account(player)) is not None and account.balance < 0:
            self.broken(f"{player} has {account.balance} after {kind} {reference}")
        self.world.after_this(lambda: self._sum(f"{kind} {amount:+d} of {player}"))

    def at_rest(self) -> None:
        self._sum("at rest")

    def _sum(self, when: str) -> None:
        """Minted less burned = wallets + at tables + on the way + the house's. (Design §3)"""
        vault = self.world.vault
        totals = vault.totals()
        wallets = sum(account.balance for account in vault.accounts(vault.players()))
        underway = sum(
            one.amount
            for one in vault.journal(0)
            if one.status == "pending" and vault.mark_of(one.table, one.id) != "credited"
        )
        tables = 0
        for line in self.world.chronicle.lines.values():
            if not line.closed:
                state = line.state
                paid = sum(out.amount for out in state.outgoing if vault.paid_out(out.transfer, out.player))
                tables += state.chips_in - state.chips_out - paid
        off = wallets + underway + tables + totals.house - (totals.minted - totals.burned)
        if off:
            self.broken(
                f"{when}: {off:+d} chips too many (wallets {wallets}, tables {tables}, on their way {underway})"
            )
