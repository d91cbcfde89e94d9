"""One decision by exact composition: every card that is seen is out of the shoe. Needs numpy, and a part of a second."""

from __future__ import annotations

from functools import lru_cache

from tapete_odds.hands import Cards
from tapete_odds.solver.dealer import Dealer, Two
from tapete_odds.solver.game import DEALT, Game
from tapete_odds.solver.splits import split_value
from tapete_odds.terms import bare
from tapete_rules.double_exposure import DoubleExposureSettings

GAMES_MAX = 4
"""Rows of settings that are kept ready; some tens of megabytes each."""


@lru_cache(maxsize=GAMES_MAX)
def _game(settings: DoubleExposureSettings) -> Game:
    return Game(settings)


def exact_worth(
    settings: DoubleExposureSettings, dealer: Two, hand: Cards, seen: Cards, hands: int = 1
) -> dict[str, float]:
    """The expected net of each action that the cards allow, in bets of the hand. `seen`: all cards on the table but the dealer's
    and the hand's. `hands`: of its box."""
    game = _game(bare(settings))
    full = tuple(many - gone for many, gone in zip(game.full, seen, strict=True))
    against = Dealer(game, dealer, full)
    values = against.play()
    row = game.rows.row(DEALT, hand)
    worth = {"stand": float(against.stand[row]), "hit": float(values.hit[row])}
    if game.may_double[row] and (hands == 1 or settings.double_after_split):
        worth["double"] = float(values.double[row])
    room = settings.max_hands - hands + 1
    if sum(hand) == 2 and max(hand) == 2 and room > 1:
        split = against.split(hand.index(2), values)
        limits = range(2, room + 1)
        worth["split"] = max(split_value(limit, split.chances, split.other, split.free) for limit in limits)
    return worth
