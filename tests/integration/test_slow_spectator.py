"""Spectators who stop reading while a fast game goes on: what they cost, when they are cut, and that nobody waits."""

from __future__ import annotations

import asyncio
import fcntl
import os
import socket
import statistics
import struct
import termios
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgpack
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from tapete_protocol.limits import SUBPROTOCOL
from tests.integration.cluster import NodeProcess, audited, house
from tests.integration.provoked.stage import BLACKJACK, Venue
from tests.integration.raw import Raw

SLOW = 20
COST_BYTES_MAX = 300_000
STUCK_S_MAX = 10.0
"""As the node has it: who does not read for so long is cut off."""
CUT_S_MAX = 120.0
"""It takes a while until that much was said."""


@asynccontextmanager
async def asleep(node: NodeProcess, table: str, name: str) -> AsyncIterator[socket.socket]:
    """A spectator with a small window who never reads what comes after the handshake."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", node.port))
    dialled = connect(node.url, sock=raw, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, ping_interval=None)
    client = await dialled
    await client.send(msgpack.packb({"t": "Hello", "id": 1, "name": name}))
    await client.recv()
    await client.send(msgpack.packb({"t": "Watch", "id": 2, "table": table}))
    client.transport.pause_reading()
    try:
        yield raw
    finally:
        client.transport.abort()


def ports_of(node: NodeProcess) -> dict[int, int]:
    """What the kernel holds for each peer of the node and has not delivered: bytes by the peer's port."""
    queued = {}
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if int(fields[1].split(":")[1], 16) == node.port and fields[3] == "01":
            queued[int(fields[2].split(":")[1], 16)] = int(fields[4].split(":")[0], 16)
    return queued


def memory_bytes(node: NodeProcess) -> int:
    assert node.process is not None
    pages = int(Path(f"/proc/{node.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def unread_bytes(raw: socket.socket) -> int:
    """What has come to this side and waits there."""
    (waiting,) = struct.unpack("i", fcntl.ioctl(raw.fileno(), termios.FIONREAD, b"\0" * 4))
    return int(waiting)


async def hurry(player: Raw, table: str, seconds: float, times: list[float]) -> None:
    """A game as fast as one player can make it; how long each answer took."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for kind in ("TakeBox", "FreeBox"):
            begun = time.perf_counter()
            await player.act(kind, table, box=2)
            times.append(time.perf_counter() - begun)
        player.frames.clear()


async def test_twenty_who_do_not_read_cost_little_are_cut_in_time_and_hold_up_nobody() -> None:
    async with house() as running, AsyncExitStack() as stack:
        node = await running.node()
        venue = await Venue(node, stack).open()
        player, table = await venue.seated(BLACKJACK)
        before: list[float] = []
        await hurry(player, table, 2.0, before)
        memory = memory_bytes(node)

        sleepers = [await stack.enter_async_context(asleep(node, table, f"Lirón {number}")) for number in range(SLOW)]
        ports = {raw.getsockname()[1] for raw in sleepers}
        begun, beside, worst, cut_after = time.monotonic(), list[float](), 0, 0.0
        while ports & set(ports_of(node)):
            assert time.monotonic() - begun < CUT_S_MAX, "cut in time"
            await hurry(player, table, 0.25, beside)
            queued = ports_of(node)
            worst = max([worst, *(queued[port] for port in ports & set(queued))])
            grown = (memory_bytes(node) - memory) / SLOW
            assert worst + grown < COST_BYTES_MAX
            cut_after = time.monotonic() - begun
        assert all(unread_bytes(raw) < COST_BYTES_MAX for raw in sleepers)
        assert cut_after > 1, "it was a stop, not a refusal"
        await hurry(player, table, 2.0, after := list[float]())
        assert statistics.median(beside) < 3 * max(map(statistics.median, (before, after)))
        assert max(beside) < STUCK_S_MAX / 2, "whoever is held up waits until they are cut"
        assert "Traceback" not in node.stderr()
        status, told = await audited(running.data)
        assert status == 0, told
