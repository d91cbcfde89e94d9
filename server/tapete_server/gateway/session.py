"""The life of one connection: Hello, then commands one after another, each with its one answer, in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tapete_protocol.base import PlayerId
from tapete_protocol.codec import BadCommand, WireError, decode_command, encode
from tapete_protocol.codes import CLOSES, CloseCode
from tapete_protocol.commands import Command, Hello
from tapete_protocol.frames import Refused, Welcome
from tapete_server.gateway.attendance import Attendance
from tapete_server.gateway.counters import Counters
from tapete_server.gateway.desk import Answer, Desk, refused
from tapete_server.gateway.fanout import Outbox
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.gateway.line import Line, LineGone, frame_bytes
from tapete_server.gateway.rates import Accounts, Rate, full, take
from tapete_server.gateway.rooms import Guest, Rooms
from tapete_server.ports import StoreAway
from tapete_server.shell.floor_port import Actor, Floor

Said = Answer | Welcome
Work = Callable[[Command], Awaitable[Said]]

log = logging.getLogger("tapete.gateway")

UNHEALTHY = frozenset({"malformed_command", "unsupported", "not_signed_in", "already_signed_in", "rate_limited"})
"""Refusals that a client which follows the protocol never gets."""
UNHEALTHY_LINES_MAX = 3
"""Of one connection in the log; all are counted."""


@dataclass(frozen=True, slots=True)
class House:
    """What all sessions of a node share."""

    floor: Floor
    rooms: Rooms
    desk: Desk
    outbox: Outbox
    attendance: Attendance
    accounts: Accounts
    limits: GatewayLimits
    counters: Counters
    rate: Rate
    patience: Rate


class Ended(Exception):
    """The session is over; the connection gets this code."""

    def __init__(self, code: CloseCode) -> None:
        super().__init__(code.name)
        self.code = code


class Session:
    """`via` names the connection among all nodes; `address` is where it comes from, for the limits of new accounts."""

    def __init__(self, house: House, line: Line, via: str, address: str) -> None:
        self._house, self._line, self.via, self._address = house, line, via, address
        self._guest: Guest | None = None
        self._busy = self._draining = self._retiring = False
        self._started_s = line.loop.time()
        self._bucket, self._patience = full(house.rate, self._started_s), full(house.patience, self._started_s)
        self._commands = self._told = 0
        self._code: int | None = None

    async def run(self) -> None:
        """Until the connection is gone or has been closed."""
        try:
            guest = await self._hello()
            while True:
                await self._one(await self._next(), lambda command: self._house.desk.answer(guest, command))
        except Ended as ended:
            self.shut(ended.code)
        except LineGone:
            pass
        finally:
            await self._leave()

    def drain(self) -> None:
        """The node is going: commands from now on are refused."""
        self._draining = True

    def retire(self) -> None:
        """Close, once the command in work is answered."""
        self._retiring = True
        if not self._busy:
            self.shut(CloseCode.GOING_AWAY)

    def shut(self, code: CloseCode) -> None:
        self._code = code
        self._house.counters.closes[code.name] += 1
        self._house.outbox.flush(self._line)
        self._line.shut(code, self._house.limits.close_s_max)

    # --- the first frame ---

    async def _hello(self) -> Guest:
        until_s = self._started_s + self._house.limits.hello_s_max
        while self._guest is None:
            try:
                async with asyncio.timeout_at(until_s):
                    frame = await self._next()
            except TimeoutError:
                raise Ended(CloseCode.IDLE) from None
            await self._one(frame, self._sign_in)
        return self._guest

    async def _sign_in(self, command: Command) -> Said:
        if not isinstance(command, Hello):
            return refused(command.id, "not_signed_in")
        return await self._house.floor.sign_in(command, self._address)

    # --- one frame ---

    async def _next(self) -> bytes:
        frame = await self._line.take()
        if isinstance(frame, str):
            self._house.counters.wire_errors += 1
            raise Ended(CloseCode.BAD_FRAME)
        return frame

    async def _one(self, frame: bytes, work: Work) -> None:
        self._busy = True
        self._house.outbox.commands_underway += 1
        try:
            command = self._admitted(frame)
            if isinstance(command, Refused):
                await self._reply(command)
            else:
                await self._reply(await self._to_the_end(self._guarded(command, work)))
        finally:
            self._busy = False
            self._house.outbox.commands_underway -= 1
        if self._retiring:
            raise Ended(CloseCode.GOING_AWAY)

    def _admitted(self, frame: bytes) -> Command | Refused:
        """The command, or why it is not even tried."""
        self._commands += 1
        self._house.counters.commands_total += 1
        try:
            command = decode_command(frame)
        except WireError as wrong:
            self._house.counters.wire_errors += 1
            raise Ended(wrong.close_code) from None
        except BadCommand as bad:
            return self._limited(bad.id) or refused(bad.id, bad.code, bad.detail)
        if self._draining:
            return refused(command.id, "draining", retry_ms=CLOSES[CloseCode.GOING_AWAY].delay_ms)
        return self._limited(command.id) or command

    def _limited(self, number: int) -> Refused | None:
        now_s = self._line.loop.time()
        self._bucket, wait_ms = take(self._bucket, self._house.rate, now_s)
        if not wait_ms and self._guest is not None:
            wait_ms = self._house.accounts.take(self._guest.actor.player, now_s)
        if not wait_ms:
            return None
        self._patience, out_of_patience = take(self._patience, self._house.patience, now_s)
        if out_of_patience:
            raise Ended(CloseCode.FLOOD)
        return refused(number, "rate_limited", retry_ms=wait_ms)

    async def _guarded(self, command: Command, work: Work) -> Said:
        try:
            return await work(command)
        except StoreAway:
            return refused(command.id, "unavailable", retry_ms=self._house.limits.unavailable_retry_ms)
        except Exception:
            self._house.counters.internal_errors += 1
            incident = f"{self.via}-{self._commands}"
            log.exception("a command failed", extra={"incident": incident, "command": type(command).__name__})
            return refused(command.id, "internal", {"incident": incident}, self._house.limits.internal_retry_ms)

    async def _to_the_end(self, work: Awaitable[Said]) -> Said:
        """A command that has begun is finished, even if this session is cancelled."""
        task = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise

    async def _reply(self, answer: Said) -> None:
        line, house = self._line, self._house
        if line.stuck_since_s is not None:
            await line.unstuck()
        if isinstance(answer, Refused):
            self._note(answer)
        if self._guest is not None:
            house.rooms.send(self._guest, answer)
            return
        house.outbox.push(line, frame_bytes(encode(answer)))
        if isinstance(answer, Welcome) and line.is_open:
            self._guest = house.rooms.enter(Actor(PlayerId(answer.player), answer.name, self.via), line)

    def _note(self, refused_: Refused) -> None:
        """Counted; and told when no healthy client makes the node say it, at most so many times for a connection."""
        self._house.counters.refusals[refused_.code] += 1
        if refused_.code in UNHEALTHY and self._told < UNHEALTHY_LINES_MAX:
            self._told += 1
            log.info("refused", extra={"via": self.via, "code": refused_.code, "field": refused_.detail.get("field")})

    async def _leave(self) -> None:
        if (guest := self._guest) is not None:
            tables = self._house.rooms.leave(guest)
            await self._house.attendance.left(guest.actor, tables)
        log.info(
            "connection over",
            extra={
                "via": self.via,
                "player": guest.actor.player if guest is not None else None,
                "commands": self._commands,
                "seconds": round(self._line.loop.time() - self._started_s, 1),
                "code": self._code or self._line.close_code,
            },
        )
