"""Every coup of a full shoe, counted exactly, and what each bet costs.

A deal is an ordered choice of six cards; a coup that needs fewer leaves the rest unseen. So all counts are whole
numbers out of the same total, and an edge is a fraction of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import perm

from tapete_rules.events import Side
from tapete_rules.punto_banco.coup import third_card, total
from tapete_rules.punto_banco.settings import PuntoBancoSettings
from tapete_rules.punto_banco.tableaux import TABLEAUX, Tableau

CARDS_MAX = 6
"""In one coup."""

PAIRS = tuple(combinations_with_replacement(range(10), 2))
ANY_VALUE = tuple((value,) for value in range(10))
NO_CARD: tuple[tuple[int, ...], ...] = ((),)
RANKS = 13
"""Ranks in a suit: a pair is of one rank, a ten and a king are none."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Out of `deals`: who wins, how often banca wins with six, and how often one given side has a pair."""

    deals: int
    punto: int
    banca: int
    tie: int
    banca_six: int
    pair: int


@lru_cache(maxsize=64)
def count(decks: int, tableau: str) -> Counts:
    """The exact counts of a full shoe. Remembered, since it takes a moment."""
    cards = 52 * decks
    finals = _finals(decks, TABLEAUX[tableau])
    banca = {final: deals for final, deals in finals.items() if final[1] > final[0]}
    return Counts(
        deals=perm(cards, CARDS_MAX),
        punto=sum(deals for (punto, banca), deals in finals.items() if punto > banca),
        banca=sum(banca.values()),
        tie=sum(deals for (punto, banca), deals in finals.items() if punto == banca),
        banca_six=sum(deals for final, deals in banca.items() if final[1] == 6),
        pair=RANKS * perm(4 * decks, 2) * perm(cards - 2, CARDS_MAX - 2),
    )


def edges(settings: PuntoBancoSettings) -> dict[str, Fraction]:
    """What a bet on each spot loses on average, per unit staked; below 0 the bettor wins. Payouts taken unrounded."""
    return edges_by(settings, count(settings.decks, settings.tableau))


def edges_by(settings: PuntoBancoSettings, counts: Counts) -> dict[str, Fraction]:
    """As `edges`, from counts that somebody has."""
    six = Fraction(*settings.banca_odds(6)) * counts.banca_six
    other = Fraction(*settings.banca_odds(9)) * (counts.banca - counts.banca_six)
    gains = {
        "punto": Fraction(*settings.punto_odds) * counts.punto - counts.banca,
        "banca": six + other - counts.punto,
        "tie": Fraction(*settings.tie_odds) * counts.tie - (counts.deals - counts.tie),
        "punto_pair": Fraction(*settings.pair_odds) * counts.pair - (counts.deals - counts.pair),
    }
    gains["banca_pair"] = gains["punto_pair"]
    return {spot: -gain / counts.deals for spot, gain in gains.items()}


def _finals(decks: int, tableau: Tableau) -> Counter[tuple[int, int]]:
    """Deals by the final points of punto and banca. Of a side's first two cards either may come first."""
    full = [16 * decks] + [4 * decks] * 9
    finals: Counter[tuple[int, int]] = Counter()
    for punto, banca in product(PAIRS, repeat=2):
        shoe, deals = _take(full, (*punto, *banca))
        deals *= (1 + (punto[0] != punto[1])) * (1 + (banca[0] != banca[1]))
        for third in _thirds(tableau, "punto", punto, banca):
            left, ways = _take(shoe, third)
            for points, ways_on in _banca_ends(tableau, punto + third, banca, left):
                finals[total(punto + third), points] += deals * ways * ways_on
    return finals


def _banca_ends(
    tableau: Tableau, punto: tuple[int, ...], banca: tuple[int, ...], shoe: list[int]
) -> Iterator[tuple[int, int]]:
    """Banca's final points after a punto that is done, and in how many ways; the cards unseen count too."""
    thirds = _thirds(tableau, "banca", punto, banca)
    seen = len(punto) + len(banca) + len(thirds[0])
    unseen = perm(sum(shoe) - len(thirds[0]), CARDS_MAX - seen)
    for third in thirds:
        ways = shoe[third[0]] if third else 1
        yield total(banca + third), ways * unseen


def _take(shoe: Sequence[int], values: Sequence[int]) -> tuple[list[int], int]:
    """The counts by value after these cards left in this order, and in how many ways they can."""
    left, ways = list(shoe), 1
    for value in values:
        ways *= left[value]
        left[value] -= 1
    return left, ways


def _thirds(
    tableau: Tableau, side: Side, punto: tuple[int, ...], banca: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """What a side may have as third card: nothing, or any value."""
    decision = third_card(tableau, side, punto, banca)
    return ANY_VALUE if decision is not None and decision.draws else NO_CARD
