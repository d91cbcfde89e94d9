"""What every part of the vault stands on: the clock, the changes of late, and who watches."""

from __future__ import annotations

from collections.abc import Callable

from tapete_server.adapters.redis_store import StoreLimits
from tests.simulation.store.observer import Observer
from tests.simulation.store.undo import Undo


class Shelves:
    """Every call of the vault begins with `now_ms`, as every script does, and is done before another one begins."""

    def __init__(self, clock_ms: Callable[[], int], limits: StoreLimits) -> None:
        self._clock_ms = clock_ms
        self._undo = Undo()
        self._totals = {"minted": 0, "burned": 0, "house": 0}
        self._run = 0
        """Counts the starts of the server: of all this, a roll-back takes nothing back."""
        self._era = {"run": 0, "began": 0, "doubted": 0}
        self._witnesses: dict[str, None] = {}
        self.limits = limits
        self.observers: list[Observer] = []

    def now_ms(self) -> int:
        now = self._clock_ms()
        if now != self._undo.now_ms:
            self._undo.advance(now)
        return now

    def _count(self, total: str, amount: int) -> None:
        self._undo.put(self._totals, total, self._totals[total] + amount)
