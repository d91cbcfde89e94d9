"""What cards count in blackjack."""

from __future__ import annotations

from collections.abc import Sequence

from tapete_rules.cards import Card

BEST = 21
DEALER_STANDS = 17
"""On every 17, hard or soft. (D14; seed 004, rule 9)"""

_VALUES = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10} | {str(number): number for number in range(2, 10)}


def value(card: Card) -> int:
    """2 to 9 their number, tens and figures 10, an ace 1 (it may count eleven in a hand)."""
    return _VALUES[card[0]]


def count(cards: Sequence[Card]) -> tuple[int, bool]:
    """A hand's best total, and whether it is soft: an ace counts eleven in it."""
    hard = sum(value(card) for card in cards)
    soft = hard <= BEST - 10 and any(card[0] == "A" for card in cards)
    return (hard + 10, True) if soft else (hard, False)


def total(cards: Sequence[Card]) -> int:
    """A hand's best total."""
    return count(cards)[0]


def dealer_draws(cards: Sequence[Card], *, hits_soft_17: bool) -> bool:
    """To 17, and at some tables past a soft one. (D14; seed 004, rule 9)"""
    points, soft = count(cards)
    return points < DEALER_STANDS or (hits_soft_17 and soft and points == DEALER_STANDS)


def is_blackjack(cards: Sequence[Card]) -> bool:
    """An ace and a ten-value card as first two cards. Whether the hand comes from a split is for the caller to know."""
    return len(cards) == 2 and total(cards) == BEST
