"""Rounds in batches, each with a sample of its shoes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapete_odds.fast import double_exposure, punto_banco
from tapete_odds.fast.shoes import Shoes
from tapete_rules.cards import CARDS, Card
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.punto_banco import PuntoBancoSettings


@dataclass(frozen=True, slots=True)
class Batch:
    """`by_round`: of each bet, the nets round by round, per unit staked."""

    shoes: Shoes
    by_round: Mapping[str, NDArray[np.float64]]

    @property
    def rounds(self) -> int:
        return len(self.shoes.dealt)

    @property
    def nets(self) -> dict[str, dict[float, int]]:
        """Of each bet, how often each net came."""
        counted = {bet: np.unique(nets, return_counts=True) for bet, nets in self.by_round.items()}
        return {
            bet: {float(net): int(times) for net, times in zip(*each, strict=True)} for bet, each in counted.items()
        }

    def sample(self, rounds: int) -> Iterator[tuple[tuple[Card, ...], dict[str, float]]]:
        """The first rounds: the cards as they left the shoe, as far as it is shuffled, and the nets."""
        for row in range(min(rounds, self.rounds)):
            shoe = tuple(CARDS[place] for place in self.shoes.order[row, : self.shoes.shuffled])
            yield shoe, {bet: float(nets[row]) for bet, nets in self.by_round.items()}


def batches(
    settings: DoubleExposureSettings | PuntoBancoSettings,
    chart: Mapping[str, Any],
    rounds: int,
    seed: int,
    at_once: int,
) -> Iterator[Batch]:
    """So many rounds; the same seed deals the same ones."""
    chance = np.random.default_rng(seed)
    table = double_exposure.said(chart) if isinstance(settings, DoubleExposureSettings) else None
    for start in range(0, rounds, at_once):
        shoes = Shoes(min(at_once, rounds - start), settings.decks, chance)
        if isinstance(settings, PuntoBancoSettings):
            yield Batch(shoes, punto_banco.play(settings, shoes))
        else:
            assert table is not None, "this game has a chart"
            played = double_exposure.Round(settings, table, shoes).play()
            yield Batch(shoes, {"main": played.main, "blackjack": played.blackjack, "sevens": played.sevens})
