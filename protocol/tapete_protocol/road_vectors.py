"""The roads of many shoes, for whoever draws them. They are written once more here, from a grid of cells as players look at
it and not from heights, so that the vectors do not say about the rules what the rules say about themselves."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

ROWS = 6
ROADS = ("big_eye_boy", "small_road", "cockroach_road")
FULL_SHOES = 60
BLOCK_SHOES = 100
KINDS = ((10, 50), (10, 88), (4, 15), (45, 65))
"""Ties in a hundred coups, and decided coups in a hundred that repeat the side before: shoes as they come, shoes of long
streaks, of short ones, and of ties."""
BLOCKS = tuple((seed, *KINDS[(seed - 1) % len(KINDS)]) for seed in range(1, 25))
MULTIPLIER, MODULUS = 48_271, (1 << 31) - 1

CASES = {
    "nothing": "",
    "one coup": "B",
    "ties only": "TTT",
    "two columns of one": "BP",
    "the first blue mark": "BPP",
    "the first red mark of a second row": "BBPP",
    "the first red mark of a third column": "BPB",
    "a streak past its neighbour": "BPPPPB",
    "all three roads": "BBPPPBPBB",
    "chop": "BPBPBPBP",
    "nine, seven, one": "BBBBBBBBBPPPPPPPB",
    "ties before the first decision": "TTB",
    "ties before and after the first decision": "TTBTTTPT",
    "ties in the middle of a streak": "BBTPPTPBTPBTTB",
    "the same without ties": "BBPPPBPBB",
    "naturals and pairs": "BnPbBpPnbTBnpPbpBnbp",
    "a tie's own marks are on the Bead Plate only": "BTnTbTpPTnbp",
    "ties with marks before the first decision": "TnTbPn",
    "a streak of six": "BBBBBB",
    "a streak turns at the last row": "BBBBBBBB",
    "what comes after a turned streak": "BBBBBBBBP",
    "a streak turns on meeting another": "BBBBBBBBPPPPPP",
    "three streaks turn, one above the other": "BBBBBBBBBBPPPPPPPPPBBBBBBBBPP",
    "a streak goes down again beyond the end of another": "BBBBBBBPPPPPPPBBBBBBB",
    "turned streaks fill all rows, and the next starts beyond": "BBBBBBBBBBBBPPPPPPPPPPPBBBBBBBBBBPPPPPPPPPBBBBBBBBPPPPPPPBBB",
    "a road of one colour turns": "BPBPBPBPBPBPBPBPBPBP",
    "columns of two": "BBPPBBPPBBPPBBPPBBPP",
    "a streak of forty": "B" * 40,
    "a streak of forty after one of thirty": "P" * 30 + "B" * 40,
}


@cache
def road_vectors() -> dict[str, Any]:
    """The content of `roads.json`."""
    first = list(_shoes(*BLOCKS[0]))[:FULL_SHOES]
    return {
        "cases": [{"why": why, **roads(coups)} for why, coups in CASES.items()],
        "shoes": [roads(coups) for coups in first],
        "blocks": [_block(*block) for block in BLOCKS],
    }


def roads(coups: str) -> dict[str, str]:
    """All that there is to know of a shoe, in the order in which a block's hash has it."""
    columns = _columns(coups)
    derived = {name: _derived(columns, k) for k, name in enumerate(ROADS, 1)}
    return {
        "coups": coups,
        "big_road": " ".join("".join(column) for column in columns),
        **derived,
        **{f"ask_{side}": _ask(coups, derived, letter) for side, letter in (("banca", "B"), ("punto", "P"))},
        "drawn_big_road": _drawn([len(column) for column in columns]),
        **{f"drawn_{name}": _drawn([len(run[0]) for run in re.finditer("R+|B+", derived[name])]) for name in ROADS},
    }


def _columns(coups: str) -> list[list[str]]:
    """The streaks of the Big Road, each cell with its marks and a `T` for each tie."""
    told = re.findall("[BPT][nbp]*", coups)
    before = 0
    while before < len(told) and told[before][0] == "T":
        before += 1
    columns: list[list[str]] = []
    for coup in told[before:]:
        if coup[0] == "T":
            columns[-1][-1] += "T"
        elif columns and columns[-1][0][0] == coup[0]:
            columns[-1].append(coup)
        else:
            columns.append([coup])
    if columns:
        columns[0][0] += "T" * before
    return columns


def _derived(columns: list[list[str]], k: int) -> str:
    """Is there a cell k columns to the left, and one above that? Both or neither: red. At the top, whole columns are
    compared."""
    grid = {(column, row) for column, cells in enumerate(columns) for row in range(len(cells))}
    marks = ""
    for column, row in sorted(grid):
        if row and column >= k:
            beside = [(column - k, at) in grid for at in (row, row - 1)]
            marks += "B" if beside == [False, True] else "R"
        elif not row and column > k:
            marks += "R" if len(columns[column - 1]) == len(columns[column - k - 1]) else "B"
    return marks


def _ask(coups: str, derived: dict[str, str], letter: str) -> str:
    """Played out: what is there afterwards and was not before."""
    then = _columns(coups + letter)
    return "".join(_derived(then, k)[len(derived[name]) :] or "-" for k, name in enumerate(ROADS, 1))


def _drawn(lengths: list[int]) -> str:
    """Six rows as lists of booleans, filled streak by streak."""
    rows = [[False] * (sum(lengths) + len(lengths) + 1) for _ in range(ROWS)]
    start, spots = 0, []
    for length in lengths:
        start = rows[0].index(False, start)
        depth = next((row for row in range(1, ROWS) if rows[row][start]), ROWS)
        for step in range(length):
            row, column = min(step, depth - 1), start + max(0, step - depth + 1)
            assert not rows[row][column], "nothing is drawn twice"
            rows[row][column] = True
            spots.append(f"{column},{row}")
        start += 1
    return " ".join(spots)


def _shoes(seed: int, ties: int, again: int) -> Iterator[str]:
    """A block's shoes, by arithmetic that every language has."""
    drawn = seed
    for _ in range(BLOCK_SHOES):
        drawn = drawn * MULTIPLIER % MODULUS
        coups, side = "", "P"
        for _ in range(1 + drawn % 96):
            drawn = drawn * MULTIPLIER % MODULUS
            side, coup = _coup(drawn, side, ties, again)
            coups += coup
        yield coups


def _coup(drawn: int, side: str, ties: int, again: int) -> tuple[str, str]:
    """The last side that won after this coup, and the coup: what it is comes from the digits of one draw, two by two."""
    tie, same, natural, pairs = drawn % 100, drawn // 100 % 100, drawn // 10_000 % 100, drawn // 1_000_000
    if tie >= ties and same >= again:
        side = "B" if side == "P" else "P"
    marks = "n" * (natural < 34) + "b" * (pairs % 13 == 0) + "p" * (pairs // 13 % 13 == 0)
    return side, ("T" if tie < ties else side) + marks


def _block(seed: int, ties: int, again: int) -> dict[str, Any]:
    lines = "".join("|".join(roads(coups).values()) + "\n" for coups in _shoes(seed, ties, again))
    hashed = hashlib.sha256(lines.encode()).hexdigest()
    return {"seed": seed, "ties": ties, "again": again, "shoes": BLOCK_SHOES, "sha256": hashed}
