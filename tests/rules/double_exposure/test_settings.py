"""Settings documents: read, refused by name, written; and the catalogue that opens a table with one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tapete_rules.catalogue import game_of
from tapete_rules.codes import REFUSALS
from tapete_rules.double_exposure import DoubleExposure, DoubleExposureSettings
from tapete_rules.settings import SettingsError, Times, win


class TestDocuments:
    def test_an_empty_document_is_the_published_game(self) -> None:
        settings = DoubleExposureSettings.from_plain({})
        assert settings == DoubleExposureSettings()
        assert (settings.decks, settings.main_min, settings.main_max, settings.bonus_max) == (6, 100, 50000, 2000)
        assert settings.times == Times(betting_ms=15000, closing_ms=2000, turn_ms=20000, pause_ms=4000, card_ms=400)

    def test_what_is_written_reads_back_the_same_through_json(self) -> None:
        settings = DoubleExposureSettings(decks=8, chips=(5, 25), times=Times(turn_ms=5000))
        document = json.loads(json.dumps(settings.to_plain()))
        assert document["game"] == "double_exposure"
        assert document["times"]["turn_ms"] == 5000
        assert DoubleExposureSettings.from_plain(document) == settings
        assert hash(DoubleExposureSettings.from_plain(document)) == hash(settings)

    @pytest.mark.parametrize(
        ("document", "field"),
        [
            ([], "settings"),
            ({"game": "poker"}, "game"),
            ({"deck": 6}, "deck"),
            ({"decks": 1}, "decks"),
            ({"decks": 9}, "decks"),
            ({"decks": True}, "decks"),
            ({"decks": 6.0}, "decks"),
            ({"decks": "6"}, "decks"),
            ({"decks": None}, "decks"),
            ({"chips": []}, "chips"),
            ({"chips": 100}, "chips"),
            ({"chips": [500, 100]}, "chips"),
            ({"chips": [100, 100]}, "chips"),
            ({"chips": [100, 250]}, "chips"),
            ({"chips": [0, 100]}, "chips[0]"),
            ({"chips": [100, [200]]}, "chips[1]"),
            ({"chips": list(range(1, 14))}, "chips"),
            ({"main_min": 0}, "main_min"),
            ({"main_min": 50001}, "main_min"),
            ({"main_min": 110, "main_max": 190}, "main_max"),
            ({"main_max": 10**13}, "main_max"),
            ({"bonus_max": -1}, "bonus_max"),
            ({"blackjack_odds": 1}, "blackjack_odds"),
            ({"seven_odds": [8]}, "seven_odds"),
            ({"two_sevens_odds": [40, 0]}, "two_sevens_odds[1]"),
            ({"three_sevens_odds": ["250", 1]}, "three_sevens_odds[0]"),
            ({"max_hands": 5}, "max_hands"),
            ({"dealer_hits_soft_17": 1}, "dealer_hits_soft_17"),
            ({"double_on": "hard_10_11"}, "double_on"),
            ({"double_after_split": "no"}, "double_after_split"),
            ({"blackjack_tie": "lose"}, "blackjack_tie"),
            ({"times": None}, "times"),
            ({"times": {"turn": 1}}, "times.turn"),
            ({"times": {"turn_ms": 0}}, "times.turn_ms"),
            ({"times": {"card_ms": -1}}, "times.card_ms"),
            ({"times": {"betting_ms": 1e3}}, "times.betting_ms"),
        ],
    )
    def test_a_wrong_field_is_refused_by_name(self, document: Any, field: str) -> None:
        with pytest.raises(SettingsError) as refused:
            DoubleExposureSettings.from_plain(document)
        assert refused.value.field == field
        assert refused.value.message

    def test_a_table_may_wait_without_a_clock_and_deal_without_a_pause(self) -> None:
        times = Times.from_plain({"betting_ms": 0, "closing_ms": 0, "pause_ms": 0, "card_ms": 0})
        assert (times.betting_ms, times.closing_ms, times.pause_ms, times.card_ms) == (0, 0, 0, 0)


class TestCatalogue:
    def test_the_document_names_its_game(self) -> None:
        game = game_of({"game": "double_exposure", "decks": 8})
        assert isinstance(game, DoubleExposure)
        assert game.settings.decks == 8

    def test_the_game_tells_its_limits_and_times(self) -> None:
        game = game_of({"game": "double_exposure", "main_max": 900, "times": {"turn_ms": 7}})
        assert (game.limits("main"), game.limits("sevens"), game.times.turn_ms) == ((100, 900), (100, 2000), 7)

    @pytest.mark.parametrize("document", [None, {}, {"game": "poker"}, {"game": 5}, {"game": ["double_exposure"]}])
    def test_an_unknown_game_is_refused(self, document: Any) -> None:
        with pytest.raises(SettingsError) as refused:
            game_of(document)
        assert refused.value.field in ("game", "settings")


def test_a_win_is_rounded_down_to_whole_minor_units() -> None:
    assert win(101, (3, 2)) == 252
    assert win(100, (19, 1)) == 2000


def test_every_refusal_says_what_to_do() -> None:
    assert all(code.islower() and message.count(". ") >= 1 for code, message in REFUSALS.items())
