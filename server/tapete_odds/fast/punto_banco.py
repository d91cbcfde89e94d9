"""Punto Banco, many coups at once, each from a shoe of its own. The rules are those of `tapete_rules.punto_banco`."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapete_odds.fast.shoes import Ints, Shoes
from tapete_rules.cards import CARDS, RANKS
from tapete_rules.punto_banco import PuntoBancoSettings
from tapete_rules.punto_banco.coup import NATURAL, value
from tapete_rules.punto_banco.tableaux import STOOD, TABLEAUX

VALUE = np.array([value(card) for card in CARDS])
RANK = np.array([RANKS.index(card[0]) for card in CARDS])
BURNT_FOR_TEN = 10

Floats: TypeAlias = NDArray[np.float64]


def play(settings: PuntoBancoSettings, shoes: Shoes) -> dict[str, Floats]:
    """The net of each spot, per unit staked."""
    everyone = np.arange(len(shoes.dealt))
    if settings.burn:
        turned = VALUE[shoes.draw(everyone)]
        shoes.dealt += np.where(turned == 0, BURNT_FOR_TEN, turned)
        shoes.shuffle_to(int(shoes.dealt.max()))
    first = [shoes.draw(everyone) for _ in range(4)]
    punto, banca = (VALUE[first[side]] + VALUE[first[side + 2]] for side in (0, 1))
    pairs = [RANK[first[side]] == RANK[first[side + 2]] for side in (0, 1)]
    punto, banca = _thirds(settings, shoes, punto % 10, banca % 10)
    return _nets(settings, punto, banca, pairs)


def _thirds(settings: PuntoBancoSettings, shoes: Shoes, punto: Ints, banca: Ints) -> tuple[Ints, Ints]:
    tableau = TABLEAUX[settings.tableau]
    draws_punto = np.array([cell.draws for cell in tableau.punto])
    draws_banca = np.array([[cell.draws for cell in row] for row in tableau.banca])
    going = np.flatnonzero((punto < NATURAL) & (banca < NATURAL))
    column = np.full(len(punto), STOOD)
    rows = going[draws_punto[punto[going]]]
    third = VALUE[shoes.draw(rows)]
    punto = punto.copy()
    punto[rows] = (punto[rows] + third) % 10
    column[rows] = third if tableau.looks_at == "third_card" else punto[rows]
    rows = going[draws_banca[banca[going], column[going]]]
    banca = banca.copy()
    banca[rows] = (banca[rows] + VALUE[shoes.draw(rows)]) % 10
    return punto, banca


def _nets(settings: PuntoBancoSettings, punto: Ints, banca: Ints, pairs: list[NDArray[np.bool_]]) -> dict[str, Floats]:
    tie = punto == banca
    six, other = (numerator / denominator for numerator, denominator in map(settings.banca_odds, (6, 9)))
    win = np.where(banca == 6, six, other)
    nets = {
        "punto": np.where(tie, 0.0, np.where(punto > banca, _odds(settings.punto_odds), -1.0)),
        "banca": np.where(tie, 0.0, np.where(banca > punto, win, -1.0)),
        "tie": np.where(tie, _odds(settings.tie_odds), -1.0),
    }
    for name, pair in zip(("punto_pair", "banca_pair"), pairs, strict=True):
        nets[name] = np.where(pair, _odds(settings.pair_odds), -1.0)
    return nets


def _odds(odds: tuple[int, int]) -> float:
    return odds[0] / odds[1]
