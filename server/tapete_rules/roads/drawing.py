"""How a road is drawn: six rows, and streaks that turn right where they cannot go on down."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

ROWS = 6

Spot = tuple[int, int]
"""Drawn column and row, from 0."""


def streaks(marks: str) -> list[int]:
    """The lengths of the runs of a derived road: equal marks in a row are a streak there."""
    return [len(list(run)) for _, run in groupby(marks)]


def place(lengths: Iterable[int]) -> list[list[Spot]]:
    """Where each mark of each streak is drawn. A streak that would leave the last row, or meet a mark that is there, turns
    right and keeps on to the right. The next one starts in the first row, at the first free column after the one where
    this one started."""
    taken: set[Spot] = set()
    drawn = []
    start = -1
    for length in lengths:
        start += 1
        while (start, 0) in taken:
            start += 1
        drawn.append(_streak(start, length, taken))
        taken.update(drawn[-1])
    return drawn


def _streak(start: int, length: int, taken: set[Spot]) -> list[Spot]:
    """Once it has turned, nothing is in its way: whatever lies ahead in that row came through the spot where it turned."""
    column, row, turned = start, 0, False
    spots = [(column, row)]
    for _ in range(length - 1):
        turned = turned or row == ROWS - 1 or (column, row + 1) in taken
        column, row = (column + 1, row) if turned else (column, row + 1)
        spots.append((column, row))
    return spots
