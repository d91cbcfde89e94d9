"""When the store was not there: noted by whatever took it away."""

from __future__ import annotations

EVER_S = float("inf")


class Outages:
    """Spans in seconds of the story; they may overlap."""

    def __init__(self) -> None:
        self._over: list[tuple[float, float]] = []
        self._begun: list[float] = []

    def begin(self, now_s: float) -> None:
        self._begun.append(now_s)

    def end(self, now_s: float) -> None:
        self._over.append((self._begun.pop(), now_s))

    def any_within(self, first_s: float, last_s: float) -> bool:
        spans = [*self._over, *((began, EVER_S) for began in self._begun)]
        return any(max(began, first_s) < min(ended, last_s) for began, ended in spans)
