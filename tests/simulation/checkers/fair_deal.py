"""Every round is proven: whichever nodes dealt it, and whatever befell them, its record holds by the verifier's own rules."""

from __future__ import annotations

from tapete_client import verify
from tapete_protocol import events as e
from tapete_protocol.base import TableId
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step


class EveryRoundIsProven(Checker):
    """A node that took over has dealt the same cards to the byte, or its record would not hold. And a round whose secret was
    told, before the store went back behind it, is not dealt once more, whoever is left that knows."""

    def watch(self) -> None:
        self._last: dict[TableId, verify.Proof] = {}
        self._told: set[tuple[TableId, bytes]] = set()
        """Tables and nonces of rounds that were ended."""
        self.world.chronicle.on_step.append(self._step)
        self.world.chronicle.on_rewind.append(lambda *_: self._last.clear())

    def _step(self, step: Step) -> None:
        if step.commit is not None and step.commit.record is not None:
            self._record(step, *step.commit.record)
        nonce = step.before.nonce if step.before else b""
        if (step.table, nonce) in self._told and any(isinstance(event, e.CardDealt) for event in step.batch.events):
            self.broken(f"{step.table} v{step.version} deals a round once more of which the secret is out")
        if any(isinstance(event, e.RoundSettled | e.RoundVoided) for event in step.batch.events):
            self._told.add((step.table, nonce))

    def _record(self, step: Step, number: int, packed: bytes) -> None:
        before = self._last.get(step.table)
        try:
            proof = verify.verify(
                verify.unpack(packed), before if before is not None and before.round + 1 == number else None
            )
        except verify.Unproven as wrong:
            self.broken(f"{step.table} v{step.version}: {wrong}")
        else:
            self._last[step.table] = proof
            self.world.trace.counts["reveals"] += proof.commitments - len(proof.missing)
            self.world.trace.counts["missing"] += len(proof.missing)
