"""Where connections are: whoever comes is let in while there is room, and sent elsewhere when the node goes."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import suppress

from tapete_protocol.codes import CloseCode
from tapete_server.gateway.attendance import Attendance
from tapete_server.gateway.beat import Beat
from tapete_server.gateway.counters import Counters
from tapete_server.gateway.desk import Desk
from tapete_server.gateway.fanout import Outbox, Sweeper
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.gateway.line import Line
from tapete_server.gateway.rates import Accounts, Rate
from tapete_server.gateway.rooms import Rooms
from tapete_server.gateway.session import House, Session
from tapete_server.shell.floor_port import Floor


class Hall:
    """All connections of a node, whatever they are made of. Built inside the running loop. `incarnation` is this run of
    this node: `via` of a connection is it, a dot, and a number."""

    def __init__(self, floor: Floor, *, incarnation: str, limits: GatewayLimits, counters: Counters) -> None:
        self.limits, self.counters, self.draining = limits, counters, False
        self._incarnation = incarnation
        outbox = Outbox(limits, counters)
        sweeper = Sweeper(asyncio.get_running_loop(), outbox)
        self.rooms = floor.sink = Rooms(floor, outbox, sweeper)
        attendance = Attendance(floor, counters)
        self._house = House(
            floor=floor,
            rooms=self.rooms,
            desk=Desk(floor, self.rooms, attendance, limits),
            outbox=outbox,
            attendance=attendance,
            accounts=Accounts(Rate(limits.account_commands_per_s, limits.account_commands_burst)),
            limits=limits,
            counters=counters,
            rate=Rate(limits.commands_per_s, limits.commands_burst),
            patience=Rate(limits.refusals_per_s, limits.refusals_burst),
        )
        self._numbers = itertools.count(1)
        self._sessions: dict[Session, Line] = {}
        self._emptied = asyncio.Event()
        self._beat: asyncio.Task[None] | None = None

    def open(self) -> None:
        """From now on what is done by the clock is done."""
        self._beat = asyncio.get_running_loop().create_task(Beat(self._house).run())

    async def receive(self, line: Line, address: str, refusal: CloseCode | None = None) -> None:
        """One connection, until it is over. `address`: where it comes from, for the limits of new accounts; `refusal`: why
        it cannot stay."""
        session = Session(self._house, line, f"{self._incarnation}.{next(self._numbers)}", address)
        if (refusal := refusal or self._closed()) is not None:
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

    def _closed(self) -> CloseCode | None:
        if self.draining:
            return CloseCode.GOING_AWAY
        return CloseCode.NODE_FULL if len(self._sessions) >= self.limits.connections_max else None

    async def empty(self) -> None:
        """Refuse commands, send everyone elsewhere bit by bit, and let what has begun be finished: within a bound."""
        self.draining = True
        with suppress(TimeoutError):
            async with asyncio.timeout(self.limits.drain_s_max):
                await self._send_away()
                if self._sessions:
                    self._emptied.clear()
                    await self._emptied.wait()

    async def _send_away(self) -> None:
        leaving = tuple(self._sessions)
        for session in leaving:
            session.drain()
        pause_s = self.limits.drain_spread_s / max(1, len(leaving))
        for session in leaving:
            if session in self._sessions:
                session.retire()
                await asyncio.sleep(pause_s)

    def close(self) -> None:
        """At once: whoever is left is cut off. What has begun is still finished, but not waited for."""
        self.draining = True
        if self._beat is not None:
            self._beat.cancel()
        for line in tuple(self._sessions.values()):
            line.cut()
