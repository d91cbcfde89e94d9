"""Chips between wallet and table, cut off at every step: somebody else drives them on, and they arrive exactly once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tapete_protocol import commands as c
from tapete_protocol.base import TableId
from tapete_protocol.frames import Ack, Refused
from tapete_server.core.commands import FromPlayer
from tapete_server.ports import StoreAway
from tapete_server.shell import transfers
from tapete_server.shell.committer import Accepted
from tapete_server.shell.floor import digest_of
from tests.server.shell.floors import QUICK, Guest, Houses, until

CUTS_MAX = 14


class Cut:
    """Counts what a node asks its store, and cuts: the task is cancelled before or after the one with that number."""

    def __init__(self, store: Any) -> None:
        self._ask = store._lane._ask
        self.left: int | None = None
        self.after = False
        store._lane._ask = self.ask

    async def ask(self, request: Any) -> Any:
        if self.left is None:
            return await self._ask(request)
        self.left -= 1
        if self.left == 0 and not self.after:
            raise asyncio.CancelledError
        answer = await self._ask(request)
        if self.left == 0:
            raise asyncio.CancelledError
        return answer


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "STUCK_MS", 0)


async def whole(houses: Houses) -> None:
    found = await houses.audit()
    assert (found.difference, found.faults) == (0, ())


@pytest.mark.parametrize("after", [False, True])
async def test_a_buy_in_cut_at_every_call(houses: Houses, *, after: bool) -> None:
    first, second = await houses.floor(), await houses.floor()
    cut = Cut(first._store)
    ana = await houses.guest(first)
    table = await houses.table(ana)
    await ana.sit(table, 1)
    bought = calls = 0
    for calls in range(1, CUTS_MAX):
        cut.left, cut.after = calls, after
        buying = asyncio.create_task(ana.buy(table, 100, command=f"buy-in-{calls:04}"))
        await asyncio.wait([buying])
        survived = cut.left > 0
        cut.left = None
        await whole(houses)
        await second.transfers.sweep()
        assert await second._store.open_transfers(0) == []
        await ana.live(table).refresh()
        again = await ana.buy(table, 100, command=f"buy-in-{calls:04}")
        assert isinstance(again, Ack)
        bought += 100
        stack = ana.live(table).state.players[0].stack
        account = await first._store.account(ana.player)
        assert account is not None
        assert (stack, account.balance) == (bought, 100_000 - bought)
        await whole(houses)
        if survived:
            break
    assert calls >= 5


@pytest.mark.parametrize("after", [False, True])
async def test_a_cash_out_cut_at_every_call(houses: Houses, monkeypatch: pytest.MonkeyPatch, *, after: bool) -> None:
    first, second = await houses.floor(), await houses.floor()
    cut = Cut(first._store)
    ana = await houses.guest(first)
    table = await houses.table(ana)
    await ana.sit(table, 1, 10_000)
    monkeypatch.setattr(first, "_spawn", lambda work, _what: work.close())  # paid by the test, where it is cut
    for calls in range(1, CUTS_MAX):
        wish = ana.placed(c.CashOut, table, amount=100)
        sender = FromPlayer(ana.player, ana.actor.name, ana.actor.via, wish, digest_of(wish))
        assert isinstance(await first.committer.run(ana.live(table), sender), Accepted)
        cut.left, cut.after = calls, after
        paying = asyncio.create_task(first.transfers.pay_out(ana.live(table)))
        await asyncio.wait([paying])
        survived = cut.left > 0
        cut.left = None
        await whole(houses)
        async with second.registry.visit(table) as live:
            assert live is not None
            await live.refresh()
            await second.transfers.pay_out(live)
        await second.transfers.sweep()
        account = await second._store.account(ana.player)
        assert account is not None
        assert account.balance == 90_000 + 100 * calls
        await whole(houses)
        assert await second._store.unsettled_pay_outs(0) == []
        if survived:
            break
    assert await second._store.expire_account(ana.player), "nothing of it is open any more"


async def test_who_stands_is_refused_before_the_debit(houses: Houses) -> None:
    floor = await houses.floor()
    ana = await houses.guest(floor)
    table = await houses.table(ana)
    await floor.follow(table)
    answer = await ana.buy(table, 100)
    assert isinstance(answer, Refused)
    assert answer.code == "buy_in_refused"
    assert await houses.client.keys("j*") == []


async def test_a_repeat_by_one_who_has_left_has_its_first_answer(houses: Houses) -> None:
    floor = await houses.floor()
    ana = await houses.guest(floor)
    table = await houses.table(ana)
    await ana.sit(table, 1)
    assert isinstance(await ana.buy(table, 100, command="command-a"), Ack)
    await ana.play(c.Leave, table)
    assert isinstance(await ana.buy(table, 100, command="command-a"), Ack)
    await until(lambda: houses.ear(floor).wallets[ana.player] == 100_000)
    await whole(houses)


async def test_the_same_command_with_another_amount_or_table(houses: Houses) -> None:
    floor = await houses.floor()
    ana = await houses.guest(floor)
    one, other = await houses.table(ana), await houses.table(ana)
    for table in (one, other):
        await ana.sit(table, 1)
    assert isinstance(await ana.buy(one, 100, command="command-a"), Ack)
    for table, amount in ((one, 200), (other, 100)):
        answer = await ana.buy(table, amount, command="command-a")
        assert isinstance(answer, Refused)
        assert answer.code == "stale"
    await whole(houses)


async def test_the_table_went_while_the_chips_were_on_their_way(houses: Houses) -> None:
    floor = await houses.floor()
    ana = await houses.guest(floor)
    store = floor._store
    nowhere = TableId("nowhere")
    started = await store.start_transfer(f"{ana.player}~lost", ana.player, nowhere, 700)
    assert started != "not_enough"
    await whole(houses)
    await floor.transfers.sweep()
    account = await store.account(ana.player)
    assert account is not None
    assert account.balance == 100_000
    await whole(houses)


async def test_one_transfer_that_fails_holds_up_no_other(houses: Houses) -> None:
    floor = await houses.floor()
    ana = await houses.guest(floor)
    bad, good = await houses.table(ana), TableId("nowhere")
    await houses.client.hset((await houses.client.keys(f"t:*:{bad}"))[0], "b", b"not a table")
    for name, table in (("a", bad), ("b", good)):
        await floor._store.start_transfer(f"{ana.player}~{name}", ana.player, table, 100)
    await floor.transfers.sweep()
    assert [one.table for one in await floor._store.open_transfers(0)] == [bad], "kept until it can be read"


async def test_a_cash_out_whose_account_has_gone(houses: Houses) -> None:
    floor = await houses.floor()
    ana = await houses.guest(floor)
    table = await houses.table(ana)
    await ana.sit(table, 1, 400)
    assert await floor._store.expire_account(ana.player)
    await ana.play(c.Leave, table)
    await until(lambda: houses.ear(floor).wallets.get(ana.player) == 400)
    await until(lambda: not ana.live(table).state.outgoing)
    await whole(houses)


async def test_everything_at_once_on_two_floors(houses: Houses) -> None:
    floors = [await houses.floor(), await houses.floor()]
    guests: list[Guest] = [await houses.guest(floors[n % 2]) for n in range(4)]
    table = await houses.table(guests[0])
    for box, guest in enumerate(guests, 1):
        await guest.sit(table, box, 1_000)

    async def restless(guest: Guest) -> None:
        for turn in range(10):
            await guest.buy(table, 50, command=f"command-{guest.player}-{turn}"[:40])
            await guest.play(c.CashOut, table, amount=70)

    playing = [asyncio.create_task(restless(guest)) for guest in guests]
    while not all(task.done() for task in playing):
        await floors[1].transfers.sweep()
        await asyncio.sleep(0)
    for task in playing:
        task.result()
    for floor in floors:
        async with floor.registry.visit(table) as live:
            assert live is not None
            await live.refresh()
            await floor.transfers.pay_out(live)
    await whole(houses)


async def test_the_store_away_in_the_middle(houses: Houses) -> None:
    houses.limits = QUICK
    floor = await houses.floor()
    ana = await houses.guest(floor)
    table = await houses.table(ana)
    await ana.sit(table, 1)
    houses.server.freeze()
    try:
        with pytest.raises(StoreAway):
            await ana.buy(table, 100, command="command-a")
    finally:
        houses.server.thaw()
    await until(lambda: floor.available)
    assert isinstance(await ana.buy(table, 100, command="command-a"), Ack)
    await whole(houses)


async def test_chips_at_a_table_are_money_when_more_is_asked_for(houses: Houses) -> None:
    floor = await houses.floor(opening_balance=1_000, top_up=1_000, top_up_below=100)
    ana = await houses.guest(floor)
    table = await houses.table(ana)
    await ana.sit(table, 1, 1_000)
    await ana.bet(table, 1, 900)
    answer = await floor.top_up(ana.actor, c.TopUp(id=1, command="more-money-1"))
    assert isinstance(answer, Refused)
    assert answer.code == "enough_money"
    account = await floor._store.account(ana.player)
    assert account is not None
    assert account.balance == 0


async def test_who_has_nothing_anywhere_gets_more(houses: Houses) -> None:
    floor = await houses.floor(opening_balance=50, top_up=1_000, top_up_below=100)
    ana = await houses.guest(floor)
    for _ in range(2):  # the same command again is the same top-up
        assert isinstance(await floor.top_up(ana.actor, c.TopUp(id=1, command="more-money-1")), Ack)
    account = await floor._store.account(ana.player)
    assert account is not None
    assert account.balance == 1_050
