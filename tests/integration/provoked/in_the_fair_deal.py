"""Refusals of the fair deal: reveals that no table asked for, at the wrong time, or of other bytes than were committed to."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from tapete_protocol.events import TurnStarted
from tapete_protocol.fair import entropy_commitment
from tapete_protocol.frames import Snapshot
from tests.integration.provoked.stage import BLACKJACK, Attempt, Stage, next_turn, play_until, provokes
from tests.integration.raw import Raw

BET = [{"box": 1, "spot": "main", "amount": 100}]
ENTROPY, OTHER = bytes(range(32)), bytes(32)
CLOSING = {"closing_ms": 100}


def reveal(table: str, number: int, entropy: bytes = ENTROPY) -> dict[str, Any]:
    return {"t": "Reveal", "table": table, "round": number, "entropy": entropy}


def any_turn(_: TurnStarted, __: Snapshot) -> bool:
    return True


@provokes("no_reveals")
async def a_reveal_at_a_table_without(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    yield Attempt(stage.venue, player, reveal(table, 1), table)


@provokes("reveal_too_early")
async def a_reveal_while_bets_are_open(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK, reveals=True, times=CLOSING)
    yield Attempt(stage.venue, player, reveal(table, 1), table)


@provokes("reveal_too_late")
async def a_reveal_of_a_round_that_is_over(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK, reveals=True, times=CLOSING)
    yield Attempt(stage.venue, player, reveal(table, 0), table)


@provokes("nothing_committed")
async def a_reveal_of_somebody_who_bet_without(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK, reveals=True, times=CLOSING)
    await play_until(player, table, BET, any_turn)
    shown = await player.watch(table)
    yield Attempt(stage.venue, player, reveal(table, shown.view.round), table)


@provokes("reveal_mismatch")
async def a_reveal_of_other_bytes(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK, reveals=True, times=CLOSING)
    number = await bound(player, table)
    yield Attempt(stage.venue, player, reveal(table, number, OTHER), table)


async def bound(player: Raw, table: str) -> int:
    """Rounds with a commitment and no reveal, until it is the player's turn in one; its number."""
    while True:
        number = (await player.watch(table)).view.round
        mine = entropy_commitment(table, number, player.player, ENTROPY)
        await player.act("PlaceBets", table, bets=BET, commitment=mine)
        await player.act("Ready", table)
        if await next_turn(player) is not None:
            return number
