"""Chips that come to the table and leave it. The wallet's side is the shell's; here is the table's."""

from __future__ import annotations

from tapete_protocol import events as e
from tapete_rules.game import FundsChanged
from tapete_server.core.commands import ConfirmOut, CreditBuyIn, Refusal
from tapete_server.core.draft import Draft

OUTGOING_MAX = 16
"""Cash-outs on their way before another one has to wait; who leaves never waits."""
STACK_MAX = 10**15
"""A stack that buys in grows no further; what it wins on top is bounded by the bank, and all of it is below 2^53."""
OUT_RETRY_MS = 5_000
"""A cash-out whose arrival nobody has noted after this time is driven on by whichever node looks."""


def credit(draft: Draft, command: CreditBuyIn) -> Refusal | None:
    """A buy-in arrives; whoever has gone in the meantime gets it back in the wallet."""
    player = draft.table.player(command.player)
    if player is None or player.leaving:
        return Refusal("buy_in_refused")
    assert command.amount > 0, "chips that arrive were debited before"
    if player.stack + command.amount > STACK_MAX:
        return Refusal("buy_in_refused")
    draft.emit(e.ChipsIn(command.player, command.amount, command.transfer))
    if draft.table.phase == "playing":
        draft.felt(FundsChanged())
    return None


def confirm(draft: Draft, command: ConfirmOut) -> None:
    if any(out.transfer == command.transfer for out in draft.table.outgoing):
        draft.emit(e.ChipsArrived(command.transfer))
        if not draft.table.outgoing:
            draft.clock("out", 0)


def cash_out(draft: Draft, player: str, amount: int) -> Refusal | None:
    """From the stack towards the wallet."""
    stack = draft.player(player).stack
    if amount <= 0:
        return Refusal("bad_amount", {"amount": amount})
    if amount > stack:
        return Refusal("not_enough_in_stack", {"amount": amount, "stack": stack})
    if len(draft.table.outgoing) >= OUTGOING_MAX:
        return Refusal("in_flight")
    _send_out(draft, player, amount)
    if draft.table.phase == "playing":
        draft.felt(FundsChanged())
    return None


def _send_out(draft: Draft, player: str, amount: int) -> None:
    draft.emit(e.ChipsOut(player, amount, draft.new_transfer()))
    draft.clock("out", draft.now + OUT_RETRY_MS)


def cash_out_and_go(draft: Draft, player: str, why: e.Why) -> None:
    """All boxes free, the whole stack on its way, nothing of the player left here."""
    if stack := draft.player(player).stack:
        _send_out(draft, player, stack)
    for box in draft.table.boxes_of(player):
        draft.emit(e.BoxFreed(box, player, why))
    for clock in (f"idle:{player}", f"hold:{player}"):
        draft.clock(clock, 0)
    draft.emit(e.PlayerLeft(player))
