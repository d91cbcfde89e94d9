"""What a node's commands to the store cost, counted."""

from __future__ import annotations

from collections.abc import Callable

from tapete_server.histogram import Histogram


class Counts:
    """`latency`: seconds from a call to its answer; `failed`: calls without one. `now_s`: a clock that never goes back."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self.latency = Histogram()
        self.failed = 0
        self._now_s = now_s
        self._away_s = 0.0
        self._since_s: float | None = None

    @property
    def available(self) -> bool:
        return self._since_s is None

    def went(self) -> None:
        self._since_s = self._now_s()

    def came_back(self) -> None:
        self._away_s = self.away_s()
        self._since_s = None

    def away_s(self) -> float:
        """All the time that the store was away so far, this time included."""
        return self._away_s + (0.0 if self._since_s is None else self._now_s() - self._since_s)
