"""The refusal of advice."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from tests.integration.provoked.stage import BLACKJACK, Attempt, Stage, play_until, provokes

BET = [{"box": 1, "spot": "main", "amount": 100}]


@provokes("no_advice")
async def advice_by_rules_that_nobody_has_worked_out(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK, decks=7, double_on="any", seven_odds=[9, 2])
    await play_until(player, table, BET, lambda _, __: True)
    yield Attempt(stage.venue, player, {"t": "AskAdvice", "table": table}, table)
