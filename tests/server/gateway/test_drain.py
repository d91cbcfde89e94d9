"""A node that goes, and the process around it."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace

import pytest

from tapete_protocol.codes import CloseCode
from tapete_protocol.commands import Ping, Ready, Watch
from tapete_server.gateway import Gateway, GatewayLimits
from tapete_server.gateway.runtime import run, tune_garbage_collector
from tests.server.gateway.door import running, until
from tests.server.gateway.floor import CountingFloor, KeptRecords

LIMITS = GatewayLimits()


async def test_everyone_is_told_to_come_back_and_departures_are_marked() -> None:
    async with running() as door, door.client() as one, door.client() as two:
        await one.ask(Watch, table="felt")
        port = door.gateway.port
        draining = asyncio.create_task(door.gateway.drain())
        assert [await client.closed() for client in (one, two)] == [CloseCode.GOING_AWAY] * 2
        await draining
        assert door.floor.departures == [("node.1", "felt")]
        with pytest.raises(OSError, match=r"refused|failed"):
            await asyncio.open_connection("127.0.0.1", port)


async def test_what_has_begun_is_finished_and_what_comes_later_refused() -> None:
    async with running() as door, door.client() as client, door.client() as idle:
        await client.ask(Watch, table="felt")
        door.floor.gate.clear()
        first = await client.send(Ready, table="felt", stint=0, seq=1)
        await until(lambda: door.floor.waiting == 1)
        draining = asyncio.create_task(door.gateway.drain())
        assert await idle.closed() == CloseCode.GOING_AWAY
        door.floor.gate.set()
        await client.closed()
        await draining
        assert client.seen[-2:] == [
            {"t": "Batch", "table": "felt", "v": 2, "pad": b""},
            {"t": "Ack", "id": first, "now": 1, "version": 2, "table": "felt"},
        ]


async def test_commands_between_the_start_and_the_close_are_refused() -> None:
    async with running() as door, door.client() as client:
        for session in door.gateway.hall._sessions:
            session.drain()
        refused = await client.ask(Ping)
        assert (refused["code"], refused["retry_ms"]) == ("draining", 1000)


async def test_a_draining_node_is_not_ready_and_takes_nobody() -> None:
    async with running() as door, door.client() as client:
        door.floor.gate.clear()
        await client.send(Watch, table="felt")
        await until(lambda: door.floor.waiting == 1)
        draining = asyncio.create_task(door.gateway.drain())
        await asyncio.sleep(0)
        assert (await door.get("/readyz")).status == 503
        assert (await door.get("/healthz")).status == 200
        async with door.raw() as late:
            assert await late.closed() == CloseCode.GOING_AWAY
        door.floor.gate.set()
        await draining


async def test_a_drain_ends_within_its_bound() -> None:
    async with running(limits=replace(LIMITS, drain_s_max=0.1)) as door, door.client() as client:
        door.floor.gate.clear()
        await client.send(Watch, table="felt")
        await until(lambda: door.floor.waiting == 1)
        async with asyncio.timeout(3):
            await door.gateway.drain()
        assert await client.closed() == 1006


async def test_a_port_that_is_taken() -> None:
    async with running() as door:
        other = Gateway(CountingFloor("felt"), KeptRecords(), incarnation="other")
        with pytest.raises(OSError, match="in use"):
            await other.start(port=door.gateway.port)
        await other.start(port=0)
        assert other.port != door.gateway.port
        await other.close()


def test_the_loop_is_the_fast_one_where_there_is_one() -> None:
    async def kind() -> str:
        return type(asyncio.get_running_loop()).__module__

    assert run(kind()) == "uvloop"


def test_the_collector_leaves_alone_what_stays() -> None:
    thresholds, frozen = gc.get_threshold(), gc.get_freeze_count()
    try:
        tune_garbage_collector()
        assert gc.get_freeze_count() > frozen
        assert gc.get_threshold()[0] > thresholds[0]
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
