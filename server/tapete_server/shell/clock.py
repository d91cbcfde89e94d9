"""The store's time as this node knows it: its own monotonic clock plus an offset learnt from the store's answers."""

from __future__ import annotations

from tapete_server.ports import Clock


class StoreClock:
    """Never goes by the machine's calendar: a stepped clock changes nothing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._offset_ms: int | None = None

    def learn(self, store_ms: int) -> None:
        """The store said that it is this time. An answer is always a little old, so the latest of them is nearest; a step back
        of more than a second is believed, too (another store, or its clock was set)."""
        offset = store_ms - self._own_ms()
        if self._offset_ms is None or offset > self._offset_ms or self._offset_ms - offset > 1_000:
            self._offset_ms = offset

    def now_ms(self) -> int:
        return self._own_ms() + (self._offset_ms or 0)

    def _own_ms(self) -> int:
        return int(self._clock.monotonic() * 1000)
