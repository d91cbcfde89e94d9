"""Many shoes side by side, each shuffled as far as it is dealt."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapete_rules.cards import CARDS

Ints: TypeAlias = NDArray[np.int64]


class Shoes:
    """A row for each round. `order[row]` holds cards as places in `CARDS`, in the order in which they leave the shoe; only what
    lies before `shuffled` is fixed yet."""

    def __init__(self, rounds: int, decks: int, chance: np.random.Generator) -> None:
        self.order = np.tile(np.arange(52 * decks, dtype=np.uint16) % len(CARDS), (rounds, 1))
        self.dealt = np.zeros(rounds, dtype=np.int64)
        self.shuffled = 0
        self._chance = chance
        self._rows = np.arange(rounds)

    def draw(self, rows: Ints) -> Ints:
        """The next card of each of these rows."""
        places = self.dealt[rows]
        if len(places):
            self.shuffle_to(int(places.max()) + 1)
        self.dealt[rows] += 1
        cards: Ints = self.order[rows, places].astype(np.int64)
        return cards

    def shuffle_to(self, cards: int) -> None:
        """So many cards are fixed from then on."""
        while self.shuffled < cards:
            self._shuffle_one_more()

    def _shuffle_one_more(self) -> None:
        """Each card that is left is as likely as any other to be the next one."""
        at, left = self.shuffled, self.order.shape[1] - self.shuffled
        assert left > 0, "no round empties its shoe"
        other = at + self._chance.integers(0, left, size=len(self._rows))
        taken = self.order[self._rows, other].copy()
        self.order[self._rows, other] = self.order[:, at]
        self.order[:, at] = taken
        self.shuffled += 1
