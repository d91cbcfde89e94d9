"""What is allowed: bets within the table's limits, and what a hand may do. A check returns a refusal or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from tapete_rules.cards import Card
from tapete_rules.double_exposure.points import count, value
from tapete_rules.double_exposure.settings import DoubleExposureSettings
from tapete_rules.double_exposure.state import BoxInPlay, DoubleExposureState, Hand
from tapete_rules.events import Action
from tapete_rules.game import Act, Refusal, Stakes
from tapete_rules.settings import is_whole

SPOTS = ("main", "blackjack", "sevens")
ACTIONS: tuple[Action, ...] = ("hit", "stand", "stand_all", "double", "split")
"""In the order in which they are always listed."""


def check_stakes(settings: DoubleExposureSettings, stakes: Stakes) -> Refusal | None:
    """Are these bets of one box within the limits? A bonus bet needs a main bet. (D2; seed 004, rules 1 and 10)"""
    for spot, amount in stakes.items():
        if spot not in SPOTS:
            return Refusal("unknown_spot", {"spot": spot, "spots": list(SPOTS)})
        if not is_whole(amount) or amount < 0:
            return Refusal("bad_amount", {"spot": spot})
    bets = {spot: stakes[spot] for spot in SPOTS if stakes.get(spot, 0)}
    if bets and "main" not in bets:
        return Refusal("bonus_without_main", {"spot": next(iter(bets))})
    refusals = (_check_bet(settings, spot, amount) for spot, amount in bets.items())
    return next((refusal for refusal in refusals if refusal), None)


def _check_bet(settings: DoubleExposureSettings, spot: str, amount: int) -> Refusal | None:
    chip = settings.chips[0]
    low, high = (settings.main_min, settings.main_max) if spot == "main" else (chip, settings.bonus_max)
    if amount > high:
        return Refusal("bet_above_maximum", {"spot": spot, "amount": amount, "maximum": high})
    if amount < low:
        return Refusal("bet_below_minimum", {"spot": spot, "amount": amount, "minimum": low})
    if amount % chip:
        return Refusal("bet_not_in_chips", {"spot": spot, "amount": amount, "chip": chip})
    return None


def of_split_aces(box: BoxInPlay, hand: Hand) -> bool:
    """One of the hands that a pair of aces was split into. (D11; seed 004, rule 8)"""
    return box.split and hand.cards[0][0] == "A"


def may_double(settings: DoubleExposureSettings, cards: Sequence[Card]) -> bool:
    """Is this a hand that doubles, where doubling is open to it? (D8; seed 004, feature 4 and rule 5)"""
    if len(cards) != 2:
        return False
    if settings.double_on == "any":
        return True
    points, soft = count(cards)
    return 9 <= (points - 10 if soft else points) <= 11 and (not soft or settings.double_on == "low_9_to_11")


def cards_allow(settings: DoubleExposureSettings, box: BoxInPlay, hand: Hand, action: Action) -> bool:
    """May an open hand with its second card do this, chips aside? (D7 to D13)"""
    match action:
        case "hit":
            return not of_split_aces(box, hand)
        case "stand" | "stand_all":
            return True
        case "double":
            after_split = not box.split or (settings.double_after_split and not of_split_aces(box, hand))
            return after_split and may_double(settings, hand.cards)
        case "split":
            pair = len(hand.cards) == 2 and value(hand.cards[0]) == value(hand.cards[1])
            return pair and len(box.hands) < settings.max_hands
    assert_never(action)


def chips_allow(hand: Hand, action: Action, chips: int) -> bool:
    """A double or a split takes as much from the stack as lies on the hand. (D18)"""
    return action not in ("double", "split") or chips >= hand.stake


def legal_actions(settings: DoubleExposureSettings, box: BoxInPlay, hand: Hand, chips: int) -> tuple[Action, ...]:
    """All that this hand may do if it is its turn and its owner has `chips` at the table."""
    return tuple(
        action for action in ACTIONS if cards_allow(settings, box, hand, action) and chips_allow(hand, action, chips)
    )


def check_act(
    settings: DoubleExposureSettings, state: DoubleExposureState, act: Act, funds: Mapping[str, int]
) -> Refusal | None:
    """May this hand do this now?"""
    turn = state.turn
    if turn is None:
        return Refusal("round_over")
    if (turn.box, turn.hand) != (act.box, act.hand):
        return Refusal("not_your_turn", {"box": turn.box, "hand": turn.hand})
    box, hand, chips = state.box(act.box), state.hand(act.box, act.hand), funds.get(turn.owner, 0)
    legal = list(legal_actions(settings, box, hand, chips))
    if act.action not in ACTIONS or not cards_allow(settings, box, hand, act.action):
        return Refusal("illegal_action", {"action": act.action, "legal": legal})
    if not chips_allow(hand, act.action, chips):
        return Refusal("not_enough_chips", {"action": act.action, "needed": hand.stake, "stack": chips, "legal": legal})
    return None
