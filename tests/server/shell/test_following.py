"""Two floors follow one table: whatever the channel loses and however the store goes back, they come level."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tapete_protocol import commands as c
from tapete_protocol.base import TableId
from tapete_protocol.commands import Since
from tapete_protocol.frames import Ack, Refused
from tapete_server.core.codec import UnreadableTable
from tapete_server.shell.live_table import LiveTable
from tests.server.shell.floors import Houses, level, until


async def two(houses: Houses) -> tuple[Any, Any, TableId]:
    first, second = await houses.floor(), await houses.floor()
    ana, bea = await houses.guest(first), await houses.guest(second, "Bea")
    table = await houses.table(ana)
    await ana.sit(table, 1, 10_000)
    await bea.sit(table, 2, 10_000)
    await level((first, table), (second, table))
    return ana, bea, table


async def test_both_at_once_and_nobody_loses_a_command(houses: Houses) -> None:
    ana, bea, table = await two(houses)
    for amount in range(100, 1_600, 100):
        answers = await asyncio.gather(ana.bet(table, 1, amount), bea.bet(table, 2, amount))
        assert all(isinstance(answer, Ack) for answer in answers)
    await level((ana.floor, table), (bea.floor, table))
    for guest in (ana, bea):
        versions = houses.ear(guest.floor).batches[table]
        assert versions == list(range(versions[0], versions[-1] + 1)), "each once, in order, without a hole"
    assert ana.floor.counts.conflicts + bea.floor.counts.conflicts > 0


async def test_what_the_channel_loses_is_filled_before_a_refusal(houses: Houses) -> None:
    ana, bea, table = await two(houses)
    bea.floor._store.on_batch = lambda _table, _payload: None
    for amount in (100, 200, 300):
        assert isinstance(await ana.bet(table, 1, amount), Ack)
    assert isinstance(await ana.play(c.Leave, table), Ack)
    assert isinstance(await bea.play(c.TakeBox, table, box=1), Refused | Ack)
    await level((ana.floor, table), (bea.floor, table))
    versions = houses.ear(bea.floor).batches[table]
    assert versions == list(range(versions[0], versions[-1] + 1))
    assert not houses.ear(bea.floor).snapshots


async def test_a_rescan_finds_a_lost_last_message(houses: Houses) -> None:
    ana, bea, table = await two(houses)
    bea.floor._store.on_batch = lambda _table, _payload: None
    await ana.bet(table, 1, 100)
    await bea.floor.registry.rescan()
    await level((ana.floor, table), (bea.floor, table))


async def test_a_gap_too_wide_is_a_jump_that_is_no_rewind(houses: Houses) -> None:
    ana, bea, table = await two(houses)
    bea.floor._store.on_batch = lambda _table, _payload: None
    for amount in (100, 200, 300):
        await ana.bet(table, 1, amount)
    await houses.client.xtrim((await houses.client.keys(f"e:*:{table}"))[0], maxlen=1, approximate=False)
    await bea.floor.registry.rescan()
    await level((ana.floor, table), (bea.floor, table))
    assert [shot.rewound for shot in houses.ear(bea.floor).snapshots] == [False]
    assert isinstance(await bea.bet(table, 2, 100), Ack)


async def test_a_store_that_went_back_takes_its_followers_along(houses: Houses) -> None:
    ana, bea, table = await two(houses)
    key, stream = (await houses.client.keys(f"t:*:{table}"))[0], (await houses.client.keys(f"e:*:{table}"))[0]
    before = await houses.client.hgetall(key)
    live = bea.live(table)
    since = Since(version=live.state.version, head=live.state.head)
    await ana.bet(table, 1, 100)
    await ana.bet(table, 1, 200)
    await level((ana.floor, table), (bea.floor, table))
    lost = Since(version=live.state.version, head=live.state.head)
    await houses.client.hset(key, mapping=before)
    for version in (since.version + 1, since.version + 2):
        await houses.client.xdel(stream, f"{version}-0")
    await bea.floor.registry.rescan()
    await until(lambda: live.state.version == since.version)
    assert [shot.rewound for shot in houses.ear(bea.floor).snapshots] == [True]
    assert live.catch_up(since) == []
    answer = await ana.bet(table, 1, 300)
    assert isinstance(answer, Ack), "the other floor finds out by its conflict"
    assert [shot.rewound for shot in houses.ear(ana.floor).snapshots] == [True]
    await level((ana.floor, table), (bea.floor, table))
    assert len(live.catch_up(lost)) == 1


async def test_after_a_rewind_a_player_is_told_of_seat_and_wallet(houses: Houses) -> None:
    ana, bea, table = await two(houses)
    ear, key = houses.ear(bea.floor), (await houses.client.keys(f"t:*:{table}"))[0]
    before = await houses.client.hgetall(key)
    seq = bea.live(table).state.player(bea.player)
    assert seq is not None
    await bea.bet(table, 2, 100)
    await level((ana.floor, table), (bea.floor, table))
    await houses.client.hset(key, mapping=before)
    ear.placed.clear()
    ear.wallets.clear()
    await bea.floor.registry.rescan()
    await until(lambda: ear.wallets)
    assert [(place.table, place.stint, place.seq) for place in ear.places] == [(table, seq.stint, seq.seq)]
    account = await bea.floor._store.account(bea.player)
    assert account is not None
    assert ear.wallets == {bea.player: account.balance}


async def test_news_that_is_older_than_the_channel_is_no_rewind(houses: Houses) -> None:
    ana, bea, table = await two(houses)
    live, store = bea.live(table), bea.floor._store
    old = await store.heads([table])
    heads = store.heads

    async def late(tables: list[TableId]) -> Any:
        await heads(tables)
        return old

    store.heads = late
    try:
        await ana.bet(table, 1, 100)
        await level((ana.floor, table), (bea.floor, table))
        await live.refresh()
        await bea.floor.registry.rescan()
    finally:
        store.heads = heads
    assert not houses.ear(bea.floor).snapshots


async def test_many_refreshes_at_once_tell_every_batch_once(houses: Houses) -> None:
    ana, bea, table = await two(houses)
    bea.floor._store.on_batch = lambda _table, _payload: None
    for amount in (100, 200, 300):
        await ana.bet(table, 1, amount)
    live = bea.live(table)
    await asyncio.gather(*(live.refresh() for _ in range(10)))
    versions = houses.ear(bea.floor).batches[table]
    assert versions == list(range(versions[0], versions[-1] + 1))


@pytest.mark.parametrize("payload", [b"", b"\xc1", b"\x80", b"\x81\xa1t\xa5Batch"])
async def test_bytes_that_are_no_batch_hurt_nobody(houses: Houses, payload: bytes) -> None:
    ana, bea, table = await two(houses)
    bea.floor.registry.receive(table, payload)
    await ana.bet(table, 1, 100)
    await level((ana.floor, table), (bea.floor, table))


async def test_closed_while_followed(houses: Houses) -> None:
    first, second = await houses.floor(), await houses.floor()
    ana, bea = await houses.guest(first), await houses.guest(second, "Bea")
    table = await houses.table(ana)
    assert await second.follow(table)
    assert isinstance(await first.close_table(ana.actor, c.CloseTable(id=1, table=table)), Ack)
    await until(lambda: houses.ear(second).went == [table])
    answer = await second.play(bea.actor, c.TakeBox(id=1, table=table, stint=0, seq=1, box=1))
    assert isinstance(answer, Refused)
    assert not await second.follow(table)
    again = await first.close_table(ana.actor, c.CloseTable(id=1, table=table))
    assert isinstance(again, Refused)
    assert again.code == "no_such_table"


async def test_followers_of_a_table_that_is_open_again_keep_their_count(houses: Houses) -> None:
    floor = await houses.floor()
    table = TableId("standing")
    settings = '{"game":"punto_banco"}'
    assert await floor.openings.create(table, "Standing", settings, public=True, opener="house")
    assert await floor.follow(table)
    closed = floor.registry.tables[table]
    await houses.client.flushall()
    await closed.refresh()
    assert closed.gone
    assert await floor.openings.create(table, "Standing", settings, public=True, opener="house")
    assert await floor.follow(table)
    floor.unfollow(table)  # the one from before
    assert floor.registry.tables[table].followers == 1


async def test_a_follower_who_gave_up_leaves_no_table_behind(houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapete_server.shell.registry.LINGER_MS", 10)
    floor = await houses.floor()
    table = await houses.table(await houses.guest(floor))
    following = asyncio.create_task(floor.follow(table))
    await asyncio.sleep(0)
    following.cancel()
    await until(lambda: table not in floor.registry.tables and not floor.registry._loading)


async def test_a_table_that_cannot_be_read_says_so_and_is_not_followed(houses: Houses) -> None:
    floor = await houses.floor()
    table = await houses.table(await houses.guest(floor))
    await houses.client.hset((await houses.client.keys(f"t:*:{table}"))[0], "b", b"not a table")
    with pytest.raises(UnreadableTable):
        await floor.follow(table)
    assert table not in floor.registry.tables
    await floor.lobby_list.look()
    assert (await houses.audit()).faults


async def test_an_own_commit_told_before_its_reply(houses: Houses) -> None:
    ana, _, table = await two(houses)
    store, live = ana.floor._store, ana.live(table)
    commit = store.commit

    async def slow(order: Any) -> Any:
        done = await commit(order)
        await until(lambda: live.state.version == order.version + 1)
        return done

    store.commit = slow
    try:
        assert isinstance(await ana.bet(table, 1, 100), Ack)
    finally:
        store.commit = commit
    versions = houses.ear(ana.floor).batches[table]
    assert versions == list(range(versions[0], versions[-1] + 1))


async def test_a_command_cancelled_in_the_middle_leaves_nothing_behind(houses: Houses) -> None:
    ana, _, table = await two(houses)
    live: LiveTable = ana.live(table)
    for steps in range(12):
        task = asyncio.create_task(ana.bet(table, 1, 100 * (steps + 1)))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert not live.lock.locked()
    await live.refresh()
    assert isinstance(await ana.bet(table, 1, 5_000), Ack)
