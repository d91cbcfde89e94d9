"""The derived roads: whether the Big Road repeats itself. Each mark comes from the heights of its logical columns alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Mark = Literal["R", "B"]
"""Red: as before. Blue: not so."""

BIG_EYE_BOY, SMALL_ROAD, COCKROACH_ROAD = 1, 2, 3
"""How many columns back a road looks."""
KS = (BIG_EYE_BOY, SMALL_ROAD, COCKROACH_ROAD)


def mark_at(heights: Sequence[int], column: int, row: int, k: int) -> Mark | None:
    """The mark for the Big Road's cell in `column` and `row`, both from 0; None where there is nothing yet to compare with.

    The top of a column asks whether the two columns before it, k apart, are of one height; any other cell whether the
    column k before it ends right above its row. `heights` need not know of the cell itself.
    """
    if row == 0:
        if column < k + 1:
            return None
        return "R" if heights[column - 1] == heights[column - 1 - k] else "B"
    if column < k:
        return None
    return "B" if row == heights[column - k] else "R"


def derived_road(heights: Sequence[int], k: int) -> str:
    """All marks in order of play, as one text."""
    cells = ((column, row) for column, height in enumerate(heights) for row in range(height))
    return "".join(mark for column, row in cells if (mark := mark_at(heights, column, row, k)))
