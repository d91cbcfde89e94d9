"""The state after an event. The only place where a state changes once bets are closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tapete_rules.cards import Shoe
from tapete_rules.double_exposure.state import Bonus, BoxInPlay, DoubleExposureState, Hand, Standing
from tapete_rules.events import (
    ActionsChanged,
    AllStood,
    BoxSettled,
    CardBurnt,
    CardDealt,
    CoupDecided,
    CutCardShown,
    DealerDone,
    Event,
    HandClosed,
    HandSettled,
    HandSplit,
    ShoeOpened,
    SpotSettled,
    StakeAdded,
    ThirdCardDecided,
    TurnStarted,
)
from tapete_rules.game import Turn


def evolve(state: DoubleExposureState, event: Event) -> DoubleExposureState:
    """Never refuses, never draws. Events of other games are not for this felt."""
    match event:
        case ShoeOpened():
            return replace(state, shoe=Shoe.of(event.decks), shoes=state.shoes + 1)
        case CardDealt():
            return _card_dealt(state, event)
        case TurnStarted():
            return replace(state, turn=Turn(event.box, event.hand, event.owner, event.legal))
        case ActionsChanged():
            assert state.turn is not None, "actions change for the hand whose turn it is"
            return replace(state, turn=replace(state.turn, legal=event.legal))
        case AllStood():
            return replace(state, standing=(*state.standing, Standing(event.owner, event.by)))
        case DealerDone():
            return replace(state, dealer_done=True)
        case StakeAdded() | HandSplit() | HandClosed() | HandSettled() | SpotSettled() | BoxSettled():
            return _box_changed(state, event)
        case CardBurnt() | CutCardShown() | ThirdCardDecided() | CoupDecided():
            raise AssertionError(f"no event of Double Exposure: {event}")


def _card_dealt(state: DoubleExposureState, event: CardDealt) -> DoubleExposureState:
    state = replace(state, shoe=state.shoe.without(event.card))
    if event.place == "dealer":
        return replace(state, dealer=(*state.dealer, event.card))
    assert event.place == "box", "there is no other place on this felt"
    dealt = _in_hand(event.hand, lambda hand: replace(hand, cards=(*hand.cards, event.card)))
    return replace(_in_box(state, event.box, dealt), turn=None)


def _box_changed(
    state: DoubleExposureState, event: StakeAdded | HandSplit | HandClosed | HandSettled | SpotSettled | BoxSettled
) -> DoubleExposureState:
    match event:
        case StakeAdded(box, number, _, amount):
            staked = _in_hand(number, lambda hand: replace(hand, stake=hand.stake + amount))
            return _in_box(state, box, lambda box: replace(staked(box), staked=box.staked + amount))
        case HandSplit(box, number):
            return replace(_in_box(state, box, lambda box: _split(box, number)), turn=None)
        case HandClosed(box, number, why, by):
            closed = _in_hand(number, lambda hand: replace(hand, closed=why, by=by))
            return replace(_in_box(state, box, closed), turn=None)
        case HandSettled(box, number, outcome, _, returned):
            return _in_box(state, box, _in_hand(number, lambda hand: replace(hand, outcome=outcome, returned=returned)))
        case SpotSettled():
            return _in_box(state, event.box, lambda box: _bonus_settled(box, event))
        case BoxSettled():
            return _in_box(state, event.box, lambda box: replace(box, returned=event.returned))


def _in_box(state: DoubleExposureState, number: int, change: Callable[[BoxInPlay], BoxInPlay]) -> DoubleExposureState:
    return replace(state, boxes=tuple(change(box) if box.box == number else box for box in state.boxes))


def _in_hand(number: int, change: Callable[[Hand], Hand]) -> Callable[[BoxInPlay], BoxInPlay]:
    def changed(box: BoxInPlay) -> BoxInPlay:
        return replace(box, hands=(*box.hands[:number], change(box.hands[number]), *box.hands[number + 1 :]))

    return changed


def _split(box: BoxInPlay, number: int) -> BoxInPlay:
    """One card each; the new hand on the right gets its bet by the `StakeAdded` that follows. (D9; seed 004, rule 8)"""
    pair = box.hands[number]
    left, right = Hand(pair.cards[:1], pair.stake), Hand(pair.cards[1:], 0)
    return replace(box, hands=(*box.hands[:number], left, right, *box.hands[number + 1 :]))


def _bonus_settled(box: BoxInPlay, event: SpotSettled) -> BoxInPlay:
    def settled(bonus: Bonus) -> Bonus:
        return replace(bonus, outcome=event.outcome, returned=event.returned) if bonus.spot == event.spot else bonus

    return replace(box, bonuses=tuple(settled(bonus) for bonus in box.bonuses))
