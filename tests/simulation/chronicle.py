"""All that was ever committed, as somebody saw it who sees everything; and what of it still stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.frames import Batch
from tapete_server.core.codec import unpack_batch, unpack_table
from tapete_server.core.state import Table
from tapete_server.ports import Commit
from tests.simulation.store.observer import Movement, Observer


@dataclass(frozen=True, slots=True)
class Step:
    """One committed batch: the table before (None: it was opened by this) and after it, at a store time."""

    table: TableId
    version: int
    batch: Batch
    payload: bytes
    blob: bytes
    before: Table | None
    after: Table
    time_ms: int
    commit: Commit | None


@dataclass
class Line:
    """The steps of one table that stand; index 0 is version 1."""

    steps: list[Step] = field(default_factory=list)
    closed_ms: int = 0

    @property
    def closed(self) -> bool:
        return bool(self.closed_ms)

    @property
    def state(self) -> Table:
        return self.steps[-1].after


@dataclass
class Chronicle(Observer):
    """`on_step` is told of each step, `on_rewind` of each roll-back with how many steps fell, `on_money` of each move."""

    lines: dict[TableId, Line] = field(default_factory=dict)
    payloads: dict[bytes, Step] = field(default_factory=dict)
    """Every batch that was ever committed, also those that a roll-back took away."""
    by_head: dict[bytes, Step] = field(default_factory=dict)
    rewinds: list[tuple[int, int]] = field(default_factory=list)
    """(when, to when) of each roll-back, in store milliseconds."""
    on_step: list[Callable[[Step], None]] = field(default_factory=list)
    on_rewind: list[Callable[[int, int], None]] = field(default_factory=list)
    on_money: list[Callable[[Movement, PlayerId, int, str, int], None]] = field(default_factory=list)
    now_ms: Callable[[], int] = lambda: 0

    def created(self, table: TableId, head: bytes, blob: bytes, batch: bytes, time_ms: int) -> None:
        line = self.lines[table] = Line()
        self._add(line, Step(table, 1, unpack_batch(batch), batch, blob, None, unpack_table(blob), time_ms, None))
        assert line.state.head == head

    def committed(self, table: TableId, commit: Commit, time_ms: int) -> None:
        line = self.lines[table]
        version = commit.version + 1
        batch, after = unpack_batch(commit.batch), unpack_table(commit.blob)
        self._add(line, Step(table, version, batch, commit.batch, commit.blob, line.state, after, time_ms, commit))

    def removed(self, table: TableId, version: int, batch: bytes, bank: int, time_ms: int) -> None:  # noqa: ARG002
        self.lines[table].closed_ms = time_ms

    def moved_money(self, kind: Movement, player: PlayerId, amount: int, reference: str, time_ms: int) -> None:
        for told in self.on_money:
            told(kind, player, amount, reference, time_ms)

    def rolled_back(self, to_ms: int) -> None:
        fallen = 0
        for line in self.lines.values():
            line.closed_ms = 0 if line.closed_ms > to_ms else line.closed_ms
            while line.steps and line.steps[-1].time_ms > to_ms:
                line.steps.pop()
                fallen += 1
        self.lines = {table: line for table, line in self.lines.items() if line.steps}
        self.rewinds.append((self.now_ms(), to_ms))
        for told in self.on_rewind:
            told(to_ms, fallen)

    def _add(self, line: Line, step: Step) -> None:
        line.steps.append(step)
        self.payloads[step.payload] = self.by_head[step.after.head] = step
        for told in self.on_step:
            told(step)

    def at(self, table: str, version: int, head: bytes) -> Step | None:
        """The step that made this version with this head; also one that a roll-back has taken away."""
        step = self.by_head.get(head)
        return step if step is not None and (step.table, step.version) == (table, version) else None
