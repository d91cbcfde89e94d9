"""The log is the state: folding the batches from the first on gives every state that was stored, and every view of it."""

from __future__ import annotations

from tapete_protocol.base import TableId
from tapete_protocol.reduce import reduce
from tapete_protocol.view import TableView
from tapete_server.core.codec import pack_table
from tapete_server.core.evolve import after_batch
from tapete_server.core.view import view_of
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step

VIEW_EACH_STEPS = 8
"""Every so many steps the view that clients fold is compared, too."""


class TheLogIsTheState(Checker):
    def watch(self) -> None:
        self.world.chronicle.on_step.append(self._step)
        self.world.chronicle.on_rewind.append(lambda *_: self._views.clear())
        self._views: dict[TableId, TableView] = {}

    def _step(self, step: Step) -> None:
        before = step.before
        if step.version != (before.version if before else 0) + 1 or step.batch.v != step.version:
            self.broken(f"{step.table}: v{step.version} follows {before and before.version}")
        if step.time_ms < step.batch.at - SKEW_MS or step.time_ms > step.batch.at + SKEW_MS:
            self.broken(f"{step.table} v{step.version} says {step.batch.at}, and was taken at {step.time_ms}")
        if pack_table(after_batch(before, step.batch, step.payload)) != step.blob:
            self.broken(f"{step.table} v{step.version}: the stored state is not what its batches fold to")
        self._view(step)

    def _view(self, step: Step) -> None:
        view = self._views.get(step.table)
        if view is None or step.version % VIEW_EACH_STEPS == 0 or step.before is None:
            view = view_of(step.before) if step.before else None
        if view is not None:
            for event in step.batch.events:
                view = reduce(view, event)
            if step.version % VIEW_EACH_STEPS == VIEW_EACH_STEPS - 1 and view != view_of(step.after):
                self.broken(f"{step.table} v{step.version}: clients fold another table than there is")
        self._views[step.table] = view or view_of(step.after)


SKEW_MS = 1_001
"""A commit is good for a second around the time that it was decided at."""
