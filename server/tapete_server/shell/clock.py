"""The store's time as this node knows it: its own monotonic clock plus an offset learnt from the store's answers."""

from __future__ import annotations

from tapete_server.ports import Clock

BELIEVED_MS = 30_000
"""Clocks drift apart: what the store said longer ago than twice this says nothing any more."""
STEP_MS = 1_000
"""A step back of more than this is believed at once: another store, or its clock was set."""


class StoreClock:
    """Never goes by the machine's calendar: a stepped clock changes nothing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._best: int | None = None
        self._best_before: int | None = None
        self._since_ms = 0

    def learn(self, store_ms: int) -> None:
        """The store said that it is this time. An answer is always a little old, so the latest of them is nearest."""
        own = self._own_ms()
        offset = store_ms - own
        if self._best is None or self._offset_ms() - offset > STEP_MS:
            self._best, self._best_before, self._since_ms = offset, None, own
        elif own - self._since_ms > BELIEVED_MS:
            self._best, self._best_before, self._since_ms = offset, self._best, own
        else:
            self._best = max(self._best, offset)

    def now_ms(self) -> int:
        return self._own_ms() + self._offset_ms()

    def _offset_ms(self) -> int:
        if self._best is None:
            return 0
        return self._best if self._best_before is None else max(self._best, self._best_before)

    def _own_ms(self) -> int:
        return int(self._clock.monotonic() * 1000)
