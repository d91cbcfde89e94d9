"""The bonus bets of Double Exposure as exact fractions. (D16, D17; seed 004, rule 10)

A pair of sevens brings a third one only by a hit, so the edge of `sevens` depends on the dealer's hands against which it is
hit. Against blackjack it cannot be.
"""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction
from math import comb

from tapete_odds.hands import BLACKJACK, PAIRS, Cards, cards_of, full_shoe
from tapete_odds.names import total_name
from tapete_rules.double_exposure import DoubleExposureSettings

SEVEN = 6
ACE, TEN = BLACKJACK

Hits = Container[str]
"""The dealer's hands, by name, against which a pair of sevens is hit."""


def blackjack_chance(decks: int) -> Fraction:
    full = full_shoe(decks)
    return Fraction(full[ACE] * full[TEN], comb(sum(full), 2))


def blackjack_edge(settings: DoubleExposureSettings) -> Fraction:
    """What the bonus `blackjack` loses on average, per unit staked."""
    return 1 - blackjack_chance(settings.decks) * (1 + Fraction(*settings.bonus_blackjack_odds))


def sevens_chances(decks: int, hits: Hits) -> tuple[Fraction, Fraction, Fraction]:
    """That exactly one, two, three sevens are paid."""
    full = full_shoe(decks)
    cards, sevens = sum(full), full[SEVEN]
    one = Fraction(sevens, cards)
    two = one * Fraction(sevens - 1, cards - 1)
    left = tuple(many - 2 * (place == SEVEN) for place, many in enumerate(full))
    three = two * sum((_third(left, dealer) for dealer in PAIRS if _is_hit(dealer, hits)), Fraction(0))
    return one - two, two - three, three


def sevens_edge(settings: DoubleExposureSettings, hits: Hits) -> Fraction:
    """What the bonus `sevens` loses on average, per unit staked."""
    odds = (settings.seven_odds, settings.two_sevens_odds, settings.three_sevens_odds)
    chances = sevens_chances(settings.decks, hits)
    back = (chance * (1 + Fraction(*pays)) for chance, pays in zip(chances, odds, strict=True))
    return 1 - sum(back, Fraction(0))


def _is_hit(dealer: tuple[int, int], hits: Hits) -> bool:
    return dealer != BLACKJACK and total_name(cards_of(*dealer)) in hits


def _third(left: Cards, dealer: tuple[int, int]) -> Fraction:
    """That the dealer has these cards, and the next one is a seven."""
    low, high = dealer
    ways = comb(left[low], 2) if low == high else left[low] * left[high]
    sevens = left[SEVEN] - dealer.count(SEVEN)
    return Fraction(ways, comb(sum(left), 2)) * Fraction(sevens, sum(left) - 2)
