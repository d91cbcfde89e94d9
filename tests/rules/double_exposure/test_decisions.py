"""D7 to D13: hit, double, split, the order of play, aces, stand on all."""

from __future__ import annotations

import pytest

from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.events import (
    AllStood,
    CardDealt,
    DealerDone,
    HandClosed,
    HandSettled,
    HandSplit,
    StakeAdded,
    TurnStarted,
)
from tapete_rules.game import Refusal
from tests.rules.double_exposure.felt import Felt


class TestD07Hit:
    def test_past_21_the_bet_is_lost_at_once(self) -> None:
        felt = Felt("T 9 6 8 K 8", {1: 1000}).play("hit")
        assert felt.last[1:3] == (HandClosed(1, 0, "bust", "player"), HandSettled(1, 0, "bust", 1000, 0))

    def test_on_exactly_21_the_hand_stands_by_itself(self) -> None:
        felt = Felt("T 9 6 8 5", {1: 1000}).play("hit")
        assert HandClosed(1, 0, "twenty_one", "player") in felt.last
        assert felt.hand().outcome == "win"

    def test_a_soft_hand_goes_on_past_an_ace_that_turns_hard(self) -> None:
        felt = Felt("A 9 6 8 9 5").play("hit")
        assert felt.turn == (1, 0)
        assert felt.said(CardDealt)[-1].total == 16
        assert felt.play("hit").hand().closed == "twenty_one"

    def test_below_21_the_same_hand_decides_again_without_double_and_split(self) -> None:
        felt = Felt("2 9 2 8 2")
        assert felt.legal == "hit stand stand_all split"
        assert felt.play("hit").last[-1] == TurnStarted(1, 0, "ana", ("hit", "stand", "stand_all"))

    def test_after_the_round_nothing_is_to_be_decided(self) -> None:
        felt = Felt("T 9 6 8").play("stand")
        assert felt.refused("hit") == Refusal("round_over")


class TestD08Double:
    @pytest.mark.parametrize(
        ("cards", "allowed"),
        [("4 5", True), ("4 6", True), ("5 6", True), ("3 5", False), ("2 T", False), ("A 8", False), ("A 9", False)],
    )
    def test_only_a_hard_9_10_or_11_may_be_doubled(self, cards: str, allowed: bool) -> None:
        first, second = cards.split()
        felt = Felt(f"{first} T {second} 7 2")
        assert ("double" in felt.legal) == allowed
        if not allowed:
            assert felt.refused("double").code == "illegal_action"

    def test_three_cards_may_not_be_doubled(self) -> None:
        felt = Felt("2 T 3 7 4").play("hit")
        assert felt.refused("double") == Refusal(
            "illegal_action", {"action": "double", "legal": ["hit", "stand", "stand_all"]}
        )

    def test_the_bet_doubles_one_card_comes_and_the_hand_is_over(self) -> None:
        felt = Felt("5 T 6 8 2").play("double")
        assert felt.last[0] == StakeAdded(1, 0, "ana", 1000)
        assert HandClosed(1, 0, "doubled", "player") in felt.last
        assert felt.said(HandSettled) == [HandSettled(1, 0, "lose", 2000, 0)]

    def test_a_doubled_win_pays_the_doubled_bet(self) -> None:
        felt = Felt("5 T 6 8 9").play("double")
        assert felt.said(HandSettled) == [HandSettled(1, 0, "win", 2000, 4000)]
        assert felt.game.view(felt.state)["boxes"][0]["hands"][0]["doubled"] is True

    def test_a_split_hand_may_be_doubled(self) -> None:
        felt = Felt("8 T 8 7 3 T 9").play("split")
        assert felt.legal == "hit stand stand_all double"
        felt.play("double")
        assert [hand.stake for hand in felt.box().hands] == [2000, 1000]
        assert felt.box().staked == 3000


class TestD09Split:
    @pytest.mark.parametrize(("cards", "allowed"), [("T K", True), ("J J", True), ("8 8", True), ("9 T", False)])
    def test_two_cards_of_equal_value_may_be_split(self, cards: str, allowed: bool) -> None:
        first, second = cards.split()
        felt = Felt(f"{first} T {second} 7 2")
        assert ("split" in felt.legal) == allowed
        if not allowed:
            assert felt.refused("split").code == "illegal_action"

    def test_the_new_hand_carries_a_bet_equal_to_the_first(self) -> None:
        felt = Felt("8 T 8 7 2").play("split")
        assert felt.last[:2] == (HandSplit(1, 0), StakeAdded(1, 1, "ana", 1000))
        assert [(len(hand.cards), hand.stake) for hand in felt.box().hands] == [(2, 1000), (1, 1000)]

    def test_a_box_is_split_at_most_three_times(self) -> None:
        felt = Felt("8 T 8 7 8 8 8 2").play("split", "split", "split")
        assert len(felt.box().hands) == 4
        assert felt.said(CardDealt)[-1].card[0] == "8"
        assert felt.legal == "hit stand stand_all"
        assert felt.refused("split").code == "illegal_action"

    def test_the_limit_of_hands_is_a_setting(self) -> None:
        assert "split" not in Felt("8 T 8 7", settings=DoubleExposureSettings(max_hands=1)).legal

    def test_a_later_hand_splits_into_its_place_and_moves_the_others_right(self) -> None:
        felt = Felt("8 T 8 7 T 8 2 3").play("split", "stand")
        assert felt.play("split").turn == (1, 1)
        assert [[card[0] for card in hand.cards] for hand in felt.box().hands] == [["8", "T"], ["8", "2"], ["8"]]


class TestD10OrderAfterASplit:
    def test_the_first_hand_gets_its_second_card_at_once_the_next_when_it_comes_into_play(self) -> None:
        felt = Felt("8 T 8 7 2 3 4").play("split")
        assert felt.dealt[4:] == ["1.0"]
        felt.play("hit")
        assert felt.dealt[4:] == ["1.0", "1.0"]
        felt.play("stand")
        assert felt.dealt[4:] == ["1.0", "1.0", "1.1"]
        assert felt.turn == (1, 1)

    def test_a_waiting_hand_may_not_act(self) -> None:
        felt = Felt("8 T 8 7 2 3 4").play("split")
        assert felt.refused("hit", hand=1) == Refusal("not_your_turn", {"box": 1, "hand": 0})

    def test_all_hands_of_a_box_come_before_the_next_box(self) -> None:
        felt = Felt("8 9 T 8 9 7 2 3", {1: 1000, 2: 1000}).play("split", "stand")
        assert felt.turn == (1, 1)
        assert felt.play("stand").turn == (2, 0)


class TestD11SplitAces:
    def test_each_gets_one_card_and_closes_by_itself(self) -> None:
        felt = Felt("A T A 8 9 7").play("split")
        assert felt.over
        assert [hand.closed for hand in felt.box().hands] == ["split_aces", "split_aces"]
        assert [hand.outcome for hand in felt.box().hands] == ["win", "lose"]

    def test_another_ace_may_be_split_again_or_stand_and_nothing_else(self) -> None:
        felt = Felt("A T A 8 A").play("split")
        assert felt.legal == "stand stand_all split"
        assert felt.refused("hit") == Refusal(
            "illegal_action", {"action": "hit", "legal": ["stand", "stand_all", "split"]}
        )
        assert felt.refused("double").code == "illegal_action"

    def test_a_pair_of_aces_that_stands_counts_12(self) -> None:
        felt = Felt("A T A 8 A 9").play("split", "stand")
        assert felt.hand(0).closed == "stood"
        assert felt.hand(0).outcome == "lose"

    def test_the_fourth_hand_closes_as_12_when_it_gets_an_ace(self) -> None:
        felt = Felt("A T A 8 A A A A A A").play("split", "split", "split")
        assert felt.over
        assert [hand.closed for hand in felt.box().hands] == ["split_aces"] * 4

    def test_without_chips_another_ace_closes_as_12(self) -> None:
        felt = Felt("A T A 8 A 9", funds={"ana": 1000}).play("split")
        assert felt.hand(0).closed == "split_aces"
        assert felt.over


class TestD12TwentyOneAfterASplit:
    def test_an_ace_and_a_ten_on_a_split_hand_is_21_and_no_blackjack(self) -> None:
        felt = Felt("A T A 9 K 2", {1: {"main": 1000, "blackjack": 100}}).play("split")
        assert (felt.hand(0).closed, felt.hand(0).outcome, felt.hand(0).returned) == ("twenty_one", "win", 2000)
        assert felt.bonus("blackjack") == ("lose", 0)

    def test_tens_that_are_split_and_get_an_ace_have_21(self) -> None:
        felt = Felt("T 9 K 9 A 5").play("split")
        assert felt.hand(0).closed == "twenty_one"
        assert felt.turn == (1, 1)

    def test_it_loses_against_the_same_total(self) -> None:
        felt = Felt("A 9 A 2 K 3 T").play("split")
        assert felt.said(DealerDone)[0].total == 21
        assert [hand.outcome for hand in felt.box().hands] == ["lose", "lose"]


class TestD13StandOnAll:
    def test_it_stands_every_remaining_hand_in_all_boxes_of_the_player(self) -> None:
        felt = Felt("T 9 T T 9 7", {1: 1000, 3: 1000}).play("stand_all")
        assert felt.last[0] == AllStood("ana", "player")
        assert felt.over
        assert [box.hands[0].closed for box in felt.state.boxes] == ["stood", "stood"]

    def test_it_leaves_the_boxes_of_others_alone(self) -> None:
        felt = Felt("T 9 T T 2 3 4 7", {1: 1, 2: 1, 3: 1}, owners={2: "berta"}).play("stand_all")
        assert felt.turn == (2, 0)
        felt.play("stand")
        assert felt.over
        assert felt.hand(0, box=3).closed == "stood"

    def test_a_waiting_split_hand_gets_its_second_card_and_stands_on_it(self) -> None:
        felt = Felt("8 T 8 7 2 3").play("split", "stand_all")
        assert [[card[0] for card in hand.cards] for hand in felt.box().hands] == [["8", "2"], ["8", "3"]]
        assert [hand.closed for hand in felt.box().hands] == ["stood", "stood"]

    def test_a_waiting_hand_that_gets_21_or_an_ace_closes_as_ever(self) -> None:
        felt = Felt("T T T 8 5 A").play("split", "stand_all")
        assert [hand.closed for hand in felt.box().hands] == ["stood", "twenty_one"]
        aces = Felt("A T A 8 A A").play("split", "stand_all")
        assert [hand.closed for hand in aces.box().hands] == ["stood", "split_aces"]

    def test_it_is_legal_whenever_the_player_may_act(self) -> None:
        felt = Felt("8 T 8 7 2 3")
        assert "stand_all" in felt.legal
        assert "stand_all" in felt.play("split").legal
        assert "stand_all" in felt.play("hit").legal

    def test_the_house_stands_for_a_player_on_turn(self) -> None:
        felt = Felt("T 9 T T 2 3 4 7", {1: 1, 2: 1, 3: 1}, owners={2: "berta"})
        assert felt.house_plays("ana")[:2] == (AllStood("ana", "house"), HandClosed(1, 0, "stood", "house"))
        assert felt.turn == (2, 0)
        felt.play("stand")
        assert HandClosed(2, 0, "stood", "player") in felt.last
        assert HandClosed(3, 0, "stood", "house") in felt.last
        assert felt.over

    def test_the_house_stands_for_a_player_before_the_turn_comes(self) -> None:
        felt = Felt("T 9 T 2 3 7", {1: 1, 2: 1}, owners={2: "berta"})
        assert felt.house_plays("berta") == (AllStood("berta", "house"),)
        assert felt.turn == (1, 0)
        assert felt.game.view(felt.state)["standing"] == ["berta"]
        assert HandClosed(2, 0, "stood", "house") in felt.play("stand").last

    def test_the_house_changes_nothing_for_who_stands_already_or_has_nothing_to_decide(self) -> None:
        felt = Felt("T 9 T 2 3 7", {1: 1, 2: 1}, owners={2: "berta"})
        felt.house_plays("berta")
        assert felt.house_plays("berta") == ()
        assert felt.house_plays("carla") == ()
        felt.play("stand")
        assert felt.house_plays("ana") == ()

    def test_the_next_round_starts_with_nobody_standing(self) -> None:
        felt = Felt("T 9 T 8").play("stand_all")
        assert felt.game.clear(felt.state).standing == ()
