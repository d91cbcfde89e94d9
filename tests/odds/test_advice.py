"""What a decision is worth, by the chart and by the very cards; and which are very bad. (D19; seed 004, rule 11)"""

from __future__ import annotations

from fractions import Fraction
from time import process_time

import pytest

from tapete_odds import shelf
from tapete_odds.advice import Position, advise
from tapete_odds.seats import by_chart, by_composition, position_of, seen_beside
from tapete_rules.double_exposure import DoubleExposureSettings
from tests.rules.double_exposure.felt import Felt

HOUSE = DoubleExposureSettings()
ODDS = shelf.odds_of(HOUSE)


def position(cards: str, dealer: str, legal: str = "hit stand stand_all", sevens: Fraction = Fraction(0)) -> Position:
    return Position(tuple(cards.split()), tuple(dealer.split()), tuple(legal.split()), sevens=sevens)


class TestVeryBad:
    def test_standing_on_eleven_as_the_seed_has_it(self) -> None:
        advice = by_chart(HOUSE, ODDS, position("5C 6D", "TC 7D", "hit stand stand_all double"))
        assert advice.very_bad == ("stand", "stand_all")
        assert advice.why == {"stand": "cannot_bust", "stand_all": "cannot_bust"}
        assert advice.best == "hit"

    def test_standing_on_a_hand_that_has_lost(self) -> None:
        advice = by_chart(HOUSE, ODDS, position("TC 7D", "TD 7C"))
        assert advice.why == {"stand": "lost", "stand_all": "lost"}

    def test_a_card_to_a_hand_that_has_won(self) -> None:
        advice = by_chart(HOUSE, ODDS, position("TC 9D", "TD 7C"))
        assert advice.very_bad == ("hit",)
        assert advice.why == {"hit": "won"}

    def test_a_loss_of_half_a_bet_is_enough_without_any_reason(self) -> None:
        advice = by_chart(HOUSE, ODDS, position("TC TD", "TH 2D", "hit stand stand_all split"))
        assert "hit" in advice.very_bad
        assert not advice.why
        assert advice.cost("hit") >= 0.5

    def test_a_close_decision_is_not(self) -> None:
        advice = by_chart(HOUSE, ODDS, position("TC 2D", "5H 2D"))
        assert advice.cost("stand") < 0.5
        assert advice.very_bad == ()

    def test_the_best_one_never_is(self) -> None:
        for player in ("5C 6D", "TC 2D", "AC 7D", "8C 8D", "TC 8D"):
            for dealer in ("2C 3D", "TC 6D", "AC 6D", "TC 9D", "AC 9D"):
                advice = by_chart(HOUSE, ODDS, position(player, dealer))
                assert advice.best not in advice.very_bad


class TestSevens:
    def test_the_open_bonus_makes_a_hit_right(self) -> None:
        """A pair of sevens against a dealer's 15 is split, but not with the largest bonus on it."""
        legal = "hit stand stand_all split"
        without = by_chart(HOUSE, ODDS, position("7C 7D", "TH 5D", legal))
        with_it = by_chart(HOUSE, ODDS, position("7C 7D", "TH 5D", legal, Fraction(1)))
        assert (without.best, with_it.best) == ("split", "hit")
        assert with_it.worth["hit"] - without.worth["hit"] == pytest.approx(210 * 22 / 308)

    def test_nothing_else_is_changed_by_it(self) -> None:
        for cards in ("7C 8D", "7C 4D 3H", "7C 2D"):
            bonus = by_chart(HOUSE, ODDS, position(cards, "TH 5D", sevens=Fraction(1)))
            assert bonus == by_chart(HOUSE, ODDS, position(cards, "TH 5D"))

    def test_a_third_seven_does_not_come_where_none_is_left(self) -> None:
        two = DoubleExposureSettings(decks=2)
        seven = position("7C 7D", "7H 7S", sevens=Fraction(1))
        assert (
            advise(two, ODDS["strategy"], seven).worth["hit"]
            > by_chart(HOUSE, ODDS, position("7C 7D", "7H 7S")).worth["hit"]
        )


class TestByTheCards:
    def test_it_is_near_the_chart(self) -> None:
        for cards, dealer in (("8C 8D", "TH 6D"), ("TC 6D", "9H 2D"), ("AC 7D", "5H 6D"), ("2C 3D 6H", "TH 5D")):
            legal = ("hit", "stand", "split") if cards == "8C 8D" else ("hit", "stand")
            where = Position(tuple(cards.split()), tuple(dealer.split()), legal)
            exact, chart = by_composition(HOUSE, where, []), by_chart(HOUSE, ODDS, where)
            assert exact.best == chart.best
            for action in legal:
                assert exact.worth[action] == pytest.approx(chart.worth[action], abs=0.03)

    def test_cards_on_the_table_count(self) -> None:
        where = Position(("TC", "6D"), ("TH", "6C"), ("hit", "stand"))
        rich = by_composition(HOUSE, where, ["2C", "3C", "4C", "5C"] * 4)
        poor = by_composition(HOUSE, where, ["TC", "JC", "QC", "KC"] * 4)
        assert rich.worth["stand"] > poor.worth["stand"], "with tens left the dealer is bust more often"


def test_a_lookup_takes_far_less_than_a_millisecond() -> None:
    """Not timed to a limit that a busy machine could break: a thousand of them, and fifty times the time they need."""
    where = position("7C 7D", "TH 5D", "hit stand stand_all split", Fraction(1, 2))
    started = process_time()
    for _ in range(1000):
        by_chart(HOUSE, ODDS, where)
    assert process_time() - started < 10


def test_a_hand_on_the_felt_has_all_that_is_needed() -> None:
    felt = Felt("7 T T 7 5 9 2", bets={1: {"main": 1000, "sevens": 500}, 2: 1000})
    view, turn = felt.game.view(felt.state), felt.state.turn
    assert turn is not None
    where = position_of(view, turn.box, turn.hand, turn.legal)
    assert (where.cards, where.dealer) == (("7C", "7S"), ("TH", "9D"))
    assert where.sevens == Fraction(1, 2)
    assert seen_beside(view, turn.box, turn.hand) == ["TD", "5C"]
    assert by_chart(HOUSE, ODDS, where).best == "hit"
