"""How bots play: per game, which bets to lay and what to do with a hand; functions of the table and a seeded chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from tapete_client.strategy import double_exposure, punto_banco
from tapete_client.strategy.stakes import Laid
from tapete_protocol.view import Felt, TurnView
from tapete_rules.game import Game


@dataclass(frozen=True, slots=True)
class Strategy:
    """`bets(game, own boxes, stack, chance)`: what to lay, empty when the stack is too small. `decide(game, felt, turn)`: a
    legal action."""

    bets: Callable[[Game[Any], tuple[int, ...], int, Random], Laid]
    decide: Callable[[Game[Any], Felt, TurnView], str]


STRATEGIES: dict[str, Strategy] = {
    "double_exposure": Strategy(double_exposure.bets, double_exposure.decide),
    "punto_banco": Strategy(punto_banco.bets, punto_banco.decide),
}

__all__ = ["STRATEGIES", "Laid", "Strategy"]
