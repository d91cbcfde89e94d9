"""Nobody acts for another: each batch that names a player was asked for by that very player, in these very words."""

from __future__ import annotations

from tapete_protocol import commands as c
from tapete_protocol.commands import TableCommand
from tapete_server.shell.floor import digest_of
from tests.simulation.checkers.checker import Checker
from tests.simulation.checkers.durability import TABLE_COMMANDS
from tests.simulation.chronicle import Step
from tests.simulation.network import Pipe


class NobodyActsForAnother(Checker):
    def watch(self) -> None:
        self._said: dict[bytes, tuple[TableCommand, set[Pipe]]] = {}
        """What was asked for, by its digest, and over which connections: who that is may be found out later."""
        self.world.on_command.append(self._heard)
        self.world.chronicle.on_step.append(self._step)

    def _heard(self, pipe: Pipe, _: str, command: c.Command) -> None:
        if isinstance(command, TABLE_COMMANDS):
            self._said.setdefault(digest_of(command), (command, set()))[1].add(pipe)

    def _step(self, step: Step) -> None:
        """Also: a command that was meant for another stay at the table does not count."""
        by, before = step.batch.by, step.before
        if by is None:
            return
        command, pipes = self._said.get(by.digest, (None, ()))
        if command is None or all(self.world.players.get(pipe) != by.player for pipe in pipes):
            self.broken(f"{step.table} v{step.version} is by {by.player}, who never asked for it")
            return
        player = before.player(by.player) if before else None
        if command.stint != (player.stint if player else 0):
            self.broken(f"{step.table} v{step.version}: {by.player} is here since {player and player.stint}: {command}")
