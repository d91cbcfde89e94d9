"""What hands are called in charts: `hard 16`, `soft 18`, `pair 8`. A dealer's two cards are never called a pair."""

from __future__ import annotations

from tapete_odds.hands import Cards, points

LETTERS = "A23456789T"

PAIRS = tuple(f"pair {letter}" for letter in LETTERS)
HARD = tuple(f"hard {total}" for total in range(5, 21))
SOFT = tuple(f"soft {total}" for total in range(13, 21))
PLAYERS = (*HARD, *SOFT, *PAIRS)
"""The rows of a chart. A pair that cannot be split is its pair row without the split."""
DEALERS = (*(f"hard {total}" for total in range(4, 21)), *(f"soft {total}" for total in range(12, 21)))
"""The columns of a chart: the dealer's two cards, blackjack excepted."""


def total_name(cards: Cards) -> str:
    """A hand by its total alone."""
    total, soft = points(cards)
    return f"{'soft' if soft else 'hard'} {total}"


def player_name(cards: Cards) -> str:
    """The row of a hand: two cards of one value are a pair."""
    if sum(cards) == 2 and max(cards) == 2:
        return PAIRS[cards.index(2)]
    return total_name(cards)
