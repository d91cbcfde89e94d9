"""Names look like what they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete_protocol.names import player_name, table_name


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("Ana", "Ana"),
        ("  Ana   María ", "Ana María"),
        ("Ana\tMari\u0301a", "Ana María"),
        ("Ñandú", "Ñandú"),
        ("中村", "中村"),
        ("a" * 24, "a" * 24),
        ("e\u0301" * 24, "é" * 24),
        ("🂡", "🂡"),
    ],
)
def test_names(given_name: str, name: str) -> None:
    assert player_name(given_name) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "a" * 25,
        "A\u200bna",
        "\u202eanA",
        "A\u0007na",
        "A\u00adna",
        "\ufeffAna",
        "\ue000",
        "\u0378",
        "\ud800",
        "\u3164",
        "\u2800",
        "\u0301Ana",
        "A\u0301\u0302\u0303\u0304na",
        "Ana\u2028",
    ],
)
def test_no_names(text: str) -> None:
    assert player_name(text) is None


def test_a_table_may_have_a_longer_name() -> None:
    assert table_name("b" * 40) == "b" * 40
    assert table_name("b" * 41) is None


@given(st.text(max_size=40))
def test_a_name_is_its_own_name(text: str) -> None:
    name = player_name(text)
    assert name is None or (player_name(name) == name and 1 <= len(name) <= 24)
