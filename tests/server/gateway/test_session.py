"""One connection: Hello, commands and answers, and everything a client can do wrong."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from tapete_protocol.codec import encode
from tapete_protocol.codes import CloseCode
from tapete_protocol.commands import (
    BuyIn,
    CloseTable,
    FreeBox,
    Hello,
    OpenTable,
    Ping,
    PlaceBets,
    Ready,
    Since,
    TakeBox,
    TopUp,
    Unwatch,
    Watch,
    WatchLobby,
)
from tapete_protocol.frames import Place
from tapete_server.gateway import GatewayLimits
from tests.server.gateway.door import Client, running, until

SEAT: dict[str, Any] = {"table": "felt", "stint": 0, "seq": 1}
LIMITS = GatewayLimits()


def kinds(client: Client) -> list[str]:
    return [frame["t"] for frame in client.seen]


def packed(**fields: Any) -> bytes:
    return msgspec.msgpack.encode(fields)


class TestHello:
    async def test_a_guest_then_the_same_player_again(self) -> None:
        async with running() as door:
            async with door.raw() as first:
                welcome = await first.ask(Hello, name="Ada")
                assert (welcome["t"], welcome["name"], welcome["node"]) == ("Welcome", "Ada", "127.0.0.1")
            async with door.raw() as second:
                assert (await second.ask(Hello, token=welcome["token"]))["player"] == welcome["player"]

    async def test_nothing_goes_before_it(self) -> None:
        async with running() as door, door.raw() as client:
            assert (await client.ask(Ping))["code"] == "not_signed_in"
            assert (await client.ask(Hello, token="wrong"))["code"] == "bad_token"
            assert (await client.ask(Hello, name="Ada"))["t"] == "Welcome"
            assert (await client.ask(Hello, name="Bob"))["code"] == "already_signed_in"

    async def test_it_has_to_come_in_time(self) -> None:
        async with running(limits=replace(LIMITS, hello_s_max=0.05)) as door, door.raw() as client:
            assert await client.closed() == CloseCode.IDLE

    async def test_questions_do_not_buy_time(self) -> None:
        async with running(limits=replace(LIMITS, hello_s_max=1.0)) as door, door.raw() as client:
            await client.ask(Ping)
            assert await client.closed() == CloseCode.IDLE

    @pytest.mark.parametrize("offered", [None, ["other.v1"]])
    async def test_a_subprotocol_that_is_not_ours(self, offered: list[str] | None) -> None:
        async with running() as door, door.raw(subprotocols=offered) as client:
            assert await client.closed() == CloseCode.BAD_SUBPROTOCOL

    async def test_a_full_node(self) -> None:
        async with running(limits=replace(LIMITS, connections_max=1)) as door, door.client(), door.raw() as second:
            assert await second.closed() == CloseCode.NODE_FULL


class TestTables:
    async def test_watch_is_answered_after_what_it_asked_for(self) -> None:
        async with running() as door, door.client() as client:
            assert await client.ask(Watch, table="felt") == {
                "t": "Ack",
                "id": 2,
                "now": 1000,
                "version": 1,
                "table": "felt",
            }
            assert kinds(client) == ["Welcome", "Snapshot", "Ack"]

    async def test_resume_gets_exactly_what_was_missed(self) -> None:
        async with running() as door, door.client() as client:
            for _ in range(3):
                door.floor.commit("felt")
            await client.ask(Watch, table="felt", since=Since(version=2, head=b"h" * 32))
            assert [frame.get("v") for frame in client.seen[1:]] == [3, 4, None]
            door.floor.commit("felt")
            assert (await client.frame())["v"] == 5

    async def test_a_long_absence_gets_a_snapshot(self) -> None:
        async with running(limits=replace(LIMITS, joined_bytes_max=200)) as door, door.client() as client:
            for _ in range(30):
                door.floor.commit("felt")
            await client.ask(Watch, table="felt", since=Since(version=1, head=b"h" * 32))
            assert kinds(client) == ["Welcome", "Snapshot", "Ack"]

    async def test_watching_again_is_one_watch(self) -> None:
        async with running() as door, door.client() as client:
            await client.ask(Watch, table="felt")
            await client.ask(Watch, table="felt", since=Since(version=1, head=b"h" * 32))
            door.floor.commit("felt")
            await client.ask(Ping)
            assert [frame["v"] for frame in client.seen if frame["t"] == "Batch"] == [2]
            assert door.floor.tables["felt"].followers == 1

    async def test_an_ack_follows_its_batch_and_its_place(self) -> None:
        async with running() as door, door.client() as client:
            await client.ask(Watch, table="felt")
            await client.ask(TakeBox, **SEAT, box=1)
            await client.ask(Ready, **SEAT)
            assert kinds(client)[3:] == ["Batch", "Place", "Ack", "Batch", "Ack"]

    async def test_spectators_are_those_without_a_box(self) -> None:
        async with running() as door, door.client() as client, door.client() as other:
            await client.ask(Watch, table="felt")
            await other.ask(Watch, table="felt")
            assert door.gateway.hall.rooms.local_crowd() == {"felt": 2}
            await client.ask(TakeBox, **SEAT, box=1)
            assert door.gateway.hall.rooms.local_crowd() == {"felt": 1}
            await client.ask(FreeBox, **SEAT, box=1)
            assert door.gateway.hall.rooms.local_crowd() == {"felt": 2}
            await other.until("Batch", v=3)

    async def test_a_player_who_comes_back_is_announced(self) -> None:
        async with running() as door:
            async with door.client() as client:
                await client.ask(Watch, table="felt")
                await client.ask(TakeBox, **SEAT, box=1)
            await until(lambda: door.floor.departures == [("node.1", "felt")])
            async with door.client(token="p1") as client:
                await client.ask(Watch, table="felt")
                assert door.floor.arrivals == [("node.2", "felt")]
                assert kinds(client) == ["Welcome", "Snapshot", "Place", "Ack"]

    async def test_departures_and_arrivals_wait_for_the_store(self) -> None:
        async with running(limits=replace(LIMITS, tick_s=0.01)) as door:
            async with door.client() as client:
                await client.ask(Watch, table="felt")
                await client.ask(TakeBox, **SEAT, box=1)
                door.floor.away = True
            await until(lambda: door.counters.connections == 0)
            assert door.floor.departures == []
            door.floor.away = False
            await until(lambda: door.floor.departures == [("node.1", "felt")])

    async def test_many_tables_on_one_connection_within_a_bound(self) -> None:
        tables = ("one", "two", "three")
        async with (
            running(*tables, limits=replace(LIMITS, tables_per_connection_max=2)) as door,
            door.client() as client,
        ):
            for table in tables[:2]:
                assert (await client.ask(Watch, table=table))["t"] == "Ack"
            refused = await client.ask(Watch, table="three")
            assert (refused["code"], refused["detail"]) == ("too_many_tables", {"max": 2})
            assert (await client.ask(Unwatch, table="one"))["t"] == "Ack"
            assert (await client.ask(Watch, table="three"))["t"] == "Ack"
            door.floor.commit("one")
            door.floor.commit("three")
            assert (await client.frame())["table"] == "three"
            assert {table: found.followers for table, found in door.floor.tables.items()} == {
                "one": 0,
                "two": 1,
                "three": 1,
            }

    async def test_what_is_not_there_or_not_watched(self) -> None:
        async with running() as door, door.client() as client:
            assert (await client.ask(Watch, table="nowhere"))["code"] == "no_such_table"
            assert (await client.ask(Unwatch, table="felt"))["code"] == "not_watching"
            assert (await client.ask(TakeBox, **SEAT, box=1))["code"] == "not_watching"
            assert (await client.ask(BuyIn, command="c" * 8, table="felt", amount=1))["code"] == "not_watching"
            assert door.floor.played == []

    async def test_opening_and_closing_a_table(self) -> None:
        async with running() as door, door.client() as client, door.client() as other:
            assert (await client.ask(OpenTable, command="c" * 8, name="mine", settings="{}"))["table"] == "mine"
            await client.ask(Watch, table="mine")
            await other.ask(Watch, table="mine")
            await client.ask(CloseTable, table="mine")
            assert kinds(client)[-3:] == ["Batch", "Gone", "Ack"]
            await other.until("Gone", table="mine")
            await until(lambda: door.floor.calls["unfollow"] == 2)
            assert door.gateway.hall.rooms.local_crowd() == {}
            assert (await client.ask(Watch, table="mine"))["code"] == "no_such_table"

    async def test_money_is_told_to_all_connections_of_a_player(self) -> None:
        async with running() as door, door.client(token="ada") as one, door.client(token="ada") as two:
            await one.ask(TopUp, command="c" * 8)
            assert kinds(one) == ["Welcome", "Wallet", "Ack"]
            assert (await two.until("Wallet"))["balance"] == 7

    async def test_the_connection_that_lost_control_is_told_and_no_other(self) -> None:
        async with running() as door, door.client(token="ada") as one, door.client(token="ada") as two:
            for client in (one, two):
                await client.ask(Watch, table="felt")
            await two.ask(TakeBox, **SEAT, box=1)
            door.floor.sink.place("node.1", Place(table="felt", stint=2, seq=1, control=False))
            assert (await one.until("Place"))["control"] is False
            await two.ask(Ping)
            assert [frame["control"] for frame in two.seen if frame["t"] == "Place"] == [True]

    async def test_the_lobby_once_now_and_then_when_it_changes(self) -> None:
        async with running(limits=replace(LIMITS, tick_s=0.01)) as door, door.client() as client:
            await client.ask(WatchLobby)
            assert kinds(client) == ["Welcome", "Lobby", "Ack"]
            changed = await door.floor.lobby()
            for _ in range(3):
                door.gateway.hall.rooms.lobby(changed)
            await client.until("Lobby")
            assert (await client.ask(WatchLobby, on=False))["t"] == "Ack"
            door.gateway.hall.rooms.lobby(b"\x81\xa1t\xa1?")
            door.gateway.hall.rooms.crowd("felt", 3)  # type: ignore[arg-type]
            await client.ask(Watch, table="felt")
            door.gateway.hall.rooms.crowd("felt", 4)  # type: ignore[arg-type]
            await client.until("Crowd", spectators=4)
            assert kinds(client).count("Lobby") == 2

    async def test_whether_the_store_is_there(self) -> None:
        async with running() as door, door.client() as client:
            door.gateway.hall.rooms.store_state(available=False)
            assert (await client.until("StoreState"))["available"] is False
            async with door.client() as late:
                assert (await late.until("StoreState"))["available"] is False


class TestWrong:
    @pytest.mark.parametrize(
        ("frame", "code"),
        [
            (b"", CloseCode.BAD_FRAME),
            (b"\xc1", CloseCode.BAD_FRAME),
            (b"\x81\xa1t", CloseCode.BAD_FRAME),
            (packed(t="Ping", id=1) + b"\x00", CloseCode.BAD_FRAME),
            (b"\x92\x01\x02", CloseCode.BAD_FRAME),
            (b"\x82\xa1t\xa4Ping\xa1t\xa4Ping", CloseCode.BAD_FRAME),
            (b"\x91" * 3000, CloseCode.BAD_FRAME),
            (b"x" * 4097, CloseCode.TOO_BIG),
            (b"x" * 6000, 1009),
        ],
    )
    @pytest.mark.parametrize("signed_in", [False, True])
    async def test_no_message_at_all_closes(self, frame: bytes, code: int, *, signed_in: bool) -> None:
        async with running() as door, door.client() if signed_in else door.raw() as client:
            await client.socket.send(frame)
            assert await client.closed() == code
            await until(lambda: door.counters.connections == 0)

    async def test_text_closes(self) -> None:
        async with running() as door, door.client() as client:
            await client.socket.send("hello")
            assert await client.closed() == CloseCode.BAD_FRAME
            assert door.counters.wire_errors == 1

    @pytest.mark.parametrize(
        ("fields", "code"),
        [
            ({"t": "Steal", "id": 7}, "unsupported"),
            ({"t": "Ping", "id": 7, "colour": 1}, "unsupported"),
            ({"t": "Watch", "id": 7}, "malformed_command"),
            ({"t": "Watch", "id": 7, "table": 9}, "malformed_command"),
            ({"t": "Watch", "id": 7, "table": "../etc"}, "malformed_command"),
            ({"t": "Ready", "id": 7, "table": "felt", "stint": float("nan"), "seq": 1}, "malformed_command"),
            ({"t": "Ready", "id": 7, "table": "felt", "stint": 2**60, "seq": 1}, "malformed_command"),
            ({"t": "Ready", "id": 7, "table": "felt", "stint": True, "seq": 1}, "malformed_command"),
        ],
    )
    async def test_a_wrong_command_is_refused_and_the_connection_stays(self, fields: dict[str, Any], code: str) -> None:
        async with running() as door, door.client() as client:
            await client.socket.send(msgspec.msgpack.encode(fields))
            refused = await client.frame()
            assert (refused["t"], refused["id"], refused["code"]) == ("Refused", 7, code)
            assert refused["message"]
            assert (await client.ask(Ping))["t"] == "Ack"
            assert door.counters.refusals == {code: 1}

    async def test_too_fast_is_told_when_to_go_on_and_a_flood_is_closed(self) -> None:
        slow = replace(LIMITS, commands_per_s=0.1, commands_burst=3, refusals_per_s=0.1, refusals_burst=4)
        async with running(limits=slow) as door, door.client() as client:
            for number in range(100, 110):
                await client.socket.send(encode(Ping(id=number)))
            assert await client.closed() == CloseCode.FLOOD
            assert [frame["id"] for frame in client.seen if frame["t"] == "Ack"] == [100, 101]
            late = [frame for frame in client.seen if frame["t"] == "Refused"]
            assert [(frame["code"], frame["id"]) for frame in late] == [("rate_limited", 102 + n) for n in range(4)]
            assert 5_000 < late[0]["retry_ms"] <= 10_000

    async def test_an_account_does_not_get_more_by_more_connections(self) -> None:
        slow = replace(LIMITS, account_commands_per_s=0.1, account_commands_burst=3)
        async with running(limits=slow) as door, door.client(token="ada") as one, door.client(token="ada") as two:
            for client in (one, two, one):
                assert (await client.ask(Ping))["t"] == "Ack"
            assert (await two.ask(Ping))["code"] == "rate_limited"
            async with door.client(token="bob") as other:
                assert (await other.ask(Ping))["t"] == "Ack"

    async def test_control_frames_are_bounded_too(self) -> None:
        few = replace(
            LIMITS, inbound_bytes_per_s_max=100_000, heartbeat_s=0.02, tick_s=0.01
        )  # 2,000 for each heartbeat
        async with running(limits=few) as door, door.client() as client:
            for _ in range(3):
                await client.until("Heartbeat", table="")
            for _ in range(50):
                client.socket.protocol.send_ping(b"x" * 100)
            client.socket.send_data()
            assert await client.closed() == CloseCode.FLOOD


class TestOurs:
    async def test_a_mistake_of_ours_is_an_incident_and_the_connection_stays(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with running() as door, door.client() as client:
            await client.ask(Watch, table="felt")
            door.floor.broken = True
            with caplog.at_level(logging.ERROR, "tapete.gateway"):
                refused = await client.ask(Ready, **SEAT)
            assert refused["code"] == "internal"
            assert refused["detail"]["incident"] == caplog.records[0].incident  # type: ignore[attr-defined]
            door.floor.broken = False
            assert (await client.ask(Ready, **SEAT))["t"] == "Ack"

    async def test_a_store_that_is_away(self) -> None:
        async with running() as door, door.client() as client:
            await client.ask(Watch, table="felt")
            door.floor.away = True
            refused = await client.ask(Ready, **SEAT)
            assert (refused["code"], refused["retry_ms"]) == ("unavailable", 500)

    async def test_one_command_at_a_time_in_the_order_sent(self) -> None:
        async with running() as door, door.client() as client:
            await client.ask(Watch, table="felt")
            door.floor.gate.clear()
            for number in range(10, 30):
                await client.socket.send(encode(Ready(id=number, table="felt", stint=0, seq=number)))
            await until(lambda: door.floor.waiting == 1)
            assert door.floor.played == []
            door.floor.gate.set()
            await client.until("Ack", id=29)
            answers = [(frame["t"], frame.get("id", frame.get("v"))) for frame in client.seen[3:]]
            assert answers == [pair for n in range(20) for pair in (("Batch", 2 + n), ("Ack", 10 + n))]

    async def test_a_command_in_work_holds_up_nobody_else(self) -> None:
        async with running() as door, door.client() as one, door.client() as two:
            await one.ask(Watch, table="felt")
            door.floor.gate.clear()
            number = await one.send(Ready, **SEAT)
            await until(lambda: door.floor.waiting == 1)
            assert (await two.ask(Ping))["t"] == "Ack"
            door.floor.gate.set()
            await one.until("Ack", id=number)

    async def test_a_command_is_finished_when_its_connection_is_gone(self) -> None:
        async with running() as door:
            async with door.client() as client:
                await client.ask(Watch, table="felt")
                door.floor.gate.clear()
                await client.send(PlaceBets, **SEAT, bets=({"box": 1, "spot": "main", "amount": 5},))
                await until(lambda: door.floor.waiting == 1)
                client.socket.transport.abort()
            assert door.floor.departures == []
            door.floor.gate.set()
            await until(lambda: door.floor.departures == [("node.1", "felt")])
            assert len(door.floor.played) == 1
            assert door.floor.tables["felt"].followers == 0

    async def test_a_command_is_finished_when_its_session_is_cancelled(self) -> None:
        async with running() as door, door.client() as client:
            await client.ask(Watch, table="felt")
            door.floor.gate.clear()
            await client.send(Ready, **SEAT)
            await until(lambda: door.floor.waiting == 1)
            assert door.gateway._server is not None
            (task,) = door.gateway._server.handler_tasks
            task.cancel()
            await asyncio.sleep(0)
            assert door.floor.waiting == 1
            door.floor.gate.set()
            await until(lambda: door.floor.departures == [("node.1", "felt")])
            assert len(door.floor.played) == 1

    async def test_heartbeats_and_pings_and_who_does_not_answer_them(self) -> None:
        quick = replace(LIMITS, tick_s=0.01, heartbeat_s=0.02, silence_s_max=1.5)
        async with running(limits=quick) as door, door.client() as alive, door.client() as dead:
            await alive.ask(Watch, table="felt")
            dead.socket.transport.pause_reading()
            assert await alive.until("Heartbeat", table="felt") == {
                "t": "Heartbeat",
                "now": 1000,
                "table": "felt",
                "v": 1,
            }
            await alive.until("Heartbeat", table="")
            while door.counters.closes["IDLE"] == 0:
                await alive.frame()
            dead.socket.transport.resume_reading()
            assert await dead.closed() == CloseCode.IDLE
            await until(lambda: door.counters.connections == 1)
