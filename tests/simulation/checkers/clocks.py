"""Clocks are the store's: none runs out before its time, and nothing is taken after it."""

from __future__ import annotations

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_server.shell.floor import digest_of
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step
from tests.simulation.network import Pipe


class EverythingInItsTime(Checker):
    def watch(self) -> None:
        self._acts: set[bytes] = set()
        self.world.on_command.append(self._heard)
        self.world.chronicle.on_step.append(self._step)

    def _heard(self, _pipe: Pipe, _player: str, command: c.Command) -> None:
        if isinstance(command, c.Act):
            self._acts.add(digest_of(command))

    def _step(self, step: Step) -> None:
        if step.before is None:
            return
        if step.batch.by is None:
            self._ran_out(step)
            return
        bets = any(isinstance(event, e.BetPlaced) and event.amount for event in step.batch.events)
        self._too_late(step, "betting" if bets else "turn" if step.batch.by.digest in self._acts else "")

    def _ran_out(self, step: Step) -> None:
        """What the house does by itself begins with the clock that it stops."""
        first, before = step.batch.events[0], step.before
        voided = any(isinstance(event, e.RoundVoided) for event in step.batch.events)
        if before is not None and isinstance(first, e.ClockSet) and not first.until_at and not voided:
            until = before.deadline(first.clock)
            if step.time_ms < until:
                self.broken(f"{step.table} v{step.version}: {first.clock} ran out {until - step.time_ms} ms early")

    def _too_late(self, step: Step, clock: str) -> None:
        until = step.before.deadline(clock) if step.before and clock else 0
        for event in step.batch.events:  # whoever comes back by an act has the time that the house had lost
            if isinstance(event, e.ClockExtended) and event.clock == clock:
                until = event.until_at
        if until and step.time_ms > until:
            self.broken(f"{step.table} v{step.version}: taken {step.time_ms - until} ms after the end of {clock}")
