"""What the floor counts, for the operators. Plain numbers that only grow: counting costs a play nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Counts:
    """Of this node alone: a round is counted by the node that settled it, a commit by the one that made it."""

    commits: int = 0
    conflicts: int = 0
    retries: Counter[str] = field(default_factory=Counter)
    """Decided again, by why."""
    rounds_settled: Counter[str] = field(default_factory=Counter)
    """By game."""
    rounds_voided: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By game and why."""
    clocks_extended: Counter[str] = field(default_factory=Counter)
    """By kind of clock."""
    jumps: int = 0
    """A table's state was read anew because a gap in its batches could not be filled."""
    rewinds: int = 0
    """The store went back in time: what clients had seen of a table did not happen any more."""
    tables_frozen: int = 0
