"""The players' part in the cards: bound to it by the close, revealed after it, and fixed before the first card.

What is missing never stalls a table: its commitment takes its place, and who misses several in a row is not waited for.
"""

from __future__ import annotations

from collections.abc import Iterable

from tapete_protocol import events as e
from tapete_protocol.commands import Reveal
from tapete_protocol.fair import entropy_commitment
from tapete_server.core.commands import FromPlayer, Refusal
from tapete_server.core.draft import Draft
from tapete_server.core.games import game_for
from tapete_server.core.state import Contribution, Table

MISSES_MAX = 3
"""Reveals missed in a row; from then on the player is not waited for, until one comes in time or the player comes back."""


def commit(draft: Draft, player: str, commitment: bytes) -> None:
    """Silent when the player is bound to just that."""
    known = draft.table.contribution(player)
    if known is None or known.commitment != commitment:
        draft.emit(e.EntropyCommitted(player, commitment))


def commitments(table: Table) -> tuple[e.CommitmentOf, ...]:
    """Of those who have a bet, in the order of their lowest boxes."""
    betting = dict.fromkeys(table.boxes[bet.box - 1] for bet in table.bets)
    found = (table.contribution(player) for player in betting if player)
    return tuple(e.CommitmentOf(one.player, one.commitment) for one in found if one)


def waited_for(table: Table, missing: Iterable[str]) -> bool:
    """Is anybody among them who does not miss one reveal after the other?"""
    patient = {player.id for player in table.players if player.misses < MISSES_MAX}
    return any(player in patient for player in missing)


def missing(table: Table) -> tuple[str, ...]:
    """Who is bound to bytes that have not come yet, in box order."""
    return tuple(one.player for one in table.contributions if not one.entropy)


def reveal(draft: Draft, sender: FromPlayer, command: Reveal) -> Refusal | None:
    table = draft.table
    contribution = table.contribution(sender.player)
    if refusal := _check(table, contribution, command):
        return refusal
    assert contribution is not None, "the check was for one"
    if contribution.entropy:
        return None  # told again, after a lost connection
    until = table.deadline("closing")
    if table.phase != "closing" or (until and draft.now >= until):
        return Refusal("reveal_too_late", {"round": command.round})
    draft.not_after = until
    draft.emit(e.EntropyRevealed(sender.player, command.entropy))
    if until and not waited_for(draft.table, missing(draft.table)):
        draft.clock("closing", 0)
        draft.clock("deal", draft.now)
    return None


def _check(table: Table, contribution: Contribution | None, command: Reveal) -> Refusal | None:
    """Everything but the time."""
    told = {"round": command.round}
    if not game_for(table.settings).reveals:
        return Refusal("no_reveals")
    if command.round > table.round or (command.round == table.round and not table.close_head):
        return Refusal("reveal_too_early", told)
    if command.round < table.round:
        return Refusal("reveal_too_late", told)
    if contribution is None:
        return Refusal("nothing_committed", told)
    if entropy_commitment(table.id, table.round, contribution.player, command.entropy) != contribution.commitment:
        return Refusal("reveal_mismatch", told)
    return None


def close(draft: Draft) -> None:
    """From here on the cards are fixed."""
    if game_for(draft.table.settings).reveals:
        draft.emit(e.EntropyClosed(draft.table.round, missing(draft.table)))
