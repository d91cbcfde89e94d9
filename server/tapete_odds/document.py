"""The odds of a table as one plain document: what `tapete odds --json` prints, a node serves, and a page draws."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

from tapete_odds import bonus
from tapete_odds.names import DEALERS, PLAYERS
from tapete_odds.terms import terms_hash, terms_of
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.punto_banco import PuntoBancoSettings
from tapete_rules.punto_banco.checks import SPOTS
from tapete_rules.punto_banco.enumeration import Counts, count, edges_by

Chart = Mapping[str, Mapping[str, Mapping[str, float]]]

SEVENS = "pair 7"
APPROXIMATIONS = """\
Each hand of a split pair is played on its own cards and the dealer's, not on its neighbours'; for such play values are exact.
Cards of other boxes are not looked at.
A pair that is split by the chart is split again as often as it can be.
A value of the chart is the mean over all cards that make the hand, by their chances in a full shoe; after a hit, best play.
The edges are not worked out from these means but from the cards.
Variance and outcomes take the hands of a split pair as independent once the dealer's total is known; their means are exact.
Chips suffice for every double and split.
"""


COUNTED = Path(__file__).parent / "shipped" / "punto_banco.json"
"""The counts of every shoe and tableau, so that nobody waits for them: `python -m tapete_odds.counting` writes it."""


@cache
def _counted() -> dict[str, dict[str, int]]:
    read: dict[str, dict[str, int]] = json.loads(COUNTED.read_text(encoding="utf-8"))
    return read


def counts_of(settings: PuntoBancoSettings) -> Counts:
    """Out of the file; counted where it has none."""
    found = _counted().get(f"{settings.tableau} {settings.decks}")
    return Counts(**found) if found else count(settings.decks, settings.tableau)


def exact(value: Fraction) -> dict[str, Any]:
    """A fraction as `n/d`, and as a float beside it."""
    return {"exact": f"{value.numerator}/{value.denominator}", "edge": float(value)}


def punto_banco(settings: PuntoBancoSettings) -> dict[str, Any]:
    """Counts are whole numbers out of `deals`; `edges` by spot, with what comes back and the variance per unit staked."""
    counts = counts_of(settings)
    costs = edges_by(settings, counts)
    bets = {
        spot: exact(costs[spot]) | {"return": 1 - float(costs[spot]), "variance": _variance(settings, counts, spot)}
        for spot in SPOTS
    }
    names = ("deals", "punto", "banca", "tie", "banca_six", "pair")
    figures = {name: getattr(counts, name) for name in names}
    return {
        "game": "punto_banco",
        "terms": terms_of(settings),
        "hash": terms_hash(settings),
        "counts": figures,
        "frequency": {name: figures[name] / counts.deals for name in names[1:]},
        "edges": bets,
    }


def _variance(settings: PuntoBancoSettings, counts: Counts, spot: str) -> float:
    """Of a bet's net, per unit staked."""
    gains = _gains(settings, counts, spot)
    mean = sum((gain * Fraction(ways, counts.deals) for gain, ways in gains), Fraction(0))
    return float(sum((gain * gain * Fraction(ways, counts.deals) for gain, ways in gains), Fraction(0)) - mean * mean)


def _gains(settings: PuntoBancoSettings, counts: Counts, spot: str) -> list[tuple[Fraction, int]]:
    """What a bet can bring, and in how many deals; a bet that comes back brings nothing."""
    if spot == "punto":
        return [(Fraction(*settings.punto_odds), counts.punto), (Fraction(-1), counts.banca)]
    if spot == "banca":
        six, other = Fraction(*settings.banca_odds(6)), Fraction(*settings.banca_odds(9))
        return [(six, counts.banca_six), (other, counts.banca - counts.banca_six), (Fraction(-1), counts.punto)]
    ways, odds = (counts.tie, settings.tie_odds) if spot == "tie" else (counts.pair, settings.pair_odds)
    return [(Fraction(*odds), ways), (Fraction(-1), counts.deals - ways)]


def bonus_bets(settings: DoubleExposureSettings, chart: Chart) -> dict[str, Any]:
    """Edges of the bonus bets; that of `sevens` by when a pair of sevens is hit."""
    by_chart = {dealer for dealer in DEALERS if chosen(chart[SEVENS][dealer]) == "hit"}
    ways = {"always_hit": set(DEALERS), "table": by_chart, "never_hit": set[str]()}
    return {
        "blackjack": exact(bonus.blackjack_edge(settings)),
        "sevens": {name: exact(bonus.sevens_edge(settings, hit)) for name, hit in ways.items()},
    }


def is_whole(read: Any, name: str) -> bool:
    """Whether these are odds of that name, with all that is looked for in them: what comes from elsewhere may be anything."""
    try:
        figures = [
            *(read["edge"][way] for way in ("optimal", "table")),
            *(read["bonus"]["sevens"][way]["edge"] for way in ("always_hit", "table", "never_hit")),
            *(
                worth
                for player in PLAYERS
                for dealer in DEALERS
                for worth in _of_cell(read["strategy"][player][dealer])
            ),
        ]
        return read["hash"] == name and all(type(figure) is float and isfinite(figure) for figure in figures)
    except (KeyError, TypeError, AttributeError):
        return False


def _of_cell(worth: Mapping[str, float]) -> tuple[float, ...]:
    """What every hand may do, and what it may as well."""
    return (worth["hit"], worth["stand"], *worth.values())


def chosen(worth: Mapping[str, float]) -> str:
    """The action that the chart takes: the one worth most, and of equal ones the first."""
    return max(worth, key=lambda action: worth[action])


def double_exposure(
    settings: DoubleExposureSettings, chart: Chart, ways: Mapping[str, tuple[float, Mapping[float, float]]]
) -> dict[str, Any]:
    """`ways`: for `optimal` and `table` the mean net per round in bets, and the chance of each net."""
    return {
        "game": "double_exposure",
        "terms": terms_of(settings),
        "hash": terms_hash(settings),
        "edge": {name: -mean for name, (mean, _) in ways.items()},
        "return": {name: 1 + mean for name, (mean, _) in ways.items()},
        "variance": {name: _spread(nets) for name, (_, nets) in ways.items()},
        "outcomes": {name: {f"{net:.12g}": chance for net, chance in nets.items()} for name, (_, nets) in ways.items()},
        "bonus": bonus_bets(settings, chart),
        "strategy": {
            player: {dealer: dict(columns[dealer]) for dealer in DEALERS} for player, columns in chart.items()
        },
        "approximations": APPROXIMATIONS.splitlines(),
    }


def _spread(nets: Mapping[float, float]) -> float:
    mean = sum(net * chance for net, chance in nets.items())
    return sum(net * net * chance for net, chance in nets.items()) - mean * mean
