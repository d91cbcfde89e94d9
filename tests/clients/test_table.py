"""A table in hand: the chain of batches, getting back in step, and news for slow readers."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import msgpack
from msgspec.structs import replace as replaced

from tapete_client import ControlChanged, Happened, Missed, Reconnected, Session, Synced, Table, connect
from tapete_client.feed import Feed
from tapete_client.mirror import Mirror, OutOfStep
from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol import frames as f
from tapete_protocol.codec import decode_frame, encode
from tests.clients.house import NOW, TABLE, House
from tests.clients.virtual_time import simulate

READY = e.PlayerReady(player="p-ana", ready=True)


def session_at(house: House, feed_items_max: int = 1000) -> Session:
    return connect("n1", transport=house, rng=random.Random(7), feed_items_max=feed_items_max)


async def in_step(house: House, table: Table) -> None:
    await table.until(lambda _: table.version == house.version and table.head == house.head)


def watches(house: House) -> list[c.Since | None]:
    return [one.since for one in house.heard if isinstance(one, c.Watch)]


class TestTheMirror:
    def test_follows_the_chain(self) -> None:
        house, mirror = House(), Mirror()
        mirror.snapshot(_snapshot(house))
        for _ in range(3):
            payload = house.commit(READY, READY)
            told = mirror.batch(_batch(payload), payload)
            assert isinstance(told, tuple)
            assert [one.version for one in told] == [house.version] * 2
        assert (mirror.version, mirror.head, mirror.view) == (house.version, house.head, house.view)

    def test_each_event_comes_with_the_view_around_it(self) -> None:
        house, mirror = House(), Mirror()
        mirror.snapshot(_snapshot(house))
        taken = e.BoxTaken(box=1, player="p-ana", name="Ana", stint=1, via="")
        payload = house.commit(taken, e.ChipsIn(player="p-ana", amount=5, transfer="x"))
        told = mirror.batch(_batch(payload), payload)
        assert isinstance(told, tuple)
        first, second = told
        assert first.before.boxes[0] is None
        assert first.view is second.before
        assert second.view.players[0].stack == 5

    def test_a_batch_that_comes_again_says_nothing(self) -> None:
        house, mirror = House(), Mirror()
        mirror.snapshot(_snapshot(house))
        payloads = [house.commit(READY), house.commit(READY)]
        for payload in payloads:
            mirror.batch(_batch(payload), payload)
        assert [mirror.batch(_batch(payload), payload) for payload in payloads] == [(), ()]

    def test_a_hole_and_a_fork_are_noticed(self) -> None:
        house, mirror = House(), Mirror()
        mirror.snapshot(_snapshot(house))
        house.commit(READY)
        later = house.commit(READY)
        assert mirror.batch(_batch(later), later) == OutOfStep("gap")
        assert mirror.since == c.Since(version=1, head=_snapshot(House()).head)
        for prev in (b"\1" * 32, b"short"):
            house, mirror = House(), Mirror()
            mirror.snapshot(_snapshot(house))
            forged = encode(replaced(_batch(house.commit(READY)), prev=prev))
            assert mirror.batch(_batch(forged), forged) == OutOfStep("fork")
            assert mirror.since is None

    def test_another_batch_of_the_present_version_is_a_fork(self) -> None:
        house, mirror = House(), Mirror()
        mirror.snapshot(_snapshot(house))
        payload = house.commit(READY)
        mirror.batch(_batch(payload), payload)
        other = encode(replaced(_batch(payload), events=(READY, READY)))
        assert mirror.batch(_batch(other), other) == OutOfStep("fork")


class TestOutOfStep:
    def test_a_hole_is_filled_with_the_missing_batches(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.happen(READY)
                house.commit(READY)
                house.happen(READY)
                await in_step(house, table)
                news = [await anext(table) for _ in range(4)]
                assert [one.version for one in news if isinstance(one, Happened)] == [2, 3, 4]
            since = watches(house)
            assert len(since) == 2
            assert since[1] is not None
            assert since[1].version == 2

        simulate(story())

    def test_a_forged_batch_changes_nothing_and_a_snapshot_is_asked_for(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.happen(READY)
                batch = _batch(house.log[-1][2])
                house.send(encode(replaced(batch, v=batch.v + 1, prev=b"\7" * 32)))
                house.happen(READY)
                await in_step(house, table)
                news = [await anext(table) for _ in range(3)]
                assert [type(one) for one in news] == [Synced, Happened, Synced]
            assert watches(house) == [None, None]

        simulate(story())

    def test_an_unknown_event_is_answered_with_a_snapshot(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.commit(READY)
                raw = msgpack.unpackb(house.log[-1][2])
                raw["events"].append({"t": "HorseEntered", "name": "Rocinante"})
                house.send(msgpack.packb(raw))
                await in_step(house, table)
            assert watches(house) == [None, None]

        simulate(story())

    def test_an_unknown_frame_is_nothing(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.send(msgpack.packb({"t": "Fanfare", "table": TABLE}))
                house.happen(READY)
                await in_step(house, table)
            assert len(house.dialled) == len(watches(house)) == 1

        simulate(story())

    def test_bytes_that_are_no_frame_cost_the_connection_and_not_the_session(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.send(b"\xc1")
                house.commit(READY)
                await in_step(house, table)
            assert len(house.dialled) == 2

        simulate(story())

    def test_a_lost_last_batch_shows_by_the_heartbeat(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.commit(READY)
                house.open[0].tell(f.Heartbeat(now=NOW, table=TABLE, v=house.version))
                await in_step(house, table)
            assert len(watches(house)) == 2

        simulate(story())

    def test_at_most_one_resync_in_five_seconds(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                clock = asyncio.get_running_loop().time
                began = clock()
                for count in range(20):
                    house.commit(READY)
                    house.happen(READY)
                    await asyncio.sleep(1)
                    if count == 3:
                        assert len(watches(house)) == 2
                await in_step(house, table)
                assert 2 <= len(watches(house)) - 1 <= (clock() - began) / 5 + 1

        simulate(story())

    def test_a_store_that_went_back_is_told(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                for _ in range(4):
                    house.happen(READY)
                await in_step(house, table)
                old = replace(House(), view=house.view, log=[], open=[])
                house.send(old.snapshot(rewound=True))
                await table.until(lambda _: table.version == 1)
                news = [await anext(table) for _ in range(6)]
                assert isinstance(news[-1], Synced)
                assert news[-1].rewound

        simulate(story())

    def test_a_refused_watch_is_asked_again_when_that_may_help(self) -> None:
        async def story() -> None:
            house = House(watch_refused=["unavailable", "unavailable"])
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.watch_refused.append("unavailable")
                house.cut()
                house.commit(READY)
                await in_step(house, table)
                house.watch_refused.append("no_such_table")
                house.cut()
                news = [type(one) async for one in table]
                assert news.count(Reconnected) == 2
                assert table.gone

        simulate(story())


class TestNews:
    def test_who_does_not_read_loses_the_oldest_and_is_told_how_many(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house, feed_items_max=10) as session:
                table = await session.watch(TABLE)
                for _ in range(30):
                    house.happen(READY)
                await in_step(house, table)
                first = await anext(table)
                assert first == Missed(21)
                rest = [await anext(table) for _ in range(10)]
                assert [one.version for one in rest if isinstance(one, Happened)] == list(range(22, 32))
                assert table.read_so_far

        simulate(story())

    def test_a_feed_never_holds_more_than_its_bound(self) -> None:
        feed: Feed[int] = Feed(3)
        for number in range(10_000):
            feed.put(number)
            assert len(feed) <= 3
        assert feed.take_missed() == 9_997
        assert [feed.take() for _ in range(3)] == [9_997, 9_998, 9_999]

    def test_control_that_went_elsewhere_is_told(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE)
                house.open[0].tell(f.Place(table=TABLE, stint=1, seq=5, control=False))
                async for news in table:
                    if isinstance(news, ControlChanged):
                        break
                assert not table.control
                await table.ready()
            assert [one.seq for one in house.heard if isinstance(one, c.Ready)] == [6]

        simulate(story())

    def test_the_numbering_follows_another_connection_of_the_player(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE)
                house.happen(READY, by=f.Author(player="p-ana", seq=9, digest=b""))
                await in_step(house, table)
                await table.ready()
            assert [one.seq for one in house.heard if isinstance(one, c.Ready)] == [10]

        simulate(story())

    def test_commands_of_a_player_go_one_after_the_other(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE)
                await asyncio.gather(*(table.place_bet(1, "main", 100 * n) for n in range(1, 6)))
            assert [one.seq for one in house.heard if isinstance(one, c.PlaceBets)] == [2, 3, 4, 5, 6]

        simulate(story())


def _batch(payload: bytes) -> f.Batch:
    batch = decode_frame(payload)
    assert isinstance(batch, f.Batch)
    return batch


def _snapshot(house: House) -> f.Snapshot:
    snapshot = decode_frame(house.snapshot())
    assert isinstance(snapshot, f.Snapshot)
    return snapshot
