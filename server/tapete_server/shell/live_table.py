"""One table as this node follows it: a cached state that only moves batch by batch, or jumps where a gap cannot be filled."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from itertools import islice

from tapete_protocol.base import TableId
from tapete_protocol.commands import Since
from tapete_protocol.frames import Batch
from tapete_server.core.codec import snapshot, unpack_batch, unpack_table
from tapete_server.core.evolve import after_batch
from tapete_server.core.state import Table
from tapete_server.ports import StoreAway, TableStore
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.floor_port import Sink

log = logging.getLogger("tapete.table")

WINDOW_BATCHES_MAX = 1024
"""Batches that a node keeps of a table, for clients that come back and for the round's record."""
WINDOW_BATCHES_FIRST = 256
"""How many of them are read when a node begins to follow a table."""
EARLY_BATCHES_MAX = 1024
"""Batches that may arrive while the state is still being read."""

OnChange = Callable[["LiveTable", Table | None, Batch | None], None]
"""Told after every batch, with the state before it; without a batch when the state was read anew."""


class LiveTable:
    """`state` is what watchers have been sent. `lock`: one command at a time in this node."""

    def __init__(self, table: TableId, store: TableStore, clock: StoreClock, sink: Sink) -> None:
        self.id = table
        self.lock = asyncio.Lock()
        self.followers = 0
        self.gone = False
        self.window: deque[tuple[int, bytes, bytes]] = deque(maxlen=WINDOW_BATCHES_MAX)
        self.on_change: OnChange = lambda live, before, batch: None
        self._store, self._clock, self._sink = store, clock, sink
        self._state: Table | None = None
        self._early: deque[bytes] = deque(maxlen=EARLY_BATCHES_MAX)
        self._mine: tuple[bytes, Table] | None = None
        self._filling: asyncio.Task[None] | None = None

    @property
    def state(self) -> Table:
        assert self._state is not None, "a table is used after it was loaded"
        return self._state

    @property
    def loaded(self) -> bool:
        return self._state is not None

    async def load(self) -> bool:
        """Read state and recent batches; False when there is no such table. The subscription stands already."""
        stored = await self._store.read(self.id)
        if stored is None:
            self.gone = True
            return False
        self._clock.learn(stored.time_ms)
        state = unpack_table(stored.blob)
        first = max(0, min(state.opened_version - 1, state.version - WINDOW_BATCHES_FIRST))
        recent = await self._store.batches(self.id, first, state.version)
        self._mine = None
        self._state = state
        self.window.clear()
        self.window.extend((version, unpack_batch(payload).prev, payload) for version, payload in recent)
        while self._early:
            self.receive(self._early.popleft())
        return True

    def expect(self, payload: bytes, state: Table) -> None:
        """A commit of ours is under way; whoever tells first that it happened, its state is known."""
        self._mine = (payload, state)

    def receive(self, payload: bytes) -> None:
        """A batch that was committed, by whichever node, told by whichever way; twice is harmless."""
        if self._state is None:
            self._early.append(payload)
            return
        if self._mine is not None and self._mine[0] == payload:
            state = self._mine[1]
            if state.version == self._state.version + 1:
                batch = unpack_batch(payload)
                self._advance(batch, payload, state)
            return
        batch = unpack_batch(payload)
        if batch.v == self._state.version + 1 and batch.prev == self._state.head:
            self._advance(batch, payload, after_batch(self._state, batch, payload))
        elif batch.v > self._state.version or not self._known(batch.v, payload):
            self.fill_soon()

    def _known(self, version: int, payload: bytes) -> bool:
        oldest = self.window[0][0] if self.window else self.state.version + 1
        return version < oldest or any(v == version and p == payload for v, _, p in self.window)

    def _advance(self, batch: Batch, payload: bytes, state: Table) -> None:
        before, self._state = self._state, state
        self.window.append((batch.v, batch.prev, payload))
        self._sink.batch(self.id, batch.v, payload)
        if state.closed:
            self.gone = True
            self._sink.gone(self.id)
        self.on_change(self, before, batch)

    def fill_soon(self) -> None:
        """Something may have been missed: look at the store, once at a time."""
        if self._filling is None or self._filling.done():
            self._filling = asyncio.get_running_loop().create_task(self._fill_quietly())

    async def _fill_quietly(self) -> None:
        try:
            await self.refresh()
        except StoreAway:
            pass  # the rescan after the store's return looks again

    async def refresh(self) -> bool:
        """Come up to the store's state. True when this table had been behind it."""
        known = (await self._store.heads([self.id])).get(self.id)
        if known is None:
            if not self.gone:
                self.gone = True
                self._sink.gone(self.id)
            return True
        if known == (self.state.version, self.state.head):
            return False
        rewound = known[0] <= self.state.version
        if not rewound:
            for version, payload in await self._store.batches(self.id, self.state.version, known[0]):
                if version <= self.state.version:
                    continue  # told by the channel in the meantime
                batch = unpack_batch(payload)
                if version != self.state.version + 1:
                    break
                if batch.prev != self.state.head:
                    rewound = True
                    break
                self._advance(batch, payload, after_batch(self.state, batch, payload))
            if self.state.version >= known[0]:
                return True
        before = self.state.version
        if await self.load():  # a gap too wide, or a store that went back in time
            log.warning("table jumped", extra={"table": self.id, "before": before, "after": self.state.version})
            payload = snapshot(self.state, self._clock.now_ms(), rewound=rewound)
            self._sink.snapshot(self.id, self.state.version, payload)
            self.on_change(self, None, None)
        return True

    def catch_up(self, since: Since | None) -> list[bytes]:
        """What somebody who has everything up to `since` misses, or one snapshot."""
        state = self.state
        if since is not None and since.version == state.version and since.head == state.head:
            return []
        if since is not None and since.version < state.version and self.window:
            start = since.version + 1 - self.window[0][0]
            if 0 <= start < len(self.window) and self.window[start][1] == since.head:
                return [payload for _, _, payload in islice(self.window, start, None)]
        rewound = since is not None and since.version > state.version
        return [snapshot(state, self._clock.now_ms(), rewound=rewound)]

    def since_opening(self) -> list[bytes] | None:
        """The batches from the round's opening on; None when the window does not reach back so far."""
        opened = self.state.opened_version
        batches = [payload for version, _, payload in self.window if version >= opened]
        return batches if len(batches) == self.state.version - opened + 1 else None
