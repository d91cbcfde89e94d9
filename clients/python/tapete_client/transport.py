"""The way to a node, as a port: a WebSocket in the world, a queue in a simulation."""

from __future__ import annotations

from typing import Protocol
from urllib.parse import urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.typing import Subprotocol

SUBPROTOCOL = Subprotocol("tapete.v1")
DEFAULT_URL = "ws://127.0.0.1:8080/ws"
FRAME_BYTES_MAX = 1 << 20
OPEN_S_MAX = 5.0
CLOSE_S_MAX = 2.0
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Lost(Exception):
    """The connection is gone, or could not be made. `code` is the close code, where there was one."""

    def __init__(self, reason: str, code: int | None = None) -> None:
        super().__init__(f"{reason} ({code})" if code is not None else reason)
        self.reason = reason
        self.code = code


class Connection(Protocol):
    """One open connection: whole frames in both directions. Every method may raise `Lost`."""

    async def send(self, payload: bytes) -> None: ...

    async def recv(self) -> bytes: ...

    async def close(self) -> None: ...


class Transport(Protocol):
    async def connect(self, url: str) -> Connection:
        """An open connection to the node at `url`, or `Lost`."""
        ...


def address_of(url: str) -> str:
    """The WebSocket address of a node, also from what people type: `host:port`, `http://host:port`."""
    parts = urlsplit(url if "://" in url else f"ws://{url}")
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    return urlunsplit((scheme, parts.netloc, parts.path if parts.path.strip("/") else "/ws", parts.query, ""))


class WebSocketConnection:
    """A `Connection` over the `websockets` library."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def send(self, payload: bytes) -> None:
        try:
            await self._socket.send(payload)
        except ConnectionClosed as closed:
            raise _lost(closed) from closed

    async def recv(self) -> bytes:
        try:
            frame = await self._socket.recv()
        except ConnectionClosed as closed:
            raise _lost(closed) from closed
        return frame if isinstance(frame, bytes) else frame.encode()

    async def close(self) -> None:
        await self._socket.close()


class WebSockets:
    """The default `Transport`. Frames are not compressed; the node's heartbeat takes the place of keepalive pings."""

    async def connect(self, url: str) -> Connection:
        address = address_of(url)
        try:
            socket = await connect(
                address,
                subprotocols=[SUBPROTOCOL],
                compression=None,
                max_size=FRAME_BYTES_MAX,
                ping_interval=None,
                open_timeout=OPEN_S_MAX,
                close_timeout=CLOSE_S_MAX,
                proxy=None if urlsplit(address).hostname in LOOPBACK else True,
            )
        except (OSError, InvalidHandshake, TimeoutError, EOFError) as failure:
            raise Lost(f"cannot reach {address}: {str(failure) or type(failure).__name__}") from failure
        except (InvalidURI, ValueError) as failure:
            raise Lost(f"{url!r} is no address of a node: {failure}") from failure
        if socket.subprotocol != SUBPROTOCOL:
            await socket.close()
            raise Lost(f"{address} does not speak {SUBPROTOCOL}")
        return WebSocketConnection(socket)


def _lost(closed: ConnectionClosed) -> Lost:
    if closed.rcvd is None:
        return Lost("the connection broke")
    return Lost(closed.rcvd.reason or "closed by the node", closed.rcvd.code)
