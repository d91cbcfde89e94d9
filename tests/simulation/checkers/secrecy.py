"""No card is known before it is dealt: nothing leaves a node that was not committed, and no secret before its round is over."""

from __future__ import annotations

from tapete_protocol import events as e
from tapete_protocol.base import TableId
from tapete_protocol.frames import Batch
from tapete_server.core.stream import round_secret
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step
from tests.simulation.network import Pipe


class NoCardIsKnownBefore(Checker):
    def watch(self) -> None:
        self._open: dict[TableId, bytes] = {}
        self._told: set[bytes] = set()
        self.world.chronicle.on_step.append(self._step)
        self.world.chronicle.on_rewind.append(lambda *_: self._rewound())
        self.world.network.on_sent.append(self._sent)

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
        if isinstance(frame, Batch) and payload not in self.world.chronicle.payloads:
            self.broken(f"v{frame.v} of {frame.table} is sent, and was never committed")
