"""Money from nothing, and tables that stop: what somebody tries who reads the protocol with bad intent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio

from tapete_protocol.events import RoundSettled
from tapete_protocol.frames import Ack, Batch, Refused
from tests.integration.cluster import House, audited, house
from tests.integration.provoked.stage import BACCARAT, BLACKJACK, Venue, settings
from tests.integration.raw import Raw

pytestmark = pytest.mark.asyncio(loop_scope="module")
OPENING = 100_000


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def venues() -> AsyncIterator[tuple[House, Venue, Venue]]:
    async with house() as running, AsyncExitStack() as stack:
        here = await Venue(await running.node(), stack).open()
        there = await Venue(await running.node(), stack).open()
        yield running, here, there


async def wealth(player: Raw, table: str) -> int:
    """Wallet and stack, when nothing of the player's is on its way."""
    async with asyncio.timeout(10):
        while True:
            shown = await player.watch(table)
            stack = sum(one.stack for one in shown.view.players if one.player == player.player)
            laid = sum(bet.amount for bet in shown.view.bets if shown.view.boxes[bet.box - 1] == player.player)
            total = await player.balance(player.token) + stack + laid
            if total >= OPENING:
                return total


async def clean(venues: tuple[House, Venue, Venue]) -> None:
    status, told = await audited(venues[0].data)
    assert status == 0, told
    for venue in venues[1:]:
        assert "Traceback" not in venue.node.stderr()


async def test_chips_are_bought_once_from_twenty_connections(venues: tuple[House, Venue, Venue]) -> None:
    _, here, there = venues
    player, table = await here.seated(BLACKJACK, chips=0)
    hands = [await venue.player(like=player) for venue in (here, there) * 10]
    await asyncio.gather(*(hand.sync(table) for hand in hands))
    command = {"t": "BuyIn", "command": "the-same-buy-in", "table": table, "amount": 60_000}
    await asyncio.gather(*(hand.ask(command) for hand in hands))
    shown = await player.watch(table)
    assert next(one.stack for one in shown.view.players) == 60_000
    assert await wealth(player, table) == OPENING
    again = await player.ask({**command, "amount": 1})
    assert isinstance(again, Refused)
    assert again.code == "stale"
    await clean(venues)


async def test_who_buys_and_leaves_at_once_has_what_they_had(venues: tuple[House, Venue, Venue]) -> None:
    _, here, there = venues
    player, table = await here.seated(BLACKJACK, chips=0)
    other, third = await there.player(like=player), await here.player(like=player)
    await other.sync(table)
    await third.sync(table)
    for turn in range(6):
        buy = {"t": "BuyIn", "command": f"buy-in-{turn:08}", "table": table, "amount": 10_000}
        leave = player.placed("Leave", table)
        await asyncio.gather(other.ask(buy), player.ask(leave), third.ask(buy))
        await player.done(leave)
        assert await wealth(player, table) == OPENING
        player.places.pop(table, None)
        await player.act("TakeBox", table, box=1)
        await other.sync(table)
    await clean(venues)


async def test_two_connections_of_a_player_bet_the_same_chips_once(venues: tuple[House, Venue, Venue]) -> None:
    _, here, there = venues
    player, table = await here.seated(BLACKJACK, chips=1_000)
    other = await there.player(like=player)
    await other.sync(table)
    seq = player.places[table].seq
    for _ in range(10):
        bet = player.placed("PlaceBets", table, bets=[{"box": 1, "spot": "main", "amount": 1_000}])
        out = other.placed("CashOut", table, amount=1_000)
        answers = await asyncio.gather(player.ask({**bet, "seq": seq + 1}), other.ask({**out, "seq": seq + 1}))
        assert sum(isinstance(answer, Ack) for answer in answers) == 1
        seq += 1
        assert await wealth(player, table) == OPENING
        if isinstance(answers[0], Ack):
            back = player.placed("PlaceBets", table, bets=[{"box": 1, "spot": "main", "amount": 0}])
            await player.done({**back, "seq": seq + 1})
            seq += 1
        else:
            await player.buy_in(table, 1_000)
    await clean(venues)


async def test_a_bank_is_broken_before_its_numbers_are(venues: tuple[House, Venue, Venue]) -> None:
    """The longest odds and the largest limits that settings may have: a table stays one that everybody can read."""
    _, here, there = venues
    player = await here.player()
    long: dict[str, Any] = {
        "punto_odds": [10_000, 1],
        "tie_odds": [10_000, 1],
        "main_max": 10**12,
        "tie_max": 10**12,
        "chips": [1],
    }
    table = await player.open_table(settings(BACCARAT, main_min=1, **long))
    await player.sit(table, 1, OPENING)
    stack = OPENING
    while True:
        bets = [{"box": 1, "spot": "punto", "amount": max(1, min(stack // 20, 10**10))}]
        answer = await player.ask(player.placed("PlaceBets", table, bets=bets))
        if isinstance(answer, Refused):
            break
        await player.sync(table)
        await player.act("Ready", table)
        await player.until(Batch, lambda one: any(isinstance(event, RoundSettled) for event in one.events))
        stack = next(one.stack for one in (await player.watch(table)).view.players)
    assert answer.code == "bet_above_maximum", answer
    assert 10**14 < stack < 2**53
    assert (await there.spectator.watch(table)).view.players[0].stack == stack
    await player.act("Leave", table)
    await clean(venues)
