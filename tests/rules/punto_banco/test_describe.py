"""The printed sheets of both games, in both languages."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest

from tapete_rules.describe import describe
from tapete_rules.describe.sheet import amount, percent
from tapete_rules.describe.words import EN, ES
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.punto_banco import PuntoBancoSettings
from tapete_rules.settings import SettingsError, Times


def _sheet(lang: str = "en", **settings: Any) -> str:
    return describe({"game": "punto_banco", **settings}, lang)


def _row(sheet: str, label: str) -> list[str]:
    return next(line.split() for line in sheet.splitlines() if line.startswith(f"  {label}  "))


class TestFigures:
    @pytest.mark.parametrize(
        ("value", "written"),
        [
            (Fraction(0), "0.0000 %"),
            (Fraction(1), "100.0000 %"),
            (Fraction(-17631, 10**6), "-1.7631 %"),
            (Fraction(1, 3), "33.3333 %"),
            (Fraction(2, 3), "66.6667 %"),
            (Fraction(1, 2 * 10**6), "0.0001 %"),
            (Fraction(-1, 10**9), "0.0000 %"),
            (Fraction(10**20 + 1, 10**20), "100.0000 %"),
        ],
    )
    def test_a_percentage_has_four_decimals(self, value: Fraction, written: str) -> None:
        assert percent(value, EN) == written
        assert percent(value, ES) == written.replace(".", ",")

    def test_an_amount_is_written_in_units_of_a_hundred(self) -> None:
        assert [amount(value, EN) for value in (0, 5, 100, 12_345)] == ["0.00", "0.05", "1.00", "123.45"]


class TestPuntoBanco:
    def test_it_has_the_exact_edge_of_every_bet(self) -> None:
        sheet = _sheet()
        assert _row(sheet, "punto")[-2:] == ["1.2351", "%"]
        assert _row(sheet, "banca")[-2:] == ["1.0579", "%"]
        assert _row(sheet, "tie")[-2:] == ["14.3596", "%"]
        assert _row(sheet, "punto pair") == ["punto", "pair", "11:1", "1.00", "125.00", "10.3614", "%"]
        assert "favours the bettor" not in sheet

    def test_it_has_the_exact_counts(self) -> None:
        for figure in ("2,292,252,566,437,888", "2,230,518,282,592,256", "475,627,426,473,216"):
            assert figure in _sheet()
            assert figure.replace(",", ".") in _sheet("es")

    def test_it_says_when_a_bet_favours_the_bettor(self) -> None:
        assert "The bet on punto favours the bettor, by 1.7631 %." in _sheet(tableau="europacasino")
        assert "La apuesta a punto favorece al que apuesta, en un 1,7631 %." in _sheet("es", tableau="casinoonnet")

    def test_it_has_the_tableau_with_the_sources_of_its_cells(self) -> None:
        sheet = _sheet(tableau="casinoonnet")
        assert _row(sheet, "6") == ["6", "Si", "Si", "Si", "Si", "Si", "Si", "Di", "Di", "Si", "Si", "Sm"]
        assert "  i  seed 000, CRUPIER (reconstructed): " in sheet
        assert "  k  seed 001, BANCA (reading): " in sheet
        assert "total of punto's three cards" in sheet
        assert "value of punto's third card" in _sheet()
        assert "  i  semilla 000, CRUPIER (reconstruido): " in _sheet("es", tableau="casinoonnet")

    def test_what_banca_pays_depends_on_the_commission(self) -> None:
        assert "19:20 (1:1 less 1/20)" in _sheet()
        assert "1:1, with 6 1:2" in _sheet(commission=False)

    def test_its_lines_fit_a_terminal(self) -> None:
        for lang in ("en", "es"):
            assert max(len(line) for line in _sheet(lang, tableau="europacasino").splitlines()) <= 120
            assert not any(line.endswith(" ") for line in _sheet(lang).splitlines())


class TestDoubleExposure:
    def test_it_has_settings_and_paytable(self) -> None:
        sheet = describe({"game": "double_exposure", "decks": 8}, "en")
        assert _row(sheet, "Decks in the shoe")[-1] == "8"
        assert _row(sheet, "Bonus blackjack")[-1] == "19:1"
        assert _row(sheet, "Most hands in a box after splits")[-1] == "4"
        assert "Bono blackjack" in describe({"game": "double_exposure"}, "es")


class TestWords:
    def test_every_setting_of_both_games_has_a_label_in_both_languages(self) -> None:
        names = {field.name for form in (DoubleExposureSettings, PuntoBancoSettings, Times) for field in fields(form)}
        shown_otherwise = {"times", "punto_odds", "tie_odds", "pair_odds", "banca_six_odds"}
        assert names - shown_otherwise <= set(EN.labels)
        assert set(EN.labels) == set(ES.labels)

    def test_a_name_without_a_label_is_written_as_it_is(self) -> None:
        assert EN.label("new_setting") == "new setting"

    def test_a_wrong_document_or_language_is_refused(self) -> None:
        with pytest.raises(SettingsError, match="game"):
            describe({}, "en")
        with pytest.raises(SettingsError, match="tableau"):
            _sheet(tableau="none")
        with pytest.raises(ValueError, match="lang"):
            _sheet("fr")
