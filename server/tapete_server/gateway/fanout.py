"""Who gets what, in which order, and how much of it may wait.

A frame is encoded once. Players first: what is for them is corked and leaves in one write at the end of the loop's
turn. Spectators are swept in slices, a few milliseconds later, and what comes in the meantime joins the same write. Entries
of an audience are numbered, and every watch knows the last number that went out to it: nothing comes twice, nothing is left
out, and nothing changes places.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tapete_server.gateway.counters import Counters
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.gateway.line import Line

log = logging.getLogger("tapete.gateway")


class Outbox:
    """Corks, and the one way out for frames."""

    def __init__(self, limits: GatewayLimits, counters: Counters) -> None:
        self.limits, self.counters = limits, counters
        self.commands_underway = 0
        """Of all sessions: who waits for an answer."""
        self._corked: list[Line] = []

    def push(self, line: Line, frames: bytes, count: int = 1) -> None:
        """Into the cork. A stuck line gets a bounded number of bytes on top of what it does not read."""
        if not line.is_open:
            return
        if line.stuck_since_s is not None:
            line.stuck_bytes += len(frames)
            if line.stuck_bytes > self.limits.backlog_bytes_max:
                self.cut(line)
                return
        if not line.cork:
            if not self._corked:
                line.loop.call_soon(self._flush_all)
            self._corked.append(line)
        line.cork.append(frames)
        line.cork_bytes += len(frames)
        self.counters.frames_sent += count
        if line.cork_bytes > self.limits.joined_bytes_max:
            self.flush(line)

    def send(self, line: Line, frames: bytes, count: int) -> None:
        """Out at once, after what is in the cork."""
        if line.cork or line.stuck_since_s is not None:
            self.push(line, frames, count)
            self.flush(line)
        elif line.write(frames):
            self.counters.frames_sent += count
            self.counters.bytes_sent += len(frames)

    def flush(self, line: Line) -> None:
        """Write the cork, now."""
        if line.cork:
            frames = b"".join(line.cork)
            line.cork.clear()
            line.cork_bytes = 0
            if line.write(frames):
                self.counters.bytes_sent += len(frames)

    def cut(self, line: Line) -> None:
        self.counters.slow_cut += 1
        line.cork.clear()
        line.cork_bytes = 0
        line.cut()

    def _flush_all(self) -> None:
        corked, self._corked = self._corked, []
        for line in corked:
            try:
                self.flush(line)
            except Exception:
                log.exception("a connection could not be written to")
                line.cut()


@dataclass(frozen=True, slots=True)
class Entry:
    """`must`: goes out to a stuck connection, too, because a later snapshot does not say the same."""

    frame: bytes
    must: bool


@dataclass(slots=True, eq=False)
class Watch:
    """`sent`: the number of the last entry that went out. `stale`: missed some; a snapshot makes up for it."""

    line: Line
    sent: int
    stale: bool = False
    over: bool = False


class Audience:
    """All who get the same frames. `snapshot` gives the frames that stand for everything so far."""

    def __init__(self, outbox: Outbox, sweeper: Sweeper, snapshot: Callable[[], list[bytes]]) -> None:
        self._outbox, self._sweeper, self._snapshot = outbox, sweeper, snapshot
        self.players: dict[Watch, None] = {}
        self.spectators: dict[Watch, None] = {}
        self.newest = 0
        self.on_swept: Callable[[], None] | None = None
        """Called once, when all have got everything: this was the last frame."""
        self._entries: deque[Entry] = deque()
        self._round: list[Watch] = []
        self._done = 0
        self._covers = 0
        self._joined: tuple[int, int, bytes] = (0, 0, b"")
        self._fresh: tuple[int, bytes] = (-1, b"")

    def __len__(self) -> int:
        return len(self.players) + len(self.spectators)

    def join(self, line: Line, *, player: bool = False) -> Watch:
        """From now on; what was before is the caller's to send."""
        watch = Watch(line, self.newest)
        (self.players if player else self.spectators)[watch] = None
        return watch

    def leave(self, watch: Watch) -> None:
        watch.over = True
        self.players.pop(watch, None)
        self.spectators.pop(watch, None)

    def seat(self, watch: Watch, *, player: bool) -> None:
        """Move between players and spectators; a new player first gets what spectators still wait for."""
        if not watch.over and (watch in self.players) is not player:
            (self.spectators if player else self.players).pop(watch, None)
            (self.players if player else self.spectators)[watch] = None
            self.settle(watch)  # where it is now: what this sets off is told to it, too

    def tell(self, frame: bytes, *, must: bool = False) -> None:
        """To everyone."""
        self._entries.append(Entry(frame, must))
        self.newest += 1
        for watch in tuple(self.players):
            self.settle(watch)
        if self.spectators or self._round or self.on_swept is not None:
            self._sweeper.wake(self)
        else:
            self._entries.clear()  # all have it

    def settle(self, watch: Watch) -> None:
        """Put what the watch does not have yet into its cork."""
        if not watch.over and (watch.stale or watch.sent < self.newest):
            frames, count = self._missing(watch)
            if frames:
                self._outbox.push(watch.line, frames, count)

    def sweep(self, lines_max: int) -> int:
        """One slice of the spectators. Returns how many."""
        if not self._round:
            self._round, self._done, self._covers = list(self.spectators), 0, self.newest
        slice_ = self._round[self._done : self._done + lines_max]
        self._write_all(slice_)
        self._done += len(slice_)
        if self._done >= len(self._round):
            self._round = []
            self._outbox.counters.sweeps += 1
            while self.newest - len(self._entries) < self._covers:
                self._entries.popleft()
            if not self._entries and self.on_swept is not None:
                done, self.on_swept = self.on_swept, None
                done()
        return len(slice_)

    @property
    def unswept(self) -> bool:
        return bool(self._entries)

    @property
    def in_sweep(self) -> bool:
        return bool(self._round)

    def _write_all(self, watches: Sequence[Watch]) -> None:
        """Nearly all lack the same entries as the one before them, and nothing else waits for them: these bytes, as they are,
        and no more is asked."""
        limit, frames, octets = self._outbox.limits.joined_bytes_max, 0, 0
        for watch in watches:
            if watch.over or watch.sent == self.newest:
                continue
            line = watch.line
            since, until, joined = self._joined
            alike = watch.sent == since and self.newest == until and not watch.stale and len(joined) <= limit
            if not alike or line.cork or line.stuck_since_s is not None:
                self._write(watch)
                continue
            watch.sent = until
            try:
                if line.write(joined):
                    frames += until - since
                    octets += len(joined)
            except Exception:
                log.exception("a connection could not be written to")
                line.cut()
        self._outbox.counters.frames_sent += frames
        self._outbox.counters.bytes_sent += octets

    def _write(self, watch: Watch) -> None:
        frames, count = self._missing(watch)
        try:
            if frames:
                self._outbox.send(watch.line, frames, count)
        except Exception:
            log.exception("a connection could not be written to")
            watch.line.cut()

    def _missing(self, watch: Watch) -> tuple[bytes, int]:
        """What the watch has to get now, as one piece, so that whatever a write sets off comes after all of it; and how
        many frames that is. Noted as sent."""
        stuck = watch.line.stuck_since_s is not None
        first, watch.sent = watch.sent, self.newest
        if not stuck and not watch.stale:
            missed = self._join(first)
            if len(missed) <= self._outbox.limits.joined_bytes_max:
                return missed, self.newest - first
        frames = [entry.frame for entry in self._after(first) if entry.must]
        if not stuck:
            frames.extend(self._made_up())
        elif not watch.stale:
            self._outbox.counters.laggards += 1
        watch.stale = stuck
        return b"".join(frames), len(frames)

    def _join(self, first: int) -> bytes:
        since, until, joined = self._joined
        if (since, until) != (first, self.newest):
            joined = b"".join(entry.frame for entry in self._after(first))
            self._joined = (first, self.newest, joined)
        return joined

    def _after(self, first: int) -> list[Entry]:
        gone = self.newest - len(self._entries)
        assert first >= gone, "an entry is kept until all who are not stale have it"
        return list(self._entries)[first - gone :]

    def _made_up(self) -> list[bytes]:
        """The snapshot, encoded once for all who need it at this moment."""
        number, frames = self._fresh
        if number != self.newest:
            frames = b"".join(self._snapshot())
            self._fresh = (self.newest, frames)
        return [frames] if frames else []


class Sweeper:
    """Takes the audiences with something to tell in turn, one slice in each turn of the loop; a small one while anybody waits
    for an answer, which takes several turns. Each sweep waits a moment before it begins: for the answer to the command that it
    tells of, and for what comes right after."""

    def __init__(self, loop: asyncio.AbstractEventLoop, outbox: Outbox) -> None:
        self._loop, self._outbox = loop, outbox
        self._wait_s = outbox.limits.sweep_wait_s
        self._waiting: dict[Audience, None] = {}
        self._resting: set[Audience] = set()
        self._scheduled = False

    def wake(self, audience: Audience) -> None:
        if audience in self._waiting or audience in self._resting:
            return
        if self._wait_s > 0 and not audience.in_sweep:
            self._resting.add(audience)
            self._loop.call_later(self._wait_s, self._rested, audience)
        else:
            self._line_up(audience)

    def _rested(self, audience: Audience) -> None:
        self._resting.discard(audience)
        self._line_up(audience)

    def _line_up(self, audience: Audience) -> None:
        self._waiting[audience] = None
        self._schedule()

    def _schedule(self) -> None:
        if self._waiting and not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._scheduled = False
        limits = self._outbox.limits
        left = limits.sweep_slice_lines_busy if self._outbox.commands_underway else limits.sweep_slice_lines
        try:
            while left > 0 and self._waiting:
                audience = next(iter(self._waiting))
                del self._waiting[audience]
                left -= max(1, audience.sweep(left))
                if audience.unswept:
                    self.wake(audience)
        finally:
            self._schedule()
