"""How a regular plays Punto Banco: flat bets, mostly on banca, and now and then a small one on the tie or a pair."""

from __future__ import annotations

from random import Random
from typing import Any

from tapete_client.strategy.stakes import Laid, fitting_bet, smallest_bet
from tapete_protocol.view import Felt, TurnView
from tapete_rules.game import Game

MAINS, SIDES = ("banca", "punto"), ("tie", "punto_pair", "banca_pair")
BANCA_CHANCE = 0.6
SIDE_CHANCE = 0.15
FLAT_UNITS = 2


def bets(game: Game[Any], boxes: tuple[int, ...], stack: int, rng: Random) -> Laid:
    """One main bet in the first box; the side bet is the smallest that the table takes."""
    spot = MAINS[0] if rng.random() < BANCA_CHANCE else MAINS[1]
    least = smallest_bet(game, spot)
    flat = fitting_bet(game, spot, FLAT_UNITS * least)
    main = flat if flat <= stack else least
    if not boxes or not 0 < main <= stack:
        return {}
    laid: Laid = {(boxes[0], spot): main}
    side = rng.choice([one for one in SIDES if one in game.spots] or [""])
    if side and rng.random() < SIDE_CHANCE:
        amount = smallest_bet(game, side, {spot: main})
        if 0 < amount <= stack - main:
            laid[boxes[0], side] = amount
    return laid


def decide(_: Game[Any], __: Felt, turn: TurnView) -> str:
    """Nobody decides anything at this table."""
    raise AssertionError(f"there are no turns in Punto Banco: {turn}")
