"""How often a box ends with how much: for variance and frequencies.

A hand that was not split is exact. The hands of a split pair share the dealer: given the dealer's final total they are taken
as independent, and beside them only the pair itself is out; then their mean is set right (`with_mean`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tapete_odds.solver.chances import FINALS, Shoes
from tapete_odds.solver.play import Decisions
from tapete_odds.solver.rows import BUST, Floats, Rows
from tapete_odds.solver.splits import ending_chances

GAINS = (1, -1, 2, -2)
"""What a hand can bring, in bets."""
NET_MAX = 8
"""Four doubled hands."""


def stood_ends(rows: Rows, ends: Floats) -> Floats:
    """(finals, gains, rows + 1): chances of a gain together with the dealer's final, for hands that stand. The last row is
    no hand."""
    stood = np.zeros((len(FINALS), len(GAINS), len(rows) + 1))
    wins = rows.total[None, :] > np.array([*FINALS[:-1], 0])[:, None]
    stood[:, 0, :-1], stood[:, 1, :-1] = np.where(wins, ends, 0), np.where(wins, 0, ends)
    return stood


def ends_of_hands(rows: Rows, shoes: Shoes, ends: Floats, stood: Floats, decisions: Decisions) -> Floats:
    """As `stood_ends`, of hands of two cards that are played by these decisions and not split."""
    made, result = stood.copy(), stood.copy()
    for level in rows.levels:
        after, chances = rows.after[level].T, shoes.counts[:, level] / shoes.cards[level]
        bust = np.where(after == BUST, chances, 0).sum(axis=0) * ends[:, level]
        hit = np.einsum("vr,fgvr->fgr", chances, made[:, :, after])
        hit[:, 1] += bust
        made[:, :, level] = np.where(decisions.hits[level], hit, stood[:, :, level])
        result[:, :, level] = made[:, :, level]
        doubled = np.flatnonzero(decisions.doubles[level])
        once = np.einsum("vr,fgvr->fgr", chances[:, doubled], stood[:, :2, after[:, doubled]])
        result[:, :2, level[doubled]], result[:, 2, level[doubled]] = 0, once[:, 0]
        result[:, 3, level[doubled]] = once[:, 1] + bust[:, doubled]
    return result


def box_nets(hand: Floats) -> Floats:
    """Chances of the nets from -NET_MAX to NET_MAX of a hand with these chances (finals, gains)."""
    nets = np.zeros(2 * NET_MAX + 1)
    for gain, chance in zip(GAINS, hand.sum(axis=0), strict=True):
        nets[NET_MAX + gain] += chance
    return nets


def split_nets(max_hands: int, chances: Sequence[float], other: Floats, free: Floats) -> Floats:
    """As `box_nets`, of a split pair. `other`, `free` (finals, gains): its hands with another second card, with any."""
    nets = np.zeros(2 * NET_MAX + 1)
    for final in range(len(FINALS)):
        share = free[final].sum()
        if share <= 0:
            continue
        of_other, of_free = _by_gain(other[final]), _by_gain(free[final])
        for end, chance in ending_chances(max_hands, chances):
            net = np.ones(1)
            for part in [of_other] * end.closed + [of_free] * end.free:
                net = np.convolve(net, part)
            margin = NET_MAX - len(net) // 2
            nets[margin : margin + len(net)] += share * chance * net
    return nets


def with_mean(nets: Floats, mean: float) -> Floats:
    """The same chances, tilted a little so that their mean is the exact one."""
    steps = np.arange(-NET_MAX, NET_MAX + 1)
    now = float(nets @ steps)
    variance = float(nets @ steps**2) - now**2
    tilted: Floats = nets * (1 + (mean - now) / variance * (steps - now))
    return tilted


def _by_gain(hand: Floats) -> Floats:
    """Chances of -2 to 2, of a hand under one of the dealer's finals."""
    chances = np.zeros(5)
    for gain, chance in zip(GAINS, hand, strict=True):
        chances[2 + gain] = chance
    whole = chances.sum()
    return chances / whole if whole else chances
