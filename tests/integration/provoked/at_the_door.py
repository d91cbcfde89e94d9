"""Refusals of the session: who is let in, what is no command, and how often one may ask."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from tapete_protocol.frames import Refused
from tests.integration.provoked.stage import BACCARAT, Attempt, Stage, Venue, provokes, settings
from tests.integration.raw import Answer


@provokes("not_signed_in")
async def a_command_before_the_hello(stage: Stage) -> AsyncGenerator[Attempt, None]:
    client = await stage.venue.stranger()
    yield Attempt(stage.venue, client, {"t": "WatchLobby"}, works=client.hello)


@provokes("already_signed_in")
async def a_second_hello(stage: Stage) -> AsyncGenerator[Attempt, None]:
    yield Attempt(stage.venue, await stage.venue.player(), {"t": "Hello", "name": "Beto"})


@provokes("bad_token")
async def a_token_with_one_digit_changed(stage: Stage) -> AsyncGenerator[Attempt, None]:
    ana = await stage.venue.player()
    forged = ana.token[:-1] + ("0" if ana.token[-1] != "0" else "1")
    client = await stage.venue.stranger()
    yield Attempt(stage.venue, client, {"t": "Hello", "token": forged}, works=client.hello)


@provokes("bad_name")
async def a_name_that_turns_the_line_around(stage: Stage) -> AsyncGenerator[Attempt, None]:
    client = await stage.venue.stranger()
    yield Attempt(stage.venue, client, {"t": "Hello", "name": "Ana\u202e"}, works=client.hello)


@provokes("unsupported")
async def a_command_of_another_release(stage: Stage) -> AsyncGenerator[Attempt, None]:
    yield Attempt(stage.venue, await stage.venue.player(), {"t": "Whistle"})


@provokes("malformed_command")
async def a_fifth_box(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BACCARAT)
    yield Attempt(stage.venue, player, player.placed("TakeBox", table, box=5), table)


async def strict(stage: Stage) -> Venue:
    """A node that allows little."""
    flags = ("--commands-per-s=5", "--accounts-per-address-hour-max=1", "--tables-max=1", "--refuse-player-edge")
    return await stage.other("strict", *flags)


@provokes("rate_limited")
async def more_commands_than_one_may_send(stage: Stage) -> AsyncGenerator[Attempt, None]:
    venue = await strict(stage)
    client = await venue.player(like=await stage.venue.player())

    async def one_more() -> Answer:
        numbers = [await client.send({"t": "WatchLobby", "on": False}) for _ in range(60)]
        return [await client.answer(number) for number in numbers][-1]

    async def slower() -> None:
        while isinstance(answer := await client.ask({"t": "Ping"}), Refused):
            assert answer.retry_ms is not None
            await asyncio.sleep(answer.retry_ms / 1000)

    yield Attempt(venue, client, {}, ask=one_more, works=slower)


@provokes("too_many_accounts")
async def a_second_guest_in_the_hour(stage: Stage) -> AsyncGenerator[Attempt, None]:
    venue = await strict(stage)
    client, ana = await venue.stranger(), await stage.venue.player()
    yield Attempt(venue, client, {"t": "Hello", "name": "Beto"}, works=lambda: client.hello(token=ana.token))


@provokes("too_many_tables")
async def one_table_more_than_the_house_has(stage: Stage) -> AsyncGenerator[Attempt, None]:
    venue = await strict(stage)
    player = await venue.player(like=await stage.venue.player())
    command = {"t": "OpenTable", "command": player.command_id(), "name": "Otra", "settings": settings(BACCARAT)}
    yield Attempt(venue, player, command)


@provokes("player_edge")
async def a_table_that_favours_the_player(stage: Stage) -> AsyncGenerator[Attempt, None]:
    venue = await strict(stage)
    player = await venue.player(like=await stage.venue.player())
    generous = settings(BACCARAT, tie_odds=[12, 1])
    command = {"t": "OpenTable", "command": player.command_id(), "name": "Regalo", "settings": generous}
    yield Attempt(venue, player, command)
