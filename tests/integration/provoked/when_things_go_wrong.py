"""Refusals that are the world's fault or the house's: races, clocks, a store that is away, a table that is broken."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import msgpack
from redis.asyncio import Redis

from tapete_protocol.codes import CloseCode
from tapete_protocol.frames import Refused
from tests.integration.cluster import House, house
from tests.integration.provoked.stage import (
    BACCARAT,
    BLACKJACK,
    Attempt,
    Stage,
    Venue,
    play_until,
    provokes,
    settings,
    well_refused,
)
from tests.integration.raw import Answer, Raw
from tests.integration.slow_store import far_away

DELAY_S = 0.03
STRANGERS = 8
"""Who are sent elsewhere before the player is: those who came first go first, one after the other."""
BET = [{"box": 1, "spot": "main", "amount": 100}]


async def far_from_the_store(stage: Stage) -> Venue:
    """A node of the same house whose way to the store is long."""
    data = stage.house.data
    url = await stage.once("far", lambda: far_away(data / "valkey.sock", data / "far.sock", DELAY_S))
    return await stage.other("far", "--store", url, "--key-file", str(data / "cluster.key"))


@provokes("busy")
async def a_table_where_others_are_always_faster(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    far = await far_from_the_store(stage)
    late = await far.player("Lejos")
    await late.watch(table)
    hurry = asyncio.create_task(never_stand_still(player, table))

    async def until_others_are_faster() -> Answer:
        while not isinstance(answer := await late.ask(late.placed("TakeBox", table, box=4)), Refused):
            await late.sync(table)  # they were not, this once
            await late.act("FreeBox", table, box=4)
        return answer

    try:
        yield Attempt(far, late, {}, table, still=False, ask=until_others_are_faster)
    finally:
        hurry.cancel()
        await asyncio.wait({hurry})
    assert late.player not in (await late.watch(table)).view.boxes


async def never_stand_still(player: Raw, table: str) -> None:
    """Something new at the table several times in the time that it takes to reach the store from afar."""
    while True:
        await player.act("TakeBox", table, box=2)
        await asyncio.sleep(DELAY_S / 10)
        await player.act("FreeBox", table, box=2)


@provokes("in_flight")
async def more_cash_outs_than_can_be_on_their_way(stage: Stage) -> AsyncGenerator[Attempt, None]:
    far = await far_from_the_store(stage)
    player, table = await far.seated(BLACKJACK)
    place = player.places[table]
    hands = await asyncio.gather(*(far.player(like=player) for _ in range(20)))
    await asyncio.gather(*(hand.sync(table) for hand in hands))

    async def from_all_connections_at_once() -> Answer:
        waiting = []
        for seq, hand in enumerate(hands, place.seq + 1):
            command = {"t": "CashOut", "table": table, "stint": place.stint, "seq": seq, "amount": 1}
            waiting.append((hand, await hand.send(command)))
        answers = [await hand.answer(number) for hand, number in waiting]
        return next(answer for answer in reversed(answers) if isinstance(answer, Refused))

    yield Attempt(far, player, {}, table, still=False, ask=from_all_connections_at_once)


@provokes("too_late")
async def a_decision_after_the_bell(stage: Stage) -> AsyncGenerator[Attempt, None]:
    """It sets out in time and reaches the store when the turn is over; meanwhile the house's own clock waits its turn."""
    far = await far_from_the_store(stage)
    player, table = await far.seated(BLACKJACK, times={"turn_ms": 500})

    leads_s = itertools.cycle(DELAY_S * part for part in (0.5, 1, 2, 4))

    async def at_the_last_moment() -> Answer:
        """On a machine that is late with everything it takes a longer lead."""
        turn = await play_until(player, table, BET, lambda _, __: True)
        until = dict((await player.watch(table)).view.clocks).get("turn", 0)
        now = (await player.done({"t": "Ping"})).now
        await asyncio.sleep(max(0.0, (until - now) / 1000 - next(leads_s)))
        return await player.ask(player.placed("Act", table, box=1, hand=turn.hand, action="stand"))

    async def until_it_is_the_moment() -> Answer:
        while not isinstance(answer := await at_the_last_moment(), Refused) or answer.code != "too_late":
            await stage.phase(player, table, "betting")
            player.frames.clear()
            await player.sync(table)
        return answer

    yield Attempt(far, player, {}, table, still=False, ask=until_it_is_the_moment)


@provokes("unavailable")
async def a_command_while_the_store_stands_still(stage: Stage) -> AsyncGenerator[Attempt, None]:
    """In a house of its own: the nodes of the shared one would take each other for dead."""
    async with house() as running, AsyncExitStack() as stack:
        assert running.data != stage.house.data
        venue = await Venue(await running.node(), stack).open()
        player, table = await venue.seated(BLACKJACK)
        store = running.valkey_pid()

        async def while_the_store_sleeps() -> Answer:
            os.kill(store, signal.SIGSTOP)
            try:
                return await player.ask(player.placed("PlaceBets", table, bets=BET))
            finally:
                os.kill(store, signal.SIGCONT)

        async def after_it_woke() -> None:
            while isinstance(answer := await player.ask({"t": "Watch", "table": table}), Refused):
                well_refused("unavailable", answer)

        yield Attempt(venue, player, {}, table, ask=while_the_store_sleeps, works=after_it_woke)


@provokes("table_frozen")
async def a_table_whose_chips_do_not_add_up(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player = await stage.venue.player()
    table = await player.open_table(settings(BLACKJACK))
    async with store_of(stage.house) as store:
        key = (await store.keys(f"t:*:{table}"))[0]
        blob = await store.hget(key, "b")
        assert isinstance(blob, bytes)
        state = msgpack.unpackb(blob, strict_map_key=False)
        await store.hset(key, "b", msgpack.packb({**state, "bank": 1}))
    await player.watch(table)
    well_refused("table_frozen", await player.ask(player.placed("TakeBox", table, box=1)))
    yield Attempt(stage.venue, player, player.placed("TakeBox", table, box=1), table)


@provokes("internal")
async def a_table_that_nobody_can_read(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player = await stage.venue.player()
    table = await player.open_table(settings(BACCARAT))
    async with store_of(stage.house) as store:
        key = (await store.keys(f"t:*:{table}"))[0]
        await store.hset(key, "b", b"not a table")
    yield Attempt(stage.venue, player, {"t": "Watch", "table": table})


@asynccontextmanager
async def store_of(running: House) -> AsyncIterator[Redis]:
    store = Redis(unix_socket_path=str(running.data / "valkey.sock"))
    try:
        yield store
    finally:
        await store.aclose()


@provokes("draining")
async def a_command_to_a_node_that_goes(stage: Stage) -> AsyncGenerator[Attempt, None]:
    going = await stage.other("going")
    for _ in range(STRANGERS):
        await going.stranger()
    player, table = await going.seated(BLACKJACK)
    stopping: list[asyncio.Task[int]] = []

    async def after_the_signal() -> Answer:
        stopping.append(asyncio.create_task(going.node.stop()))
        assert await going.spectator.closed() == CloseCode.GOING_AWAY, "the first to be sent elsewhere"
        return await player.ask(player.placed("PlaceBets", table, bets=BET))

    async def elsewhere() -> None:
        assert await player.closed() == CloseCode.GOING_AWAY
        again = await stage.venue.player(like=player)
        assert not (await again.watch(table)).view.bets
        await again.act("PlaceBets", table, bets=BET)
        assert await stopping[0] == 0

    yield Attempt(going, player, {}, table, still=False, ask=after_the_signal, works=elsewhere)
