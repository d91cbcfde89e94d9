"""What other houses play, as settings: each changes one point of the rules and no other."""

from __future__ import annotations

import pytest

from tapete_rules.double_exposure import DoubleExposureSettings
from tests.rules.double_exposure.felt import Felt


def settings(**fields: object) -> DoubleExposureSettings:
    return DoubleExposureSettings.from_plain(fields)


class TestDealer:
    """D14"""

    @pytest.mark.parametrize(("hits", "dealer"), [(False, 2), (True, 3)])
    def test_draws_to_a_soft_17_where_the_table_says_so(self, *, hits: bool, dealer: int) -> None:
        felt = Felt("T A 8 6 4", settings=settings(dealer_hits_soft_17=hits)).play("stand")
        assert len(felt.state.dealer) == dealer

    def test_stands_on_a_hard_17_all_the_same(self) -> None:
        felt = Felt("T T 8 7 4", settings=settings(dealer_hits_soft_17=True)).play("stand")
        assert len(felt.state.dealer) == 2

    def test_stands_on_a_soft_18(self) -> None:
        felt = Felt("T A 8 7 4", settings=settings(dealer_hits_soft_17=True)).play("stand")
        assert len(felt.state.dealer) == 2


class TestDouble:
    """D8"""

    @pytest.mark.parametrize(
        ("box", "on", "may"),
        [
            ("4 4", "hard_9_to_11", False),
            ("4 4", "any", True),
            ("5 4", "low_9_to_11", True),
            ("A 8", "hard_9_to_11", False),
            ("A 8", "low_9_to_11", True),
            ("A 9", "low_9_to_11", True),
            ("A 7", "low_9_to_11", False),
            ("A 7", "any", True),
            ("T 8", "low_9_to_11", False),
            ("T 8", "any", True),
        ],
    )
    def test_two_cards_that_may(self, box: str, on: str, *, may: bool) -> None:
        first, second = box.split()
        felt = Felt(f"{first} T {second} 6", settings=settings(double_on=on))
        assert ("double" in felt.legal) is may

    def test_three_cards_never_may(self) -> None:
        assert "double" not in Felt("2 T 3 6 4", settings=settings(double_on="any")).play("hit").legal

    @pytest.mark.parametrize("after", [False, True])
    def test_after_a_split(self, *, after: bool) -> None:
        felt = Felt("8 T 8 6 3", settings=settings(double_after_split=after)).play("split")
        assert ("double" in felt.legal) is after

    def test_split_aces_never_double(self) -> None:
        felt = Felt("A T A 6 A", settings=settings(double_on="any")).play("split")
        assert felt.legal == "stand stand_all split"


class TestTiedBlackjacks:
    """D5"""

    @pytest.mark.parametrize(("tie", "outcome", "returned"), [("push", "push", 1000), ("win", "blackjack", 2000)])
    def test_the_bet_comes_back_or_is_paid(self, tie: str, outcome: str, returned: int) -> None:
        hand = Felt("A A T T", settings=settings(blackjack_tie=tie)).hand()
        assert (hand.outcome, hand.returned) == (outcome, returned)

    def test_any_other_21_loses_all_the_same(self) -> None:
        hand = Felt("7 A 4 T", settings=settings(blackjack_tie="win")).hand()
        assert hand.outcome == "lose"
