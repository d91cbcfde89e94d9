"""No card is known before it is dealt: nothing leaves a node that was not committed, no secret before its round is over, and
nothing of a player's part in the cards before bets are closed."""

from __future__ import annotations

from typing import get_args

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.base import TableId
from tapete_protocol.fair import entropy_commitment
from tapete_protocol.frames import Batch, Frame
from tapete_server.core.stream import round_secret
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step
from tests.simulation.network import Pipe

LAST_GIVEN = 3
"""Of each player: what may be on its way still."""


class NoCardIsKnownBefore(Checker):
    def watch(self) -> None:
        self._open: dict[TableId, bytes] = {}
        self._told: set[bytes] = set()
        self._revealed: set[bytes] = set()
        self._bound: set[bytes] = set()
        """Commitments that a close has taken up."""
        self.world.chronicle.on_step.append(self._step)
        self.world.chronicle.on_rewind.append(lambda *_: self._rewound())
        self.world.network.on_sent.append(self._sent)
        self.world.on_command.append(self._said)

    def _step(self, step: Step) -> None:
        """A secret is published by the batch that ends its round, and a new round has another one."""
        if step.before is not None and step.before.nonce != step.after.nonce:
            published = [
                event.secret for event in step.batch.events if isinstance(event, e.RoundSettled | e.RoundVoided)
            ]
            if published != [self._open.get(step.table)]:
                self.broken(f"{step.table} v{step.version} publishes another secret than the round's")
            self._told.update(published)
        after = step.after
        secret = round_secret(self.world.key, after.id, after.round, after.nonce)
        if secret in self._told:
            self.broken(f"{step.table} v{step.version}: the secret of round {after.round} is known already")
        if secret in step.payload or secret in step.blob:
            self.broken(f"{step.table} v{step.version}: the secret of the open round is stored")
        self._open[step.table] = secret
        self._parts(step)

    def _parts(self, step: Step) -> None:
        for event in step.batch.events:
            match event:
                case e.BettingClosed(commitments=commitments):
                    self._bound |= {one.commitment for one in commitments}
                case e.EntropyRevealed(entropy=entropy):
                    self._revealed.add(entropy)
                case _:
                    pass
        for entropy in self._hidden():
            if entropy in step.payload or entropy in step.blob:
                self.broken(f"{step.table} v{step.version}: what a player has not revealed is stored")

    def _hidden(self) -> list[bytes]:
        given = [one for person in self.world.people for one in person.given[-LAST_GIVEN:]]
        return [one for one in given if one not in self._revealed]

    def _said(self, pipe: Pipe, player: str, command: c.Command) -> None:
        """A client reveals only what a close has taken up. (A liar says what it has heard.)"""
        if isinstance(command, c.Reveal) and all(liar.host is not pipe.client for liar in self.world.liars):
            bound = entropy_commitment(command.table, command.round, player, command.entropy)
            if bound not in self._bound:
                self.broken(f"{player} reveals for round {command.round} what no close has taken up")

    def _rewound(self) -> None:
        """A round that is open again has a secret that some may have seen: the house has to void it. See `TheHouseForgets`."""
        self._told.clear()
        for table, line in self.world.chronicle.lines.items():
            state = line.state
            self._open[table] = round_secret(self.world.key, state.id, state.round, state.nonce)

    def _sent(self, _: Pipe, payload: bytes) -> None:
        for table, secret in self._open.items():
            if secret in payload and payload not in self.world.chronicle.payloads:
                self.broken(f"the secret of the open round of {table} is sent")
        frame = self.world.decoded(payload)
        for entropy in self._hidden():
            if entropy in payload and isinstance(frame, get_args(Frame)):
                self.broken("what a player has not revealed is sent")
        if isinstance(frame, Batch) and payload not in self.world.chronicle.payloads:
            self.broken(f"v{frame.v} of {frame.table} is sent, and was never committed")
