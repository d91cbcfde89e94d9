"""A connection as the gateway needs it: a WebSocket in the world, a queue in a simulation.

Frames of a server are not masked, so one encoding serves all connections.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Protocol

from tapete_protocol.codes import CloseCode

_FIN_BINARY, _FIN_PING = 0x82, 0x89


class LineGone(Exception):
    """The connection is over: nothing can be received any more."""


def frame_bytes(payload: bytes) -> bytes:
    """A whole binary frame, header and payload (RFC 6455, section 5.2). The library's takes ten times as long."""
    size = len(payload)
    if size < 126:
        return struct.pack("!BB", _FIN_BINARY, size) + payload
    if size < 1 << 16:
        return struct.pack("!BBH", _FIN_BINARY, 126, size) + payload
    return struct.pack("!BBQ", _FIN_BINARY, 127, size) + payload


def ping_bytes() -> bytes:
    """A ping without content: its pong is a sign of life like any other byte."""
    return struct.pack("!BB", _FIN_PING, 0)


class Line(Protocol):
    """`cork`: frames for the one write at the end of this turn of the loop. `stuck_since_s`: since when the peer does
    not read what is written, None if it does; `stuck_bytes`: what was added since."""

    loop: asyncio.AbstractEventLoop
    cork: list[bytes]
    cork_bytes: int
    heard_s: float
    heard_bytes: int
    stuck_since_s: float | None
    stuck_bytes: int
    on_unstuck: Callable[[Line], None] | None

    @property
    def is_open(self) -> bool: ...
    @property
    def is_unread(self) -> bool:
        """Commands wait, and reading has paused: silence is ours, not the peer's."""
        ...

    @property
    def close_code(self) -> int | None: ...
    async def take(self) -> bytes | str:
        """The next frame. Raises `LineGone`."""
        ...

    def write(self, frames: bytes) -> bool:
        """Whole frames, as they are. Never waits."""
        ...

    def shut(self, code: CloseCode, grace_s: float) -> None:
        """Say why, and end the connection; by force when the peer does not play along."""
        ...

    def cut(self) -> None:
        """End it now; what is queued is thrown away."""
        ...

    async def unstuck(self) -> None:
        """Wait until the peer reads again, or the connection is gone."""
        ...
