"""Changes of one box on the felt, and of one hand in it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from tapete_protocol import events as e
from tapete_protocol.view import BoxFelt, Felt, HandView, SpotView

MAIN = "main"
"""The spot whose bet becomes a hand. Punto Banco has none: its boxes have no hands."""


def staked_box(bets: e.BoxBets) -> BoxFelt:
    """A box whose bets were just closed: its main bet is a hand without cards, the others lie on their spots."""
    return BoxFelt(
        box=bets.box,
        staked=sum(stake.amount for stake in bets.stakes),
        hands=tuple(HandView((), 0, soft=False, stake=stake.amount) for stake in bets.stakes if stake.spot == MAIN),
        spots=tuple(SpotView(stake.spot, stake.amount) for stake in bets.stakes if stake.spot != MAIN),
    )


def in_box(felt: Felt, number: int, change: Callable[[BoxFelt], BoxFelt]) -> Felt:
    return replace(felt, boxes=tuple(change(box) if box.box == number else box for box in felt.boxes))


def in_hand(felt: Felt, box: int, number: int, change: Callable[[HandView], HandView]) -> Felt:
    def changed(one: BoxFelt) -> BoxFelt:
        hands = tuple(change(hand) if place == number else hand for place, hand in enumerate(one.hands))
        return replace(one, hands=hands)

    return in_box(felt, box, changed)


def card_in_hand(felt: Felt, event: e.CardDealt) -> Felt:
    def dealt(hand: HandView) -> HandView:
        return replace(hand, cards=(*hand.cards, event.card), total=event.total, soft=event.soft)

    return in_hand(felt, event.box, event.hand, dealt)


def split(box: BoxFelt, number: int) -> BoxFelt:
    """A pair becomes two hands of one card each, and half the pair's total: two aces, soft 12, become two soft 11."""
    pair = box.hands[number]
    total = 11 if pair.soft else pair.total // 2
    left = replace(pair, cards=pair.cards[:1], total=total)
    right = HandView(pair.cards[1:], total, soft=pair.soft, stake=0)
    return replace(box, hands=(*box.hands[:number], left, right, *box.hands[number + 1 :]))


def stake_added(felt: Felt, event: e.StakeAdded) -> Felt:
    felt = in_hand(felt, event.box, event.hand, lambda hand: replace(hand, stake=hand.stake + event.amount))
    return in_box(felt, event.box, lambda box: replace(box, staked=box.staked + event.amount))


def closed(felt: Felt, event: e.HandClosed) -> Felt:
    def done(hand: HandView) -> HandView:
        return replace(hand, closed=event.why, by=event.by, doubled=event.why == "doubled")

    return in_hand(felt, event.box, event.hand, done)


def hand_settled(felt: Felt, event: e.HandSettled) -> Felt:
    def settled(hand: HandView) -> HandView:
        return replace(hand, outcome=event.outcome, returned=event.returned)

    return in_hand(felt, event.box, event.hand, settled)


def spot_settled(felt: Felt, event: e.SpotSettled) -> Felt:
    def settled(spot: SpotView) -> SpotView:
        return replace(spot, outcome=event.outcome, returned=event.returned) if spot.spot == event.spot else spot

    return in_box(felt, event.box, lambda box: replace(box, spots=tuple(settled(spot) for spot in box.spots)))
