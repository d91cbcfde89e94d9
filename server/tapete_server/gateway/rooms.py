"""Who is here and who watches what: by connection, by player, by table. The floor's `Sink`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.codec import encode
from tapete_protocol.commands import Since
from tapete_protocol.frames import Crowd, Frame, Gone, Heartbeat, Place, StoreState, Wallet
from tapete_server.gateway.fanout import Audience, Outbox, Sweeper, Watch
from tapete_server.gateway.line import Line, frame_bytes, ping_bytes
from tapete_server.shell.floor_port import Actor, Floor


@dataclass(slots=True, eq=False)
class Guest:
    """A signed-in connection and what it watches."""

    actor: Actor
    line: Line
    common: Watch
    idle: Watch | None
    """While it watches no table."""
    lobby: Watch | None = None
    tables: dict[TableId, tuple[Audience, Watch]] = field(default_factory=dict)


class Rooms:
    """An audience for each watched table, one for the lobby, one of those at no table, and one of everybody."""

    def __init__(self, floor: Floor, outbox: Outbox, sweeper: Sweeper) -> None:
        self._floor, self._outbox, self._sweeper = floor, outbox, sweeper
        self._by_via: dict[str, Guest] = {}
        self._by_player: dict[PlayerId, dict[Guest, None]] = {}
        self._tables: dict[TableId, Audience] = {}
        self._watchers: dict[Watch, Guest] = {}
        self._crowds: dict[TableId, int] = {}
        self._lobby_payload: bytes | None = None
        self._lobby_due = False
        self._available = True
        self._lobby = Audience(outbox, sweeper, self._lobby_frames)
        self._everyone = Audience(outbox, sweeper, self._store_frames)
        self._idle = Audience(outbox, sweeper, list)
        self._ping = ping_bytes()

    # --- connections ---

    def enter(self, actor: Actor, line: Line) -> Guest:
        guest = Guest(actor, line, self._everyone.join(line), self._idle.join(line))
        self._by_via[actor.via] = guest
        self._by_player.setdefault(actor.player, {})[guest] = None
        line.on_unstuck = lambda _: self.settle(guest)
        if not self._available:
            self.send(guest, StoreState(available=False))
        return guest

    def leave(self, guest: Guest) -> list[TableId]:
        """The connection is gone. Returns what it watched."""
        tables = list(guest.tables)
        for table in tables:
            self.unwatch(guest, table)
        self.watch_lobby(guest, on=False)
        self._everyone.leave(guest.common)
        self._take_note(guest, here=False)
        del self._by_via[guest.actor.via]
        mine = self._by_player[guest.actor.player]
        del mine[guest]
        if not mine:
            del self._by_player[guest.actor.player]
        return tables

    def guests(self) -> list[Guest]:
        return list(self._by_via.values())

    def settle(self, guest: Guest) -> None:
        """Bring the connection level with all that it watches."""
        self._everyone.settle(guest.common)
        if guest.lobby is not None:
            self._lobby.settle(guest.lobby)
        for audience, watch in tuple(guest.tables.values()):
            audience.settle(watch)

    def send(self, guest: Guest, frame: Frame) -> None:
        """A frame for this connection only, after all that went to everyone before."""
        self.settle(guest)
        self._outbox.push(guest.line, frame_bytes(encode(frame)))

    # --- tables ---

    def watches(self, guest: Guest, table: TableId) -> bool:
        found = guest.tables.get(table)
        return found is not None and found[0] is self._tables.get(table)

    def watch(self, guest: Guest, table: TableId, since: Since | None) -> int:
        """Catch up, then register: one step, so that there is no hole. The table is followed already, once for every
        watch. Returns the version that the connection has then."""
        audience = self._tables.get(table)
        if audience is None:
            audience = self._tables[table] = Audience(self._outbox, self._sweeper, lambda: self._snapshot(table))
        missed = [frame_bytes(payload) for payload in self._floor.catch_up(table, since)]
        if sum(map(len, missed)) > self._outbox.limits.joined_bytes_max:
            missed = self._snapshot(table)
        for frame in missed:
            self._outbox.push(guest.line, frame)
        if (old := guest.tables.get(table)) is not None:
            self._forget(old[0], old[1])
            if old[0] is not audience:
                self._floor.unfollow(table)
        watch = audience.join(guest.line, player=self._floor.holds_box(table, guest.actor.player))
        guest.tables[table] = (audience, watch)
        self._watchers[watch] = guest
        self._take_note(guest)
        place = self._floor.place_of(table, guest.actor.player)
        if place is not None:
            self.send(guest, place)
        return self._floor.version(table)

    def unwatch(self, guest: Guest, table: TableId) -> None:
        audience, watch = guest.tables.pop(table)
        self._forget(audience, watch)
        if not audience and self._tables.get(table) is audience:
            del self._tables[table]
            self._crowds.pop(table, None)
        self._take_note(guest)
        self._floor.unfollow(table)

    def _take_note(self, guest: Guest, *, here: bool = True) -> None:
        """Whether the connection watches a table: where it does, the table's heartbeat is its own."""
        idle = here and not guest.tables
        if idle and guest.idle is None:
            guest.idle = self._idle.join(guest.line)
        elif not idle and guest.idle is not None:
            self._idle.leave(guest.idle)
            guest.idle = None

    def seat(self, player: PlayerId, table: TableId) -> None:
        """Players get their events first: look who holds a box now."""
        for guest in self._by_player.get(player, ()):
            if (found := guest.tables.get(table)) is not None:
                found[0].seat(found[1], player=self._floor.holds_box(table, player))

    def _forget(self, audience: Audience, watch: Watch) -> None:
        audience.leave(watch)
        self._watchers.pop(watch, None)

    def _unseat(self, table: TableId, audience: Audience) -> None:
        for watch in tuple(audience.players):
            if not self._floor.holds_box(table, self._watchers[watch].actor.player):
                audience.seat(watch, player=False)

    def _snapshot(self, table: TableId) -> list[bytes]:
        return [frame_bytes(payload) for payload in self._floor.catch_up(table, None)]

    # --- the lobby ---

    def watch_lobby(self, guest: Guest, *, on: bool, payload: bytes = b"") -> None:
        if on:
            self._outbox.push(guest.line, frame_bytes(payload))
            if guest.lobby is None:
                guest.lobby = self._lobby.join(guest.line)
        elif guest.lobby is not None:
            self._lobby.leave(guest.lobby)
            guest.lobby = None

    def _lobby_frames(self) -> list[bytes]:
        return [frame_bytes(self._lobby_payload)] if self._lobby_payload is not None else []

    def _store_frames(self) -> list[bytes]:
        return [frame_bytes(encode(StoreState(available=self._available)))]

    # --- what the floor says ---

    def batch(self, table: TableId, version: int, payload: bytes) -> None:  # noqa: ARG002 - the payload says it
        if (audience := self._tables.get(table)) is not None:
            audience.tell(frame_bytes(payload))
            self._unseat(table, audience)

    def snapshot(self, table: TableId, version: int, payload: bytes) -> None:  # noqa: ARG002 - the payload says it
        if (audience := self._tables.get(table)) is not None:
            audience.tell(frame_bytes(payload), must=True)
            self._unseat(table, audience)

    def place(self, via: str, place: Place) -> None:
        if (guest := self._by_via.get(via)) is not None:
            self.seat(guest.actor.player, TableId(place.table))
            self.send(guest, place)

    def wallet(self, player: PlayerId, balance: int) -> None:
        for guest in tuple(self._by_player.get(player, ())):
            self.send(guest, Wallet(balance=balance))

    def gone(self, table: TableId) -> None:
        audience = self._tables.pop(table, None)
        self._crowds.pop(table, None)
        if audience is not None:
            audience.on_swept = lambda: self._dissolve(table, audience)
            audience.tell(frame_bytes(encode(Gone(table=table))), must=True)

    def _dissolve(self, table: TableId, audience: Audience) -> None:
        for watch in (*audience.players, *audience.spectators):
            guest = self._watchers[watch]
            if guest.tables[table][0] is audience:
                del guest.tables[table]
                self._take_note(guest)
            self._forget(audience, watch)
            self._floor.unfollow(table)

    def crowd(self, table: TableId, spectators: int) -> None:
        self._crowds[table] = spectators

    def lobby(self, payload: bytes) -> None:
        self._lobby_due = self._lobby_due or payload != self._lobby_payload
        self._lobby_payload = payload

    def lobby_is_watched(self) -> bool:
        return len(self._lobby) > 0

    def store_state(self, available: bool) -> None:  # noqa: FBT001 - as the port has it
        self._available = available
        self._everyone.tell(frame_bytes(encode(StoreState(available=available))))

    def local_crowd(self) -> dict[TableId, int]:
        return {table: len(audience.spectators) for table, audience in self._tables.items()}

    def watchers(self) -> tuple[int, int]:
        """Players and spectators, counted at each table that they watch."""
        audiences = self._tables.values()
        return sum(len(one.players) for one in audiences), sum(len(one.spectators) for one in audiences)

    # --- by the clock ---

    def tick(self) -> None:
        """What may change often and is told at most so often."""
        for table, spectators in self._crowds.items():
            if (audience := self._tables.get(table)) is not None:
                audience.tell(frame_bytes(encode(Crowd(table=table, spectators=spectators))))
        self._crowds.clear()
        if self._lobby_due and self._lobby_payload is not None:
            self._lobby_due = False
            self._lobby.tell(frame_bytes(self._lobby_payload))

    def heartbeat(self) -> None:
        """The store's time to all, with a ping that every peer answers; and to each table its version, in the same write."""
        now = self._floor.now_ms()
        common = frame_bytes(encode(Heartbeat(now=now))) + self._ping
        self._idle.tell(common)
        for table, audience in tuple(self._tables.items()):
            beat = Heartbeat(now=now, table=table, v=self._floor.version(table))
            audience.tell(common + frame_bytes(encode(beat)))
            self._unseat(table, audience)

    def slow(self, stuck_before_s: float) -> Iterator[Line]:
        """Lines that are stuck since before that time."""
        for guest in self.guests():
            if guest.line.stuck_since_s is not None and guest.line.stuck_since_s < stuck_before_s:
                yield guest.line
