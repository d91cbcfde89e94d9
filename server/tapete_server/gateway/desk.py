"""What each command of a signed-in connection does. The answer is returned, never sent from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from tapete_protocol import codes
from tapete_protocol.base import TableId
from tapete_protocol.commands import (
    Act,
    AskAdvice,
    BuyIn,
    CashOut,
    CloseTable,
    Command,
    FreeBox,
    Hello,
    Leave,
    OpenTable,
    Ping,
    PlaceBets,
    Ready,
    Reveal,
    TakeBox,
    TopUp,
    Unwatch,
    Watch,
    WatchLobby,
)
from tapete_protocol.frames import Ack, Refused
from tapete_server.gateway.attendance import Attendance
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.gateway.rooms import Guest, Rooms
from tapete_server.shell.floor_port import Floor

Answer = Ack | Refused


def refused(number: int, code: str, detail: Mapping[str, Any] | None = None, retry_ms: int | None = None) -> Refused:
    given = dict(detail or {})
    return Refused(id=number, code=code, message=codes.message(code, "en", given), detail=given, retry_ms=retry_ms)


class Desk:
    """Passes commands on to the floor, and keeps the rooms in step with what was done."""

    def __init__(self, floor: Floor, rooms: Rooms, attendance: Attendance, limits: GatewayLimits) -> None:
        self._floor, self._rooms, self._attendance, self._limits = floor, rooms, attendance, limits

    async def answer(self, guest: Guest, command: Command) -> Answer:
        """May raise `StoreAway`."""
        match command:
            case Hello():
                return refused(command.id, "already_signed_in")
            case Ping():
                return self._ack(command.id)
            case WatchLobby():
                return await self._watch_lobby(guest, command)
            case Watch():
                return await self._watch(guest, command)
            case Unwatch():
                return await self._unwatch(guest, command)
            case TopUp():
                return await self._floor.top_up(guest.actor, command)
            case OpenTable():
                return await self._floor.open_table(guest.actor, command)
            case CloseTable():
                return await self._floor.close_table(guest.actor, command)
            case (
                BuyIn()
                | TakeBox()
                | FreeBox()
                | Leave()
                | CashOut()
                | PlaceBets()
                | Ready()
                | Act()
                | Reveal()
                | AskAdvice()
            ):
                return await self._play(guest, command)
            case _:
                assert_never(command)

    def _ack(self, number: int, version: int | None = None, table: TableId | None = None) -> Ack:
        return Ack(id=number, now=self._floor.now_ms(), version=version, table=table)

    async def _watch_lobby(self, guest: Guest, command: WatchLobby) -> Answer:
        payload = await self._floor.lobby() if command.on else b""
        self._rooms.watch_lobby(guest, on=command.on, payload=payload)
        return self._ack(command.id)

    async def _watch(self, guest: Guest, command: Watch) -> Answer:
        table = TableId(command.table)
        if not self._rooms.watches(guest, table):
            if len(guest.tables) >= self._limits.tables_per_connection_max:
                return refused(command.id, "too_many_tables", {"max": self._limits.tables_per_connection_max})
            if not await self._floor.follow(table):
                return refused(command.id, "no_such_table", {"table": table})
        version = self._rooms.watch(guest, table, command.since)
        if self._floor.place_of(table, guest.actor.player) is not None:
            await self._attendance.arrived(guest.actor, table)
            version = max(version, self._floor.version(table))
        return self._ack(command.id, version, table)

    async def _unwatch(self, guest: Guest, command: Unwatch) -> Answer:
        table = TableId(command.table)
        if table not in guest.tables:
            return refused(command.id, "not_watching", {"table": table})
        self._rooms.unwatch(guest, table)
        await self._attendance.left(guest.actor, [table])
        return self._ack(command.id, table=table)

    async def _advise(self, guest: Guest, command: AskAdvice) -> Answer:
        """To this connection only, before its Ack."""
        advice = await self._floor.advise(guest.actor, command)
        if isinstance(advice, Refused):
            return advice
        self._rooms.send(guest, advice)
        return self._ack(command.id, advice.v, TableId(command.table))

    async def _play(
        self,
        guest: Guest,
        command: BuyIn | TakeBox | FreeBox | Leave | CashOut | PlaceBets | Ready | Act | Reveal | AskAdvice,
    ) -> Answer:
        table = TableId(command.table)
        if not self._rooms.watches(guest, table):
            return refused(command.id, "not_watching", {"table": table})
        if isinstance(command, AskAdvice):
            return await self._advise(guest, command)
        if isinstance(command, BuyIn):
            return await self._floor.buy_in(guest.actor, command)
        answer = await self._floor.play(guest.actor, command)
        self._rooms.seat(guest.actor.player, table)
        return answer
