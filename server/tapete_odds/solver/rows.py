"""Hands laid out in rows, so that one operation serves thousands of them.

A *segment* is a set of hands beside which the same cards are out, apart from the dealer's: none (a hand as it was dealt), or
further cards of the value that was split. A row is a hand of a segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapete_odds.hands import BEST, VALUES, Cards, all_hands, hard_total, points, with_card

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

CARDS_MAX = 31
"""More than any hand has of one value, with those of it that are out."""
BUST = -1
"""The row after a card too many."""


@dataclass(frozen=True, slots=True)
class Segment:
    """`hands`: places in `all_hands`, ascending. `out`: cards that are out besides the dealer's and the hand's own. `leader`: the
    segment whose decisions it takes over (its own number: it decides for itself)."""

    out: Cards
    hands: Numbers
    leader: int


class Rows:
    """The rows of some segments, one after the other."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        sizes = [len(segment.hands) for segment in segments]
        self.starts = np.cumsum([0, *sizes])
        self.hand = np.concatenate([segment.hands for segment in segments])
        """(rows): the hand's place in `all_hands`"""
        every = np.array(all_hands()).T
        self.cards = every[:, self.hand]
        """(values, rows)"""
        out = np.repeat(np.array([segment.out for segment in segments]).T, sizes, axis=1)
        gone = out + self.cards
        digits = (CARDS_MAX + 1) ** np.arange(VALUES)
        _, once, self.gone_of = np.unique(digits @ gone, return_index=True, return_inverse=True)
        self.gone = gone[:, once]
        """What is out and in the hand, each case once (values, cases); and the case of each row."""
        self._segments = segments
        self.after = np.vstack([self._after(segment) for segment in segments])
        """(rows, values): the row after one more card, or BUST"""
        self.leader = np.concatenate(
            [self.starts[segment.leader] + np.arange(size) for segment, size in zip(segments, sizes, strict=True)]
        )
        self.hard, self.total, self.soft = (part[self.hand] for part in _points())
        self.size = self.cards.sum(axis=0)

    def __len__(self) -> int:
        return len(self.hand)

    def row(self, segment: int, hand: Cards) -> int:
        """Where a segment has this hand."""
        return int(self.starts[segment] + np.searchsorted(self._segments[segment].hands, place_of()[hand]))

    @cached_property
    def levels(self) -> list[Numbers]:
        """Rows by hard total, the highest first: whatever comes after a row stands in an earlier level."""
        return [level for total in range(BEST, 0, -1) if len(level := np.flatnonzero(self.hard == total))]

    def _after(self, segment: Segment) -> Numbers:
        row_of = np.full(len(all_hands()) + 1, BUST)
        number = next(at for at, one in enumerate(self._segments) if one is segment)
        row_of[segment.hands] = self.starts[number] + np.arange(len(segment.hands))
        rows: Numbers = row_of[_following()[segment.hands]]
        return rows


def holding(place: int) -> Numbers:
    """The hands with a card of this value in them."""
    return np.flatnonzero(np.array(all_hands())[:, place])


@cache
def place_of() -> dict[Cards, int]:
    """Of each hand, where it stands in `all_hands`."""
    return {hand: at for at, hand in enumerate(all_hands())}


@cache
def _following() -> Numbers:
    """(hands, values): the hand after one more card; BUST is the last place."""
    places = place_of()
    return np.array([[places.get(with_card(hand, value), BUST) for value in range(VALUES)] for hand in all_hands()])


@cache
def _points() -> tuple[Numbers, Numbers, Flags]:
    """Of each hand: hard total, best total, whether that is soft."""
    best = [points(hand) for hand in all_hands()]
    hard = np.array([hard_total(hand) for hand in all_hands()])
    return hard, np.array([total for total, _ in best]), np.array([soft for _, soft in best])
