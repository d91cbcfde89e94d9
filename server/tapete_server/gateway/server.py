"""One port: WebSocket at `/ws`, plain HTTP everywhere else."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from tapete_protocol.codes import CloseCode
from tapete_protocol.limits import COMMAND_BYTES_MAX, SUBPROTOCOL
from tapete_server.gateway.attendance import Attendance
from tapete_server.gateway.beat import Beat
from tapete_server.gateway.counters import Counters
from tapete_server.gateway.desk import Desk
from tapete_server.gateway.fanout import Outbox, Sweeper
from tapete_server.gateway.http import WEBSOCKET_PATH, NoPage, PlainHttp, Records, text
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.gateway.line import Line
from tapete_server.gateway.origin import check_origin, client_address
from tapete_server.gateway.pages import Pages, front_page
from tapete_server.gateway.rates import Accounts, Rate
from tapete_server.gateway.rooms import Rooms
from tapete_server.gateway.session import House, Session
from tapete_server.shell.floor_port import Floor

_library_log = logging.getLogger("tapete.websockets")
_library_log.setLevel(logging.WARNING)


class Gateway:
    """Built and started inside the running loop. `incarnation` is this run of this node: `via` of a connection is it, a
    dot, and a number. `ready` is asked by `/readyz`. `origins` are pages that may connect besides our own, like
    `https://play.example`; `proxies` are addresses whose `X-Forwarded-For` is believed."""

    def __init__(
        self,
        floor: Floor,
        records: Records,
        *,
        incarnation: str,
        limits: GatewayLimits | None = None,
        counters: Counters | None = None,
        pages: Pages | None = None,
        ready: Callable[[], bool] = lambda: True,
        origins: Collection[str] = (),
        proxies: Collection[str] = (),
    ) -> None:
        self.limits = limits or GatewayLimits()
        self.counters = counters or Counters()
        self._incarnation, self._ready = incarnation, ready
        self._origins, self._proxies = frozenset(origin.lower().rstrip("/") for origin in origins), frozenset(proxies)
        sweeper = Sweeper(asyncio.get_running_loop(), self.limits.sweep_slice_lines)
        outbox = Outbox(self.limits, self.counters)
        self.rooms = floor.sink = Rooms(floor, outbox, sweeper)
        attendance = Attendance(floor, self.counters)
        self._house = House(
            floor=floor,
            rooms=self.rooms,
            desk=Desk(floor, self.rooms, attendance, self.limits),
            outbox=outbox,
            attendance=attendance,
            accounts=Accounts(Rate(self.limits.account_commands_per_s, self.limits.account_commands_burst)),
            limits=self.limits,
            counters=self.counters,
            rate=Rate(self.limits.commands_per_s, self.limits.commands_burst),
            patience=Rate(self.limits.refusals_per_s, self.limits.refusals_burst),
        )
        self._http = PlainHttp(floor, records, front_page() if pages is None else pages, self._is_ready)
        self._numbers = itertools.count(1)
        self._sessions: dict[Session, Line] = {}
        self._draining = False
        self._emptied = asyncio.Event()
        self._server: Server | None = None
        self._beat: asyncio.Task[None] | None = None

    async def start(self, host: str | None = "127.0.0.1", port: int = 8080) -> None:
        """Listen. Port 0: any free one; see `port`. Raises `OSError` when the port is taken; it may be tried again."""
        self._server = await serve(
            self._serve,
            host,
            port,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            select_subprotocol=_subprotocol,
            compression=None,
            process_request=self._request,
            server_header="tapete",
            open_timeout=self.limits.open_s_max,
            close_timeout=self.limits.close_s_max,
            ping_interval=None,
            max_size=COMMAND_BYTES_MAX + self.limits.frame_slack_bytes,
            max_queue=self.limits.inbound_frames_max,
            write_limit=self.limits.write_high_bytes,
            logger=_library_log,
            create_connection=Line,
        )
        self._beat = asyncio.get_running_loop().create_task(Beat(self._house).run())

    @property
    def port(self) -> int:
        assert self._server is not None, "the gateway was started"
        return int(self._server.sockets[0].getsockname()[1])

    async def drain(self) -> None:
        """Refuse commands, send everyone elsewhere bit by bit, let what has begun be finished, and close: within a
        bound. Cancelling the drain cuts the rest off."""
        self._draining = True
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.limits.drain_s_max):
                    await self._send_away()
                    if self._sessions:
                        self._emptied.clear()
                        await self._emptied.wait()
        finally:
            await self.close()

    async def close(self) -> None:
        """At once: whoever is left is cut off. What has begun is still finished, but not waited for without end."""
        self._draining = True
        if self._beat is not None:
            self._beat.cancel()
        for line in tuple(self._sessions.values()):
            line.cut()
        if self._server is not None:
            self._server.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(self.limits.drain_s_max):
                    await self._server.wait_closed()

    async def _send_away(self) -> None:
        leaving = tuple(self._sessions)
        for session in leaving:
            session.drain()
        pause_s = self.limits.drain_spread_s / max(1, len(leaving))
        for session in leaving:
            if session in self._sessions:
                session.retire()
                await asyncio.sleep(pause_s)

    def _is_ready(self) -> bool:
        return not self._draining and self._ready()

    async def _request(self, _: ServerConnection, request: Request) -> Response | None:
        self.counters.requests_total += 1
        if request.path.partition("?")[0] != WEBSOCKET_PATH or request.method not in ("GET", "HEAD"):
            return await self._http.answer(request)
        try:
            check_origin(request, self._origins)
        except NoPage as refusal:
            return text(refusal.status, refusal.text, **refusal.headers)
        return None

    async def _serve(self, connection: ServerConnection) -> None:
        assert isinstance(connection, Line), "made by `create_connection`"
        assert connection.request is not None, "the handshake is over"
        line, limits = connection, self.limits
        line.bound(send_buffer_bytes=limits.send_buffer_bytes, backlog_bytes_max=limits.backlog_bytes_max)
        address = client_address(connection.request, line.address, self._proxies)
        session = Session(self._house, line, f"{self._incarnation}.{next(self._numbers)}", address)
        if (refusal := self._closed_to(line)) is not None:
            session.shut(refusal)
            return
        self._sessions[session] = line
        self.counters.connections += 1
        self.counters.connections_total += 1
        try:
            await session.run()
        finally:
            self.counters.connections -= 1
            del self._sessions[session]
            if not self._sessions:
                self._emptied.set()

    def _closed_to(self, line: Line) -> CloseCode | None:
        if line.subprotocol != SUBPROTOCOL:
            return CloseCode.BAD_SUBPROTOCOL
        if self._draining:
            return CloseCode.GOING_AWAY
        return CloseCode.NODE_FULL if len(self._sessions) >= self.limits.connections_max else None


def _subprotocol(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """None: the connection opens all the same, and the close code says what is wrong."""
    return Subprotocol(SUBPROTOCOL) if SUBPROTOCOL in offered else None
