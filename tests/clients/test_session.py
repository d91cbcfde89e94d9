"""The session: signing in, commands and their answers, reconnection, resends, retries. Everything in virtual time."""

from __future__ import annotations

import asyncio
import random

import pytest

from tapete_client import (
    Closed,
    Happened,
    NoAnswer,
    Patience,
    Reconnected,
    Refused,
    Session,
    StoreChanged,
    Synced,
    Table,
    TableGone,
    Unreachable,
    connect,
)
from tapete_client.policy import RETRIES_MAX
from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol import frames as f
from tests.clients.house import NOW, TABLE, House
from tests.clients.virtual_time import simulate

READY = e.PlayerReady(player="p-ana", ready=True)


def session_at(house: House, *urls: str, patience: Patience | None = None) -> Session:
    return connect(urls or ["n1"], name="Ana", transport=house, rng=random.Random(7), patience=patience)


def heard(house: House, kind: type[c.Command]) -> list[c.Command]:
    return [one for one in house.heard if isinstance(one, kind)]


def refusal(code: str, **detail: int) -> f.Refused:
    return f.Refused(id=0, code=code, message="", detail=detail)


class TestASession:
    def test_signs_in_and_knows_who_it_is(self) -> None:
        async def story() -> None:
            async with session_at(House()) as session:
                assert (session.player, session.name, session.balance) == ("p-ana", "Ana", 100_000)
                assert session.token == "token-of-ana"
                assert session.now() == NOW
                await asyncio.sleep(2)
                assert session.now() == NOW + 2000

        simulate(story())

    def test_joins_a_table_buys_chips_and_bets(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE, box=2, buy_in=20_000)
                assert table.my_boxes == (2,)
                assert table.stack == 20_000
                ack = await table.place_bet(2, "main", 1_000)
                assert ack.version == table.version == house.version
                assert table.head == house.head
                await table.place_bets({(2, "main"): 500, (2, "sevens"): 100})
                await table.ready()
                assert table.view.players[0].ready
                await table.leave()
                assert table.me is None
            placed = [one for one in house.heard if isinstance(one, c.Placed)]
            assert [one.seq for one in placed] == [1, 2, 3, 4, 5]
            assert {one.stint for one in placed} == {0, 1}

        simulate(story())

    def test_a_refusal_is_raised_with_its_code_and_its_number_is_used_again(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE)
                house.refuse.append(refusal("bet_below_minimum", minimum=100))
                with pytest.raises(Refused) as refused:
                    await table.place_bet(1, "main", 1)
                assert (refused.value.code, refused.value.detail) == ("bet_below_minimum", {"minimum": 100})
                await table.place_bet(1, "main", 100)
            assert [one.seq for one in heard(house, c.PlaceBets) if isinstance(one, c.Placed)] == [2, 2]

        simulate(story())

    def test_stale_is_an_error_that_tells_where_the_numbering_is(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE)
                house.refuse.append(refusal("stale", stint=1, seq=8))
                with pytest.raises(Refused, match="stale"):
                    await table.ready()
                await table.ready()
            assert [one.seq for one in heard(house, c.Ready) if isinstance(one, c.Placed)] == [2, 9]

        simulate(story())

    def test_a_table_that_is_not_there(self) -> None:
        async def story() -> None:
            async with session_at(House(gone=True)) as session:
                with pytest.raises(TableGone):
                    await session.watch("nowhere")

        simulate(story())

    def test_a_table_that_does_not_show_is_asked_for_again(self) -> None:
        async def story() -> None:
            house = House(hidden=1)
            async with session_at(house) as session:
                assert (await session.watch(TABLE)).version == 1
                house.hidden = 99
                with pytest.raises(NoAnswer):
                    await session.watch("elsewhere")
            assert len(heard(house, c.Watch)) == 5

        simulate(story())

    def test_lists_the_tables(self) -> None:
        async def story() -> None:
            row = f.LobbyTable(
                table=TABLE, name="Green", game="double_exposure", phase="betting", players=0, free_boxes=4,
                spectators=0, minimum=100, maximum=500, round=1, recent=(),
            )  # fmt: skip
            house = House(lobby=(row,))
            async with session_at(house) as session:
                assert await session.lobby() == (row,)
                listing = session.tables()
                assert await anext(listing) == (row,)
                house.open[0].tell(f.Lobby(tables=()))
                assert await anext(listing) == ()
                await listing.aclose()

        simulate(story())

    def test_the_very_bytes_can_be_had(self) -> None:
        async def story() -> None:
            house, every, batches = House(), list[bytes](), list[bytes]()
            async with session_at(house) as session:
                session.on_frame(every.append)
                table = await session.watch(TABLE)
                table.on_frame(batches.append)
                sent = [house.happen(READY), house.happen(READY, READY)]
                await table.until(lambda _: table.version == house.version)
            assert batches == sent
            assert set(sent) < set(every)

        simulate(story())


class TestRetries:
    @pytest.mark.parametrize("code", ["busy", "unavailable", "rate_limited", "in_flight"])
    def test_what_says_nothing_about_the_command_is_tried_again(self, code: str) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE)
                house.refuse.extend([refusal(code)] * 3)
                await table.ready()
            ready = [one for one in house.heard if isinstance(one, c.Ready)]
            assert len(ready) == 4
            assert len({one.seq for one in ready}) == 1
            assert len({one.id for one in ready}) == 4

        simulate(story())

    def test_but_not_for_ever(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE)
                house.refuse.extend([refusal("busy")] * (RETRIES_MAX + 1))
                with pytest.raises(Refused, match="busy"):
                    await table.ready()
            assert not house.refuse

        simulate(story())

    def test_a_nodes_hint_is_the_least_wait(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE)
                house.refuse.append(refusal("busy"))
                began = asyncio.get_running_loop().time()
                await table.ready()
                assert 0.1 <= asyncio.get_running_loop().time() - began <= 0.25

        simulate(story())


class TestReconnection:
    def test_missing_batches_follow_and_none_comes_twice(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.happen(READY)
                await table.until(lambda _: table.version == house.version)
                house.cut()
                for _ in range(5):
                    house.commit(READY)
                news = [await anext(table) for _ in range(8)]
                assert [one.version for one in news if isinstance(one, Happened)] == [2, 3, 4, 5, 6, 7]
                assert [type(one) for one in news[:3]] == [Synced, Happened, Reconnected]
                assert (table.version, table.head) == (house.version, house.head)

        simulate(story())

    def test_a_snapshot_replaces_what_the_node_no_longer_has(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.cut()
                for _ in range(5):
                    house.commit(READY)
                house.log_since = 5
                await table.until(lambda _: table.version == house.version)
                assert table.head == house.head

        simulate(story())

    def test_signs_in_again_with_the_token(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.cut()
                house.commit(READY)
                await table.until(lambda _: table.version == house.version)
            tokens = [one.token for one in house.heard if isinstance(one, c.Hello)]
            assert tokens == [None, "token-of-ana"]

        simulate(story())

    def test_the_command_in_flight_is_sent_again_with_the_same_number(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.join(TABLE, buy_in=20_000)
                house.mute = 2
                await table.place_bet(1, "main", 500)
                assert table.version == house.version
                house.mute = 1
                await table.buy_in(300)
            bets = [one for one in house.heard if isinstance(one, c.PlaceBets)]
            assert len(bets) == 3
            assert len({(one.stint, one.seq) for one in bets}) == 1
            buys = [one.command for one in house.heard if isinstance(one, c.BuyIn)]
            assert len(buys) == 3
            assert len(set(buys)) == 2
            assert sum(isinstance(one, e.BetPlaced) for one in await events_of(house)) == 1

        simulate(story())

    def test_taking_the_first_box_is_sent_again_as_it_was(self) -> None:
        async def story() -> None:
            house = House(mute=1)
            async with session_at(house) as session:
                table = await session.join(TABLE, box=3)
                assert table.my_boxes == (3,)
            taken = [one for one in house.heard if isinstance(one, c.TakeBox)]
            assert [(one.stint, one.seq) for one in taken] == [(0, 1), (0, 1)]

        simulate(story())

    def test_the_next_url_is_tried(self) -> None:
        async def story() -> None:
            house = House(down={"n1"})
            async with session_at(house, "n1", "n2") as session:
                table = await session.watch(TABLE)
                house.down = {"n2"}
                house.cut(4000)
                house.commit(READY)
                await table.until(lambda _: table.version == house.version)
            assert house.dialled[:3] == ["n1", "n2", "n1"]

        simulate(story())

    def test_a_node_that_falls_silent_is_left(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.open[0].watching = False
                house.happen(READY)
                await table.until(lambda _: table.version == house.version)
            assert len(house.dialled) == 2

        simulate(story())

    def test_a_final_close_code_ends_the_session(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                assert isinstance(await anext(table), Synced)
                house.cut(4503)
                with pytest.raises(Closed) as closed:
                    await anext(table)
                assert closed.value.code == 4503
                with pytest.raises(Closed):
                    await session.lobby()
            assert len(house.dialled) == 1

        simulate(story())

    def test_gives_up_at_last(self) -> None:
        async def story() -> None:
            house = House(down={"n1", "n2"})
            began = asyncio.get_running_loop().time()
            with pytest.raises(Unreachable, match="down"):
                await session_at(house, "n1", "n2").__aenter__()
            assert 2 < asyncio.get_running_loop().time() - began <= Patience().first_s
            assert 6 < len(house.dialled) < 40

        simulate(story())

    def test_gives_up_after_an_outage_that_is_too_long(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                house.down = {"n1"}
                house.cut()
                with pytest.raises(Unreachable):
                    await table.until(lambda _: False)
                with pytest.raises(Unreachable):
                    await table.ready()

        simulate(story())

    def test_an_unwanted_token_is_an_error_at_once(self) -> None:
        async def story() -> None:
            house = House(hello_refused="bad_token")
            with pytest.raises(Refused, match="bad_token"):
                await session_at(house).__aenter__()
            assert len(house.dialled) == 1

        simulate(story())


class TestTheStore:
    def test_going_away_and_coming_back_is_news(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table = await session.watch(TABLE)
                await anext(table)
                house.open[0].tell(f.StoreState(available=False), f.StoreState(available=True))
                assert await anext(table) == StoreChanged(False)
                assert await anext(table) == StoreChanged(True)
                assert session.store_available

        simulate(story())

    def test_a_closed_table_ends_its_news(self) -> None:
        async def story() -> None:
            house = House()
            async with session_at(house) as session:
                table: Table = await session.watch(TABLE)
                house.open[0].tell(f.Gone(table=TABLE))
                assert [type(one) async for one in table] == [Synced]
                assert table.gone
                with pytest.raises(TableGone):
                    await table.until(lambda _: True)

        simulate(story())


async def events_of(house: House) -> list[e.Event]:
    """Every event of the house's log, read back from its bytes."""
    from tapete_protocol.codec import decode_frame

    batches = [decode_frame(payload) for _, _, payload in house.log]
    return [event for batch in batches if isinstance(batch, f.Batch) for event in batch.events]
