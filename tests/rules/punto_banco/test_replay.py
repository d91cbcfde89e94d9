"""The replay of written-down coups: its format to the letter, and lines that are no coups."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapete_rules.replay import answer

SPOTS = ("punto", "banca", "tie", "punto_pair", "banca_pair")
GOOD: dict[str, Any] = {
    "game": "punto_banco",
    "tableau": "reglamento",
    "commission": True,
    "bets": {"punto": 1000, "banca": 0, "tie": 0, "punto_pair": 0, "banca_pair": 0},
    "cards": ["3S", "7H", "2D", "TC", "4C"],
}


def _ask(line: Any) -> Any:
    return json.loads(answer(json.dumps(line).encode()))


def _with(**fields: Any) -> dict[str, Any]:
    return GOOD | fields


def _bets(**bets: Any) -> dict[str, Any]:
    return _with(bets=bets)


class TestFormat:
    def test_a_coup_is_answered_in_full(self) -> None:
        answered = _ask(GOOD)
        assert answered == {
            "punto": {"cards": ["3S", "2D", "4C"], "total": 9, "natural": False},
            "banca": {"cards": ["7H", "TC"], "total": 7, "natural": False},
            "winner": "punto",
            "cards_used": 5,
            "returned": {"punto": 2000, "banca": 0, "tie": 0, "punto_pair": 0, "banca_pair": 0},
            "net": 1000,
        }
        assert list(answered) == ["punto", "banca", "winner", "cards_used", "returned", "net"]

    def test_only_the_cards_have_to_be_there(self) -> None:
        answered = _ask({"game": "punto_banco", "cards": GOOD["cards"]})
        assert (answered["winner"], answered["net"], set(answered["returned"])) == ("punto", 0, set(SPOTS))

    def test_cards_beyond_the_coup_are_left_over(self) -> None:
        answered = _ask(_with(cards=["KS", "9H", "8D", "TC", "4C", "5C", "6C"]))
        assert answered["cards_used"] == 4
        assert (answered["punto"]["natural"], answered["banca"]["natural"]) == (True, True)
        assert answered["winner"] == "banca"

    def test_natural_is_said_of_each_side(self) -> None:
        answered = _ask(_with(cards=["KS", "3H", "8D", "TC"]))
        assert (answered["punto"]["natural"], answered["banca"]["natural"]) == (True, False)

    def test_the_tableau_of_the_line_is_played(self) -> None:
        cards = ["2S", "6H", "3D", "TC", "6C", "2H"]
        assert [_ask(_with(cards=cards, tableau=name))["cards_used"] for name in ("reglamento", "europacasino")] == [
            6,
            5,
        ]
        assert _ask(_with(cards=cards, settings={"tableau": "casinoonnet"}))["cards_used"] == 6
        line = {"game": "punto_banco", "cards": cards, "settings": {"tableau": "casinoonnet"}}
        assert _ask(line)["cards_used"] == 5

    def test_a_banca_six_without_commission_is_paid_half(self) -> None:
        line = _bets(banca=1001) | {"cards": ["QS", "KH", "7D", "6C"]}
        assert _ask(line | {"cards": ["QS", "KH", "AD", "6C", "TC"]})["returned"]["banca"] == 1951
        assert _ask(line | {"cards": ["QS", "KH", "AD", "6C", "TC"], "commission": False})["returned"]["banca"] == 1501
        assert _ask(line | {"commission": False})["net"] == -1001

    def test_every_bet_comes_back_as_it_has_to_on_a_tie(self) -> None:
        line = _bets(punto=10, banca=20, tie=30, punto_pair=40, banca_pair=50)
        answered = _ask(line | {"cards": ["7S", "3H", "TD", "4C"]})
        assert answered["returned"] == {"punto": 10, "banca": 20, "tie": 270, "punto_pair": 0, "banca_pair": 0}
        assert answered["net"] == 150

    def test_bets_have_no_limits_unless_settings_bring_them(self) -> None:
        assert _ask(_bets(tie=10**18, punto=7))["net"] == -(10**18) + 7
        assert _ask(_bets(tie=20_000) | {"settings": {}})["error"] == {
            "code": "bet_above_maximum",
            "message": "bets.tie: amount 20000, maximum 12500",
        }
        assert _ask(_bets(punto=150) | {"settings": {}})["error"]["code"] == "bet_not_in_chips"

    def test_settings_bring_their_odds_and_are_never_burnt_for(self) -> None:
        document = {"game": "punto_banco", "punto_odds": [3, 2], "burn": True, "decks": 1}
        assert _ask(_with(settings=document))["net"] == 1500

    def test_a_card_may_come_eight_times(self) -> None:
        assert _ask(_with(cards=["9S", "9S", *["9S"] * 6]))["winner"] == "tie"


BAD_LINES: list[tuple[Any, str, str]] = [
    ({"game": "punto_banco"}, "bad_line", "cards"),
    (_with(cards=None), "bad_line", "cards"),
    (_with(cards="3S7H"), "bad_line", "cards"),
    (_with(cards=["3S", 7]), "bad_line", "cards[1]"),
    (_with(cards=["3S", None]), "bad_line", "cards[1]"),
    (_with(cards=["3S", "10H"]), "wrong_card", "cards[1]"),
    (_with(cards=["3s"]), "wrong_card", "cards[0]"),
    (_with(cards=["5S"] * 9), "wrong_card", "5S 9 times"),
    (_with(cards=[*GOOD["cards"], *["AS"] * 9]), "wrong_card", "AS 9 times"),
    (_with(cards=[*GOOD["cards"], *["AS"] * 7], settings={"decks": 6}), "wrong_card", "AS 7 times"),
    (_with(cards=[]), "out_of_cards", "0 cards"),
    (_with(cards=GOOD["cards"][:3]), "out_of_cards", "3 cards"),
    (_with(cards=GOOD["cards"][:4]), "out_of_cards", "4 cards"),
    (_with(bets=[]), "bad_line", "bets"),
    (_with(bets=None), "bad_line", "bets"),
    (_with(bets=1000), "bad_line", "bets"),
    (_bets(main=1000), "bad_line", "bets.main"),
    (_bets(empate=1000), "bad_line", "bets.empate"),
    (_bets(punto=True), "bad_line", "bets.punto"),
    (_bets(punto=False), "bad_line", "bets.punto"),
    (_bets(banca=1000.0), "bad_line", "bets.banca"),
    (_bets(tie="1000"), "bad_line", "bets.tie"),
    (_bets(punto_pair=-1), "bad_line", "bets.punto_pair"),
    (_bets(banca_pair=None), "bad_line", "bets.banca_pair"),
    (_bets(banca=10**18 + 1), "bad_line", "bets.banca"),
    (_bets(banca=[1]), "bad_line", "bets.banca"),
    (_with(tableau="regulation"), "bad_line", "tableau"),
    (_with(tableau=None), "bad_line", "tableau"),
    (_with(tableau=["reglamento"]), "bad_line", "tableau"),
    (_with(commission=0), "bad_line", "commission"),
    (_with(commission="true"), "bad_line", "commission"),
    (_with(commission=None), "bad_line", "commission"),
    (_with(settings=None), "bad_settings", "settings"),
    (_with(settings={"decks": 9}), "bad_settings", "decks"),
    (_with(settings={"game": "double_exposure"}), "bad_settings", "game"),
    (_with(settings={"tableau": "none"}), "bad_settings", "tableau"),
    (_with(settings={"main_max": 500}), "bet_above_maximum", "bets.punto"),
    (_with(settings={"main_min": 2000}), "bet_below_minimum", "bets.punto"),
]

ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=4,
)


class TestBadLines:
    @pytest.mark.parametrize(("line", "code", "named"), BAD_LINES)
    def test_what_is_wrong_is_named(self, line: Any, code: str, named: str) -> None:
        error = _ask(line)["error"]
        assert error["code"] == code
        assert named in error["message"]

    @settings(max_examples=150, deadline=None, derandomize=True)
    @given(st.data())
    def test_any_value_in_any_place_gets_an_answer(self, data: st.DataObject) -> None:
        line = json.loads(json.dumps(GOOD | {"settings": {}}))
        places = [(line, name) for name in line]
        places += [(line["bets"], name) for name in SPOTS]
        places += [(line["settings"], name) for name in ("decks", "chips", "cut_card", "tie_odds", "tie_max", "times")]
        where, name = data.draw(st.sampled_from(places))
        where[name] = data.draw(ODD)
        assert isinstance(_ask(line), dict)
