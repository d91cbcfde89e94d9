"""Every cell of every tableau, against the seeds' prose read a second time; and where each one is written."""

from __future__ import annotations

from itertools import product

import pytest

from tapete_rules.events import ThirdCardDecided
from tapete_rules.punto_banco import PuntoBancoSettings
from tapete_rules.punto_banco.coup import third_card
from tapete_rules.punto_banco.tableaux import TABLEAUX
from tests.rules.punto_banco.felt import Felt, hand
from tests.rules.punto_banco.seeds import DRAWS, DRAWS_WHEN_PUNTO_STOOD, PUNTO_DRAWS, banca_draws

NAMES = ("reglamento", "europacasino", "casinoonnet")


def _felt(tableau: str, punto: int, banca: int, thirds: str) -> Felt:
    """A coup from two-card points; `thirds` has punto's third card, if it draws, and then a ten for banca."""
    (p1, p2), (b1, b2) = hand(punto), hand(banca)
    felt = Felt(f"{p1} {b1} {p2} {b2} {thirds} T", PuntoBancoSettings(tableau=tableau, burn=False))
    return felt.coup()


class TestEveryCell:
    def test_there_are_three_tableaux_of_eight_rows_and_eleven_columns(self) -> None:
        assert tuple(TABLEAUX) == NAMES
        for tableau in TABLEAUX.values():
            assert len(tableau.punto) == len(tableau.banca) == 8
            assert {len(row) for row in tableau.banca} == {11}

    @pytest.mark.parametrize("name", NAMES)
    def test_each_cell_is_as_the_seed_says(self, name: str) -> None:
        tableau = TABLEAUX[name]
        for row, column in product(range(8), range(10)):
            assert tableau.banca[row][column].draws == (column in DRAWS[name][row]), (name, row, column)
        for row in range(8):
            assert tableau.banca[row][-1].draws == (row in DRAWS_WHEN_PUNTO_STOOD[name]), (name, row, "stood")
            assert tableau.punto[row].draws == (row in PUNTO_DRAWS)

    @pytest.mark.parametrize(("name", "banca"), list(product(NAMES, range(8))))
    def test_a_coup_is_played_as_each_cell_says(self, name: str, banca: int) -> None:
        for punto, third in product(range(6), range(10)):
            felt = _felt(name, punto, banca, "TA23456789"[third])
            drew = banca_draws(name, banca, (0, punto, third))
            column = third if name == "reglamento" else (punto + third) % 10
            of_punto, of_banca = felt.said(ThirdCardDecided)
            assert (of_punto.side, of_punto.draws, of_punto.row, of_punto.column) == ("punto", True, punto, -1)
            assert (of_banca.side, of_banca.draws, of_banca.row, of_banca.column) == ("banca", drew, banca, column)
            assert (len(felt.state.punto), len(felt.state.banca)) == (3, 3 if drew else 2)

    @pytest.mark.parametrize(("name", "banca"), list(product(NAMES, range(8))))
    def test_a_coup_is_played_as_the_last_column_says_when_punto_stood(self, name: str, banca: int) -> None:
        for punto in (6, 7):
            felt = _felt(name, punto, banca, "")
            drew = banca in DRAWS_WHEN_PUNTO_STOOD[name]
            of_punto, of_banca = felt.said(ThirdCardDecided)
            assert (of_punto.draws, of_punto.row, of_punto.column) == (False, punto, -1)
            assert (of_banca.draws, of_banca.row, of_banca.column) == (drew, banca, -1)
            assert (len(felt.state.punto), len(felt.state.banca)) == (2, 3 if drew else 2)

    def test_the_two_published_elsewhere_agree_with_each_other_and_differ_from_the_regulation(self) -> None:
        draws = {name: [[cell.draws for cell in row] for row in TABLEAUX[name].banca] for name in NAMES}
        assert draws["europacasino"] == draws["casinoonnet"]
        assert TABLEAUX["europacasino"].looks_at == TABLEAUX["casinoonnet"].looks_at == "three_card_total"
        assert TABLEAUX["reglamento"].looks_at == "third_card"

    def test_the_value_of_the_third_card_and_the_total_with_it_are_not_the_same_thing(self) -> None:
        assert _felt("reglamento", 5, 6, "6").state.banca != _felt("europacasino", 5, 6, "6").state.banca


class TestSources:
    @pytest.mark.parametrize("name", NAMES)
    def test_every_cell_has_a_note_and_every_note_is_used(self, name: str) -> None:
        tableau = TABLEAUX[name]
        used = {cell.letter for row in (*tableau.banca, tableau.punto) for cell in row} | set(tableau.naturals)
        assert used == set(tableau.notes)
        assert all(note.words and note.part and note.seed in ("000", "001", "002") for note in tableau.notes.values())

    def test_the_regulation_is_written_in_full(self) -> None:
        notes = TABLEAUX["reglamento"].notes.values()
        assert {(note.seed, note.mark) for note in notes} == {("002", "")}
        assert {note.part for note in notes} == {"A", "B"}

    def test_rows_6_and_7_of_casinoonnet_are_reconstructed_from_seed_000(self) -> None:
        tableau = TABLEAUX["casinoonnet"]
        for row in (6, 7):
            assert {str(tableau.notes[cell.letter]) for cell in tableau.banca[row]} == {
                "seed 000, CRUPIER; reconstructed"
            }
        for row in range(6):
            assert {tableau.notes[cell.letter].seed for cell in tableau.banca[row]} == {"001"}
            assert {tableau.notes[cell.letter].mark for cell in tableau.banca[row][:10]} == {""}

    @pytest.mark.parametrize("name", ["europacasino", "casinoonnet"])
    def test_a_banca_of_0_to_2_against_a_punto_that_stood_is_a_reading(self, name: str) -> None:
        tableau = TABLEAUX[name]
        assert {tableau.notes[tableau.banca[row][-1].letter].mark for row in range(3)} == {"reading"}

    def test_an_event_names_its_tableau_and_seed(self) -> None:
        felt = _felt("reglamento", 0, 3, "8")
        assert [event.source for event in felt.said(ThirdCardDecided)] == [
            "reglamento (seed 002, A)",
            "reglamento (seed 002, B)",
        ]
        assert _felt("europacasino", 6, 2, "").said(ThirdCardDecided)[1].source == (
            "europacasino (seed 000, CRUPIER; reading)"
        )


@pytest.mark.parametrize("name", NAMES)
def test_a_natural_on_either_side_asks_no_tableau(name: str) -> None:
    for punto, banca in product(range(10), repeat=2):
        decided = third_card(TABLEAUX[name], "punto", (0, punto), (banca, 0))
        assert (decided is None) == (punto >= 8 or banca >= 8)
        decided = third_card(TABLEAUX[name], "banca", (0, punto), (banca, 0))
        assert (decided is None) == (punto >= 8 or banca >= 8)
