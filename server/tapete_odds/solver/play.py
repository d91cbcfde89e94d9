"""What each row is worth under a way to play it, in units of the hand's bet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tapete_odds.hands import BEST
from tapete_odds.solver.chances import FINALS, Shoes
from tapete_odds.solver.rows import BUST, Flags, Floats, Rows


@dataclass(frozen=True, slots=True)
class Decisions:
    """Of each row: whether it hits (else it stands), and whether it doubles instead, as a hand of two cards."""

    hits: Flags
    doubles: Flags


@dataclass(frozen=True, slots=True)
class Values:
    """Of each row, under `decisions`: standing, hitting and playing on, one card for twice the bet. `two`: as a hand of two
    cards that is not split."""

    stand: Floats
    hit: Floats
    double: Floats
    two: Floats
    decisions: Decisions


def stand_values(rows: Rows, ends: Floats) -> Floats:
    """A bust dealer pays, a lower one pays, an equal one takes. (D15; seed 004, feature 8)"""
    wins = ends[-1].copy()
    for final, chance in zip(FINALS[:-1], ends[:-1], strict=True):
        wins += np.where(rows.total > final, chance, 0.0)
    value: Floats = 2 * wins - 1
    return value


def play(rows: Rows, shoes: Shoes, stand: Floats, may_double: Flags, given: Decisions | None = None) -> Values:
    """By the best decisions, which the other segments take over from their leaders; or by given ones. 21 stands by itself."""
    hit, double = np.full(len(rows), -1.0), np.full(len(rows), -2.0)
    hits = np.zeros(len(rows), dtype=bool)
    best, alone = np.append(stand, -1.0), np.append(stand, -1.0)
    for level in rows.levels:
        after, chances = rows.after[level].T, shoes.counts[:, level] / shoes.cards[level]
        hit[level] = np.einsum("vr,vr->r", chances, best[after])
        double[level] = 2 * np.einsum("vr,vr->r", chances, alone[after])
        hits[level] = given.hits[level] if given else hit[level] > stand[level]
        hits[level] = hits[rows.leader[level]] & (rows.total[level] < BEST)
        best[level] = np.where(hits[level], hit[level], stand[level])
    doubles = may_double & (given.doubles if given else (double > best[:-1])[rows.leader])
    return Values(stand, hit, double, np.where(doubles, double, best[:-1]), Decisions(hits, doubles))


assert BUST == -1, "the last place of a padded array is the bust one"
