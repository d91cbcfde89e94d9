"""One port: WebSocket at `/ws`, plain HTTP everywhere else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from tapete_protocol.codes import CloseCode
from tapete_protocol.limits import COMMAND_BYTES_MAX, SUBPROTOCOL
from tapete_server.gateway.counters import Counters
from tapete_server.gateway.hall import Hall
from tapete_server.gateway.http import WEBSOCKET_PATH, NoPage, PlainHttp, Records, text
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.gateway.origin import check_origin, client_address
from tapete_server.gateway.pages import Pages, front_page
from tapete_server.gateway.socket_line import SocketLine
from tapete_server.shell.floor_port import Floor

_library_log = logging.getLogger("tapete.websockets")
_library_log.setLevel(logging.WARNING)


class Gateway:
    """Built and started inside the running loop. `incarnation` is this run of this node: `via` of a connection is it, a
    dot, and a number. `faults` is asked by `/readyz`: what keeps the node from serving. `origins` are pages that may
    connect besides our own, like `https://play.example`; `proxies` are addresses whose `X-Forwarded-For` is believed."""

    def __init__(
        self,
        floor: Floor,
        records: Records,
        *,
        incarnation: str,
        limits: GatewayLimits | None = None,
        counters: Counters | None = None,
        pages: Pages | None = None,
        faults: Callable[[], Sequence[str]] = tuple,
        origins: Collection[str] = (),
        proxies: Collection[str] = (),
    ) -> None:
        self.limits = limits or GatewayLimits()
        self.counters = counters or Counters()
        self._origins, self._proxies = frozenset(origin.lower().rstrip("/") for origin in origins), frozenset(proxies)
        self.hall = Hall(floor, incarnation=incarnation, limits=self.limits, counters=self.counters)
        self._faults = faults
        self._http = PlainHttp(floor, records, front_page() if pages is None else pages, self._all_faults)
        self._server: Server | None = None

    async def start(self, host: str | None = "127.0.0.1", port: int = 8080, *, shared: bool = False) -> None:
        """Listen. Port 0: any free one; see `port`. `shared`: others listen there, too, and the system gives each of them its
        share of the connections. Raises `OSError` when the port is taken; it may be tried again."""
        self._server = await serve(
            self._serve,
            host,
            port,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            select_subprotocol=_subprotocol,
            compression=None,
            process_request=self._request,
            backlog=self.limits.accept_queue_connections,
            server_header="tapete",
            open_timeout=self.limits.open_s_max,
            close_timeout=self.limits.close_s_max,
            ping_interval=None,
            max_size=COMMAND_BYTES_MAX + self.limits.frame_slack_bytes,
            max_queue=self.limits.inbound_frames_max,
            write_limit=self.limits.write_high_bytes,
            logger=_library_log,
            create_connection=SocketLine,
            reuse_port=shared or None,
        )
        self.hall.open()

    @property
    def port(self) -> int:
        assert self._server is not None, "the gateway was started"
        return int(self._server.sockets[0].getsockname()[1])

    async def drain(self) -> None:
        """Refuse commands, send everyone elsewhere bit by bit, let what has begun be finished, and close: within a
        bound. Cancelling the drain cuts the rest off."""
        try:
            await self.hall.empty()
        finally:
            await self.close()

    async def close(self) -> None:
        """At once: whoever is left is cut off. What has begun is still finished, but not waited for without end."""
        self.hall.close()
        if self._server is not None:
            self._server.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(self.limits.drain_s_max):
                    await self._server.wait_closed()

    def _all_faults(self) -> Sequence[str]:
        return ("the node is stopping",) if self.hall.draining else self._faults()

    async def _request(self, _: ServerConnection, request: Request) -> Response | None:
        self.counters.requests_total += 1
        if request.path.partition("?")[0] != WEBSOCKET_PATH or request.method not in ("GET", "HEAD"):
            return await self._http.answer(request)
        try:
            check_origin(request, self._origins)
        except NoPage as refusal:
            self.counters.origins_refused += 1
            return text(refusal.status, refusal.text, **refusal.headers)
        return None

    async def _serve(self, connection: ServerConnection) -> None:
        assert isinstance(connection, SocketLine), "made by `create_connection`"
        assert connection.request is not None, "the handshake is over"
        line, limits = connection, self.limits
        line.bound(send_buffer_bytes=limits.send_buffer_bytes, backlog_bytes_max=limits.backlog_bytes_max)
        address = client_address(connection.request, line.address, self._proxies)
        line.forget_handshake()
        await self.hall.receive(line, address, None if line.subprotocol == SUBPROTOCOL else CloseCode.BAD_SUBPROTOCOL)


def _subprotocol(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """None: the connection opens all the same, and the close code says what is wrong."""
    return Subprotocol(SUBPROTOCOL) if SUBPROTOCOL in offered else None
