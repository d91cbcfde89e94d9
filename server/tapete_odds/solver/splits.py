"""What a split pair is worth: up to four hands, with the cards of its value that are out counted hand by hand.

Each hand is played on its own cards alone. Then the order in which cards reach different hands does not matter, and each
hand's part can be worked out as if it were dealt first: that of a hand beside which certain other cards are *not* of the
pair's value follows from those beside which they are, by inclusion and exclusion. Exact for such play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, prod


@dataclass(frozen=True, slots=True)
class Ending:
    """How a pair may end up: `sequences` orders of `pairs` more cards of its value and some others. `closed` hands had
    another card as their second one; `free` hands may get any, since there is no room for one more."""

    pairs: int
    closed: int
    free: int
    sequences: int


@cache
def endings(max_hands: int) -> tuple[Ending, ...]:
    """Second cards come hand by hand; one of the pair's value makes two hands of one, while there is room."""
    if max_hands == 2:
        return (Ending(0, 0, 2, 1),)
    found: list[Ending] = []
    open_ways = Counter({(2, 0): 1})
    while open_ways:
        following: Counter[tuple[int, int]] = Counter()
        for (hands, closed), ways in open_ways.items():
            if closed == hands:
                found.append(Ending(hands - 2, closed, 0, ways))
                continue
            following[hands, closed + 1] += ways
            if hands + 1 == max_hands:
                found.append(Ending(hands - 1, closed, max_hands - closed, ways))
            else:
                following[hands + 1, closed] += ways
        open_ways = following
    return tuple(found)


def most_out(max_hands: int) -> int:
    """How many further cards of the pair's value the values of a hand are needed for."""
    return max(
        max(
            ending.pairs + ending.closed - 1 if ending.closed else 0, ending.pairs + ending.closed if ending.free else 0
        )
        for ending in endings(max_hands)
    )


def split_value(max_hands: int, chances: Sequence[float], other: Sequence[float], free: Sequence[float]) -> float:
    """In units of the bet. By the number of further cards of the pair's value that are out: `chances` of one more,
    `other`: a hand's value where its second card is another (0 where it is not), `free`: with any second card."""
    total = 0.0
    for end in endings(max_hands):
        once = 0.0
        if end.closed:
            once += end.closed * _beside(end.pairs, end.closed - 1, chances, other)
        if end.free:
            once += end.free * _beside(end.pairs, end.closed, chances, free)
        total += end.sequences * once
    return total


def ending_chances(max_hands: int, chances: Sequence[float]) -> list[tuple[Ending, float]]:
    """How often each ending is reached."""
    ones = [1.0] * (len(chances) + 1)
    return [(end, end.sequences * _beside(end.pairs, end.closed, chances, ones)) for end in endings(max_hands)]


def _beside(pairs: int, others: int, chances: Sequence[float], values: Sequence[float]) -> float:
    """A value times the chance of `pairs` cards of the pair's value and `others` that are none, in a given order."""
    total = 0.0
    for more in range(others + 1):
        reached = prod(chances[: pairs + more])
        if reached:
            sign = -1 if more % 2 else 1
            total += sign * comb(others, more) * reached * values[pairs + more]
    return total
