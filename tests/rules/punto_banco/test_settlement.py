"""What comes back of every bet."""

from __future__ import annotations

from typing import Any

import pytest

from tapete_rules.events import BoxSettled, SpotSettled
from tapete_rules.punto_banco import PuntoBanco, PuntoBancoSettings
from tests.rules.punto_banco.felt import NO_BURN, Felt

PUNTO, BANCA, BANCA_SIX, TIE = "K T 7 6", "K T 6 7", "Q K 2 6 2", "K T 7 7"
PUNTO_PAIR, BANCA_PAIR, BOTH_PAIRS = "4S T 4H 7", "K 4S 6 4H", "4S 4H 4D 4C"
NO_COMMISSION = PuntoBancoSettings(burn=False, commission=False)


def _returned(cards: str, settings: PuntoBancoSettings = NO_BURN, **bets: int) -> dict[str, tuple[str | None, int]]:
    return Felt(cards, settings).coup(bets).outcomes()


class TestPunto:
    def test_a_win_is_paid_1_to_1(self) -> None:
        assert _returned(PUNTO, punto=1000, banca=1000) == {"punto": ("win", 2000), "banca": ("lose", 0)}


class TestBanca:
    def test_a_win_is_paid_1_to_1_less_five_per_cent(self) -> None:
        assert _returned(BANCA, punto=1000, banca=1000) == {"punto": ("lose", 0), "banca": ("win", 1950)}
        assert _returned(BANCA_SIX, banca=1000) == {"banca": ("win", 1950)}

    def test_a_win_is_rounded_down_to_whole_minor_units(self) -> None:
        assert [_returned(BANCA, banca=stake)["banca"][1] for stake in (1, 19, 20, 21, 110)] == [1, 37, 39, 40, 214]

    def test_the_lowest_chip_of_the_default_settings_rounds_nothing(self) -> None:
        assert PuntoBancoSettings().chips[0] * 19 % 20 == 0

    def test_without_commission_it_is_paid_1_to_1_but_a_winning_six_1_to_2(self) -> None:
        assert _returned(BANCA, NO_COMMISSION, banca=1000) == {"banca": ("win", 2000)}
        assert _returned(BANCA_SIX, NO_COMMISSION, banca=1000) == {"banca": ("win", 1500)}
        assert _returned(BANCA_SIX, NO_COMMISSION, banca=101) == {"banca": ("win", 151)}

    def test_a_six_that_does_not_win_is_no_special_case(self) -> None:
        assert _returned("K T 7 6", NO_COMMISSION, banca=1000) == {"banca": ("lose", 0)}
        assert _returned("K T 6 6", NO_COMMISSION, banca=1000) == {"banca": ("push", 1000)}


class TestTie:
    def test_it_is_paid_8_to_1_and_punto_and_banca_bets_come_back(self) -> None:
        for settings in (NO_BURN, NO_COMMISSION):
            assert _returned(TIE, settings, punto=500, banca=700, tie=100) == {
                "punto": ("push", 500),
                "banca": ("push", 700),
                "tie": ("win", 900),
            }

    def test_it_loses_when_a_side_wins(self) -> None:
        assert _returned(PUNTO, tie=100)["tie"] == _returned(BANCA, tie=100)["tie"] == ("lose", 0)


class TestPairs:
    @pytest.mark.parametrize(
        ("cards", "punto", "banca"),
        [
            (PUNTO_PAIR, ("win", 1200), ("lose", 0)),
            (BANCA_PAIR, ("lose", 0), ("win", 1200)),
            (BOTH_PAIRS, ("win", 1200), ("win", 1200)),
            (PUNTO, ("lose", 0), ("lose", 0)),
        ],
    )
    def test_a_pair_is_paid_11_to_1_whoever_wins(self, cards: str, punto: Any, banca: Any) -> None:
        assert _returned(cards, punto_pair=100, banca_pair=100) == {"punto_pair": punto, "banca_pair": banca}

    def test_a_tie_does_not_bring_a_lost_pair_bet_back(self) -> None:
        assert _returned(TIE, punto_pair=100) == {"punto_pair": ("lose", 0)}


class TestSettings:
    def test_each_payout_is_a_setting_of_the_table(self) -> None:
        settings = PuntoBancoSettings(
            burn=False, punto_odds=(3, 2), tie_odds=(9, 1), pair_odds=(25, 2), commission_rate=(1, 40)
        )
        assert _returned(PUNTO, settings, punto=101) == {"punto": ("win", 252)}
        assert _returned(TIE, settings, tie=100) == {"tie": ("win", 1000)}
        assert _returned(PUNTO_PAIR, settings, punto_pair=101) == {"punto_pair": ("win", 1363)}
        assert _returned(BANCA, settings, banca=1000) == {"banca": ("win", 1975)}
        six = PuntoBancoSettings(burn=False, commission=False, banca_six_odds=(2, 3))
        assert _returned(BANCA_SIX, six, banca=100) == {"banca": ("win", 166)}


class TestBoxes:
    def test_every_bet_and_then_its_box_is_settled_in_seat_order(self) -> None:
        felt = Felt(BANCA).coup({"banca": 1000, "tie": 100}, {"punto": 300})
        assert felt.last[-5:] == (
            SpotSettled(1, "banca", "win", 1000, 1950),
            SpotSettled(1, "tie", "lose", 100, 0),
            BoxSettled(1, "player-1", 1100, 1950),
            SpotSettled(2, "punto", "lose", 300, 0),
            BoxSettled(2, "player-2", 300, 0),
        )

    def test_a_spot_without_chips_is_no_bet(self) -> None:
        felt = Felt(BANCA).coup({"banca": 1000, "tie": 0})
        assert [event.spot for event in felt.said(SpotSettled)] == ["banca"]


class TestLimits:
    @pytest.mark.parametrize(
        ("stakes", "code"),
        [
            ({}, None),
            ({"punto": 0, "tie": 0}, None),
            ({"tie": 100}, None),
            ({"punto": 100, "banca": 100000, "tie": 12500, "punto_pair": 12500, "banca_pair": 100}, None),
            ({"punto": 99}, "bet_below_minimum"),
            ({"banca": 100100}, "bet_above_maximum"),
            ({"tie": 12600}, "bet_above_maximum"),
            ({"punto_pair": 12600}, "bet_above_maximum"),
            ({"banca_pair": 50}, "bet_below_minimum"),
            ({"banca": 150}, "bet_not_in_chips"),
            ({"main": 100}, "unknown_spot"),
            ({"punto": -100}, "bad_amount"),
            ({"punto": True}, "bad_amount"),
            ({"punto": 100.0}, "bad_amount"),
        ],
    )
    def test_each_spot_has_its_own(self, stakes: dict[str, int], code: str | None) -> None:
        refusal = PuntoBanco().check_stakes(stakes)
        assert (refusal.code if refusal else None) == code

    def test_they_are_told(self) -> None:
        game = PuntoBanco(PuntoBancoSettings(main_min=500, tie_max=0))
        assert [game.limits(spot) for spot in game.spots] == [
            (500, 100_000),
            (500, 100_000),
            (0, 0),
            (100, 12_500),
            (100, 12_500),
        ]
        refusal = game.check_stakes({"tie": 100})
        assert refusal is not None
        assert refusal.detail == {"spot": "tie", "amount": 100, "maximum": 0}
