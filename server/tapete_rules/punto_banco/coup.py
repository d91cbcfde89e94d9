"""A coup over values: totals, naturals, and whether a side takes a third card. The tableau decides; this reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tapete_rules.cards import Card
from tapete_rules.events import Side
from tapete_rules.punto_banco.tableaux import STOOD, Cell, Tableau

Winner = Literal["punto", "banca", "tie"]

SIDES: tuple[Side, Side] = ("punto", "banca")
"""In order of dealing, for the third card too."""

NATURAL = 8

_VALUES = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(number): number for number in range(2, 10)}


@dataclass(frozen=True, slots=True)
class Decision:
    """A side draws or stands, as its cell says. `row`: its two-card total; `column`: -1 for punto, or when it stood."""

    draws: bool
    row: int
    column: int
    cell: Cell


def value(card: Card) -> int:
    """An ace 1, 2 to 9 their number, tens and figures 0."""
    return _VALUES[card[0]]


def total(values: Sequence[int]) -> int:
    """A hand's points: the sum without its tens."""
    return sum(values) % 10


def is_natural(values: Sequence[int]) -> bool:
    """An 8 or 9 in the first two cards. (seed 002, A and B)"""
    return total(values[:2]) >= NATURAL


def winner(punto: Sequence[int], banca: Sequence[int]) -> Winner:
    """The side that is nearer to nine, or a tie."""
    difference = total(punto) - total(banca)
    if difference == 0:
        return "tie"
    return "punto" if difference > 0 else "banca"


def third_card(tableau: Tableau, side: Side, punto: Sequence[int], banca: Sequence[int]) -> Decision | None:
    """What the tableau says for a side; punto is asked first. None: a natural on either side has ended the coup.

    (seed 002, A and B; seed 000, USUARIO and CRUPIER; seed 001, BANCA)
    """
    if is_natural(punto) or is_natural(banca):
        return None
    if side == "punto":
        row, column = total(punto[:2]), STOOD
        cell = tableau.punto[row]
    else:
        row, column = total(banca[:2]), seen_by_banca(tableau, punto)
        cell = tableau.banca[row][column]
    return Decision(cell.draws, row, column, cell)


def seen_by_banca(tableau: Tableau, punto: Sequence[int]) -> int:
    """The column of banca's table: punto's third card, or punto's points with it, or that punto stood."""
    if len(punto) == 2:
        return STOOD
    return punto[2] if tableau.looks_at == "third_card" else total(punto)
