"""What a bet on each spot of a table costs, for whoever looks for a table: small, and at hand at once."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any

from tapete_odds import shelf
from tapete_odds.bonus import blackjack_edge
from tapete_odds.document import counts_of
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
    with suppress(LookupError):
        return _of_double_exposure(game.settings)
    return (_bonus_blackjack(game.settings),)


def unpriced(game: Game[Any]) -> DoubleExposureSettings | None:
    """The settings of a game whose main bet nobody can tell the cost of yet."""
    if isinstance(game, DoubleExposure) and all(spot != "main" for spot, _ in edges_of(game)):
        return game.settings
    return None


@lru_cache(maxsize=EDGES_MAX)
def _of_double_exposure(settings: DoubleExposureSettings) -> Edges:
    """Raises `LookupError`, which is not remembered."""
    odds = shelf.known(settings)
    if odds is None:
        raise LookupError("the odds of these settings")
    sevens = odds["bonus"]["sevens"]["always_hit"]["edge"]
    main, seven = (round(MILLION * edge) for edge in (odds["edge"]["optimal"], sevens))
    return ("main", main), _bonus_blackjack(settings), ("sevens", seven)


def _bonus_blackjack(settings: DoubleExposureSettings) -> tuple[str, int]:
    return "blackjack", round(MILLION * blackjack_edge(settings))
