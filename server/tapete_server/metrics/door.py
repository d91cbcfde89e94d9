"""The address of `/metrics`: plain HTTP for whoever watches the house, apart from the port that players come in by."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from tapete_server.config import PORT_MAX
from tapete_server.gateway.http import respond, text
from tapete_server.metrics.text import CONTENT_TYPE

PATH = "/metrics"
OPEN_S_MAX = 5.0
"""For one request."""

log = logging.getLogger("tapete.metrics")
_library_log = logging.getLogger("tapete.websockets")


class MetricsDoor:
    """`written` gives the text of a scrape."""

    def __init__(self, written: Callable[[], bytes]) -> None:
        self._written = written
        self._server: Server | None = None

    async def start(self, host: str, port: int, *, ports: int = 1) -> None:
        """At this port (0: any free one), or at one of the next `ports`. Raises `OSError` when all are taken."""
        last = min(port + ports - 1, PORT_MAX)
        for candidate in range(port, last + 1):
            try:
                self._server = await self._listen(host, candidate)
            except OSError as problem:
                if problem.errno != errno.EADDRINUSE or candidate == last:
                    raise
            else:
                return

    async def _listen(self, host: str, port: int) -> Server:
        return await serve(
            _no_websocket, host, port, process_request=self._answer, compression=None, server_header="tapete",
            open_timeout=OPEN_S_MAX, close_timeout=OPEN_S_MAX, ping_interval=None, logger=_library_log,
        )  # fmt: skip

    @property
    def port(self) -> int:
        assert self._server is not None, "the door was opened"
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            with suppress(OSError):
                await self._server.wait_closed()

    async def _answer(self, _: ServerConnection, request: Request) -> Response:
        try:
            response = self._get(request)
        except Exception:
            log.exception("a scrape failed")
            response = text(HTTPStatus.INTERNAL_SERVER_ERROR, "The node made a mistake.")
        if request.method == "HEAD":
            response.body = b""
        return response

    def _get(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return text(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD.", Allow="GET, HEAD")
        if request.path.partition("?")[0] != PATH:
            return text(HTTPStatus.NOT_FOUND, f"There is only {PATH} here.")
        return respond(HTTPStatus.OK, self._written(), CONTENT_TYPE, {"Cache-Control": "no-store"})


async def _no_websocket(connection: ServerConnection) -> None:
    """Every request is answered before; no connection gets here."""
    await connection.close()
