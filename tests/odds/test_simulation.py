"""The fast play: by the rules, and by the exact figures."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tapete_odds import shelf
from tapete_odds.fast.batches import batches
from tapete_odds.simulation import simulate
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.punto_banco import PuntoBancoSettings
from tapete_rules.punto_banco.tableaux import TABLEAUX

CHART = shelf.odds_of(DoubleExposureSettings())["strategy"]

OTHERS = [
    DoubleExposureSettings(dealer_hits_soft_17=True, double_on="any", decks=2, blackjack_odds=(3, 2)),
    DoubleExposureSettings(double_on="low_9_to_11", double_after_split=False, max_hands=3),
    DoubleExposureSettings(max_hands=1, blackjack_tie="win"),
]


@pytest.mark.parametrize(
    "settings", [DoubleExposureSettings(), *OTHERS, *(PuntoBancoSettings(tableau=t) for t in TABLEAUX)]
)
def test_each_round_is_paid_as_the_rules_pay_it(settings: DoubleExposureSettings | PuntoBancoSettings) -> None:
    """Whatever the chart: it is that of other rules for most of these, and all that it says is legal or passed over."""
    found = simulate(settings, CHART, 400, 5, replayed_of_each=0, only_rules=True, at_once=200)
    assert (found.rounds, found.replayed) == (400, 400)


def test_every_way_to_play_comes_up() -> None:
    (batch,) = batches(DoubleExposureSettings(), CHART, 20_000, 3, 20_000)
    assert set(batch.nets["main"]) >= {-4, -3, -2, -1, 0, 1, 2, 3, 4}
    assert set(batch.nets["sevens"]) >= {-1, 8, 40}


def test_means_are_the_exact_ones() -> None:
    odds = shelf.odds_of(DoubleExposureSettings())
    found = simulate(DoubleExposureSettings(), CHART, 60_000, 11, replayed_of_each=3)
    exact = {
        "main": odds["edge"]["table"],
        "blackjack": odds["bonus"]["blackjack"]["edge"],
        "sevens": odds["bonus"]["sevens"]["table"]["edge"],
    }
    for bet, tally in found.tallies.items():
        assert abs(tally.off_by(-exact[bet])) < 4
    assert found.tallies["main"].variance == pytest.approx(odds["variance"]["table"], rel=0.03)


def test_a_seed_is_a_run() -> None:
    first, again = (simulate(PuntoBancoSettings(), {}, 500, 9, replayed_of_each=1).tallies for _ in range(2))
    other = simulate(PuntoBancoSettings(), {}, 500, 10, replayed_of_each=1).tallies
    assert first == again
    assert first != other


def test_a_shoe_is_dealt_without_a_card_twice() -> None:
    (batch,) = batches(DoubleExposureSettings(decks=2), CHART, 300, 1, 300)
    assert batch.shoes.shuffled >= 6
    for row in batch.shoes.order:
        assert all(left <= right for left, right in pairwise(sorted(row)))
        assert sorted(row) == sorted(list(range(52)) * 2)
