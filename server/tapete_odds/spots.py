"""What a bet on each spot of a table costs, for whoever looks for a table: small, and at hand at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tapete_odds import shelf
from tapete_odds.bonus import blackjack_edge
from tapete_odds.document import counts_of
from tapete_odds.terms import terms_hash
from tapete_rules.double_exposure import DoubleExposure, DoubleExposureSettings
from tapete_rules.game import Game
from tapete_rules.punto_banco import PuntoBanco
from tapete_rules.punto_banco.enumeration import edges_by

MILLION = 1_000_000
EDGES_MAX = 256
"""Settings whose edges are remembered."""

Edges = tuple[tuple[str, int], ...]
"""Spots with what they cost, in millionths of the bet."""


def edges_of(game: Game[Any]) -> Edges:
    """Main bets by the best play, the bonus on sevens when 7-7 is always hit. What nobody has worked out is left out."""
    if isinstance(game, PuntoBanco):
        costs = edges_by(game.settings, counts_of(game.settings))
        return tuple((spot, round(MILLION * costs[spot])) for spot in game.spots)
    assert isinstance(game, DoubleExposure), "these are the games of the house"
    return _of_double_exposure(game.settings, terms_hash(game.settings))


@lru_cache(maxsize=EDGES_MAX)
def _of_double_exposure(settings: DoubleExposureSettings, _: str) -> Edges:
    bonus = ("blackjack", round(MILLION * blackjack_edge(settings)))
    odds = shelf.known(settings)
    if odds is None:
        return (bonus,)
    sevens = odds["bonus"]["sevens"]["always_hit"]["edge"]
    return ("main", round(MILLION * odds["edge"]["optimal"])), bonus, ("sevens", round(MILLION * sevens))
