"""The replay of written-down rounds: its format to the letter, and lines that are no rounds."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapete_rules.replay import LINE_BYTES_MAX, answer, run

GOOD: dict[str, Any] = {
    "game": "double_exposure",
    "bets": [{"box": 1, "main": 1000, "blackjack": 100, "sevens": 0}],
    "cards": ["8S", "TH", "8D", "7C", "3S", "TD", "5D"],
    "steps": [
        {"box": 1, "hand": 0, "action": "split"},
        {"box": 1, "hand": 1, "action": "stand"},
        {"box": 1, "hand": 0, "action": "double"},
        {"box": 1, "hand": 1, "action": "stand"},
    ],
    "stack": 2000,
}


def _ask(line: Any) -> Any:
    return json.loads(answer(json.dumps(line).encode()))


def _with(**fields: Any) -> dict[str, Any]:
    return GOOD | fields


def _bet(**fields: Any) -> dict[str, Any]:
    return _with(bets=[GOOD["bets"][0] | fields])


def _step(**fields: Any) -> dict[str, Any]:
    return _with(steps=[{"box": 1, "hand": 0, "action": "stand"} | fields])


def _without(name: str) -> dict[str, Any]:
    return {field: value for field, value in GOOD.items() if field != name}


class TestFormat:
    def test_a_round_is_answered_in_full(self) -> None:
        first = {
            "box": 1,
            "hand": 0,
            "legal": ["hit", "stand", "stand_all", "split"],
            "accepted": True,
            "refusal": None,
        }
        double = ["hit", "stand", "stand_all", "double"]
        assert _ask(GOOD) == {
            "steps": [
                first,
                {"box": 1, "hand": 1, "legal": double, "accepted": False, "refusal": "not_your_turn"},
                {"box": 1, "hand": 0, "legal": double, "accepted": True, "refusal": None},
                {"box": 1, "hand": 1, "legal": ["hit", "stand", "stand_all"], "accepted": True, "refusal": None},
            ],
            "dealer": {"cards": ["TH", "7C"], "total": 17, "blackjack": False, "drew": False},
            "boxes": [
                {
                    "box": 1,
                    "blackjack": False,
                    "hands": [
                        {
                            "cards": ["8S", "3S", "TD"],
                            "total": 21,
                            "soft": False,
                            "stake": 2000,
                            "doubled": True,
                            "outcome": "win",
                            "returned": 4000,
                        },
                        {
                            "cards": ["8D", "5D"],
                            "total": 13,
                            "soft": False,
                            "stake": 1000,
                            "doubled": False,
                            "outcome": "lose",
                            "returned": 0,
                        },
                    ],
                    "bonus": {"blackjack": {"stake": 100, "returned": 0}},
                    "net": 900,
                }
            ],
            "cards_used": 7,
            "net": 900,
        }

    def test_boxes_are_listed_and_dealt_in_seat_order(self) -> None:
        bets = [{"box": 3, "main": 5}, {"box": 1, "main": 7}]
        answered = _ask(
            _with(bets=bets, cards=["AS", "TS", "9S", "TH", "8S", "8H"], steps=[_step()["steps"][0] | {"box": 3}])
        )
        assert [(box["box"], box["blackjack"], box["net"]) for box in answered["boxes"]] == [
            (1, True, 7),
            (3, False, 5),
        ]
        assert answered["boxes"][0]["bonus"] == {}

    def test_the_stack_pays_for_doubles_and_splits(self) -> None:
        steps = [*GOOD["steps"][:3], {"box": 1, "hand": 0, "action": "stand"}, GOOD["steps"][3]]
        answered = _ask(_with(stack=1999, steps=steps, cards=[*GOOD["cards"][:5], "5D"]))
        assert answered["steps"][2]["refusal"] == "not_enough_chips"
        assert answered["steps"][2]["legal"] == ["hit", "stand", "stand_all"]
        assert _ask(_without("stack"))["net"] == 900

    def test_a_step_after_the_end_is_refused_with_nothing_legal(self) -> None:
        last = _ask(_with(steps=[*GOOD["steps"], GOOD["steps"][3]]))["steps"][-1]
        assert last == {"box": 1, "hand": 1, "legal": [], "accepted": False, "refusal": "round_over"}

    def test_settings_bring_their_odds_and_limits(self) -> None:
        natural = _with(cards=["AS", "9S", "KS", "8S"], steps=[], settings={"blackjack_odds": [3, 2]})
        assert _ask(natural)["boxes"][0]["hands"][0]["returned"] == 2500
        assert _ask(natural | {"settings": {"game": "double_exposure", "main_min": 2000}})["error"] == {
            "code": "bet_below_minimum",
            "message": "bets[0].main: amount 1000, minimum 2000",
        }

    def test_steps_may_be_left_out_where_nobody_decides(self) -> None:
        line = _without("steps") | {"cards": ["AS", "9S", "KS", "8S", "2S"]}
        assert _ask(line)["cards_used"] == 4


BAD_LINES: list[tuple[Any, str, str]] = [
    ([], "bad_line", "object"),
    (5, "bad_line", "object"),
    (None, "bad_line", "object"),
    ({}, "bad_line", "game"),
    (_with(game="poker"), "unknown_game", "game"),
    (_with(game=["double_exposure"]), "unknown_game", "game"),
    (_without("bets"), "bad_line", "bets"),
    (_without("cards"), "bad_line", "cards"),
    (_without("steps"), "undecided", "box 1, hand 0"),
    (_with(bets=[]), "bad_line", "bets"),
    (_with(bets={}), "bad_line", "bets"),
    (_with(bets=[5]), "bad_line", "bets[0]"),
    (_with(bets=GOOD["bets"] * 2), "bad_line", "bets[1].box"),
    (_with(bets=GOOD["bets"] * 5), "bad_line", "bets"),
    (_bet(box=0), "bad_line", "bets[0].box"),
    (_bet(box=5), "bad_line", "bets[0].box"),
    (_bet(box=True), "bad_line", "bets[0].box"),
    (_bet(box="1"), "bad_line", "bets[0].box"),
    (_bet(main=0), "bad_line", "bets[0].main"),
    (_bet(main=-5), "bad_line", "bets[0].main"),
    (_bet(main=1000.0), "bad_line", "bets[0].main"),
    (_bet(main=True), "bad_line", "bets[0].main"),
    (_bet(main=None), "bad_line", "bets[0].main"),
    (_bet(main=10**30), "bad_line", "bets[0].main"),
    (_bet(sevens=-1), "bad_line", "bets[0].sevens"),
    (_bet(blackjack=False), "bad_line", "bets[0].blackjack"),
    (_bet(pairs=100), "bad_line", "bets[0].pairs"),
    (_with(bets=[{"box": 1, "sevens": 100}]), "bad_line", "bets[0].main is missing"),
    (_with(cards="8S"), "bad_line", "cards"),
    (_with(cards=["8S", 5]), "bad_line", "cards[1]"),
    (_with(cards=["8S", "10H"]), "wrong_card", "cards[1]"),
    (_with(cards=["as", "TH"]), "wrong_card", "cards[0]"),
    (
        _with(cards=["AS"] * 4 + ["TS", "AS", "AS", "AS"], bets=[{"box": b, "main": 1} for b in (1, 2, 3)]),
        "wrong_card",
        "AS",
    ),
    (_with(cards=[]), "out_of_cards", "0 cards"),
    (_with(cards=GOOD["cards"][:6]), "out_of_cards", "6 cards"),
    (_with(steps={}), "bad_line", "steps"),
    (_with(steps=None), "bad_line", "steps"),
    (_with(steps=["hit"]), "bad_line", "steps[0]"),
    (_step(box=7), "bad_line", "steps[0].box"),
    (_step(hand=-1), "bad_line", "steps[0].hand"),
    (_step(hand=False), "bad_line", "steps[0].hand"),
    (_step(action="fold"), "bad_line", "steps[0].action"),
    (_step(action=None), "bad_line", "steps[0].action"),
    (_with(steps=[{"box": 1, "hand": 0}]), "bad_line", "steps[0].action is missing"),
    (_with(steps=[]), "undecided", "box 1, hand 0"),
    (_with(steps=GOOD["steps"][:3]), "undecided", "box 1, hand 1"),
    (_with(stack=-1), "bad_line", "stack"),
    (_with(stack=None), "bad_line", "stack"),
    (_with(stack=1.5), "bad_line", "stack"),
    (_with(settings=[]), "bad_settings", "settings"),
    (_with(settings={"decks": 0}), "bad_settings", "decks"),
    (_with(settings={"odds": 0}), "bad_settings", "odds"),
    (_with(settings={"main_max": 500}), "bet_above_maximum", "bets[0].main"),
]

BAD_BYTES: list[bytes] = [
    b"",
    b"   ",
    b"{",
    b"\xff\xfe{}",
    b"\x00",
    b'{"game": NaN}',
    b'{"game": -Infinity}',
    b'{"game": "double_exposure", "game": "punto_banco"}',
    b"1" * 5000,
    b"[" * 200_000,
    b'{"a":' * 100_000,
    b'{"game": "double_exposure"} {}',
    b" " * (LINE_BYTES_MAX + 1),
    b" " * (3 * LINE_BYTES_MAX),
]


class TestBadLines:
    @pytest.mark.parametrize(("line", "code", "named"), BAD_LINES)
    def test_what_is_wrong_is_named(self, line: Any, code: str, named: str) -> None:
        error = _ask(line)["error"]
        assert error["code"] == code
        assert named in error["message"]

    @pytest.mark.parametrize("line", BAD_BYTES, ids=range(len(BAD_BYTES)))
    def test_what_is_not_json_is_answered_all_the_same(self, line: bytes) -> None:
        assert json.loads(answer(line))["error"]["code"] == "bad_json"

    def test_the_next_line_is_still_served(self) -> None:
        good = json.dumps(GOOD).encode()
        sink = io.BytesIO()
        run(io.BytesIO(b"\n".join([*BAD_BYTES, good, b"[]\r", good])), sink)
        answers = [json.loads(line) for line in sink.getvalue().splitlines()]
        assert len(answers) == len(BAD_BYTES) + 3
        assert [answer.get("net") for answer in answers[-3:]] == [900, None, 900]

    @settings(max_examples=150, deadline=None, derandomize=True)
    @given(st.binary(max_size=60))
    def test_any_bytes_get_one_line_back(self, line: bytes) -> None:
        assert "\n" not in answer(line)
        assert "error" in json.loads(answer(line))

    @settings(max_examples=150, deadline=None, derandomize=True)
    @given(st.data())
    def test_any_value_in_any_place_gets_an_answer(self, data: st.DataObject) -> None:
        odd = st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
            max_leaves=4,
        )
        line = json.loads(json.dumps(GOOD | {"settings": {"times": {}}}))
        places = [(line, name) for name in line]
        places += [(line["bets"][0], name) for name in line["bets"][0]]
        places += [(line["steps"][0], name) for name in line["steps"][0]]
        places += [(line["settings"], name) for name in ("decks", "chips", "times", "seven_odds", "main_max")]
        where, name = data.draw(st.sampled_from(places))
        where[name] = data.draw(odd)
        assert isinstance(_ask(line), dict)


@pytest.mark.parametrize("action", ["surrender", "insurance", "even_money"])
def test_what_other_tables_have_is_refused_here_and_the_hand_waits(action: str) -> None:
    line = {
        "game": "double_exposure",
        "bets": [{"box": 1, "main": 1000}],
        "cards": ["TS", "TH", "6D", "7C"],
        "steps": [{"box": 1, "hand": 0, "action": action}, {"box": 1, "hand": 0, "action": "stand"}],
    }
    told = json.loads(answer(json.dumps(line).encode()))
    assert [(step["accepted"], step["refusal"]) for step in told["steps"]] == [(False, "illegal_action"), (True, None)]
    assert told["net"] == -1000
