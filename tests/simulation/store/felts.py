"""Tables in the vault: what `commit.lua`, `create.lua` and `remove.lua` do, and the reads beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store import ScriptError, StoreLimits
from tapete_server.ports import (
    Commit,
    Committed,
    Conflict,
    Done,
    Duplicate,
    Listed,
    NoTable,
    Stored,
    TooEarly,
    TooLate,
)
from tests.simulation.store.fading import Fading
from tests.simulation.store.shelves import Shelves


class Ear(Protocol):
    """The store's end of one subscription."""

    def said(self, channel: TableId, payload: bytes) -> None: ...


class Felt(NamedTuple):
    """A table as it is kept. `oldest`: the first version in the stream; `settled`: the last round that has a record;
    `era`: the one that it was in."""

    version: int
    head: bytes
    blob: bytes
    oldest: int
    settled: int
    era: int


class Felts(Shelves):
    def __init__(self, clock_ms: Callable[[], int], limits: StoreLimits) -> None:
        super().__init__(clock_ms, limits)
        self._tables: dict[TableId, Felt] = {}
        self._streams: dict[TableId, dict[int, bytes]] = {}
        self._records: dict[TableId, dict[int, bytes]] = {}
        self._deadlines: dict[TableId, int] = {}
        self._index: dict[TableId, bool] = {}
        self._closed: Fading[TableId, bytes] = Fading(self._undo)
        self._marks: Fading[tuple[TableId, str], str] = Fading(self._undo)
        self._ears: dict[TableId, dict[Ear, None]] = {}

    # --- changes ---

    def commit(self, commit: Commit, era: int = 0) -> Committed:
        now = self.now_ms()
        felt = self._tables.get(commit.table)
        if felt is None:
            return NoTable(now)
        if (felt.version, felt.head) != (commit.version, commit.head):
            if (felt.version, felt.head) == (commit.version + 1, commit.new_head):
                return Done(felt.version, now)
            return Conflict(Stored(felt.version, felt.head, felt.blob, now))
        if commit.transfer is not None and (mark := self._marks.get((commit.table, commit.transfer))) is not None:
            return Duplicate(mark, now)
        if commit.not_before_ms and now < commit.not_before_ms:
            return TooEarly(now)
        if commit.not_after_ms and now > commit.not_after_ms:
            return TooLate(now)
        self._write(felt, commit, era)
        if commit.transfer is not None:
            self._marks.put((commit.table, commit.transfer), "credited")
            for observer in self.observers:
                observer.marked(commit.table, commit.transfer, "credited", now)
        for observer in self.observers:
            observer.committed(commit.table, commit, now)
        self.publish(commit.table, commit.batch)
        return Done(commit.version + 1, now)

    def _write(self, felt: Felt, commit: Commit, era: int) -> None:
        table, version, put = commit.table, felt.version + 1, self._undo.put
        settled = felt.settled
        if commit.record is not None and commit.record[0]:
            settled = self._keep(table, settled, *commit.record)
        stream = self._streams[table]
        put(stream, version, commit.batch)
        oldest = max(felt.oldest, version + 1 - self.limits.stream_batches_max, min(commit.trim_before, version + 1))
        for old in range(felt.oldest, oldest):
            self._undo.drop(stream, old)
        put(self._tables, table, Felt(version, commit.new_head, commit.blob, oldest, settled, era))
        self._clock_at(table, commit.deadline_ms)

    def _keep(self, table: TableId, settled: int, round_number: int, record: bytes) -> int:
        """Records only ever go on. The oldest go when there are too many."""
        if round_number <= settled:
            raise ScriptError(f"record of round {round_number}: that of round {settled} is there")
        records = self._records[table]
        self._undo.put(records, round_number, record)
        if len(records) > self.limits.records_max:
            self._undo.drop(records, min(records))
        return round_number

    def _clock_at(self, table: TableId, deadline_ms: int) -> None:
        if deadline_ms:
            self._undo.put(self._deadlines, table, deadline_ms)
        else:
            self._undo.drop(self._deadlines, table)

    def create(  # noqa: PLR0917 - as the port has it
        self, table: TableId, head: bytes, blob: bytes, batch: bytes, public: bool, deadline_ms: int, era: int = 0
    ) -> bool:
        now, put = self.now_ms(), self._undo.put
        felt = self._tables.get(table)
        if felt is not None:
            return (felt.version, felt.head) == (1, head)
        put(self._streams, table, {1: batch})
        put(self._records, table, {})
        put(self._tables, table, Felt(1, head, blob, 1, 0, era))
        self._clock_at(table, deadline_ms)
        put(self._index, table, public)
        for observer in self.observers:
            observer.created(table, head, blob, batch, now)
        self.publish(table, batch)
        return True

    def remove(self, table: TableId, version: int, head: bytes, batch: bytes, bank: int) -> Committed:
        now = self.now_ms()
        felt = self._tables.get(table)
        if felt is None:
            return Done(version + 1, now) if self._closed.get(table) == batch else NoTable(now)
        if (felt.version, felt.head) != (version, head):
            return Conflict(Stored(felt.version, felt.head, felt.blob, now))
        self._count("house", bank)
        for shelf in (self._tables, self._streams, self._records, self._deadlines, self._index):
            self._undo.drop(shelf, table)
        self._closed.put(table, batch, self.limits.closed_s)
        for observer in self.observers:
            observer.removed(table, version + 1, batch, bank, now)
        self.publish(table, batch)
        return Done(version + 1, now)

    # --- what is there ---

    def read(self, table: TableId) -> Stored | None:
        now, felt = self.now_ms(), self._tables.get(table)
        if felt is None:
            return None
        return Stored(felt.version, felt.head, felt.blob, now, felt.era < self._era["doubted"])

    def heads(self, tables: Sequence[TableId]) -> dict[TableId, tuple[int, bytes]]:
        found = ((table, self._tables.get(table)) for table in tables)
        return {table: (felt.version, felt.head) for table, felt in found if felt is not None}

    def batches(self, table: TableId, after: int, until: int) -> list[tuple[int, bytes]]:
        """One page of them."""
        felt = self._tables.get(table)
        if felt is None:
            return []
        first, last = max(after + 1, felt.oldest), min(until or felt.version, felt.version)
        stream = self._streams[table]
        return [(at, stream[at]) for at in range(first, min(last + 1, first + self.limits.read_batches_max))]

    def record(self, table: TableId, round_number: int) -> bytes | None:
        return self._records.get(table, {}).get(round_number)

    def records(self, table: TableId, last: int) -> list[tuple[int, bytes]]:
        return sorted(self._records.get(table, {}).items())[-last:]

    def listed(self) -> list[Listed]:
        return [Listed(table, public) for table, public in sorted(self._index.items())]

    def due(self, until_ms: int) -> list[tuple[TableId, int]]:
        overdue = [(at_ms, table) for table, at_ms in self._deadlines.items() if at_ms <= until_ms]
        return [(table, at_ms) for at_ms, table in sorted(overdue)[: self.limits.due_tables_max]]

    # --- channels ---

    def follow(self, channel: TableId, ear: Ear) -> None:
        self._ears.setdefault(channel, {})[ear] = None

    def unfollow(self, channel: TableId, ear: Ear) -> None:
        ears = self._ears.get(channel, {})
        ears.pop(ear, None)
        if not ears:
            self._ears.pop(channel, None)

    def hang_up(self, ear: Ear) -> None:
        for channel in [channel for channel, ears in self._ears.items() if ear in ears]:
            self.unfollow(channel, ear)

    def publish(self, channel: TableId, payload: bytes) -> None:
        for ear in self._ears.get(channel, ()):
            ear.said(channel, payload)
