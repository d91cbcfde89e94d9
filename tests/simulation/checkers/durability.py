"""What was answered with an Ack has happened, once, and stays: as far as the store keeps what it said."""

from __future__ import annotations

from dataclasses import dataclass

from tapete_protocol import commands as c
from tapete_protocol.frames import Ack
from tapete_server.shell.floor import digest_of
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step
from tests.simulation.network import Pipe

TABLE_COMMANDS = (c.TakeBox, c.FreeBox, c.Leave, c.CashOut, c.PlaceBets, c.Ready, c.Act)


@dataclass(frozen=True, slots=True)
class Promise:
    """A command that was answered at a time, in milliseconds of the store."""

    player: str
    command: c.TableCommand
    version: int
    at_ms: int


class AcknowledgedIsDurable(Checker):
    def watch(self) -> None:
        self.promises: list[Promise] = []
        self._authored: dict[tuple[str, str, int, bytes], int] = {}
        self.world.on_answer.append(self._answered)
        self.world.chronicle.on_step.append(self._step)
        self.world.chronicle.on_rewind.append(lambda to_ms, _: self._rewound(to_ms))

    def _step(self, step: Step) -> None:
        by = step.batch.by
        if by is None:
            return
        player = step.after.player(by.player) or (step.before and step.before.player(by.player))
        stint = player.stint if player else 0
        key = (step.table, f"{by.player}/{stint}", by.seq, b"")
        if key in self._authored:
            self.broken(
                f"{step.table}: command {by.seq} of {by.player} counts in v{self._authored[key]} and v{step.version}"
            )
        self._authored[key] = step.version

    def _rewound(self, to_ms: int) -> None:
        standing = self.world.chronicle.lines
        self._authored = {
            key: version
            for key, version in self._authored.items()
            if key[0] in standing and version <= len(standing[self.world.table_id(key[0])].steps)
        }
        self.promises = [one for one in self.promises if one.at_ms <= to_ms]

    def _answered(self, _: Pipe, player: str, command: c.Command, answer: object) -> None:
        if not isinstance(answer, Ack):
            return
        if isinstance(command, TABLE_COMMANDS) and answer.version is not None:
            promise = Promise(player, command, answer.version, self.world.now_ms())
            if self._seen(promise):
                self.promises.append(promise)
            elif not self.world.rewound_lately() and not self._was(promise):
                self.broken(f"{player} has an Ack for {command}, and v{answer.version} does not say so")
        elif isinstance(command, c.BuyIn):
            self._bought(player, command)

    def _seen(self, promise: Promise) -> bool:
        line = self.world.chronicle.lines.get(self.world.table_id(promise.command.table))
        return (
            line is not None and promise.version <= len(line.steps) and says(line.steps[promise.version - 1], promise)
        )

    def _was(self, promise: Promise) -> bool:
        """The store has forgotten it: a node that was frozen answers late what it was told before."""
        ever = self.world.chronicle.payloads.values()
        return any(step.version == promise.version and says(step, promise) for step in ever)

    def _bought(self, player: str, command: c.BuyIn) -> None:
        vault, table = self.world.vault, self.world.table_id(command.table)
        if vault.mark_of(table, f"{player}~{command.command}") != "credited" and not self.world.rewound_lately():
            self.broken(f"{player} bought {command.amount} by {command.command}, and the table does not know")

    def at_rest(self) -> None:
        for promise in self.promises:
            if not self._seen(promise):
                self.broken(f"{promise.player} had an Ack for {promise.command}, and it is gone")


def says(step: Step, promise: Promise) -> bool:
    """Where the step names the player, the command is the one that was answered, or a later one. A command that changed
    nothing has no batch of its own: somebody leaves who is not there, say."""
    command, by = promise.command, step.batch.by
    if isinstance(command, c.Leave) and step.after.player(promise.player) is None:
        return True
    named = by is not None and (by.player, by.seq) == (promise.player, command.seq)
    return not named or (by is not None and by.digest == digest_of(command))
