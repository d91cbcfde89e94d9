"""The five roads as lines of text: letters first, colour where the terminal has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tapete_client.texts.road_words import RoadWords, road_words
from tapete_rules.roads import ROWS, Cell, Coup, Roads, place, streaks

Hue = Literal["red", "blue", "green"]
HUES: Mapping[Hue, str] = {"red": "31", "blue": "34", "green": "32"}
SIDE_HUES: Mapping[str, Hue] = {"banca": "red", "punto": "blue", "tie": "green"}
SIGNS = {"natural": "*", "banca_pair": "'", "punto_pair": "."}
TIE_SIGN = "/"
BETWEEN_CHARS = 3
WIDTH_CHARS_MIN = 40
"""In a narrower terminal the lines break, as all others do."""


@dataclass(frozen=True, slots=True)
class Ink:
    """What is written in a cell, and its colour."""

    text: str
    hue: Hue


Grid = dict[tuple[int, int], Ink]
"""Drawn column and row to what is there."""


@dataclass(frozen=True, slots=True)
class Block:
    """A drawn road: its title and its rows, painted, and how many characters wide they look."""

    lines: tuple[str, ...]
    width: int


def road_lines(
    roads: Roads, lang: str, width: int, *, colour: bool, known_from: int = 1, beside: bool = False
) -> list[str]:
    """The roads side by side as far as they fit in `width` characters, the asks, the counts and the signs in use.

    A road that does not fit shows its newest columns. `known_from`: the number in its shoe of the first coup. `beside`: in
    two rows whatever their length, two roads and three, each in its share of the width; the signs are not explained.
    """
    words, room = road_words(lang), max(width, WIDTH_CHARS_MIN)
    shares = _shares(room) if beside else [room] * 5
    blocks = [
        _block(title, grid, gap, share, words, colour=colour, whole=beside)
        for (title, grid, gap), share in zip(_grids(roads, words), shares, strict=True)
    ]
    rows = [blocks[:2], blocks[2:]] if beside else _rows(blocks, room)
    lines = [line for row in rows for line in (*_beside(row), "")]
    lines += [words.ask[side] + " " + _asked(roads, side, words, colour=colour) for side in ("banca", "punto")]
    lines.append(_counts(roads, words))
    if not beside:
        lines.append(words.legend.format(marks=_marks_in_use(roads, words)).rstrip("; "))
    return lines if known_from == 1 else [words.part.format(coup=known_from), "", *lines]


def _shares(room: int) -> list[int]:
    """A third for the Bead Plate, the rest of the row for the Big Road; a third for each derived road."""
    plate = (room - BETWEEN_CHARS) // 3
    return [plate, room - BETWEEN_CHARS - plate, *[(room - 2 * BETWEEN_CHARS) // 3] * 3]


def _grids(roads: Roads, words: RoadWords) -> Iterator[tuple[str, Grid, int]]:
    """Each road with its title, and the blanks between its columns."""
    plate = {(at // ROWS, at % ROWS): _bead(coup, words) for at, coup in enumerate(roads.bead_plate)}
    yield words.bead_plate, plate, 1
    spots = [spot for streak in place(map(len, roads.big_road)) for spot in streak]
    cells = [cell for column in roads.big_road for cell in column]
    yield words.big_road, {spot: _cell(cell, words) for spot, cell in zip(spots, cells, strict=True)}, 1
    for title, marks in (
        (words.big_eye_boy, roads.big_eye_boy),
        (words.small_road, roads.small_road),
        (words.cockroach_road, roads.cockroach_road),
    ):
        spots = [spot for streak in place(streaks(marks)) for spot in streak]
        yield title, {spot: _mark(mark, words) for spot, mark in zip(spots, marks, strict=True)}, 0


def _bead(coup: Coup, words: RoadWords) -> Ink:
    signs = "".join(sign for name, sign in SIGNS.items() if getattr(coup, name))
    return Ink(words.letters[coup.winner] + signs, SIDE_HUES[coup.winner])


def _cell(cell: Cell, words: RoadWords) -> Ink:
    ties = (TIE_SIGN + (str(cell.ties) if cell.ties > 1 else "")) if cell.ties else ""
    bead = _bead(cell.coup, words)
    return Ink(bead.text + ties, bead.hue)


def _mark(mark: str, words: RoadWords) -> Ink:
    return Ink(words.red, "red") if mark == "R" else Ink(words.blue, "blue")


def _block(title: str, grid: Grid, gap: int, room: int, words: RoadWords, *, colour: bool, whole: bool) -> Block:
    """As many of the newest columns as there is room for; a title that says so if that is not all. `whole`: it takes all the
    room, so that nothing beside it moves as it grows."""
    last = max((column for column, _ in grid), default=-1)
    widths = dict.fromkeys(range(last + 1), 0)
    for (column, _), ink in grid.items():
        widths[column] = max(widths[column], len(ink.text))
    first, used = last + 1, -gap
    while first > 0 and used + gap + widths[first - 1] <= room:
        first -= 1
        used += gap + widths[first]
    if first > 0:
        full = words.cropped.format(title=title, columns=last + 1 - first)
        title = full if len(full) <= room else words.cropped_short.format(title=title)
    width = room if whole else max(used, len(title))
    columns = range(first, last + 1)
    rows = (
        _painted_row(grid, row, [(column, widths[column]) for column in columns], gap, colour) for row in range(ROWS)
    )
    return Block((title.ljust(width), *(row + " " * (width - max(used, 0)) for row in rows)), width)


def _painted_row(grid: Grid, row: int, columns: Sequence[tuple[int, int]], gap: int, colour: bool) -> str:  # noqa: FBT001
    cells = []
    for column, width in columns:
        ink = grid.get((column, row))
        written = _painted(ink, colour=colour) if ink else ""
        cells.append(written + " " * (width - (len(ink.text) if ink else 0)))
    return (" " * gap).join(cells)


def _painted(ink: Ink, *, colour: bool) -> str:
    return f"\x1b[{HUES[ink.hue]}m{ink.text}\x1b[0m" if colour else ink.text


def _rows(blocks: Iterable[Block], room: int) -> list[list[Block]]:
    """Blocks side by side as long as they fit."""
    rows: list[list[Block]] = []
    used = room
    for block in blocks:
        used += BETWEEN_CHARS + block.width
        if used > room:
            rows.append([])
            used = block.width
        rows[-1].append(block)
    return rows


def _beside(blocks: Sequence[Block]) -> list[str]:
    return [
        (" " * BETWEEN_CHARS).join(lines).rstrip() for lines in zip(*(block.lines for block in blocks), strict=True)
    ]


def _asked(roads: Roads, side: Literal["banca", "punto"], words: RoadWords, *, colour: bool) -> str:
    titles = (words.big_eye_boy, words.small_road, words.cockroach_road)
    marks = (_painted(_mark(mark, words), colour=colour) if mark else words.nothing for mark in roads.ask(side))
    return ", ".join(f"{title} {mark}" for title, mark in zip(titles, marks, strict=True))


def _counts(roads: Roads, words: RoadWords) -> str:
    coups = roads.bead_plate
    won = {side: sum(coup.winner == side for coup in coups) for side in SIDE_HUES}
    marked = {name: sum(getattr(coup, name) for coup in coups) for name in SIGNS}
    return words.counts.format(coups=len(coups), **won, **marked)


def _marks_in_use(roads: Roads, words: RoadWords) -> str:
    used = [name for name in SIGNS if any(getattr(coup, name) for coup in roads.bead_plate)]
    used += ["tie"] if any(cell.ties for column in roads.big_road for cell in column) else []
    return ", ".join(words.marks[name] for name in used)
