"""The Big Road: the decided coups, side by side. A column here is a logical one, of any height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tapete_rules.roads.coups import Coup


@dataclass(frozen=True, slots=True)
class Cell:
    """A coup that banca or punto won. `ties` followed it; the first cell also has those that came before it."""

    coup: Coup
    ties: int = 0


Column = tuple[Cell, ...]
"""A streak of one side, at least one cell."""


def big_road(coups: Sequence[Coup]) -> tuple[Column, ...]:
    """The same side goes down in its column, the other one opens the next. Ties before the first decision are held."""
    columns: list[list[Cell]] = []
    held = 0
    for coup in coups:
        if coup.winner != "tie":
            _add(columns, Cell(coup, held))
            held = 0
        elif columns:
            columns[-1][-1] = replace(columns[-1][-1], ties=columns[-1][-1].ties + 1)
        else:
            held += 1
    return tuple(map(tuple, columns))


def _add(columns: list[list[Cell]], cell: Cell) -> None:
    if columns and columns[-1][0].coup.winner == cell.coup.winner:
        columns[-1].append(cell)
    else:
        columns.append([cell])
