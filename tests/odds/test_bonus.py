"""The bonus bets against a reasoning of their own."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tapete_odds.bonus import blackjack_edge, sevens_chances, sevens_edge
from tapete_odds.document import exact
from tapete_odds.names import DEALERS
from tapete_rules.double_exposure import DoubleExposureSettings

EVERY = set(DEALERS)


@pytest.mark.parametrize("decks", [2, 6, 8])
def test_a_third_seven_may_be_thought_of_as_dealt_before_the_dealers_cards(decks: int) -> None:
    """Unseen cards are alike: 7-7-7, and then no blackjack for the dealer."""
    cards, sevens = 52 * decks, 4 * decks
    three = Fraction(sevens * (sevens - 1) * (sevens - 2), cards * (cards - 1) * (cards - 2))
    blackjack = Fraction(2 * 4 * decks * 16 * decks, (cards - 3) * (cards - 4))
    assert sevens_chances(decks, EVERY)[2] == three * (1 - blackjack)


def test_without_hits_it_is_the_first_two_cards() -> None:
    one, two, three = sevens_chances(6, set())
    assert (one, two, three) == (Fraction(24 * 288, 312 * 311), Fraction(24 * 23, 312 * 311), Fraction(0))


def test_edges_of_the_published_game() -> None:
    settings = DoubleExposureSettings()
    assert blackjack_edge(settings) == 1 - 20 * Fraction(2 * 24 * 96, 312 * 311)
    assert exact(sevens_edge(settings, EVERY))["exact"] == "580558/12909299"
    assert exact(sevens_edge(settings, set()))["exact"] == "508/4043"
    assert sevens_edge(settings, EVERY) < sevens_edge(settings, {"hard 19"}) < sevens_edge(settings, set())
