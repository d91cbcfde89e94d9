"""Onlookers that cost next to nothing, so that a thousand of them measure the nodes and not themselves: bare sockets that
speak just enough WebSocket, follow one table by version and head, and come back as the SDK does, by the wire's rules."""

from __future__ import annotations

import asyncio
import random
import struct
from collections import Counter
from collections.abc import Sequence
from typing import Any, Self, cast

import msgpack

from tapete_client.policy import backoff_s
from tapete_protocol.chain import next_head
from tapete_protocol.codec import encode
from tapete_protocol.commands import Hello, Since, Watch
from tests.chaos.company import BACK_S_MAX, Return, kind_of, wait_for

ARRIVING_MAX = 40
OPEN_S_MAX = 5.0
REQUEST = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGFwZXRlIGRlIGNhb3MhIQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: tapete.v1\r\n\r\n"
)
WATCH = 2


def masked(opcode: int, payload: bytes) -> bytes:
    """A client's frame, with a mask of zeros (RFC 6455, section 5.2)."""
    size = len(payload)
    head = struct.pack("!BB", opcode, 0x80 | size) if size < 126 else struct.pack("!BBH", opcode, 0xFE, size)
    return head + bytes(4) + payload


class LightClient(asyncio.Protocol):
    """`holes`: batches that did not join what was there. `returns` as a `Stopwatch` has them."""

    def __init__(self, ports: Sequence[int], table: str, dice: random.Random) -> None:
        self._ports, self._table, self._dice = ports, table, dice
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._read = bytearray()
        self._open = False
        self._token: str | None = None
        self._place = 0
        self._tries = 0
        self._closed = False
        self._dialing: asyncio.Task[None] | None = None
        self._lost_at = 0.0
        self._batches = self._snapshots = 0
        self._left = ""
        self.node = ""
        self.since: Since | None = None
        self.watching = False
        self.holes = 0
        self.refused: Counter[str] = Counter()
        self.returns: list[Return] = []

    # --- the connection ---

    def dial(self, place: int) -> None:
        self._place = place
        self._dialing = self._loop.create_task(self._dial())

    async def _dial(self, wait_s: float = 0.0) -> None:
        await asyncio.sleep(wait_s)
        self._read.clear()
        self._open = False
        try:
            async with asyncio.timeout(OPEN_S_MAX):
                await self._loop.create_connection(lambda: self, "127.0.0.1", self._port)
        except (OSError, TimeoutError):
            self._again()

    @property
    def _port(self) -> int:
        return self._ports[self._place % len(self._ports)]

    def _again(self) -> None:
        self._place += 1
        self._dialing = self._loop.create_task(self._dial(backoff_s(self._tries, self._dice)))
        self._tries += 1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(REQUEST.format(port=self._port).encode())

    def connection_lost(self, _: Exception | None) -> None:
        if self._closed:
            return
        if self.watching:
            self.watching, self._tries = False, 0
            self._lost_at, self._left = self._loop.time(), self.node
            self._batches = self._snapshots = 0
        self._again()

    def close(self) -> None:
        self._closed = True
        if self._dialing is not None:
            self._dialing.cancel()
        if self._transport is not None:
            self._transport.abort()

    # --- frames ---

    def data_received(self, chunk: bytes) -> None:
        self._read += chunk
        if not self._open:
            end = self._read.find(b"\r\n\r\n")
            if end < 0:
                return
            self._open = True
            del self._read[: end + 4]
            self._sign_in()
        while (frame := self._frame()) is not None:
            self._take(*frame)

    def _frame(self) -> tuple[int, bytes] | None:
        read = self._read
        if len(read) < 2:
            return None
        size, at = read[1] & 0x7F, 2
        if size > 125:
            wide = 2 if size == 126 else 8
            if len(read) < 2 + wide:
                return None
            size, at = int.from_bytes(read[2 : 2 + wide], "big"), 2 + wide
        if len(read) < at + size:
            return None
        frame = read[0] & 0x0F, bytes(read[at : at + size])
        del read[: at + size]
        return frame

    def _take(self, opcode: int, payload: bytes) -> None:
        assert self._transport is not None
        if opcode == 9:
            self._transport.write(masked(0x8A, payload))
        elif opcode == 8:
            self._transport.close()
        else:
            self._hear(kind_of(payload), payload)

    def _say(self, command: Any) -> None:
        assert self._transport is not None
        self._transport.write(masked(0x82, encode(command)))

    def _hear(self, kind: str, payload: bytes) -> None:
        match kind:
            case "Batch":
                self._batches += 1
                self._follow(payload)
            case "Snapshot":
                self._snapshots += 1
                frame = msgpack.unpackb(payload)
                self.since = Since(version=frame["v"], head=frame["head"])
            case "Welcome":
                frame = msgpack.unpackb(payload)
                self._token, self.node = frame["token"], frame["node"]
                self._say(Watch(id=WATCH, table=self._table, since=self.since))
            case "Ack":
                self._arrived()
            case "Refused":
                frame = msgpack.unpackb(payload)
                self.refused[frame["code"]] += 1
                wait_s = backoff_s(0, self._dice, frame.get("retry_ms"))
                self._loop.call_later(wait_s, self._say_again if frame["id"] == WATCH else self._sign_in)
            case _:
                pass

    def _sign_in(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._say(Hello(id=1, name=None if self._token else "Onlooker", token=self._token))

    def _say_again(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._say(Watch(id=WATCH, table=self._table, since=self.since))

    def _follow(self, payload: bytes) -> None:
        frame = msgpack.unpackb(payload)
        if self.since is not None and (frame["v"], frame["prev"]) != (self.since.version + 1, self.since.head):
            self.holes += 1
        self.since = Since(version=frame["v"], head=next_head(frame["prev"], payload))

    def _arrived(self) -> None:
        self.watching = True
        if self._lost_at:
            now = self._loop.time()
            self.returns.append(
                Return(self._lost_at, now, self._left, self.node, self._batches, self._snapshots),
            )
            self._lost_at = 0.0


class LightCrowd:
    """So many of them, spread over nodes (by their ports) and tables."""

    def __init__(self, ports: Sequence[int], tables: Sequence[str], count: int, seed: int) -> None:
        dice = random.Random(seed)
        self.clients = [LightClient(ports, tables[n % len(tables)], dice) for n in range(count)]

    async def __aenter__(self) -> Self:
        for first in range(0, len(self.clients), ARRIVING_MAX):
            some = self.clients[first : first + ARRIVING_MAX]
            for place, client in enumerate(some, first):
                client.dial(place)
            await wait_for(lambda: all(client.watching for client in some), BACK_S_MAX)  # noqa: B023
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self.clients:
            client.close()

    async def back(self, since: float) -> list[Return]:
        """Wait until all of them were lost since then, and watch again."""
        await wait_for(
            lambda: all(one.watching and one.returns and one.returns[-1].lost_at >= since for one in self.clients),
            BACK_S_MAX,
        )
        return [one.returns[-1] for one in self.clients]

    @property
    def holes(self) -> int:
        return sum(client.holes for client in self.clients)

    @property
    def refused(self) -> Counter[str]:
        """What was refused to any of them, by code."""
        return sum((client.refused for client in self.clients), Counter())
