"""Refusals of the table and of the cashier: boxes, sequences, chips, and who may open and close what."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from tests.integration.provoked.stage import BACCARAT, BLACKJACK, Attempt, Stage, provokes, settings

BET = [{"box": 1, "spot": "main", "amount": 100}]


def top_up(command: str) -> dict[str, Any]:
    return {"t": "TopUp", "command": command}


@provokes("no_such_table")
async def a_table_that_is_not_there(stage: Stage) -> AsyncGenerator[Attempt, None]:
    yield Attempt(stage.venue, await stage.venue.player(), {"t": "Watch", "table": "nowhere"})


@provokes("not_watching")
async def a_box_at_a_table_that_is_not_watched(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player = await stage.venue.player()
    table = await player.open_table(settings(BLACKJACK))
    yield Attempt(stage.venue, player, player.placed("TakeBox", table, box=1), table)


@provokes("box_taken")
async def a_box_that_somebody_holds(stage: Stage) -> AsyncGenerator[Attempt, None]:
    _, table = await stage.venue.seated(BLACKJACK)
    other = await stage.venue.player("Beto")
    await other.watch(table)
    yield Attempt(stage.venue, other, other.placed("TakeBox", table, box=1), table)


@provokes("too_many_boxes")
async def a_second_box_at_punto_banco(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BACCARAT)
    yield Attempt(stage.venue, player, player.placed("TakeBox", table, box=2), table)


@provokes("not_your_box")
async def a_bet_in_the_box_of_another(stage: Stage) -> AsyncGenerator[Attempt, None]:
    _, table = await stage.venue.seated(BLACKJACK)
    other = await stage.venue.player("Beto")
    await other.sit(table, 2, 1_000)
    yield Attempt(stage.venue, other, other.placed("PlaceBets", table, bets=BET), table)


@provokes("not_seated")
async def a_bet_of_somebody_who_stands(stage: Stage) -> AsyncGenerator[Attempt, None]:
    _, table = await stage.venue.seated(BLACKJACK)
    other = await stage.venue.player("Beto")
    await other.watch(table)
    yield Attempt(stage.venue, other, other.placed("PlaceBets", table, bets=BET), table)


@provokes("stale")
async def a_bet_with_a_used_number(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    await player.act("PlaceBets", table, bets=BET)
    command = player.placed("PlaceBets", table, bets=[{**BET[0], "amount": 200}])
    yield Attempt(stage.venue, player, {**command, "seq": command["seq"] - 1}, table)


@provokes("bad_amount")
async def nothing_bought(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    command = {"t": "BuyIn", "command": player.command_id(), "table": table, "amount": 0}
    yield Attempt(stage.venue, player, command, table)


@provokes("not_enough_money")
async def more_chips_than_the_wallet_has(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    command = {"t": "BuyIn", "command": player.command_id(), "table": table, "amount": 10**12}
    yield Attempt(stage.venue, player, command, table)


@provokes("not_enough_in_stack")
async def more_cashed_out_than_there_is(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK, chips=1_000)
    yield Attempt(stage.venue, player, player.placed("CashOut", table, amount=1_001), table)


@provokes("buy_in_refused")
async def chips_for_somebody_who_stands(stage: Stage) -> AsyncGenerator[Attempt, None]:
    _, table = await stage.venue.seated(BLACKJACK)
    other = await stage.venue.player("Beto")
    await other.watch(table)
    command = {"t": "BuyIn", "command": other.command_id(), "table": table, "amount": 1_000}
    yield Attempt(stage.venue, other, command, table)


@provokes("enough_money")
async def more_money_for_somebody_who_has_some(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player = await stage.venue.player()
    yield Attempt(stage.venue, player, top_up(player.command_id()))


@provokes("not_opener")
async def a_table_closed_by_a_guest(stage: Stage) -> AsyncGenerator[Attempt, None]:
    _, table = await stage.venue.seated(BLACKJACK)
    yield Attempt(stage.venue, await stage.venue.player("Beto"), {"t": "CloseTable", "table": table}, table)


@provokes("chips_on_table")
async def a_table_closed_over_chips(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    yield Attempt(stage.venue, player, {"t": "CloseTable", "table": table}, table)


@provokes("bad_settings")
async def a_table_of_a_hundred_decks(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player = await stage.venue.player()
    command = {
        "t": "OpenTable",
        "command": player.command_id(),
        "name": "Cien",
        "settings": settings(BLACKJACK, decks=100),
    }
    yield Attempt(stage.venue, player, command)
