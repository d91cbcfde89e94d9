"""Nobody acts for another: each batch that names a player was asked for by that very player, in these very words."""

from __future__ import annotations

from tapete_protocol import commands as c
from tapete_server.shell.floor import digest_of
from tests.simulation.checkers.checker import Checker
from tests.simulation.checkers.durability import TABLE_COMMANDS
from tests.simulation.chronicle import Step
from tests.simulation.network import Pipe


class NobodyActsForAnother(Checker):
    def watch(self) -> None:
        self._said: set[tuple[str, bytes]] = set()
        self.world.on_command.append(self._heard)
        self.world.chronicle.on_step.append(self._step)

    def _heard(self, _: Pipe, player: str, command: c.Command) -> None:
        if isinstance(command, TABLE_COMMANDS):
            self._said.add((player, digest_of(command)))

    def _step(self, step: Step) -> None:
        by = step.batch.by
        if by is not None and (by.player, by.digest) not in self._said:
            self.broken(f"{step.table} v{step.version} is by {by.player}, who never asked for it")
