"""Amounts that a table takes, found by asking its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapete_rules.game import Game

Laid = dict[tuple[int, str], int]
"""(box, spot) to amount, as `Table.place_bets` takes it."""


def fitting_bet(game: Game[Any], spot: str, wish: int, beside: Mapping[str, int] | None = None) -> int:
    """The bet nearest to `wish` that the table takes on `spot`, next to the bets `beside` it; 0: it takes none."""
    least, most = game.limits(spot)
    amount = max(least, min(wish, most))
    refusal = game.check_stakes({**(beside or {}), spot: amount})
    if refusal is not None and refusal.code == "bet_not_in_chips":
        chip = int(refusal.detail["chip"])
        amount = min(-(-amount // chip), most // chip) * chip
        refusal = game.check_stakes({**(beside or {}), spot: amount})
    return 0 if refusal is not None else amount


def smallest_bet(game: Game[Any], spot: str, beside: Mapping[str, int] | None = None) -> int:
    """The least that the table takes on `spot`."""
    return fitting_bet(game, spot, 0, beside)
