"""A refusal is true: between the question and the answer, the table was such that it had to be refused, for that reason."""

from __future__ import annotations

from tapete_protocol import commands as c
from tapete_protocol.base import PlayerId
from tapete_protocol.frames import Ack, Refused
from tapete_server.core.commands import Dice, FromPlayer, Refusal
from tapete_server.core.decide import decide
from tapete_server.core.state import Table
from tapete_server.shell.floor import digest_of
from tests.simulation.checkers.checker import Checker
from tests.simulation.checkers.durability import TABLE_COMMANDS
from tests.simulation.network import Pipe

OF_THE_NODE = frozenset(
    {"not_watching", "unavailable", "busy", "rate_limited", "draining", "internal", "not_signed_in", "no_such_table"}
)
"""Refusals that say nothing about the table."""
WRONG_CLOCK_MS = 400_000
"""A node whose clock was set may think that it is so much later, or earlier."""


class ARefusalIsTrue(Checker):
    def watch(self) -> None:
        self._asked: dict[tuple[Pipe, int], tuple[int, int]] = {}
        """The table's version and the time when a command was sent."""
        self.world.on_command.append(self._heard)
        self.world.on_answer.append(self._answered)

    def _heard(self, pipe: Pipe, _: str, command: c.Command) -> None:
        if isinstance(command, TABLE_COMMANDS):
            line = self.world.chronicle.lines.get(self.world.table_id(command.table))
            self._asked[pipe, command.id] = (len(line.steps) if line else 0, self.world.now_ms())

    def _answered(self, pipe: Pipe, player: str, command: c.Command, answer: Ack | Refused) -> None:
        if not isinstance(command, TABLE_COMMANDS):
            return
        since, asked_ms = self._asked.pop((pipe, command.id), (0, 0))
        line = self.world.chronicle.lines.get(self.world.table_id(command.table))
        if isinstance(answer, Ack) or answer.code in OF_THE_NODE or line is None or not since:
            return
        rewinds = self.world.chronicle.rewinds
        if self.world.rewound_lately() or (rewinds and rewinds[-1][0] >= asked_ms):
            return
        states = [step.after for step in reversed(line.steps[since - 1 :])]
        if not any(self._refuses(state, player, command, answer.code, asked_ms) for state in states):
            self.broken(f"{player} is refused with {answer.code}, and the table never was so: {command}")

    def _refuses(self, state: Table, player: str, command: c.TableCommand, code: str, asked_ms: int) -> bool:
        if code == "stale":
            return self._is_stale(state, player, command)
        sender = FromPlayer(PlayerId(player), "somebody", "somewhere.1", command, digest_of(command))
        now = self.world.now_ms()
        for at in (now, asked_ms, now + WRONG_CLOCK_MS, now - WRONG_CLOCK_MS):
            answer = decide(state, sender, at, Dice(self.world.key, bytes(32)))
            if isinstance(answer, Refusal) and answer.code == code:
                return True
        return False

    @staticmethod
    def _is_stale(state: Table, player: str, command: c.TableCommand) -> bool:
        """As the wire has it: another stay, or an older number, and not the last command once more."""
        found = state.player(player)
        if found is None or (found.seq, found.seq_digest) == (command.seq, digest_of(command)):
            return False
        return command.stint != found.stint or command.seq <= found.seq
