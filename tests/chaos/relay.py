"""A wire of ours between two processes of the house: it can be slow, hold everything back, be cut, or let nobody in."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Self, cast

LINK_S_MAX = 5.0
HELD_BYTES_MAX = 1 << 20
"""What one direction holds back before its sender is not read any more."""


class Relay:
    """From `port` on loopback, or from the unix socket `door`, to `target` (a unix socket, or a port on loopback).

    `delay_s` is added each way. `hold` keeps back what comes until `let_go`, as a network does that loses everything and
    is mended before TCP gives up. `cut` breaks all that is open; while `shut`, nobody gets in.
    """

    def __init__(self, target: Path | int, door: Path | None = None) -> None:
        self.target = target
        self.door = door
        self.delay_s = 0.0
        self.shut = False
        self.held = False
        self.port = 0
        self.wires: set[Wire] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """As a node takes it for its store, or a client for a node."""
        return f"unix://{self.door}" if self.door else f"ws://127.0.0.1:{self.port}/ws"

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        if self.door is not None:
            self._server = await loop.create_unix_server(lambda: Wire(self).near, str(self.door))
        else:
            self._server = await loop.create_server(lambda: Wire(self).near, "127.0.0.1", 0, backlog=4096)
            self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()

    def cut(self) -> int:
        """Break all wires; how many there were."""
        count = len(self.wires)
        for wire in tuple(self.wires):
            wire.cut()
        return count

    def hold(self) -> None:
        self.held = True

    def let_go(self) -> None:
        self.held = False
        for wire in tuple(self.wires):
            wire.near.flush()
            wire.far.flush()
            if wire.near.is_gone or wire.far.is_gone:
                wire.end()

    def sent(self, wire: Wire, chunk: bytes) -> bytes:  # noqa: ARG002 - one that reads along needs it
        """What goes on to the target of what came from the door."""
        return chunk

    def said(self, wire: Wire, chunk: bytes) -> bytes:  # noqa: ARG002 - as above
        """What goes back to the door of what came from the target."""
        return chunk


class Wire:
    """One connection through a relay."""

    def __init__(self, relay: Relay) -> None:
        self.relay = relay
        self.near = _End(self, relay.sent)
        self.far = _End(self, relay.said)
        self.near.other, self.far.other = self.far, self.near
        self._linking: asyncio.Task[None] | None = None

    def link(self) -> None:
        """The near end is there: make the far one."""
        self.relay.wires.add(self)
        if self.relay.shut:
            self.cut()
        else:
            self._linking = asyncio.get_running_loop().create_task(self._link())

    async def _link(self) -> None:
        loop, target = asyncio.get_running_loop(), self.relay.target
        try:
            async with asyncio.timeout(LINK_S_MAX):
                if isinstance(target, Path):
                    await loop.create_unix_connection(lambda: self.far, str(target))
                else:
                    await loop.create_connection(lambda: self.far, "127.0.0.1", target)
        except (OSError, TimeoutError):
            self.cut()
        else:
            if self.near.is_gone:
                self.cut()
            self.near.flush()

    def cut(self) -> None:
        self.relay.wires.discard(self)
        for end in (self.near, self.far):
            if end.transport is not None and not end.lost:
                end.lost = True
                end.transport.abort()

    def end(self) -> None:
        """One side has closed: so does the other, when it has what was said."""
        self.relay.wires.discard(self)
        for end in (self.near, self.far):
            if end.transport is not None:
                end.transport.close()


class _End(asyncio.Protocol):
    """What comes from one side waits here until it is due on the other."""

    other: _End

    def __init__(self, wire: Wire, passes: Callable[[Wire, bytes], bytes]) -> None:
        self.wire = wire
        self.transport: asyncio.Transport | None = None
        self._passes = passes
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._waiting_bytes = 0
        self._to_be_woken = False
        self.lost = False
        """Its connection has ended: what comes for it goes nowhere."""

    @property
    def is_gone(self) -> bool:
        return self.lost or (self.transport is not None and self.transport.is_closing())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        if self is self.wire.near:
            self.wire.link()

    def data_received(self, chunk: bytes) -> None:
        passed = self._passes(self.wire, chunk)
        if not passed:
            return
        self._waiting.append((asyncio.get_running_loop().time() + self.wire.relay.delay_s, passed))
        self._waiting_bytes += len(passed)
        if self._waiting_bytes > HELD_BYTES_MAX and self.transport is not None:
            self.transport.pause_reading()
        self.flush()

    def flush(self) -> None:
        """Pass on what is due."""
        there = self.other.transport
        if there is None or self.other.lost or self.wire.relay.held:
            return
        now = asyncio.get_running_loop().time()
        while self._waiting and self._waiting[0][0] <= now:
            _, chunk = self._waiting.popleft()
            self._waiting_bytes -= len(chunk)
            there.write(chunk)
        if self._waiting and not self._to_be_woken:
            self._to_be_woken = True
            asyncio.get_running_loop().call_at(self._waiting[0][0], self._wake)
        if self.transport is not None and not self.is_gone and not self.transport.is_reading():
            self.transport.resume_reading()

    def _wake(self) -> None:
        self._to_be_woken = False
        self.flush()

    def connection_lost(self, _: Exception | None) -> None:
        self.lost = True
        self.flush()
        if not self.wire.relay.held:
            self.wire.end()
