"""Nobody loses by an outage: what should have been fired long ago, and could not, is given more time and not played out."""

from __future__ import annotations

from tapete_protocol import events as e
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step

LATE_MS_MAX = 2_000
"""How late a clock may be fired and still count against whoever it ran for. (Design §2, timers)"""
PLAYERS_CLOCKS = ("betting", "turn", "hold")


class NobodyLosesByAnOutage(Checker):
    def watch(self) -> None:
        self.world.chronicle.on_step.append(self._step)

    def _step(self, step: Step) -> None:
        """What the house does by itself begins with the clock that it stops, or extends."""
        first, before = step.batch.events[0], step.before
        if before is None or step.batch.by is not None or not isinstance(first, e.ClockSet) or first.until_at:
            return
        if first.clock.partition(":")[0] not in PLAYERS_CLOCKS:
            return
        voided = any(isinstance(event, e.RoundVoided) for event in step.batch.events)
        late_ms = step.batch.at - before.deadline(first.clock)
        if before.deadline(first.clock) and late_ms > LATE_MS_MAX and not voided:
            self.broken(f"{step.table} v{step.version}: {first.clock} was fired {late_ms} ms late, and played out")
