"""What has changed of late, so that it can be taken back: as a store does that restarts from what was on its disk."""

from __future__ import annotations

from collections import deque
from typing import Any

UNDO_MS_MAX = 2_500
"""How far back a store may go."""

ABSENT = object()


class Undo:
    """Every change of every shelf passes through here. `now_ms`: the store's time of what is changed now."""

    __slots__ = ("_changes", "now_ms")

    def __init__(self) -> None:
        self.now_ms = 0
        self._changes: deque[tuple[int, dict[Any, Any], Any, Any]] = deque()

    def advance(self, now_ms: int) -> None:
        """Time goes on; what is too old to be taken back is forgotten."""
        assert now_ms >= self.now_ms, "a store's clock does not go back"
        self.now_ms = now_ms
        changes, oldest = self._changes, now_ms - UNDO_MS_MAX
        while changes and changes[0][0] <= oldest:
            changes.popleft()

    def put(self, shelf: dict[Any, Any], key: Any, value: Any) -> None:
        self._changes.append((self.now_ms, shelf, key, shelf.get(key, ABSENT)))
        shelf[key] = value

    def drop(self, shelf: dict[Any, Any], key: Any) -> None:
        before = shelf.pop(key, ABSENT)
        if before is not ABSENT:
            self._changes.append((self.now_ms, shelf, key, before))

    def back(self, to_ms: int) -> None:
        """What was changed after `to_ms` is as it was. Raises `ValueError` beyond what is kept."""
        if not self.now_ms - UNDO_MS_MAX <= to_ms <= self.now_ms:
            raise ValueError(f"{to_ms} is not within the last {UNDO_MS_MAX} ms before {self.now_ms}")
        changes = self._changes
        while changes and changes[-1][0] > to_ms:
            _, shelf, key, before = changes.pop()
            if before is ABSENT:
                shelf.pop(key, None)
            else:
                shelf[key] = before
