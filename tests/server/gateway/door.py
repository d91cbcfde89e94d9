"""A gateway on a free port of the loopback, and clients that speak to it frame by frame."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tapete_protocol.codec import encode
from tapete_protocol.commands import Hello
from tapete_server.gateway import Counters, Gateway, GatewayLimits
from tapete_server.gateway.socket_line import SocketLine
from tests.server.gateway.floor import CountingFloor, KeptRecords

WAIT_S_MAX = 5.0


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop turn until it is so."""
    async with asyncio.timeout(WAIT_S_MAX):
        while not condition():  # noqa: ASYNC110 - the condition is anybody's, and has no event
            await asyncio.sleep(0.001)


@dataclass
class Client:
    """`seen`: every frame so far, in order."""

    socket: ClientConnection
    seen: list[dict[str, Any]] = field(default_factory=list)
    ids: int = 0

    async def frame(self) -> dict[str, Any]:
        async with asyncio.timeout(WAIT_S_MAX):
            raw = await self.socket.recv(decode=False)
        found: dict[str, Any] = msgspec.msgpack.decode(raw)
        self.seen.append(found)
        return found

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        while True:
            found = await self.frame()
            if found["t"] == kind and all(found.get(name) == value for name, value in fields.items()):
                return found

    async def send(self, kind: type, **fields: Any) -> int:
        self.ids += 1
        await self.socket.send(encode(kind(id=self.ids, **fields)))
        return self.ids

    async def ask(self, kind: type, **fields: Any) -> dict[str, Any]:
        number = await self.send(kind, **fields)
        while True:
            found = await self.frame()
            if found.get("id") == number:
                return found

    async def closed(self) -> int:
        """Read on until the end; the close code."""
        try:
            while True:
                await self.frame()
        except ConnectionClosed:
            return self.socket.close_code or 0


@dataclass
class Got:
    """A plain HTTP answer; status 0: none."""

    status: int
    headers: dict[str, str]
    body: bytes


class Door:
    """The gateway under test and what it stands on."""

    def __init__(self, gateway: Gateway, floor: CountingFloor, records: KeptRecords) -> None:
        self.gateway, self.floor, self.records = gateway, floor, records

    @property
    def counters(self) -> Counters:
        return self.gateway.counters

    def lines(self) -> list[SocketLine]:
        """The node's ends of all connections, oldest first."""
        return [line for line in self.gateway.hall._sessions.values() if isinstance(line, SocketLine)]

    async def get(self, path: str, method: str = "GET", host: str = "node.test", **headers: str) -> Got:
        fields = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        return await self.say(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{fields}\r\n".encode())

    async def say(self, request: bytes) -> Got:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.gateway.port)
        writer.write(request)
        async with asyncio.timeout(WAIT_S_MAX):
            try:
                answer = await reader.read()
            except ConnectionResetError:
                answer = b""
        writer.transport.abort()
        head, _, body = answer.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        return Got(int(first.split(" ")[1]) if first else 0, dict(line.split(": ", 1) for line in lines), body)

    @asynccontextmanager
    async def raw(self, **options: Any) -> AsyncIterator[Client]:
        given = {"subprotocols": [Subprotocol("tapete.v1")], "compression": None, "ping_interval": None} | options
        async with connect(f"ws://127.0.0.1:{self.gateway.port}/ws", proxy=None, close_timeout=1, **given) as socket:
            yield Client(socket)

    @asynccontextmanager
    async def client(self, token: str | None = None, **options: Any) -> AsyncIterator[Client]:
        async with self.raw(**options) as client:
            assert (await client.ask(Hello, name="Ada", token=token))["t"] == "Welcome"
            yield client


@asynccontextmanager
async def running(*tables: str, limits: GatewayLimits | None = None, **options: Any) -> AsyncIterator[Door]:
    floor, records = CountingFloor(*(tables or ("felt",))), KeptRecords()
    quick = replace(limits or GatewayLimits(), drain_spread_s=0.01, close_s_max=0.5)
    gateway = Gateway(floor, records, incarnation="node", limits=quick, **options)
    await gateway.start(port=0)
    try:
        yield Door(gateway, floor, records)
    finally:
        floor.gate.set()
        await gateway.close()
