"""A connection as the fan-out needs it. The one module that leans on what `websockets` does not document:
`connection.request` and `.response`, `.protocol`, `.transport` and its descriptor, `.send_data`, `.drain`,
`.recv_messages.paused`, the methods that asyncio calls. A contract test holds them, and the bytes of a frame, against the
installed version.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.server import Server, ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from tapete_protocol.codes import CloseCode
from tapete_server.gateway.line import Line, LineGone


class SocketLine(ServerConnection):
    """A `Line` over the `websockets` library. What is ours has slots: with it, the library's attributes would be too many for a
    dictionary that shares its keys with all others of its kind, and a connection a kilobyte larger."""

    __slots__ = (
        "_backlog_bytes_max", "_descriptor", "_last", "cork", "cork_bytes", "heard_bytes", "heard_s", "on_unstuck", "stuck_bytes",
        "stuck_since_s",
    )  # fmt: skip

    def __init__(self, protocol: ServerProtocol, server: Server, **options: Any) -> None:
        super().__init__(protocol, server, **options)
        self.cork: list[bytes] = []
        self.cork_bytes = 0
        self.heard_s = self.loop.time()
        self.heard_bytes = 0
        self.stuck_since_s: float | None = None
        self.stuck_bytes = 0
        self.on_unstuck: Callable[[Line], None] | None = None
        self._backlog_bytes_max: int | None = None
        self._descriptor: int | None = None
        self._last: asyncio.TimerHandle | None = None

    @property
    def is_open(self) -> bool:
        return self.protocol.state is OPEN and not self.transport.is_closing()

    @property
    def queued_bytes(self) -> int:
        """What was written and the kernel has not taken yet."""
        return self.transport.get_write_buffer_size()

    @property
    def address(self) -> str:
        peer = self.remote_address
        return str(peer[0]) if isinstance(peer, tuple) and peer else ""

    @property
    def is_unread(self) -> bool:
        return self.recv_messages.paused

    def bound(self, *, send_buffer_bytes: int, backlog_bytes_max: int) -> None:
        """Keep the kernel's queue short, so that a slow reader shows; and bound what pongs may add for it."""
        self._backlog_bytes_max = backlog_bytes_max
        raw = self.transport.get_extra_info("socket")
        if raw is not None:
            with suppress(OSError):
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer_bytes)
            if self.transport.get_extra_info("sslcontext") is None and os.name == "posix":
                self._descriptor = raw.fileno()

    def forget_handshake(self) -> None:
        """The headers of the request and of its answer were a quarter of what an idle connection holds. The request itself has
        to stay: whatever comes while there is none would be taken for one."""
        self.response = None
        if self.request is not None:
            self.request.headers.clear()

    async def take(self) -> bytes | str:
        try:
            return await self.recv()
        except ConnectionClosed as closed:
            raise LineGone from closed

    def write(self, frames: bytes) -> bool:
        transport = self.transport
        if self.protocol.state is not OPEN or transport.is_closing():
            return False
        if self._descriptor is not None and not transport.get_write_buffer_size():
            frames = self._unsent(self._descriptor, frames)
        if frames:
            transport.write(frames)
        return True

    @staticmethod
    def _unsent(descriptor: int, frames: bytes) -> bytes:
        """Straight to the system, while nothing waits before it: a copy costs a tenth less than by way of the transport. What
        the system does not take, or an error, is the transport's: it waits, pauses us, or finds out that the peer has gone.
        The descriptor is the connection's as long as its transport is not closing."""
        try:
            return frames[os.write(descriptor, frames) :]
        except OSError:
            return frames

    def shut(self, code: CloseCode, grace_s: float) -> None:
        if self.protocol.state is OPEN:
            self.protocol.send_close(code, code.advice)
            with suppress(OSError, RuntimeError):
                self.send_data()
        if self._last is None:
            self._last = self.loop.call_later(grace_s, self.transport.abort)

    def cut(self) -> None:
        self.transport.abort()

    async def unstuck(self) -> None:
        with suppress(OSError):
            await self.drain()

    # --- called by the event loop ---

    def data_received(self, data: bytes) -> None:
        self.heard_s = self.loop.time()
        self.heard_bytes += len(data)
        before = self.queued_bytes
        super().data_received(data)
        if self.stuck_since_s is not None and self._backlog_bytes_max is not None:
            self.stuck_bytes += max(0, self.queued_bytes - before)  # pongs
            if self.stuck_bytes > self._backlog_bytes_max:
                self.cut()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.stuck_since_s = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.stuck_since_s = None
        self.stuck_bytes = 0
        if self.on_unstuck is not None:
            self.loop.call_soon(self.on_unstuck, self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.cork.clear()
        self.on_unstuck = None
        if self._last is not None:
            self._last.cancel()
            self._last = None
