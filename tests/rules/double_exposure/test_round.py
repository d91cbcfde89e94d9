"""D1 to D6: boxes, bets, shoe, deal, blackjacks."""

from __future__ import annotations

import pytest

from tapete_rules.cards import Shoe
from tapete_rules.double_exposure import DoubleExposure, DoubleExposureSettings
from tapete_rules.events import BoxSettled, CardDealt, DealerDone, HandSettled, ShoeOpened, SpotSettled, TurnStarted
from tapete_rules.game import Deal, Refusal, StakedBox
from tests.rules.double_exposure.felt import Felt

GAME = DoubleExposure()


class TestD01Boxes:
    def test_one_player_may_hold_all_four_boxes(self) -> None:
        felt = Felt("T T T T 9 8 8 8 8 8", dict.fromkeys((1, 2, 3, 4), 1000))
        felt.play("stand", "stand", "stand", "stand")
        assert [hand.outcome for box in felt.state.boxes for hand in box.hands] == ["win"] * 4
        assert GAME.boxes_per_player == 4

    def test_several_players_share_a_table_and_decide_in_seat_order(self) -> None:
        felt = Felt("T T T 9 8 8 9 8", {1: 100, 2: 200, 4: 300}, owners={1: "ana", 2: "berta", 4: "ana"})
        assert [felt.turn, felt.play("stand").turn, felt.play("stand").turn] == [(1, 0), (2, 0), (4, 0)]
        felt.play("stand")
        assert [(event.box, event.owner) for event in felt.said(BoxSettled)] == [(1, "ana"), (2, "berta"), (4, "ana")]

    def test_seats_are_played_in_order_however_they_are_given(self) -> None:
        assert Felt("T T 9 8 8 9", {3: 100, 1: 100}).turn == (1, 0)

    def test_another_box_is_not_on_turn(self) -> None:
        felt = Felt("T T 9 8 8 9", {1: 100, 2: 100})
        assert felt.refused("stand", box=2) == Refusal("not_your_turn", {"box": 1, "hand": 0})
        assert felt.refused("stand", box=4).code == "not_your_turn"


class TestD02Bets:
    @pytest.mark.parametrize(
        ("stakes", "code"),
        [
            ({}, None),
            ({"main": 0, "sevens": 0}, None),
            ({"main": 100}, None),
            ({"main": 50000, "blackjack": 2000, "sevens": 100}, None),
            ({"main": 99}, "bet_below_minimum"),
            ({"main": 50100}, "bet_above_maximum"),
            ({"main": 150}, "bet_not_in_chips"),
            ({"main": 100, "blackjack": 50}, "bet_below_minimum"),
            ({"main": 100, "blackjack": 2100}, "bet_above_maximum"),
            ({"main": 100, "sevens": 250}, "bet_not_in_chips"),
            ({"blackjack": 100}, "bonus_without_main"),
            ({"main": 0, "sevens": 100}, "bonus_without_main"),
            ({"main": 100, "pair": 100}, "unknown_spot"),
            ({"main": -100}, "bad_amount"),
            ({"main": True}, "bad_amount"),
            ({"main": 100.0}, "bad_amount"),
        ],
    )
    def test_bets_of_a_box_stay_within_the_limits_of_the_table(self, stakes: dict[str, int], code: str | None) -> None:
        refusal = GAME.check_stakes(stakes)
        assert (refusal.code if refusal else None) == code

    def test_a_refusal_says_what_the_limit_is(self) -> None:
        refusal = Refusal("bet_above_maximum", {"spot": "sevens", "amount": 2100, "maximum": 2000})
        assert GAME.check_stakes({"main": 100, "sevens": 2100}) == refusal

    def test_the_lowest_chip_is_the_least_bonus_bet(self) -> None:
        game = DoubleExposure(DoubleExposureSettings(chips=(500, 1000), main_min=500))
        assert game.check_stakes({"main": 1000, "sevens": 100}) == Refusal(
            "bet_below_minimum", {"spot": "sevens", "amount": 100, "minimum": 500}
        )

    def test_a_table_may_do_without_bonus_bets(self) -> None:
        refusal = DoubleExposure(DoubleExposureSettings(bonus_max=0)).check_stakes({"main": 100, "sevens": 100})
        assert refusal is not None
        assert refusal.code == "bet_above_maximum"


class TestD03Shoe:
    def test_every_round_is_dealt_from_six_full_decks(self) -> None:
        felt = Felt("T T 9 8 T T 9 8 A")
        felt.play("stand")
        assert len(felt.state.shoe) == 6 * 52 - 4
        felt.state = felt.game.begin(felt.state, (StakedBox(1, "ana", {"main": 100}),))
        felt.do(Deal())
        assert felt.last[0] == ShoeOpened(6)
        assert len(felt.state.shoe) == 6 * 52 - 4

    def test_the_number_of_decks_is_a_setting(self) -> None:
        assert DoubleExposure(DoubleExposureSettings(decks=8)).initial().shoe == Shoe.of(8)


class TestD04Deal:
    def test_one_card_to_each_box_then_the_dealer_twice_around(self) -> None:
        felt = Felt("2 3 4 5 6 7", {1: 100, 3: 100})
        assert felt.dealt == ["1.0", "3.0", "D", "1.0", "3.0", "D"]
        assert [event.card[0] for event in felt.said(CardDealt)] == list("234567")

    def test_each_card_tells_the_total_and_where_in_the_stream_it_was(self) -> None:
        first, _, second, dealer = Felt("A T 6 7").said(CardDealt)
        assert (first.total, first.soft, first.word) == (11, True, 1)
        assert (second.total, second.soft, second.word) == (17, True, 3)
        assert (dealer.total, dealer.soft, dealer.word) == (17, False, 4)

    def test_both_cards_of_the_dealer_are_seen(self) -> None:
        felt = Felt("2 T 3 7")
        assert felt.game.view(felt.state)["dealer"] == {"cards": ["TD", "7S"], "total": 17, "soft": False}

    def test_nothing_is_dealt_twice_or_without_a_bet(self) -> None:
        felt = Felt("2 T 3 7")
        assert felt.attempt(Deal()) == Refusal("round_over")
        assert GAME.decide(GAME.initial(), Deal(), felt.cards, {}) == Refusal("round_over")

    def test_before_the_deal_nobody_has_to_decide(self) -> None:
        state = GAME.begin(GAME.initial(), (StakedBox(1, "ana", {"main": 100}),))
        assert GAME.legal(state, {"ana": 100}) is None
        assert not GAME.over(state)
        assert GAME.over(GAME.initial())
        assert GAME.over(GAME.clear(state))


class TestD05DealerBlackjack:
    def test_it_ends_the_round_at_once_and_takes_every_other_main_bet(self) -> None:
        felt = Felt("T 7 A 9 7 K", {1: 1000, 2: {"main": 1000, "sevens": 100}})
        assert felt.over
        assert felt.said(DealerDone) == [DealerDone(21, True, True, False)]
        assert felt.said(TurnStarted) == []
        assert [hand.closed for box in felt.state.boxes for hand in box.hands] == ["dealer_blackjack"] * 2
        assert felt.said(HandSettled) == [HandSettled(1, 0, "lose", 1000, 0), HandSettled(2, 0, "lose", 1000, 0)]

    def test_a_box_with_blackjack_gets_its_bet_back(self) -> None:
        felt = Felt("A A K T")
        assert felt.said(HandSettled) == [HandSettled(1, 0, "push", 1000, 1000)]
        assert felt.said(BoxSettled) == [BoxSettled(1, "ana", 1000, 1000)]
        assert felt.hand().closed == "blackjack"

    def test_bonus_bets_are_settled_on_their_own_cards(self) -> None:
        felt = Felt("A 7 A K 7 T", {1: {"main": 1000, "blackjack": 100}, 2: {"main": 1000, "sevens": 100}})
        assert felt.bonus("blackjack", 1) == ("win", 2000)
        assert felt.bonus("sevens", 2) == ("win", 4100)
        assert felt.said(BoxSettled) == [BoxSettled(1, "ana", 1100, 3000), BoxSettled(2, "ana", 1100, 4100)]

    def test_there_is_neither_insurance_nor_surrender(self) -> None:
        felt = Felt("T A 6 8")
        assert felt.legal == "hit stand stand_all"
        assert felt.refused("insurance").code == "illegal_action"
        assert felt.refused("surrender").detail["legal"] == ["hit", "stand", "stand_all"]


class TestD06PlayerBlackjack:
    def test_it_wins_even_money_at_once_when_the_dealer_has_none(self) -> None:
        felt = Felt("A 9 T K 8 7", {1: 1000, 2: 1000})
        assert felt.said(HandSettled) == [HandSettled(1, 0, "blackjack", 1000, 2000)]
        assert felt.turn == (2, 0)
        assert felt.hand().closed == "blackjack"

    def test_the_round_is_over_without_a_dealer_card_when_nobody_else_plays(self) -> None:
        felt = Felt("A 5 K 6")
        assert felt.over
        assert felt.said(DealerDone) == [DealerDone(11, False, False, False)]

    def test_the_odds_are_a_setting_rounded_down(self) -> None:
        felt = Felt("A 5 K 6", {1: 101}, settings=DoubleExposureSettings(blackjack_odds=(3, 2)))
        assert felt.said(HandSettled)[0].returned == 101 + 151

    def test_its_bonus_bets_are_settled_with_it(self) -> None:
        felt = Felt("A 9 T K 8 7", {1: {"main": 1000, "blackjack": 100, "sevens": 100}, 2: 1000})
        assert felt.said(SpotSettled) == [
            SpotSettled(1, "blackjack", "win", 100, 2000),
            SpotSettled(1, "sevens", "lose", 100, 0),
        ]
