"""Presence in the vault: heartbeats, the tables that a node served, and its crowds."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store import StoreLimits
from tests.simulation.store.fading import Fading
from tests.simulation.store.shelves import Shelves


class Era(NamedTuple):
    """When it began, when the last doubted one did, and whether it waits for witnesses."""

    began: int
    doubted: int
    waits: bool


class Nodes(Shelves):
    def __init__(self, clock_ms: Callable[[], int], limits: StoreLimits) -> None:
        super().__init__(clock_ms, limits)
        self._beats: dict[str, int] = {}
        self._unwalked: dict[str, int] = {}
        self._served: dict[str, dict[TableId, None]] = {}
        self._names: Fading[str, str] = Fading(self._undo)
        self._crowds: Fading[str, dict[TableId, int]] = Fading(self._undo)

    def beat(self, incarnation: str, node: str) -> None:
        now = self.now_ms()
        self._undo.put(self._beats, incarnation, now)
        self._undo.put(self._unwalked, incarnation, now)
        oldest = now - self.limits.beats_kept_ms
        for silent in [name for name, beat_ms in self._beats.items() if beat_ms <= oldest]:
            self._undo.drop(self._beats, silent)
        self._names.put(incarnation, node, self.limits.node_name_s)

    def retire(self, incarnation: str) -> None:
        self.now_ms()
        if incarnation in self._served:
            self._undo.put(self._unwalked, incarnation, 0)
        else:
            self._undo.drop(self._unwalked, incarnation)
        self._crowds.drop(incarnation)
        self._names.drop(incarnation)

    def started_anew(self) -> None:
        """The server was: with nodes at work, a new era begins when it is first asked."""
        self._run += 1

    def greet(self, witness: str, *, misses: bool) -> Era:
        now, era, put = self.now_ms(), self._era, self._undo.put
        if era["run"] != self._run:
            put(era, "run", self._run)
            for absent in tuple(self._witnesses):
                self._undo.drop(self._witnesses, absent)
            at_work = [name for name, beat_ms in self._unwalked.items() if beat_ms]
            if at_work:
                put(era, "began", max(now, era["began"] + 1))
            for name in at_work:
                put(self._witnesses, name, None)
        self._undo.drop(self._witnesses, witness)
        late = bool(self._witnesses) and now >= era["began"] + self.limits.witness_ms
        if misses or late:
            put(era, "doubted", era["began"])
            for absent in tuple(self._witnesses):
                self._undo.drop(self._witnesses, absent)
        return Era(era["began"], era["doubted"], bool(self._witnesses))

    def alive(self) -> dict[str, int]:
        oldest = self.now_ms() - self.limits.beats_kept_ms
        return {name: beat_ms for name, beat_ms in in_order(self._beats) if beat_ms >= oldest}

    def beat_of(self, incarnation: str) -> int:
        """When a node was last heard of, 0: never. For whoever looks on."""
        return self._beats.get(incarnation, 0)

    def serve_table(self, incarnation: str, table: TableId) -> None:
        now = self.now_ms()
        if incarnation not in self._unwalked:
            self._undo.put(self._unwalked, incarnation, now)
        if incarnation not in self._served:
            self._undo.put(self._served, incarnation, {})
        self._undo.put(self._served[incarnation], table, None)

    def lapsed(self) -> list[str]:
        oldest = self.now_ms() - self.limits.lapse_ms
        return [name for name, beat_ms in in_order(self._unwalked) if beat_ms <= oldest]

    def served(self, incarnations: list[str]) -> list[list[TableId]]:
        return [sorted(self._served.get(name, ())) for name in incarnations]

    def forget(self, incarnation: str) -> None:
        self.now_ms()
        self._undo.drop(self._served, incarnation)
        self._undo.drop(self._unwalked, incarnation)

    def crowd(self, incarnation: str, counts: dict[TableId, int]) -> None:
        self.now_ms()
        self._crowds.put(incarnation, counts, self.limits.crowd_s)

    def crowds(self, incarnations: list[str]) -> list[dict[TableId, int]]:
        self.now_ms()
        return [self._crowds.get(name) or {} for name in incarnations]


def in_order(scores: dict[str, int]) -> list[tuple[str, int]]:
    """As a sorted set of the store has them: by score, then by name."""
    return sorted(scores.items(), key=lambda one: (one[1], one[0]))
