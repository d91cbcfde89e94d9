"""D14 to D18: the dealer's play, ties, bonus bets, funds."""

from __future__ import annotations

import pytest

from tapete_rules.events import Action, ActionsChanged, DealerDone, SpotSettled, TurnStarted
from tapete_rules.game import Refusal
from tests.rules.double_exposure.felt import Felt


class TestD14DealerPlays:
    @pytest.mark.parametrize(
        ("dealer", "total", "soft", "drew"),
        [
            ("T 7", 17, False, False),
            ("A 6", 17, True, False),
            ("T 6 5", 21, False, True),
            ("A 5 A", 17, True, True),
            ("A 5 T A", 17, False, True),
            ("2 2 2 2 2 2 2 2 A", 17, False, True),
        ],
    )
    def test_draws_to_17_and_stands_on_every_17(self, dealer: str, total: int, soft: bool, drew: bool) -> None:
        first, second, *rest = dealer.split()
        felt = Felt(f"T {first} 8 {second} {' '.join(rest)}").play("stand")
        assert felt.said(DealerDone) == [DealerDone(total, soft, False, drew)]
        assert felt.cards.words == 4 + len(rest)

    def test_draws_nothing_when_every_hand_is_bust_or_paid(self) -> None:
        felt = Felt("T A 5 6 K 6 K", {1: 1000, 2: 1000}).play("hit")
        assert felt.over
        assert felt.said(DealerDone) == [DealerDone(11, False, False, False)]

    def test_plays_when_one_hand_is_left_to_compare(self) -> None:
        felt = Felt("8 5 8 6 T T T 7").play("split", "hit", "stand")
        assert [hand.outcome for hand in felt.box().hands] == ["bust", "lose"]
        assert felt.said(DealerDone)[0].total == 18


class TestD15Ties:
    @pytest.mark.parametrize(
        ("box", "dealer", "outcome"),
        [("T 8", "T 8", "lose"), ("T 9", "T 8", "win"), ("T 7", "T 8", "lose"), ("T 2", "T 6 K", "win")],
    )
    def test_the_higher_total_wins_and_equal_totals_lose(self, box: str, dealer: str, outcome: str) -> None:
        (first, second), (up, other, *rest) = box.split(), dealer.split()
        felt = Felt(f"{first} {up} {second} {other} {' '.join(rest)}").play("stand")
        assert felt.hand().outcome == outcome
        assert felt.hand().returned == (2000 if outcome == "win" else 0)

    def test_21_against_a_dealer_who_draws_to_21_loses(self) -> None:
        assert Felt("T T 6 6 5 5").play("hit").hand().outcome == "lose"

    def test_blackjack_against_blackjack_pushes(self) -> None:
        assert Felt("A A T T").hand().outcome == "push"


class TestD16BonusBlackjack:
    def test_pays_19_to_1_on_a_blackjack_in_the_first_two_cards(self) -> None:
        felt = Felt("T 9 A 8", {1: {"main": 1000, "blackjack": 500}})
        assert felt.said(SpotSettled) == [SpotSettled(1, "blackjack", "win", 500, 10000)]

    def test_pays_whatever_the_dealer_holds(self) -> None:
        assert Felt("T A A T", {1: {"main": 1000, "blackjack": 500}}).bonus("blackjack") == ("win", 10000)

    def test_a_21_of_three_cards_does_not_count(self) -> None:
        felt = Felt("T 9 5 8 6", {1: {"main": 1000, "blackjack": 500}})
        assert felt.said(SpotSettled) == [SpotSettled(1, "blackjack", "lose", 500, 0)]

    def test_each_box_has_its_own(self) -> None:
        bets = {box: {"main": 1000, "blackjack": 100} for box in (1, 2)}
        felt = Felt("A 9 T K 8 7", bets)
        assert [felt.bonus("blackjack", 1), felt.bonus("blackjack", 2)] == [("win", 2000), ("lose", 0)]


SEVENS = {1: {"main": 1000, "sevens": 100}}


class TestD17BonusSevens:
    @pytest.mark.parametrize(
        ("cards", "actions", "returned"),
        [
            ("6 T 7 8", "stand", 0),
            ("7 T 6 8", "stand", 900),
            ("7 T 6 8 7", "hit stand", 900),
            ("7 T 7 8", "stand", 4100),
            ("7 T 7 8", "stand_all", 4100),
            ("7 T 7 8 2", "hit stand", 4100),
            ("7 T 7 8 T", "hit", 4100),
            ("7 T 7 8 7", "hit", 25100),
            ("7 T 7 8 7 7", "split hit", 4100),
            ("7 T 7 8 2 3 7", "split stand stand", 4100),
            ("7 A 7 K", "", 4100),
            ("7 A 2 K", "", 900),
            ("7 T A 8 7 6", "hit hit", 900),
        ],
    )
    def test_only_the_highest_step_pays(self, cards: str, actions: str, returned: int) -> None:
        felt = Felt(cards + " 2 2 2 2 2 2", SEVENS)
        felt.play(*actions.split())
        if felt.turn:
            felt.play("stand_all")
        assert felt.bonus("sevens") == ("win" if returned else "lose", returned)
        assert len(felt.said(SpotSettled)) == 1

    def test_suits_do_not_count(self) -> None:
        assert Felt("7S T 7S 8 7S", SEVENS).play("hit").bonus("sevens") == ("win", 25100)
        assert Felt("7S T 7H 8 7C", SEVENS).play("hit").bonus("sevens") == ("win", 25100)

    def test_three_sevens_make_21_and_close_the_hand(self) -> None:
        assert Felt("7 T 7 8 7", SEVENS).play("hit").hand().closed == "twenty_one"

    def test_a_pair_of_sevens_waits_for_what_its_owner_does(self) -> None:
        felt = Felt("7 T 7 8 7 2 3", SEVENS)
        assert felt.bonus("sevens") == (None, 0)
        felt.play("split")
        assert SpotSettled(1, "sevens", "win", 100, 4100) in felt.last

    def test_it_is_settled_as_soon_as_no_card_can_change_it(self) -> None:
        felt = Felt("7 T 6 8", SEVENS)
        assert felt.last[-2:] == (
            SpotSettled(1, "sevens", "win", 100, 900),
            TurnStarted(1, 0, "ana", ("hit", "stand", "stand_all")),
        )

    def test_a_box_that_busts_keeps_what_its_sevens_have_won(self) -> None:
        felt = Felt("7 T 7 8 T", SEVENS).play("hit")
        assert felt.hand().outcome == "bust"
        assert felt.box().returned == 4100


class TestD18Funds:
    def test_without_the_chips_double_and_split_are_not_among_the_legal_actions(self) -> None:
        assert Felt("5 T 5 8", funds={"ana": 999}).legal == "hit stand stand_all"
        assert Felt("5 T 5 8", funds={"ana": 1000}).legal == "hit stand stand_all double split"

    def test_trying_is_refused_while_the_hand_waits(self) -> None:
        felt = Felt("5 T 5 8", funds={"ana": 999})
        legal = ["hit", "stand", "stand_all"]
        for action in ("double", "split"):
            detail = {"action": action, "needed": 1000, "stack": 999, "legal": legal}
            assert felt.refused(action) == Refusal("not_enough_chips", detail)
        assert felt.turn == (1, 0)

    def test_what_the_cards_forbid_is_not_blamed_on_the_chips(self) -> None:
        assert Felt("5 T 9 8", funds={"ana": 0}).refused("double").code == "illegal_action"

    def test_chips_that_a_double_took_are_gone_for_the_next_hand(self) -> None:
        felt = Felt("5 5 T 6 6 8 9", {1: 1000, 2: 1000}, funds={"ana": 1500})
        assert "double" in felt.legal
        assert "double" not in felt.play("double").legal

    def test_another_players_chips_do_not_help(self) -> None:
        felt = Felt("5 5 T 6 6 8", {1: 1000, 2: 1000}, owners={2: "berta"}, funds={"ana": 0})
        assert "double" not in felt.legal
        assert "double" in felt.play("stand").legal

    def test_chips_that_arrive_change_what_is_legal(self) -> None:
        felt = Felt("5 T 5 8", funds={"ana": 0})
        legal: tuple[Action, ...] = ("hit", "stand", "stand_all", "double", "split")
        assert felt.funds_change("ana", 1000) == (ActionsChanged(1, 0, legal),)
        assert felt.state.turn is not None
        assert felt.state.turn.legal == legal
        assert felt.funds_change("ana", 1500) == ()

    def test_chips_that_go_take_the_second_split_of_aces_away(self) -> None:
        felt = Felt("A T A 8 A 2").play("split")
        felt.funds_change("ana", 0)
        assert felt.legal == "stand stand_all"
        assert felt.refused("split").code == "not_enough_chips"

    def test_chips_that_arrive_between_rounds_change_nothing(self) -> None:
        felt = Felt("T T 9 8").play("stand")
        assert felt.funds_change("ana", 5) == ()
