"""The roads in a terminal: every mark is there, nothing is wider than the terminal, and colour adds nothing."""

from __future__ import annotations

import re
import string
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete_client.road_text import BETWEEN_CHARS, WIDTH_CHARS_MIN, _shares, road_lines
from tapete_client.terminal import ROAD_CHARS_MIN
from tapete_client.texts.road_words import EN, ES, road_words
from tapete_rules.roads import read_coups, roads_of, write_coup
from tapete_rules.roads.coups import SAID

SHOES = st.lists(st.sampled_from(("B", "P", "T", "Bn", "Pb", "Pnbp", "Tp")), max_size=110).map("".join)


def drawn(
    coups: str, lang: str = "en", width: int = 100, *, colour: bool = False, known_from: int = 1, beside: bool = False
) -> list[str]:
    roads = roads_of(read_coups(coups))
    return road_lines(roads, lang, width, colour=colour, known_from=known_from, beside=beside)


def test_the_five_roads() -> None:
    assert drawn("BBPPPBPBB")[:7] == [
        "Bead Plate   Big Road    Big Eye Boy   Small Road   Cockroach Road",
        "B P          B P B P B   RBRB          B            BR",
        "B B          B P     B    B            B",
        "P B            P          B            B",
        "P",
        "P",
        "B",
    ]


def test_in_spanish_with_every_mark() -> None:
    lines = drawn("TBnPbTTPnbp", "es")
    assert lines[:3] == [
        "Plato de cuentas   Gran camino   Ojo grande   Camino pequeño   Cucaracha",
        "E                  B*/ P'/2      A",
        "B*                     P*'.",
    ]
    assert "Si ahora gana banca: Ojo grande A, Camino pequeño -, Cucaracha -" in lines
    assert lines[-2].startswith("6 coups: banca 1, punto 2, empates 3; parejas de banca 2, de punto 1; naturales 2")
    assert all(sign in lines[-1] for sign in ("* natural", "' pareja de banca", ". pareja de punto", "/ le sigue"))


def test_only_signs_in_use_are_explained() -> None:
    assert "*" not in drawn("BP")[-1]
    assert drawn("BP")[-1].endswith("(not so)")


def test_a_narrow_terminal_has_the_newest_columns() -> None:
    lines = drawn("BP" * 40, width=WIDTH_CHARS_MIN)
    title = next(line for line in lines if line.startswith("Big Road"))
    assert title == "Big Road, the last 20 columns"
    assert lines[lines.index(title) + 1] == " ".join("BP" * 10)


def test_a_shoe_that_is_known_in_part_says_so() -> None:
    assert drawn("BP", known_from=12)[0] == "Only the coups from number 12 of this shoe are known here."


@given(SHOES, st.sampled_from(("es", "en")), st.integers(20, 200))
def test_no_road_is_wider_than_the_terminal(coups: str, lang: str, width: int) -> None:
    lines = drawn(coups, lang, width)
    rows = [line for line in lines if line and not re.search("[:;]", line)]
    assert max(map(len, rows)) <= max(width, WIDTH_CHARS_MIN)


@given(SHOES, st.sampled_from(("es", "en")), st.integers(ROAD_CHARS_MIN, 120))
def test_beside_the_table_they_are_always_as_tall_and_never_move(coups: str, lang: str, width: int) -> None:
    lines = drawn(coups, lang, width, beside=True)
    words = road_words(lang)
    assert len(lines) == 19
    assert all(len(line) <= width for line in (*lines[:7], *lines[8:15]))
    titles = [[words.bead_plate, words.big_road], [words.big_eye_boy, words.small_road, words.cockroach_road]]
    shares = _shares(width)
    assert lines[0].index(words.big_road, shares[0]) <= shares[0] + BETWEEN_CHARS + 2
    assert [all(title in line for title in row) for line, row in zip((lines[0], lines[8]), titles, strict=True)] == [
        True
    ] * 2


@given(SHOES, st.integers(60, 120))
def test_colour_adds_only_colour(coups: str, width: int) -> None:
    coloured = drawn(coups, width=width, colour=True)
    assert [re.sub(r"\x1b\[[0-9]+m", "", line) for line in coloured] == drawn(coups, width=width)
    assert not coups or "\x1b[" in coloured[1]


@given(SHOES)
def test_every_coup_is_on_the_bead_plate(coups: str) -> None:
    title, *rows = drawn(coups, width=2_000)[:7]
    plate = [row[: title.index("Big Road")].split() for row in rows]
    signs = str.maketrans("nbp", "*'.")
    assert sorted(coup for row in plate for coup in row) == sorted(
        write_coup(coup).translate(signs) for coup in read_coups(coups)
    )


@pytest.mark.parametrize("lang", ["es", "en"])
def test_every_phrase_names_the_same_things(lang: str) -> None:
    for field in fields(road_words(lang)):
        ours, theirs = getattr(EN, field.name), getattr(ES, field.name)
        if isinstance(ours, str):
            assert _names(ours) == _names(theirs), field.name
        else:
            assert {name: _names(text) for name, text in ours.items()} == {
                name: _names(text) for name, text in theirs.items()
            }
    assert set(road_words(lang).problems) == set(SAID)


def _names(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}
