"""Every stake is settled exactly once: paid by a settlement or given back by a void, never both, never twice, never not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tapete_protocol import events as e
from tapete_protocol.base import PlayerId, TableId
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step
from tests.simulation.store.observer import Movement


@dataclass
class Round:
    """What became of the round that is open. `staked`: by box, after the close."""

    number: int
    closed: bool = False
    settled: Counter[int] = field(default_factory=Counter)


class EachStakeIsSettledOnce(Checker):
    def watch(self) -> None:
        self.paid: Counter[tuple[PlayerId, str]] = Counter()
        self.world.chronicle.on_step.append(self._step)
        self.world.chronicle.on_money.append(self._money)
        self.world.chronicle.on_rewind.append(lambda *_: self._rewound())

    def _step(self, step: Step) -> None:
        before, after = step.before, step.after
        if before is None:
            return
        kinds = [type(event) for event in step.batch.events]
        ends = sum(kind in (e.RoundSettled, e.RoundVoided) for kind in kinds)
        opens = sum(kind is e.RoundOpened for kind in kinds)
        if after.round - before.round != opens or ends > 1 or opens > 1 or ends != opens:
            self.broken(f"{step.table} v{step.version}: round {before.round} to {after.round} by {ends} ends")
        if ends:
            self._ended(step)
        elif e.BoxSettled in kinds and not self._plays_on(step):
            self.broken(f"{step.table} v{step.version}: a box is settled and the round goes on")

    def _plays_on(self, step: Step) -> bool:
        """A box may be settled before the others (a bonus bet, a natural); its stake is out of play then."""
        return step.after.phase == "playing"

    def _ended(self, step: Step) -> None:
        """All that was staked is somewhere: in stacks, or the house's."""
        before, after = step.before, step.after
        assert before is not None
        if after.staked or after.bets:
            self.broken(f"{step.table} v{step.version}: stakes outlive round {before.round}")
        stakes = sum(bet.amount for bet in before.bets) + sum(stake.amount for stake in before.staked)
        voided = any(isinstance(event, e.RoundVoided) for event in step.batch.events)
        held_before = sum(one.stack for one in before.players) + sum(out.amount for out in before.outgoing)
        held_after = sum(one.stack for one in after.players) + sum(out.amount for out in after.outgoing)
        gained, bank = held_after - held_before, after.bank - before.bank
        if gained + bank != stakes:
            self.broken(f"{step.table} v{step.version}: of {stakes} staked, {gained} to players and {bank} to the bank")
        if voided and bank + self._bank_of_round(step.table, before.round) != 0:
            self.broken(f"{step.table} v{step.version}: the house kept {bank} of a voided round")

    def _bank_of_round(self, table: TableId, number: int) -> int:
        """What the bank gained earlier in the round."""
        steps = self.world.chronicle.lines[table].steps
        start = next((one for one in reversed(steps[:-1]) if one.after.round != number), None)
        return steps[-2].after.bank - start.after.bank - self._opening_change(steps, number) if start else 0

    @staticmethod
    def _opening_change(steps: list[Step], number: int) -> int:
        """The batch that opened the round settled the one before it: its bank is that one's."""
        opening = next(one for one in steps if one.after.round == number)
        before = opening.before.bank if opening.before else 0
        return opening.after.bank - before

    def _money(self, kind: Movement, player: PlayerId, amount: int, reference: str, _at: int) -> None:
        if kind in ("cash_out", "refund"):
            self.paid[player, reference] += 1
            if self.paid[player, reference] > 1:
                self.broken(f"{kind} {reference} of {player}: {amount} once more")

    def _rewound(self) -> None:
        """What the store forgot, it may pay once more."""
        ledger = self.world.vault.ledger
        self.paid = Counter(
            (account.player, row.reference)
            for account in self.world.vault.accounts(self.world.vault.players())
            for row in ledger(account.player)
            if row.kind in ("cash_out", "refund")
        )
