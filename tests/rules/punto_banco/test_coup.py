"""Cards, totals, the order of dealing, naturals, punto's own rule, and what a table asks of its game."""

from __future__ import annotations

import msgspec
import pytest

from tapete_rules.cards import CARDS, Card, OutOfCards
from tapete_rules.catalogue import game_of
from tapete_rules.events import BoxSettled, CardBurnt, CardDealt, CoupDecided, ShoeOpened, SpotSettled, ThirdCardDecided
from tapete_rules.game import Act, Deal, FundsChanged, HousePlays, Refusal, StakedBox
from tapete_rules.punto_banco import PuntoBanco, PuntoBancoSettings, PuntoBancoState
from tapete_rules.punto_banco.coup import total, value
from tests.rules.punto_banco.felt import NO_BURN, Felt

GAME = PuntoBanco()


class TestCards:
    def test_an_ace_counts_1_numbers_count_themselves_tens_and_figures_nothing(self) -> None:
        assert [value(Card(rank + "S")) for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
        assert len({value(card) for card in CARDS}) == 10

    def test_a_total_is_taken_without_its_tens(self) -> None:
        assert [total(values) for values in ((), (5, 5), (9, 9), (9, 9, 9), (7, 8))] == [0, 0, 8, 7, 5]

    def test_totals_are_never_soft(self) -> None:
        assert {event.soft for event in Felt("A 2 A 3 A").coup().said(CardDealt)} == {False}


class TestDeal:
    def test_punto_banca_punto_banca_then_punto_s_third_card_then_banca_s(self) -> None:
        felt = Felt("2 3 2 A 5 6").coup()
        assert [(event.place, event.card[0], event.total, event.word) for event in felt.said(CardDealt)] == [
            ("punto", "2", 2, 1),
            ("banca", "3", 3, 2),
            ("punto", "2", 4, 3),
            ("banca", "A", 4, 4),
            ("punto", "5", 9, 5),
            ("banca", "6", 0, 6),
        ]
        assert {(event.box, event.hand) for event in felt.said(CardDealt)} == {(0, 0)}

    def test_a_coup_is_told_in_order(self) -> None:
        felt = Felt("3 7 2 T 6").coup({"banca": 1000})
        assert [type(event) for event in felt.last] == [
            ShoeOpened,
            *[CardDealt] * 4,
            ThirdCardDecided,
            CardDealt,
            ThirdCardDecided,
            CoupDecided,
            SpotSettled,
            BoxSettled,
        ]
        assert felt.decided == CoupDecided("banca", 1, 7, natural=False, punto_pair=False, banca_pair=False)

    def test_the_side_nearer_to_nine_wins(self) -> None:
        assert Felt("K T 7 6").coup().decided.winner == "punto"
        assert Felt("K T 6 7").coup().decided.winner == "banca"
        assert Felt("K T 7 7").coup().decided.winner == "tie"

    def test_too_few_listed_cards_are_an_error(self) -> None:
        with pytest.raises(OutOfCards):
            Felt("2 3 2 A").coup()


class TestNaturals:
    @pytest.mark.parametrize(
        ("cards", "winner"),
        [
            ("K T 8 3", "punto"),
            ("K T 9 8", "punto"),
            ("K T 3 8", "banca"),
            ("K T 8 9", "banca"),
            ("K T 8 8", "tie"),
            ("K T 0 9".replace("0", "Q"), "banca"),
        ],
    )
    def test_8_or_9_on_either_side_ends_the_coup_at_once(self, cards: str, winner: str) -> None:
        for tableau in ("reglamento", "europacasino", "casinoonnet"):
            felt = Felt(cards, PuntoBancoSettings(burn=False, tableau=tableau)).coup()
            assert felt.cards.words == 4
            assert felt.said(ThirdCardDecided) == []
            assert (felt.decided.winner, felt.decided.natural) == (winner, True)

    def test_nine_in_three_cards_is_no_natural(self) -> None:
        felt = Felt("2 K 2 7 5").coup()
        assert (felt.decided.punto, felt.decided.natural) == (9, False)


class TestPunto:
    @pytest.mark.parametrize("points", range(8))
    def test_it_draws_on_0_to_5_and_stands_on_6_and_7(self, points: int) -> None:
        felt = Felt(f"K T {'TA234567'[points]} 7 T").coup()
        assert len(felt.state.punto) == (3 if points <= 5 else 2)


class TestPairs:
    @pytest.mark.parametrize(
        ("cards", "punto", "banca"),
        [
            ("4S 2 4H 6", True, False),
            ("4S 2 4S 6", True, False),
            ("9 4 Q 4", False, True),
            ("7 7 7 7 T T", True, True),
            ("K 9 T K", False, False),
            ("9 Q K K", False, False),
            ("2 9 7 A 9", False, False),
        ],
    )
    def test_the_first_two_cards_of_equal_rank_are_a_pair(self, cards: str, punto: bool, banca: bool) -> None:
        felt = Felt(cards).coup()
        assert (felt.decided.punto_pair, felt.decided.banca_pair) == (punto, banca)


class TestTable:
    def test_a_player_has_one_box_and_five_spots(self) -> None:
        assert GAME.boxes_per_player == 1
        assert GAME.spots == ("punto", "banca", "tie", "punto_pair", "banca_pair")
        assert GAME.times == GAME.settings.times

    def test_nobody_ever_decides(self) -> None:
        state = GAME.begin(GAME.initial(), (StakedBox(1, "ana", {"punto": 100}),))
        felt = Felt("K T 7 6").coup()
        for at in (GAME.initial(), state, felt.state):
            assert GAME.legal(at, {}) is None
            assert GAME.decide(at, Act(1, 0, "hit"), felt.cards, {}) == Refusal("round_over")
            assert GAME.decide(at, HousePlays("ana"), felt.cards, {}) == ()
            assert GAME.decide(at, FundsChanged(), felt.cards, {}) == ()

    def test_a_coup_is_dealt_once_and_only_for_boxes(self) -> None:
        felt = Felt("K T 7 6").coup()
        assert felt.game.decide(felt.state, Deal(), felt.cards, {}) == Refusal("round_over")
        assert felt.game.decide(felt.game.initial(), Deal(), felt.cards, {}) == Refusal("round_over")

    def test_a_round_is_over_before_the_first_and_after_its_settlement(self) -> None:
        state = GAME.begin(GAME.initial(), (StakedBox(1, "ana", {"punto": 100}),))
        assert (GAME.over(GAME.initial()), GAME.over(state), GAME.over(Felt("K T 7 6").coup().state)) == (
            True,
            False,
            True,
        )

    def test_boxes_are_settled_in_seat_order_however_they_are_given(self) -> None:
        boxes = tuple(StakedBox(box, f"player-{box}", {"tie": 100}) for box in (3, 1, 2))
        assert [box.box for box in GAME.begin(GAME.initial(), boxes).boxes] == [1, 2, 3]

    def test_a_void_round_takes_up_its_bets_and_leaves_the_shoe(self) -> None:
        felt = Felt("K T 7 6").coup()
        begun = felt.game.begin(felt.state, (StakedBox(1, "ana", {"punto": 100}),))
        void = felt.game.clear(begun)
        assert (void.boxes, void.punto, void.banca, void.third, void.decided) == ((), (), (), (), None)
        assert (void.shoe, void.coup) == (felt.state.shoe, 1)

    def test_the_catalogue_opens_it(self) -> None:
        game = game_of({"game": "punto_banco", "tableau": "casinoonnet", "decks": 6})
        assert isinstance(game, PuntoBanco)
        assert (game.name, game.settings.tableau, game.settings.decks) == ("punto_banco", "casinoonnet", 6)

    def test_the_view_is_all_that_everyone_may_see(self) -> None:
        felt = Felt("3 7 2 T 6").coup({"banca": 1000, "tie": 100})
        assert felt.game.view(felt.state) == {
            "boxes": [
                {
                    "box": 1,
                    "hands": [],
                    "spots": [
                        {"spot": "banca", "stake": 1000, "outcome": "win", "returned": 1950},
                        {"spot": "tie", "stake": 100, "outcome": "lose", "returned": 0},
                    ],
                    "staked": 1100,
                    "returned": 1950,
                }
            ],
            "dealer": None,
            "dealer_done": False,
            "punto": {"cards": ["3C", "2H", "6C"], "total": 1, "soft": False},
            "banca": {"cards": ["7D", "TS"], "total": 7, "soft": False},
            "turn": None,
            "standing": [],
            "coup": {
                "winner": "banca",
                "punto": 1,
                "banca": 7,
                "natural": False,
                "punto_pair": False,
                "banca_pair": False,
            },
            "third": [
                {"side": "punto", "draws": True, "row": 5, "column": -1, "source": "reglamento (seed 002, A)"},
                {"side": "banca", "draws": False, "row": 7, "column": 6, "source": "reglamento (seed 002, B)"},
            ],
            "shoe": {
                "decks": 8,
                "left": 411,
                "dealt": 5,
                "coup": 1,
                "cut_card": 14,
                "last_coups": None,
                "burnt": [],
                "number": 1,
            },
        }

    def test_before_the_first_coup_the_view_is_an_empty_felt(self) -> None:
        seen = GAME.view(GAME.initial())
        assert (seen["punto"], seen["banca"], seen["coup"], seen["boxes"]) == (None, None, None, [])
        assert seen["shoe"]["left"] == 416

    def test_a_codec_writes_and_reads_every_state_on_the_way(self) -> None:
        felt = Felt("2 K K 3 7 2 T 6", PuntoBancoSettings(cut_card=405)).coup({"banca": 1000})
        state = felt.game.begin(felt.game.initial(), (StakedBox(1, "player-1", {"banca": 1000}),))
        for event in felt.last:
            state = felt.game.evolve(state, event)
            assert msgspec.convert(msgspec.to_builtins(state), PuntoBancoState) == state
            assert msgspec.json.decode(msgspec.json.encode(state), type=GAME.state_type) == state
        assert state == felt.state

    def test_an_event_of_another_game_is_not_for_this_felt(self) -> None:
        from tapete_rules.events import HandSplit

        with pytest.raises(AssertionError, match="HandSplit"):
            GAME.evolve(GAME.initial(), HandSplit(1, 0))


def test_nothing_is_burnt_where_the_settings_say_so() -> None:
    assert Felt("K T 7 6", NO_BURN).coup().said(CardBurnt) == []
