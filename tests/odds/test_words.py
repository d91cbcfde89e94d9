"""The words `odds` and `simulate` of the command line."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tapete_odds import plots, shelf
from tapete_odds.text import changes as text_changes
from tapete_odds.words import EN
from tapete_server.cli import main


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAPETE_ODDS_CACHE", str(tmp_path / "cache"))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(arguments) == status
    captured = capsys.readouterr()
    return captured.out if status == 0 else captured.err


def fits(text: ET.Element, width: float) -> bool:
    """Whether it stays within the drawing, if its letters are as wide as letters of this font mostly are."""
    x, wide = float(text.get("x", 0)), 0.5 * float(text.get("font-size", 0)) * len(text.text or "")
    starts = x - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor", "start")]
    return starts >= 0 and starts + wide <= width


class TestOdds:
    def test_the_chart_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        odds = json.loads(said(capsys, "odds", "double_exposure", "--json"))
        assert {"edge", "bonus", "strategy"} <= set(odds)
        assert set(odds["bonus"]["sevens"]) == {"always_hit", "table", "never_hit"}
        assert set(odds["strategy"]["pair 8"]["hard 16"]) == {"hit", "stand", "split"}

    def test_another_tableau_with_six_decks_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        given = ("odds", "punto_banco", "--tableau", "casinoonnet", "--decks", "6", "--json")
        odds = json.loads(said(capsys, *given))
        assert odds["terms"]["decks"] == 6
        assert all("/" in bet["exact"] for bet in odds["edges"].values())

    @pytest.mark.parametrize(
        ("lang", "word", "figure"), [("en", "House edge", "0.5595 %"), ("es", "Ventaja", "0,5595 %")]
    )
    def test_as_text_in_both_languages(
        self, capsys: pytest.CaptureFixture[str], lang: str, word: str, figure: str
    ) -> None:
        text = said(capsys, "odds", "double_exposure", "--lang", lang)
        assert word in text
        assert figure in text

    def test_plots_are_whole_drawings(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        said(capsys, "odds", "double_exposure", "--plots", str(tmp_path / "made"), "--lang", "es")
        said(capsys, "odds", "punto_banco", "--plots", str(tmp_path / "made"), "--lang", "es")
        drawn = {file.name: ET.parse(file).getroot() for file in (tmp_path / "made").iterdir()}
        assert set(drawn) == {"chart.svg", "outcomes.svg", "edges.svg"}
        cells = drawn["chart.svg"].findall(".//{*}rect/{*}title")
        assert len(cells) == 34 * 26
        for drawing in drawn.values():
            assert all(fits(text, float(drawing.get("width", 0))) for text in drawing.findall("{*}text"))

    def test_changes_are_told_from_the_worst_to_the_best(self) -> None:
        rows = [("these", 0.005), ("better", -0.01), ("worse", 0.02), ("equal", 0.005)]
        drawing = ET.fromstring(plots.compared("Changes", rows, EN))
        texts = [text.text for text in drawing.findall("{*}text")]
        assert [text for text in texts if text in dict(rows)] == ["these", "worse", "equal", "better"]
        assert {"+1.5000", "+0.0000", f"{plots.MINUS}1.5000", f"{plots.MINUS}1.0000 %"} <= set(texts)
        assert text_changes(rows, EN)[1:3] == ["  better  -1.0000 %  -1.5000", "  worse    2.0000 %  +1.5000"]

    def test_one_decision_by_the_cards(self, capsys: pytest.CaptureFixture[str]) -> None:
        given = ("odds", "double_exposure", "--hand", "7S,7H", "--dealer", "TC,5D", "--sevens", "1", "--json")
        answer = json.loads(said(capsys, *given))
        assert answer["exact"]
        assert max(answer["worth"], key=answer["worth"].get) == "hit"

    def test_one_decision_without_numpy_is_by_the_chart(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shelf, "can_work_out", lambda: False)
        answer = json.loads(said(capsys, "odds", "double_exposure", "--hand", "TS,6H", "--dealer", "TC,5D", "--json"))
        assert answer["exact"] is False

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            (("double_exposure", "--hand", "7S"), "--dealer"),
            (("double_exposure", "--hand", "7S,ZZ", "--dealer", "TC,5D"), "'ZZ' is no card"),
            (("double_exposure", "--hand", "TS,AH", "--dealer", "TC,5D"), "nothing to decide"),
            (("double_exposure", "--hand", "7S,8H", "--dealer", "TC,AD"), "nothing to decide"),
            (("double_exposure", "--hand", "7S,8H", "--dealer", "TC,5D", "--seen", "7S " * 6), "7 times"),
            (("double_exposure", "--hand", "7S,7H", "--dealer", "TC,5D", "--hands", "5"), "from 1 to 4"),
            (("punto_banco", "--hand", "7S,7H"), "nobody decides"),
            (("punto_banco", "--tableau", "madrid"), "tableau"),
            (("double_exposure", "--settings", "not-there.json"), "not-there.json"),
            (("double_exposure", "--settings", "DEEP"), "is not JSON"),
        ],
    )
    def test_what_cannot_be_said_is_told(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path, given: tuple[str, ...], told: str
    ) -> None:
        deep = tmp_path / "deep.json"
        deep.write_text("[" * 100_000)
        assert told in said(capsys, "odds", *(str(deep) if word == "DEEP" else word for word in given), status=2)

    @pytest.mark.parametrize("amount", ["1e999999999", "-1", "1/0", "many", "1" * 100, "nan"])
    def test_an_amount_that_is_none(self, capsys: pytest.CaptureFixture[str], amount: str) -> None:
        with pytest.raises(SystemExit):
            main(["odds", "double_exposure", "--hand", "7S,7H", "--dealer", "TC,5D", f"--sevens={amount}"])
        assert "is no amount" in capsys.readouterr().err


class TestSimulate:
    def test_beside_the_exact_figures(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = json.loads(said(capsys, "simulate", "punto_banco", "--rounds", "3000", "--json"))
        assert found["rounds"] == 3000
        assert found["replayed"] >= 20
        low, high = found["bets"]["banca"]["interval"]
        assert low < found["bets"]["banca"]["edge"] < high

    def test_all_by_the_rules(self, capsys: pytest.CaptureFixture[str]) -> None:
        text = said(capsys, "simulate", "double_exposure", "--rounds", "200", "--all-by-the-rules", "--lang", "es")
        assert "pasaron por el reglamento" in text

    def test_a_figure_that_is_off_is_a_failure(self, capsys: pytest.CaptureFixture[str]) -> None:
        given = ("simulate", "punto_banco", "--rounds", "500", "--errors", "0", "--json")
        assert main(given) == 1
        assert json.loads(capsys.readouterr().out)["rounds"] == 500

    def test_without_numpy_it_says_what_to_do(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shelf, "can_work_out", lambda: False)
        assert "tapete[odds]" in said(capsys, "simulate", "punto_banco", status=2)
