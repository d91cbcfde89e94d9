"""Clients that do not read, on both event loops: what they cost, when they are cut, and that nobody waits for them."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import termios
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from tapete_protocol.codec import encode
from tapete_protocol.commands import Ping, TakeBox, TopUp, Watch
from tapete_server.gateway import GatewayLimits
from tapete_server.gateway.runtime import run
from tapete_server.gateway.socket_line import SocketLine
from tests.server.gateway.door import Client, Door, running, until

COST_BYTES_MAX = 300_000
LIMITS = GatewayLimits(sweep_wait_s=0.0)
"""No table has as many events in that time as the floods here."""
Main = Coroutine[Any, Any, None]
both_loops = pytest.mark.parametrize("go", [asyncio.run, run], ids=["asyncio", "uvloop"])
Go = Callable[[Main], None]


def cost_bytes(line: SocketLine) -> int:
    """What a connection holds on this side: cork, transport, and the kernel's queue."""
    raw = line.transport.get_extra_info("socket")
    queued = 0 if raw.fileno() < 0 else struct.unpack("i", fcntl.ioctl(raw.fileno(), termios.TIOCOUTQ, b"\0" * 4))[0]
    return line.cork_bytes + line.queued_bytes + queued


@asynccontextmanager
async def lazy(door: Door) -> AsyncIterator[Client]:
    """A client that has a small window and does not read."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", door.gateway.port))
    async with door.client(sock=raw, max_queue=1) as client:
        yield client
        client.socket.transport.abort()


async def flood(door: Door, enough: Callable[[], bool]) -> None:
    """Batches of a kilobyte until it is enough."""
    door.floor.padding = 1000
    async with asyncio.timeout(30):
        while not enough():
            door.floor.commit("felt")
            await asyncio.sleep(0)


@both_loops
def test_a_spectator_who_stops_reading_costs_little_and_is_cut_in_time(go: Go) -> None:
    async def main() -> None:
        async with running(limits=replace(LIMITS, stuck_s_max=0.3, tick_s=0.02)) as door, door.client() as healthy:
            await healthy.ask(Watch, table="felt")
            async with lazy(door) as client:
                await client.ask(Watch, table="felt")
                line = door.lines()[1]
                client.socket.transport.pause_reading()
                reading = asyncio.create_task(_read_to(healthy, lambda: door.counters.slow_cut == 1))
                worst = 0

                def cut() -> bool:
                    nonlocal worst
                    worst = max(worst, cost_bytes(line))
                    return door.counters.slow_cut == 1

                await flood(door, cut)
                assert worst < COST_BYTES_MAX
                assert door.counters.laggards == 1
                await until(lambda: door.counters.connections == 1)
                door.floor.commit("felt")
                seen = await reading
                assert seen == list(range(seen[0], seen[0] + len(seen)))

    go(main())


async def _read_to(client: Client, over: Callable[[], bool]) -> list[int]:
    seen: list[int] = []
    while not over():
        frame = await client.frame()
        if frame["t"] == "Batch":
            seen.append(frame["v"])
    return seen


@both_loops
def test_who_reads_again_gets_one_snapshot_and_goes_on(go: Go) -> None:
    async def main() -> None:
        async with running(limits=LIMITS) as door, lazy(door) as client:
            await client.ask(Watch, table="felt")
            (line,) = door.lines()
            client.socket.transport.pause_reading()
            await flood(door, lambda: line.stuck_since_s is not None)
            at = door.floor.tables["felt"].version
            for _ in range(200):
                door.floor.commit("felt")
            await asyncio.sleep(0)
            assert cost_bytes(line) < COST_BYTES_MAX
            client.socket.transport.resume_reading()
            found = await client.until("Snapshot")
            assert found["v"] == at + 200
            door.floor.commit("felt")
            assert (await client.frame())["v"] == at + 201
            versions = [frame["v"] for frame in client.seen if frame["t"] == "Batch"]
            assert versions == [*range(2, versions[-2] + 1), at + 201]
            assert line.stuck_since_s is None

    go(main())


@both_loops
def test_a_player_who_is_stuck_gets_the_snapshot_before_the_answer(go: Go) -> None:
    async def main() -> None:
        async with running(limits=LIMITS) as door, lazy(door) as client:
            await client.ask(Watch, table="felt")
            await client.ask(TakeBox, table="felt", stint=0, seq=1, box=1)
            (line,) = door.lines()
            client.socket.transport.pause_reading()
            await flood(door, lambda: line.stuck_since_s is not None)
            door.floor.commit("felt")
            number = await client.send(Ping)
            await until(lambda: door.counters.commands_total == 4)
            client.socket.transport.resume_reading()
            await client.until("Ack", id=number)
            kinds = [frame["t"] for frame in client.seen]
            assert kinds[-2:] == ["Snapshot", "Ack"]

    go(main())


@both_loops
def test_who_asks_and_does_not_read_is_not_read_from_either(go: Go) -> None:
    async def main() -> None:
        fast = replace(LIMITS, commands_per_s=1e6, commands_burst=10**6, stuck_s_max=0.3, tick_s=0.02)
        fast = replace(fast, account_commands_per_s=1e6, account_commands_burst=10**6)
        async with running(limits=fast) as door, lazy(door) as client:
            (line,) = door.lines()
            client.socket.transport.pause_reading()
            frame = encode(TopUp(id=1, command="c" * 40))
            worst = 0
            async with asyncio.timeout(8):
                while door.counters.slow_cut == 0:
                    if client.socket.transport.get_write_buffer_size() < 10_000:
                        for _ in range(50):
                            client.socket.protocol.send_binary(frame)
                        client.socket.send_data()
                    worst = max(worst, cost_bytes(line))
                    await asyncio.sleep(0)
            assert worst < COST_BYTES_MAX

    go(main())


@both_loops
def test_who_pings_and_does_not_read_the_pongs_is_cut(go: Go) -> None:
    async def main() -> None:
        async with running(limits=LIMITS) as door, lazy(door) as client:
            (line,) = door.lines()
            client.socket.transport.pause_reading()
            worst = 0
            async with asyncio.timeout(8):
                while line.is_open:
                    for _ in range(50):
                        client.socket.protocol.send_ping(b"x" * 125)
                    client.socket.send_data()
                    worst = max(worst, cost_bytes(line))
                    await asyncio.sleep(0)
            assert worst < COST_BYTES_MAX

    go(main())
