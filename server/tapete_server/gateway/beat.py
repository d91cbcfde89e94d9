"""What the gateway does by the clock, for all connections at once: nothing else in it has a timer of its own."""

from __future__ import annotations

import asyncio
import logging

from tapete_protocol.codes import CloseCode
from tapete_server.gateway.line import Line
from tapete_server.gateway.session import House

log = logging.getLogger("tapete.gateway")


class Beat:
    """Every tick: crowds, the lobby, stuck connections. Every so many ticks: heartbeats, pings, and who is silent."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._next_heartbeat_s = 0.0
        self._retrying: asyncio.Task[None] | None = None

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        self._next_heartbeat_s = loop.time() + self._house.limits.heartbeat_s
        while True:
            await asyncio.sleep(self._house.limits.tick_s)
            try:
                self.tick(loop.time())
            except Exception:
                self._house.counters.internal_errors += 1
                log.exception("a tick failed")

    def tick(self, now_s: float) -> None:
        house = self._house
        for line in house.rooms.slow(now_s - house.limits.stuck_s_max):
            house.outbox.cut(line)
        house.rooms.tick()
        if len(house.attendance) and (self._retrying is None or self._retrying.done()):
            self._retrying = asyncio.get_running_loop().create_task(house.attendance.retry())
        if now_s >= self._next_heartbeat_s:
            self._next_heartbeat_s = now_s + house.limits.heartbeat_s
            self._heartbeat(now_s)

    def _heartbeat(self, now_s: float) -> None:
        house, limits = self._house, self._house.limits
        house.accounts.forget_full(now_s)
        for guest in house.rooms.guests():
            line = guest.line
            if now_s - line.heard_s > limits.silence_s_max and not line.is_unread:
                self._close(guest.line, CloseCode.IDLE)
            elif line.heard_bytes > limits.inbound_bytes_per_s_max * limits.heartbeat_s:
                self._close(guest.line, CloseCode.FLOOD)
            line.heard_bytes = 0
        house.rooms.heartbeat()

    def _close(self, line: Line, code: CloseCode) -> None:
        self._house.counters.closes[code.name] += 1
        self._house.outbox.flush(line)
        line.shut(code, self._house.limits.close_s_max)
