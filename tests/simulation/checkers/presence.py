"""Nobody is marked away who is here: the end of an older connection is not the end of the one that holds the seat."""

from __future__ import annotations

from tapete_protocol import events as e
from tapete_protocol.base import PlayerId
from tapete_server.shell.presence import SILENT_MS
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step

FORGOTTEN_MS_MAX = 20_000
"""Until then something may be done that was decided when the store had forgotten who is there: it is away for a while, and
so may a commit be."""


class NobodyIsAwayWhoIsHere(Checker):
    def watch(self) -> None:
        self.world.chronicle.on_step.append(self._step)

    def _step(self, step: Step) -> None:
        """`since_at`: the house says so of a node that was silent. A store that went back may have forgotten that it was not."""
        rewinds = self.world.chronicle.rewinds
        if rewinds and step.time_ms - rewinds[-1][0] < FORGOTTEN_MS_MAX:
            return
        for event in step.batch.events:
            if not isinstance(event, e.PlayerAway) or event.since_at or step.before is None:
                continue
            seat = step.before.player(event.player)
            if seat is not None and self._here(step, event.player, seat.via):
                self.broken(f"{step.table} v{step.version}: {event.player} is marked away, and {seat.via} is here")

    def _here(self, step: Step, player: str, via: str) -> bool:
        """Whether that connection's node counts on it, and the others on that node."""
        floors = [machine.floor for machine in self.world.machines if machine.up and machine.floor is not None]
        return any(
            floor.presence.here(step.table, PlayerId(player), via)
            and self.world.vault.beat_of(floor.incarnation) > step.time_ms - SILENT_MS
            for floor in floors
        )
