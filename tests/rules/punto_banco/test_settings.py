"""Settings documents: read, refused by name, written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tapete_rules.punto_banco import PuntoBancoSettings
from tapete_rules.settings import SettingsError, Times


class TestDocuments:
    def test_an_empty_document_is_the_standard_game(self) -> None:
        settings = PuntoBancoSettings.from_plain({"game": "punto_banco"})
        assert settings == PuntoBancoSettings()
        assert (settings.decks, settings.tableau, settings.commission) == (8, "reglamento", True)
        assert (settings.punto_odds, settings.tie_odds, settings.pair_odds) == ((1, 1), (8, 1), (11, 1))
        assert (settings.commission_rate, settings.banca_six_odds) == ((1, 20), (1, 2))
        assert (settings.chips, settings.main_min, settings.main_max) == ((100, 500, 2500, 10000), 100, 100_000)
        assert (settings.burn, settings.cut_card, settings.times) == (True, 14, Times())

    def test_what_is_written_reads_back_the_same_through_json(self) -> None:
        settings = PuntoBancoSettings(decks=6, commission=False, chips=(5, 25), main_min=5, times=Times(card_ms=0))
        document = json.loads(json.dumps(settings.to_plain()))
        assert PuntoBancoSettings.from_plain(document) == settings
        assert hash(PuntoBancoSettings.from_plain(document)) == hash(settings)

    @pytest.mark.parametrize(
        ("main_max", "chips", "most"),
        [(100_000, (100,), 12_500), (1000, (100,), 100), (700, (100,), 0), (5555, (5, 10), 690)],
    )
    def test_ties_and_pairs_take_an_eighth_of_the_main_maximum_in_whole_chips(
        self, main_max: int, chips: tuple[int, ...], most: int
    ) -> None:
        settings = PuntoBancoSettings(main_max=main_max, chips=chips)
        assert (settings.tie_max, settings.pair_max) == (most, most)
        assert settings.to_plain()["tie_max"] == most
        assert settings.limits("tie") == ((chips[0], most) if most else (0, 0))

    def test_a_maximum_below_the_lowest_chip_takes_no_bets(self) -> None:
        assert PuntoBancoSettings(pair_max=99).limits("banca_pair") == (0, 0)

    @pytest.mark.parametrize(
        ("document", "field"),
        [
            (None, "settings"),
            ({"game": "double_exposure"}, "game"),
            ({"tableaux": "reglamento"}, "tableaux"),
            ({"decks": 0}, "decks"),
            ({"decks": 9}, "decks"),
            ({"decks": 8.0}, "decks"),
            ({"decks": True}, "decks"),
            ({"tableau": "casino"}, "tableau"),
            ({"tableau": None}, "tableau"),
            ({"tableau": ["reglamento"]}, "tableau"),
            ({"commission": 1}, "commission"),
            ({"commission_rate": [1, 1]}, "commission_rate"),
            ({"commission_rate": [0, 20]}, "commission_rate[0]"),
            ({"commission_rate": 0.05}, "commission_rate"),
            ({"banca_six_odds": "1:2"}, "banca_six_odds"),
            ({"punto_odds": [1]}, "punto_odds"),
            ({"tie_odds": [8, 0]}, "tie_odds[1]"),
            ({"pair_odds": [11.5, 1]}, "pair_odds[0]"),
            ({"chips": []}, "chips"),
            ({"main_min": 0}, "main_min"),
            ({"main_min": 100_001}, "main_min"),
            ({"main_max": "100"}, "main_max"),
            ({"main_min": 150, "main_max": 190}, "main_max"),
            ({"tie_max": -1}, "tie_max"),
            ({"pair_max": 1.5}, "pair_max"),
            ({"burn": "no"}, "burn"),
            ({"cut_card": 10}, "cut_card"),
            ({"cut_card": 14.0}, "cut_card"),
            ({"cut_card": 406}, "cut_card"),
            ({"cut_card": 42, "decks": 1}, "cut_card"),
            ({"cut_card": 53, "decks": 1, "burn": False}, "cut_card"),
            ({"times": []}, "times"),
            ({"times": {"card_ms": -1}}, "times.card_ms"),
        ],
    )
    def test_a_wrong_field_is_refused_by_name(self, document: Any, field: str) -> None:
        with pytest.raises(SettingsError) as refused:
            PuntoBancoSettings.from_plain(document)
        assert refused.value.field == field
        assert refused.value.message

    def test_the_cut_card_may_lie_as_deep_as_a_burn_leaves_cards_for(self) -> None:
        assert PuntoBancoSettings(decks=1, cut_card=41).cut_card == 41
        assert PuntoBancoSettings(decks=1, cut_card=52, burn=False).cut_card == 52
