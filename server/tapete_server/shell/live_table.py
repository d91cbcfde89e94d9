"""One table as this node follows it: its state moves batch by batch, or jumps where a gap cannot be filled."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence

from tapete_protocol.base import TableId
from tapete_protocol.commands import Since
from tapete_protocol.frames import Batch
from tapete_server.core.codec import UnreadableTable, snapshot, unpack_batch, unpack_table
from tapete_server.core.evolve import after_batch
from tapete_server.core.rewinds import spoilt
from tapete_server.core.state import Table
from tapete_server.ports import TableStore
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.counts import Counts
from tapete_server.shell.floor_port import Sink
from tapete_server.shell.sweeping import quietly
from tapete_server.shell.window import Window

log = logging.getLogger("tapete.table")

WINDOW_BATCHES_FIRST = 256
"""How many batches are read when a node begins to follow a table."""
EARLY_BATCHES_MAX = 1_024
"""Batches that may arrive while the state is still being read; should there be more, the gap is filled."""

OnChange = Callable[["LiveTable", Table | None, Batch | None], None]
"""Told after every batch, with the state before it; without a batch when the state was read anew, or the table went."""


class LiveTable:
    """`state` is what watchers have been sent. `lock`: one command at a time in this node."""

    def __init__(
        self, table: TableId, store: TableStore, clock: StoreClock, sink: Sink, on_change: OnChange, *, counts: Counts
    ) -> None:
        self.id = table
        self.lock = asyncio.Lock()
        self.followers = 0
        self.gone = False
        self.made_last = False
        """The last batch was committed by this node."""
        self.window = Window(table)
        self.sound = store.doubted
        """The last doubt about the store after which this table was read again."""
        self.spoilt: tuple[int, bytes] | None = None
        """Round and nonce that the store went back to, of which too much is known, or may be: void before anything else."""
        self._on_change, self._counts = on_change, counts
        self._store, self._clock, self._sink = store, clock, sink
        self._state: Table | None = None
        self._early: deque[bytes] = deque(maxlen=EARLY_BATCHES_MAX)
        self._mine: tuple[bytes, Batch, Table] | None = None
        self._looking = asyncio.Lock()
        self._filling: asyncio.Task[bool] | None = None

    @property
    def state(self) -> Table:
        assert self._state is not None, "a table is used after it was loaded"
        return self._state

    @property
    def loaded(self) -> bool:
        return self._state is not None

    def stands_at(self, state: Table) -> bool:
        """This very state is still the last one that is known."""
        return self._state is state and not self.gone

    async def load(self) -> bool:
        """Read state and recent batches; False when there is no such table. The subscription stands already."""
        found = await self._read()
        if found is None:
            self.gone = True
            return False
        self._become(*found)
        while self._early:
            self.receive(self._early.popleft())
        return True

    async def _read(self) -> tuple[Table, list[tuple[int, bytes]]] | None:
        """Raises `UnreadableTable`."""
        doubt = self._store.doubted
        stored = await self._store.read(self.id)
        if stored is None:
            return None
        self._clock.learn(stored.time_ms)
        state = unpack_table(stored.blob)
        if (state.version, state.head) != (stored.version, stored.head):
            raise UnreadableTable(f"{self.id}: the state is not the one that its head stands for")
        if stored.doubted or (self._state is not None and spoilt(self._state, state)):
            self.spoilt = (state.round, state.nonce)
        self.sound = doubt
        first = max(0, min(state.opened_version - 1, state.version - WINDOW_BATCHES_FIRST))
        return state, await self._store.batches(self.id, first, state.version)

    def _become(self, state: Table, recent: Sequence[tuple[int, bytes]]) -> None:
        self._mine, self._state = None, state
        self.window.fill(recent, state.version, state.head)

    # --- what was committed ---

    def expect(self, payload: bytes, batch: Batch, state: Table) -> None:
        """A commit of ours is under way; whoever tells first that it happened, what it means and its state are known."""
        self._mine = (payload, batch, state)

    def receive(self, payload: bytes) -> None:
        """A batch that was committed, by whichever node, told by whichever way. Twice is harmless; never raises."""
        if self._state is None:
            self._early.append(payload)
        elif not self.gone and not self._join(payload):
            self.fill_soon()

    def _join(self, payload: bytes) -> bool:
        """Whether it is the next batch, or one that is known."""
        try:
            mine = self._mine if self._mine is not None and self._mine[0] == payload else None
            batch, state = mine[1] if mine else unpack_batch(payload), self.state
            if batch.v != state.version + 1:
                return batch.v <= state.version and (
                    batch.v < self.window.oldest or self.window.holds(batch.v, payload)
                )
            if batch.prev != state.head:
                return False
            after = mine[2] if mine else after_batch(state, batch, payload)
            self.made_last = mine is not None
            self._advance(batch, payload, after)
        except Exception:
            log.exception("a batch could not be followed", extra={"table": self.id})
            return False
        return True

    def _advance(self, batch: Batch, payload: bytes, state: Table) -> None:
        before, self._state = self.state, state
        self.window.append(batch.v, batch.prev, payload)
        self._sink.batch(self.id, batch.v, payload)
        if state.closed:
            self.gone = True
            self._sink.gone(self.id)
        self._on_change(self, before, batch)

    def has(self, version: int, head: bytes) -> bool:
        """This version is the state, or led to it."""
        return head == (self.state.head if version == self.state.version else self.window.head_at(version))

    def agrees(self, version: int, head: bytes, asked_at: int) -> bool:
        """What the store said on being asked at a version: it may be old news when it comes, but never older than that,
        unless the store went back."""
        return version >= asked_at and self.has(version, head)

    # --- looking at the store ---

    def fill_soon(self) -> None:
        """Something may have been missed: look at the store, once at a time. It fails with the store; rescans go on."""
        if self._filling is None or self._filling.done():
            work = quietly(self.refresh(), f"bringing the table {self.id} up to date")
            self._filling = asyncio.get_running_loop().create_task(work)

    async def refresh(self) -> None:
        """Come up to the store's state: batch by batch, or by a jump; or find that the table has gone."""
        async with self._looking:
            asked_at = self.state.version
            known = (await self._store.heads([self.id])).get(self.id)
            if known is None:
                self._went()
            elif not self.agrees(*known, asked_at) and not await self._fill(known[0]):
                await self._jump()

    def _went(self) -> None:
        if not self.gone:
            self.gone = True
            self._sink.gone(self.id)
            self._on_change(self, None, None)

    async def heed(self) -> None:
        """The store is doubted since this table was read: what is open there may have to be void."""
        async with self._looking:
            await self._read()

    async def _fill(self, until: int) -> bool:
        """Whether the stream led up to that version."""
        if until <= self.state.version:
            return False
        for version, payload in await self._store.batches(self.id, self.state.version, until):
            if version > self.state.version and not self._join(payload):
                return False
        return self.state.version >= until

    async def _jump(self) -> None:
        """A gap too wide, or a store that went back in time."""
        asked_at = self.state.version
        found = await self._read()
        if found is None:
            self._went()
            return
        state, before = found[0], self.state
        if self.agrees(state.version, state.head, asked_at):
            return  # the channel has told the rest in the meantime
        self._become(*found)
        rewound = state.version <= before.version or self.window.head_at(before.version) not in {None, before.head}
        self._counts.jumps += 1
        self._counts.rewinds += rewound
        told = {"table": self.id, "from": before.version, "to": state.version, "rewound": rewound}
        log.warning("table jumped", extra=told)
        self._sink.snapshot(self.id, state.version, snapshot(state, self._clock.now_ms(), rewound=rewound))
        self._on_change(self, None, None)

    # --- what others are told ---

    def catch_up(self, since: Since | None) -> list[bytes]:
        """What somebody who has everything up to `since` misses, or one snapshot."""
        state = self.state
        if since is None:
            return [snapshot(state, self._clock.now_ms())]
        if self.has(since.version, since.head):
            return [] if since.version == state.version else self.window.after(since.version)
        known = state.head if since.version == state.version else self.window.head_at(since.version)
        rewound = since.version > state.version or known is not None
        return [snapshot(state, self._clock.now_ms(), rewound=rewound)]

    def since_opening(self) -> list[bytes] | None:
        """The batches from the round's opening on; None when the window does not reach back so far."""
        return self.window.since(self.state.opened_version)
