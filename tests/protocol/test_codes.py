"""The list of codes: complete, in both languages, and its messages hold with any detail."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import tapete_server
from tapete_protocol.codes import CLOSES, CODES, CloseCode, Code, comes_back, message
from tapete_rules.codes import REFUSALS


def placeholders(template: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", template))


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
class TestEveryCode:
    def test_says_something_in_both_languages(self, code: Code) -> None:
        assert re.fullmatch(r"[a-z_]{4,30}", code.name)
        for text in (code.en, code.es):
            assert len(text) > 20
            assert text[0].isupper()
            assert text.endswith(".")
        assert code.en != code.es

    def test_shows_only_what_its_detail_has(self, code: Code) -> None:
        assert placeholders(code.en) <= set(code.detail)
        assert placeholders(code.es) <= set(code.detail)

    def test_leaves_no_bracket_with_or_without_detail(self, code: Code) -> None:
        full = dict.fromkeys(code.detail, 150)
        for detail in ({}, full, {"other": 1}):
            for lang in ("en", "es", "es-ES", "fr"):
                text = message(code.name, lang, detail)
                assert not set("[]{}") & set(text)
                assert "  " not in text
                assert text.endswith(".")


def test_every_refusal_of_the_rules_is_listed() -> None:
    assert set(REFUSALS) <= set(CODES)


def codes_in(source: Path) -> set[str]:
    """The codes that a module of the server refuses with."""
    calls = [node for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    makers = ("Refusal", "refused", "_refused")
    refusing = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in makers]
    words = [[arg.value for arg in call.args if isinstance(arg, ast.Constant)] for call in refusing]
    return {word for said in words for word in said if isinstance(word, str)}


def test_every_refusal_of_the_server_is_listed() -> None:
    sources = list(Path(tapete_server.__file__).parent.rglob("*.py"))
    found = set().union(*map(codes_in, sources))
    assert "stale" in found
    assert found - set(CODES) == set()


def test_amounts_are_shown_in_whole_units() -> None:
    detail = {"spot": "main", "amount": 5, "minimum": 150}
    assert (
        message("bet_below_minimum", "en", detail) == "The bet is below the minimum of 1.50. Raise it, or take it back."
    )
    assert message("bet_below_minimum", "es", detail) == "La apuesta no llega al mínimo de 1,50. Súbela o retírala."
    assert "of 2." in message("bet_below_minimum", "en", {"minimum": 200})


def test_lists_are_shown_with_commas() -> None:
    assert ": hit, stand." in message("illegal_action", "en", {"legal": ["hit", "stand"]})


def test_a_code_of_a_newer_node_is_its_own_message() -> None:
    assert message("from_the_future") == "from_the_future"


@pytest.mark.parametrize("close", CloseCode)
def test_close_codes_carry_advice(close: CloseCode) -> None:
    said = CLOSES[close]
    assert 4000 <= close <= 4999
    assert close.comes_back == (close < 4500) == (said.delay_ms > 0)
    assert said.es
    assert len(close.advice.encode()) <= 123, "what a close frame has room for"


@pytest.mark.parametrize(("code", "again"), [(None, True), (1006, True), (4499, True), (4500, False), (4999, False)])
def test_whether_to_come_back(code: int | None, again: bool) -> None:
    assert comes_back(code) is again
