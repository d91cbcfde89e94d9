"""Odds that are kept: shipped, cached by what they depend on, or worked out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tapete_odds import shelf
from tapete_odds.document import APPROXIMATIONS, bonus_bets, is_whole
from tapete_odds.hands import cards_of
from tapete_odds.names import DEALERS, PLAYERS, total_name
from tapete_odds.solver.dealer import Dealer
from tapete_odds.solver.game import Game
from tapete_odds.solver.solve import NOT_DEALT
from tapete_odds.terms import terms_hash, terms_of
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.punto_banco import PuntoBancoSettings
from tapete_rules.settings import Times

HOUSE = DoubleExposureSettings()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAPETE_ODDS_CACHE", str(tmp_path))
    return tmp_path


def shipped() -> dict[str, Any]:
    found = shelf.known(HOUSE)
    assert found is not None, "the odds of the default table come with the package"
    return found


def test_the_shipped_document_has_the_shape_that_others_read() -> None:
    odds = shipped()
    assert set(odds["edge"]) == {"optimal", "table"}
    assert odds["edge"]["optimal"] < odds["edge"]["table"] < odds["edge"]["optimal"] + 1e-4
    assert list(odds["strategy"]) == list(PLAYERS)
    assert all(list(columns) == list(DEALERS) for columns in odds["strategy"].values())
    assert odds["terms"] == terms_of(HOUSE)
    assert odds["approximations"] == APPROXIMATIONS.splitlines()


@pytest.mark.parametrize("dealer", [(0, 4), (0, 6), (9, 9)])
def test_the_shipped_chart_is_what_the_solver_says_today(dealer: tuple[int, int]) -> None:
    """Columns that one pair of cards makes alone; the whole is worked out by `tapete odds double_exposure --fresh`."""
    column = total_name(cards_of(*dealer))
    solved = Dealer(Game(HOUSE), dealer)
    values = solved.play()
    for number in range(10):
        worth = solved.actions((number, number), values)
        assert shipped()["strategy"][PLAYERS[-10 + number]][column] == pytest.approx(worth, abs=1e-9)
    assert NOT_DEALT in shipped()["strategy"]


def test_the_shipped_bonus_bets_are_what_is_counted_today() -> None:
    assert shipped()["bonus"] == bonus_bets(HOUSE, shipped()["strategy"])


def test_limits_chips_and_times_change_no_odds() -> None:
    other = replace(HOUSE, main_max=70_000, bonus_max=0, chips=(50,), times=Times(turn_ms=1), reveals=True)
    assert terms_hash(other) == terms_hash(HOUSE)
    assert shelf.known(other) == shipped()


@pytest.mark.parametrize("settings", [HOUSE, PuntoBancoSettings()])
def test_every_setting_is_one_that_odds_depend_on_or_is_named_here(
    settings: DoubleExposureSettings | PuntoBancoSettings,
) -> None:
    """A new one belongs into the terms, or one table would be told the odds of another."""
    changes_none = {
        "chips", "main_min", "main_max", "bonus_max", "tie_max", "pair_max", "burn", "cut_card", "reveals", "times",
    }  # fmt: skip
    assert set(settings.to_plain()) == set(terms_of(settings)) | (changes_none & set(settings.to_plain()))


def test_any_rule_changes_the_name() -> None:
    others = [
        replace(HOUSE, decks=5),
        replace(HOUSE, max_hands=3),
        replace(HOUSE, double_on="any"),
        replace(HOUSE, blackjack_tie="win"),
        replace(HOUSE, seven_odds=(9, 1)),
    ]
    assert len({terms_hash(each) for each in (HOUSE, *others)}) == 6


def test_what_is_kept_is_found_again(own_cache: Path) -> None:
    settings = replace(HOUSE, decks=7)
    assert shelf.known(settings) is None
    kept = {**shipped(), "hash": terms_hash(settings), "kept": True}
    assert json.loads(shelf.keep(kept, own_cache).read_text()) == kept
    assert shelf.odds_of(settings)["kept"]


@pytest.mark.parametrize(
    "written",
    [
        '{"hash": ', "[]", "[" * 100_000, '{"hash": "NAME"}', '{"hash": "NAME", "edge": 1, "strategy": []}',
        '{"hash": "NAME", "edge": {"optimal": "0", "table": 0.1}, "bonus": {}, "strategy": {}}',
    ],
)  # fmt: skip
def test_what_is_not_whole_is_not_taken(own_cache: Path, written: str) -> None:
    settings = replace(HOUSE, decks=7)
    name = terms_hash(settings)
    (own_cache / f"{name}.json").write_text(written.replace("NAME", name))
    assert shelf.known(settings) is None


def test_of_a_whole_one_everything_is_needed() -> None:
    name = terms_hash(HOUSE)
    whole = shipped()
    assert is_whole(whole, name)
    assert not is_whole(whole, "another")
    for part in ("edge", "bonus", "strategy"):
        assert not is_whole({**whole, part: {}}, name)
    cut = json.loads(json.dumps(whole))
    cut["strategy"]["hard 12"]["soft 20"]["hit"] = float("nan")
    assert not is_whole(cut, name)


def test_without_numpy_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "can_work_out", lambda: False)
    with pytest.raises(shelf.NotWorkedOut, match=r"tapete\[odds\]"):
        shelf.odds_of(replace(HOUSE, decks=7))
