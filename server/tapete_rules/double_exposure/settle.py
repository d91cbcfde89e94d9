"""What comes back: of a main bet, of the bonus bets."""

from __future__ import annotations

from tapete_rules.cards import Card
from tapete_rules.double_exposure.points import BEST, is_blackjack, total
from tapete_rules.double_exposure.settings import DoubleExposureSettings
from tapete_rules.double_exposure.state import Bonus, BoxInPlay, Hand
from tapete_rules.events import Outcome
from tapete_rules.settings import win

EVEN = (1, 1)


def settle_hand(settings: DoubleExposureSettings, hand: Hand, dealer: tuple[Card, ...]) -> tuple[Outcome, int]:
    """Outcome and return of a closed hand's main bet. Equal totals lose, but blackjack against blackjack pushes.

    (D5, D6, D7, D12, D15; seed 004, features 3 and 8, rules 4, 6 and 9)
    """
    if hand.closed == "bust":
        return "bust", 0
    if hand.closed == "blackjack":
        if is_blackjack(dealer) and settings.blackjack_tie == "push":
            return "push", hand.stake
        return "blackjack", win(hand.stake, settings.blackjack_odds)
    points, dealer_points = total(hand.cards), total(dealer)
    if dealer_points > BEST or points > dealer_points:
        return "win", win(hand.stake, EVEN)
    return "lose", 0


def settle_bonus(settings: DoubleExposureSettings, box: BoxInPlay, bonus: Bonus) -> tuple[Outcome, int] | None:
    """Outcome and return of a bonus bet once the box has two cards; None while a card could still change it."""
    if bonus.spot == "blackjack":
        odds = settings.bonus_blackjack_odds if has_blackjack(box) else None
    else:
        if _third_seven_may_come(box):
            return None
        steps = (None, settings.seven_odds, settings.two_sevens_odds, settings.three_sevens_odds)
        odds = steps[_sevens(box)]
    return ("win", win(bonus.stake, odds)) if odds else ("lose", 0)


def has_blackjack(box: BoxInPlay) -> bool:
    """The box's own first two cards, never a split hand. (D12, D16; seed 004, rules 8 and 10)"""
    return not box.split and is_blackjack(box.hands[0].cards)


def _third_seven_may_come(box: BoxInPlay) -> bool:
    """Two sevens in an open hand that was not split: only a hit brings the third. (D17; seed 004, rule 10)"""
    first = box.hands[0]
    return not box.split and first.closed is None and [card[0] for card in first.cards] == ["7", "7"]


def _sevens(box: BoxInPlay) -> int:
    """Sevens in a row from the box's first card on, at most three; a split pair is two. (D17; seed 004, rule 10)"""
    first = box.hands[0].cards
    if box.split:
        return 2 if first[0][0] == "7" else 0
    return next((place for place, card in enumerate(first[:3]) if card[0] != "7"), len(first[:3]))
