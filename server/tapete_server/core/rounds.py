"""The life of a round: bets close, cards are dealt, turns are taken, everything is settled, the next round opens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapete_protocol import events as e
from tapete_rules.game import Deal, HousePlays
from tapete_server.core import reveals
from tapete_server.core.draft import Draft
from tapete_server.core.money import cash_out_and_go
from tapete_server.core.stream import commitment_to, round_secret

REOPEN_BATCHES = 512
"""A round without stakes is opened anew after so many batches, so that its record stays bounded."""
UNDEALT_BATCHES_MAX = 2_048
"""A round in which stakes lie and that is never dealt is void after so many: the stream still has all of them."""


def open_round(draft: Draft, *, pause_ms: int = 0) -> None:
    """Publish the next round's commitment; its bets open after the pause."""
    if draft.table.queued_settings:
        draft.emit(e.SettingsChanged(draft.table.queued_settings))
    nonce = draft.dice.fresh[16:]
    number = draft.table.round + 1
    secret = round_secret(draft.dice.key, draft.table.id, number, nonce)
    draft.emit(e.RoundOpened(number, nonce, commitment_to(secret)))
    if pause_ms:
        draft.clock("pause", draft.now + pause_ms)
    else:
        draft.emit(e.BettingOpened(number))


def close_if_ready(draft: Draft) -> None:
    """The bets close early when all with a stake are ready; who is away counts as ready."""
    table = draft.table
    if table.phase != "betting" or not table.bets:
        return
    staking = [player for player in table.players if table.has_stake(player.id)]
    if all(player.ready or player.away for player in staking):
        close_betting(draft)


def close_betting(draft: Draft) -> None:
    """One event with all bets and commitments, the last of its batch: the head after it fixes the cards, with what is
    revealed within the time that the table gives."""
    table = draft.table
    commitments = reveals.commitments(table)
    draft.clock("betting", 0)
    if reveals.waited_for(table, (one.player for one in commitments)):
        draft.clock("closing", draft.now + draft.times.closing_ms)
    else:
        draft.clock("deal", draft.now)
    bets = []
    for box, holder in enumerate(table.boxes, 1):
        stakes = table.bets_of(box)
        if stakes and holder is not None:
            laid = tuple(e.StakeOf(spot, stakes[spot]) for spot in draft.game.spots if spot in stakes)
            bets.append(e.BoxBets(box, holder, laid))
    draft.emit(e.BettingClosed(table.round, tuple(bets), commitments))


def deal(draft: Draft) -> None:
    """The cards of the closed round, up to the first decision or to the end."""
    draft.clock("closing", 0)
    draft.clock("deal", 0)
    reveals.close(draft)
    refused = draft.felt(Deal())
    assert refused is None, "a closed round can be dealt"
    for owner in draft.owners():
        if draft.player(owner).leaving:
            draft.felt(HousePlays(owner))
    go_on(draft)


def go_on(draft: Draft) -> None:
    """After cards: settle the round when it is over, else give the hand whose turn it is its time."""
    shown_ms = draft.times.card_ms * sum(isinstance(event, e.CardDealt | e.CardBurnt) for event in draft.events)
    if not draft.game.over(draft.table.play):
        draft.clock("turn", draft.now + shown_ms + draft.times.turn_ms)
        return
    draft.clock("turn", 0)
    draft.emit(e.RoundSettled(draft.table.round, result_of(draft.game.view(draft.table.play)), draft.secret()))
    after_round(draft, shown_ms + draft.times.pause_ms)


def void(draft: Draft, why: str) -> None:
    """Every stake goes back; the secret is published all the same. Without stakes no pause follows."""
    for name, _ in draft.table.deadlines:
        if name in ("betting", "closing", "deal", "turn", "pause"):
            draft.clock(name, 0)
    staked = bool(draft.table.bets or draft.table.staked)
    draft.emit(e.RoundVoided(draft.table.round, why, draft.secret()))
    after_round(draft, draft.times.pause_ms if staked else 0)


def after_round(draft: Draft, pause_ms: int) -> None:
    """Who was to leave goes with what is theirs; then the next round opens."""
    for player in draft.table.players:
        if player.leaving:
            cash_out_and_go(draft, player.id, "left" if player.via else "away")
    open_round(draft, pause_ms=pause_ms)


def reopen_if_stale(draft: Draft) -> None:
    """A round that is not dealt does not collect batches for ever; one in which something lies is given more time."""
    table = draft.table
    batches_max = UNDEALT_BATCHES_MAX if table.bets else REOPEN_BATCHES
    if table.phase == "betting" and table.version - table.opened_version >= batches_max:
        void(draft, "idle")


def result_of(felt: Mapping[str, Any]) -> str:
    """The round in one word: who won the coup, or the dealer's total."""
    if felt["coup"]:
        return str(felt["coup"]["winner"])
    dealer = felt["dealer"]
    if not dealer:
        return "void"
    if dealer["total"] == 21 and len(dealer["cards"]) == 2:
        return "blackjack"
    return "bust" if dealer["total"] > 21 else str(dealer["total"])
