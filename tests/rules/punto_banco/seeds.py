"""The three seeds read a second time, by hand, for tests: on what banca draws, row by row of the prose."""

from __future__ import annotations

ANY = set(range(10))

# Seed 002, B: punto's third card. Rows by banca's two cards.
THIRD_CARD = {
    0: ANY,
    1: ANY,
    2: ANY,
    3: ANY - {8},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
    7: set(),
}

# Seed 000, CRUPIER: "el total de puntos de las tres cartas del usuario".
THREE_CARDS_000 = {
    0: ANY,
    1: ANY,
    2: ANY,
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
    7: set(),
}

# Seed 001, BANCA, rows 0 to 5; 6 and 7 are not in the fragment and come from seed 000.
THREE_CARDS_001 = {
    0: ANY,
    1: ANY,
    2: ANY,
    3: {1, 2, 3, 4, 5, 6, 7, 9, 0},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: THREE_CARDS_000[6],
    7: THREE_CARDS_000[7],
}

DRAWS = {"reglamento": THIRD_CARD, "europacasino": THREE_CARDS_000, "casinoonnet": THREE_CARDS_001}

# Banca's two cards on which it draws although punto stood.
DRAWS_WHEN_PUNTO_STOOD = {
    "reglamento": {0, 1, 2, 3, 4, 5},
    "europacasino": {0, 1, 2},
    "casinoonnet": {0, 1, 2},
}

PUNTO_DRAWS = {0, 1, 2, 3, 4, 5}


def banca_draws(tableau: str, banca: int, punto: tuple[int, ...]) -> bool:
    """Plainly: does a banca with these two cards' points draw after this punto, no natural on the table?"""
    if len(punto) == 2:
        return banca in DRAWS_WHEN_PUNTO_STOOD[tableau]
    seen = punto[2] if tableau == "reglamento" else sum(punto) % 10
    return seen in DRAWS[tableau][banca]
