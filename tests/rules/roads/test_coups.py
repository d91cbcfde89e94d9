"""Coups in letters: what is read, and what is said to somebody who wrote something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete_rules.events import CoupDecided
from tapete_rules.roads import COUPS_MAX, Coup, WrongCoup, read_coups, write_coup

COUPS = st.builds(Coup, st.sampled_from(("banca", "punto", "tie")), st.booleans(), st.booleans(), st.booleans())


class TestReading:
    @given(st.lists(COUPS), st.sampled_from(("", " ", "\n")))
    def test_reads_what_is_written(self, coups: list[Coup], between: str) -> None:
        assert read_coups(between.join(map(write_coup, coups))) == tuple(coups)

    def test_marks_come_in_any_order(self) -> None:
        assert read_coups("Bpbn") == read_coups("B n b p") == (Coup("banca", True, True, True),)

    def test_a_tie_is_an_empate(self) -> None:
        assert read_coups("BEP") == read_coups("BTP")

    def test_without_a_capital_all_are_winners(self) -> None:
        assert read_coups("bbpte") == read_coups("BBPTE")
        assert read_coups("Bbp") == (Coup("banca", banca_pair=True, punto_pair=True),)

    @pytest.mark.parametrize(
        ("text", "problem", "letter", "place"),
        [
            ("BXP", "letter", "X", 2),
            ("B,P", "letter", ",", 2),
            ("bnp", "letter", "N", 2),
            ("B\x1bP", "letter", "U+001B", 2),
            ("ΒP", "letter", "Β", 1),  # noqa: RUF001 - a Greek letter that looks like the right one
            ("nB", "mark_first", "n", 1),
            ("  bB", "mark_first", "b", 3),
            ("Bnn", "mark_twice", "n", 3),
            ("Bbb", "mark_twice", "b", 3),
            ("B" * (COUPS_MAX + 1), "too_many", "B", COUPS_MAX),
        ],
    )
    def test_says_what_is_wrong_and_where(self, text: str, problem: str, letter: str, place: int) -> None:
        with pytest.raises(WrongCoup) as wrong:
            read_coups(text)
        assert (wrong.value.problem, wrong.value.text, wrong.value.place) == (problem, letter, place)
        assert str(place) in str(wrong.value)

    def test_the_longest_row_is_read(self) -> None:
        assert len(read_coups("Bnbp" * COUPS_MAX)) == COUPS_MAX

    @given(st.text("BPTEnbp \nbpteX"))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        try:
            coups = read_coups(text)
        except WrongCoup:
            return
        assert len(coups) == sum(letter.upper() in "BPTE" for letter in text if text.islower() or letter.isupper())


class TestACoupOfTheTable:
    def test_is_taken_as_the_croupier_called_it(self) -> None:
        called = CoupDecided("tie", 8, 8, natural=True, punto_pair=True, banca_pair=False)
        assert Coup.of(called) == Coup("tie", natural=True, punto_pair=True)
        assert write_coup(Coup.of(called)) == "Tnp"
