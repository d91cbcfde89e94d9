"""What the dealer's cards come to, for every row at once: drawn without replacement from what the row leaves in the shoe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from tapete_odds.hands import BEST, VALUES, Cards, DealerEnd, cards_of, dealer_ends
from tapete_odds.solver.rows import Floats, Numbers

FINALS = (17, 18, 19, 20, 21, BEST + 1)
"""What a dealer can end with; the last one is bust."""


@dataclass(frozen=True, slots=True)
class Shoes:
    """What is left beside each row: `counts` (values, rows) and `cards` (rows)."""

    counts: Floats
    cards: Floats

    @classmethod
    def beside(cls, gone: Numbers, full: Cards, dealer: tuple[int, int]) -> Shoes:
        """`gone` (values, rows): what is out besides the dealer's cards."""
        dealt = np.array(full) - np.array(cards_of(*dealer))
        counts = np.maximum(dealt[:, None] - gone, 0).astype(np.float64)
        return cls(counts, counts.sum(axis=0))

    def of(self, places: Numbers) -> Shoes:
        return Shoes(self.counts[:, places], self.cards[places])


def dealer_chances(shoes: Shoes, dealer: tuple[int, int], *, hits_soft_17: bool) -> Floats:
    """(finals, rows): the dealer's ends. Each set of cards is counted once, times its orders."""
    ends = dealer_ends(dealer, hits_soft_17=hits_soft_17)
    ends_at = _Ends(shoes, max(sum(end.drawn) for end in ends))
    ends_at.add(sorted(ends, key=lambda end: end.drawn), 0, None)
    return ends_at.chances


class _Ends:
    """The sum over all ends, in the making. `per_order[n]`: the chance of each order of n cards, per way to take them."""

    def __init__(self, shoes: Shoes, most: int) -> None:
        self.chances = np.zeros((len(FINALS), len(shoes.cards)))
        self._counts = shoes.counts
        self._per_order = [np.ones_like(shoes.cards)]
        for drawn in range(most):
            self._per_order.append(self._per_order[-1] / np.maximum(shoes.cards - drawn, 1))

    def add(self, ends: Sequence[DealerEnd], place: int, ways: Floats | None) -> None:
        """Ends that share their cards up to `place`, taken in `ways` ways (None: one); the next value divides them."""
        if place == VALUES:
            (end,) = ends
            each = self._per_order[sum(end.drawn)]
            self.chances[FINALS.index(end.total)] += end.orders * (each if ways is None else each * ways)
            return
        taken, so_far = ways, 0
        for many, sharing in groupby(ends, key=lambda end: end.drawn[place]):
            while so_far < many:
                left = np.maximum(self._counts[place] - so_far, 0)
                taken = left if taken is None else taken * left
                so_far += 1
            self.add(list(sharing), place + 1, taken)
