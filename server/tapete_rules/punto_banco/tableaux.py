"""The three published rules of the third card, as tables. A data file: the code that reads them is its shorter part.

A cell is D (draws) or S (stands) and a letter, the note that says where it is written. A banca table has a row for each
two-card total of banca and a column for each value of what it looks at; the last column, at index -1, is for a punto
that stood. Notes quote the seed's own words; words in parentheses are ours. `reading`: two sentences of the seed
contradict each other, or none says it, and this is how they are read. `reconstructed`: the fragment lacks it, and it is
taken over from the seed that the note names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Mark = Literal["", "reading", "reconstructed"]
LooksAt = Literal["third_card", "three_card_total"]

STOOD = -1
"""The column of a banca table when punto took no third card."""


@dataclass(frozen=True, slots=True)
class Note:
    """Where a cell is written: the seed, its part, and the words that say it."""

    seed: str
    part: str
    words: str
    mark: Mark = ""

    def __str__(self) -> str:
        return f"seed {self.seed}, {self.part}" + (f"; {self.mark}" if self.mark else "")


@dataclass(frozen=True, slots=True)
class Cell:
    """Whether a side draws, and the letter of the note that says so."""

    draws: bool
    letter: str


@dataclass(frozen=True, slots=True)
class Tableau:
    """`punto` by its two-card total; `banca` by its two-card total and then by column. `naturals`: notes on 8 and 9."""

    name: str
    looks_at: LooksAt
    punto: tuple[Cell, ...]
    banca: tuple[tuple[Cell, ...], ...]
    naturals: str
    notes: Mapping[str, Note]

    def source(self, cell: Cell) -> str:
        """The cell's source in a line, such as `reglamento (seed 002, B)`."""
        return f"{self.name} ({self.notes[cell.letter]})"


def _cells(line: str) -> tuple[Cell, ...]:
    """A line without its label: `3 Df Sf` is two cells."""
    return tuple(Cell(text[0] == "D", text[1]) for text in line.split()[1:])


def _tableau(
    name: str, looks_at: LooksAt, *, punto: str, banca: str, naturals: str, notes: Mapping[str, Note]
) -> Tableau:
    rows = banca.strip().splitlines()[1:]
    return Tableau(name, looks_at, _cells(punto.strip().splitlines()[1]), tuple(map(_cells, rows)), naturals, notes)


REGLAMENTO = _tableau(
    "reglamento",
    "third_card",
    punto="""
    total    0   1   2   3   4   5   6   7
    punto    Da  Da  Da  Da  Da  Da  Sb  Sb
    """,
    banca="""
    third    0   1   2   3   4   5   6   7   8   9   stood
    0        De  De  De  De  De  De  De  De  De  De  Dj
    1        De  De  De  De  De  De  De  De  De  De  Dj
    2        De  De  De  De  De  De  De  De  De  De  Dj
    3        Df  Df  Df  Df  Df  Df  Df  Df  Sf  Df  Dj
    4        Sg  Sg  Dg  Dg  Dg  Dg  Dg  Dg  Sg  Sg  Dj
    5        Sh  Sh  Sh  Sh  Dh  Dh  Dh  Dh  Sh  Sh  Dj
    6        Si  Si  Si  Si  Si  Si  Di  Di  Si  Si  Sj
    7        Sk  Sk  Sk  Sk  Sk  Sk  Sk  Sk  Sk  Sk  Sk
    """,
    naturals="cd",
    notes={
        "a": Note("002", "A", "El punto tendrá que pedir otra carta: Cero (0), Uno (1), Dos (2), Tres (3), …"),
        "b": Note("002", "A", "El punto se queda. No podrá pedir cartas: Seis (6) ó Siete (7)"),
        "c": Note("002", "A", "Ocho (8) ó Nueve (9): Tiene un Natural. El banquero no podrá pedir cartas."),
        "d": Note("002", "B", "Ocho (8) ó Nueve (9): Tiene un natural. El punto no puede pedir carta."),
        "e": Note("002", "B", "Cero (0), Uno (1) o Dos (2): El banquero estará obligado a recibir una tercera carta."),
        "f": Note("002", "B", "Tres (3): Solamente cuando la tercera carta que se le ha echado al punto es un ocho …"),
        "g": Note("002", "B", "Cuatro (4): … y esta ha sido un dos (2), tres (3), cuatro (4), cinco (5), seis (6) o …"),
        "h": Note("002", "B", "Cinco (5): … y esta ha sido cuatro (4), cinco (5), seis (6) o siete (7), …"),
        "i": Note("002", "B", "Seis (6): … y esta tercera carta ha sido un seis (6) o un siete, …"),
        "j": Note("002", "B", "El punto estará obligado a plantarse … Cuando esto suceda, el banquero …"),
        "k": Note("002", "B", "Siete (7): El banquero se queda. No puede pedir carta."),
    },
)

EUROPACASINO = _tableau(
    "europacasino",
    "three_card_total",
    punto="""
    total    0   1   2   3   4   5   6   7
    punto    Da  Da  Da  Da  Da  Da  Sb  Sb
    """,
    banca="""
    total    0   1   2   3   4   5   6   7   8   9   stood
    0        De  De  De  De  De  De  De  De  De  De  Dk
    1        De  De  De  De  De  De  De  De  De  De  Dk
    2        De  De  De  De  De  De  De  De  De  De  Dk
    3        Df  Df  Df  Df  Df  Df  Df  Df  Sf  Df  Sl
    4        Sg  Sg  Dg  Dg  Dg  Dg  Dg  Dg  Sg  Sg  Sl
    5        Sh  Sh  Sh  Sh  Dh  Dh  Dh  Dh  Sh  Sh  Sl
    6        Si  Si  Si  Si  Si  Si  Di  Di  Si  Si  Sl
    7        Sj  Sj  Sj  Sj  Sj  Sj  Sj  Sj  Sj  Sj  Sj
    """,
    naturals="cd",
    notes={
        "a": Note("000", "USUARIO", "entre 0 y 5 puntos …: le será repartida una tercera carta"),
        "b": Note("000", "USUARIO", "6 o 7 puntos, entonces el usuario optará por plantarse"),
        "c": Note("000", "USUARIO", "8 o 9 puntos …: no se le debe repartir una tercera carta"),
        "d": Note("000", "CRUPIER", "suman 7, 8 o 9 puntos … (el usuario tampoco pide)", "reading"),
        "e": Note("000", "CRUPIER", "es de 0, 1 o 2 puntos, entonces el crupier recibirá una tercera carta, excepto …"),
        "f": Note("000", "CRUPIER", "un total de 3 puntos …: 0, 1, 2, 3, 4, 5, 6, 7 o 9 puntos"),
        "g": Note("000", "CRUPIER", "un total de 4 puntos …: 2, 3, 4, 5, 6 o 7 puntos"),
        "h": Note("000", "CRUPIER", "una mano de valor 5 puntos …: 4, 5, 6 o 7 puntos"),
        "i": Note("000", "CRUPIER", "fuera de 6 puntos y la suma total … del usuario fuera de 6 o 7 puntos"),
        "j": Note("000", "CRUPIER", "suman 7, 8 o 9 puntos, entonces no se le repartirá la tercera carta"),
        "k": Note("000", "CRUPIER", "0, 1 o 2 …, excepto … (pero: no se aplicará dicha Regla)", "reading"),
        "l": Note("000", "CRUPIER", "en caso contrario, no se aplicará dicha Regla para el crupier"),
    },
)

CASINOONNET = _tableau(
    "casinoonnet",
    "three_card_total",
    punto="""
    total    0   1   2   3   4   5   6   7
    punto    Da  Da  Da  Da  Da  Da  Sb  Sb
    """,
    banca="""
    total    0   1   2   3   4   5   6   7   8   9   stood
    0        De  De  De  De  De  De  De  De  De  De  Dk
    1        De  De  De  De  De  De  De  De  De  De  Dk
    2        De  De  De  De  De  De  De  De  De  De  Dk
    3        Df  Df  Df  Df  Df  Df  Df  Df  Sf  Df  Sl
    4        Sg  Sg  Dg  Dg  Dg  Dg  Dg  Dg  Sg  Sg  Sl
    5        Sh  Sh  Sh  Sh  Dh  Dh  Dh  Dh  Sh  Sh  Sl
    6        Si  Si  Si  Si  Si  Si  Di  Di  Si  Si  Sm
    7        Sj  Sj  Sj  Sj  Sj  Sj  Sj  Sj  Sj  Sj  Sj
    """,
    naturals="cd",
    notes={
        "a": Note("000", "USUARIO", "entre 0 y 5 puntos …: le será repartida una tercera carta", "reconstructed"),
        "b": Note("000", "USUARIO", "6 o 7 puntos, entonces el usuario optará por plantarse", "reconstructed"),
        "c": Note("000", "USUARIO", "8 o 9 puntos …: no se le debe repartir una tercera carta", "reconstructed"),
        "d": Note("001", "BANCA", "(con 8 o 9 de la banca el jugador no pide)", "reading"),
        "e": Note("001", "BANCA", 'suman 0, 1 o 2, y siempre y cuando el jugador no tuviera un 8 o 9 "Natural"'),
        "f": Note("001", "BANCA", "suma 3, …: 1, 2, 3, 4, 5, 6, 7, 9 o 0"),
        "g": Note("001", "BANCA", "suma 4, …: 2, 3, 4, 5, 6 o 7"),
        "h": Note("001", "BANCA", "suma 5, …: 4, 5, 6 o 7"),
        "i": Note("000", "CRUPIER", "fuera de 6 puntos y … del usuario fuera de 6 o 7 puntos", "reconstructed"),
        "j": Note("000", "CRUPIER", "suman 7, 8 o 9 puntos, … no se le repartirá la tercera carta", "reconstructed"),
        "k": Note("001", "BANCA", "suman 0, 1 o 2, y siempre y cuando … (pero: siempre estará en función)", "reading"),
        "l": Note("001", "BANCA", "siempre estará en función de los puntos … tras repartir … la tercera", "reading"),
        "m": Note("000", "CRUPIER", "en caso contrario, no se aplicará dicha Regla", "reconstructed"),
    },
)

TABLEAUX: Mapping[str, Tableau] = {tableau.name: tableau for tableau in (REGLAMENTO, EUROPACASINO, CASINOONNET)}
