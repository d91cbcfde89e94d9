"""Every blackjack hand that is not bust, as a number of cards of each value. Order does not matter to what it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

VALUES = 10
"""Aces count one (place 0), then 2 to 9, and tens and figures together (place 9)."""
BEST = 21

Cards = tuple[int, ...]
"""How many cards of each of the ten values."""

PAIRS: tuple[tuple[int, int], ...] = tuple((low, high) for low in range(VALUES) for high in range(low, VALUES))
"""Two cards as places of their values, the lower one first: what a dealer or a box can be dealt."""
BLACKJACK = (0, 9)


def full_shoe(decks: int) -> Cards:
    return (4 * decks,) * 9 + (16 * decks,)


@cache
def cards_of(*places: int) -> Cards:
    """The counts of cards that are given by the places of their values."""
    return tuple(places.count(place) for place in range(VALUES))


def points(cards: Cards) -> tuple[int, bool]:
    """A hand's best total, and whether an ace counts eleven in it."""
    hard = hard_total(cards)
    soft = cards[0] > 0 and hard <= BEST - 10
    return (hard + 10, True) if soft else (hard, False)


def hard_total(cards: Cards) -> int:
    return sum((place + 1) * many for place, many in enumerate(cards))


def with_card(cards: Cards, place: int) -> Cards:
    return (*cards[:place], cards[place] + 1, *cards[place + 1 :])


@cache
def all_hands() -> tuple[Cards, ...]:
    """Every hand of one card or more that is not bust, the highest hard totals first."""
    return tuple(sorted(_up_to(BEST, VALUES - 1), key=hard_total, reverse=True)[:-1])


def _up_to(most: int, place: int) -> Iterator[Cards]:
    if place < 0:
        yield ()
        return
    for many in range(most // (place + 1) + 1):
        for lower in _up_to(most - many * (place + 1), place - 1):
            yield (*lower, many)


@dataclass(frozen=True, slots=True)
class DealerEnd:
    """Cards that a dealer may draw to the end, in `orders` different orders; `total` is 22 for bust."""

    drawn: Cards
    orders: int
    total: int


@cache
def dealer_ends(dealer: tuple[int, int], *, hits_soft_17: bool) -> tuple[DealerEnd, ...]:
    """All ends of a dealer's two cards. A hand's points do not depend on the order of its cards, so orders are counted."""
    ends: list[DealerEnd] = []
    start = cards_of(*dealer)
    open_hands: dict[Cards, int] = {(0,) * VALUES: 1}
    while open_hands:
        following: dict[Cards, int] = {}
        for drawn, orders in open_hands.items():
            total, soft = points(tuple(map(sum, zip(start, drawn, strict=True))))
            if total > 17 or (total == 17 and not (soft and hits_soft_17)):
                ends.append(DealerEnd(drawn, orders, min(total, BEST + 1)))
                continue
            for place in range(VALUES):
                more = with_card(drawn, place)
                following[more] = following.get(more, 0) + orders
        open_hands = following
    return tuple(ends)
