"""Every round is proven: whichever nodes dealt it, and whatever befell them, its record holds by the verifier's own rules."""

from __future__ import annotations

from tapete_client import verify
from tapete_protocol import events as e
from tapete_protocol.base import TableId
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step
from tests.simulation.machine import Machine

NOTICED_MS_MAX = 4_000
"""A node that lives compares all heads with the store within three seconds."""


class EveryRoundIsProven(Checker):
    """A node that took over has dealt the same cards to the byte, or its record would not hold. And a round that was settled,
    its secret told, before the store went back behind it is not dealt from that close once more: not while a node lives that
    knows, and has had the time to look."""

    def watch(self) -> None:
        self._last: dict[TableId, verify.Proof] = {}
        self._settled: dict[bytes, tuple[TableId, int]] = {}
        """Close heads of settled rounds, with table and version."""
        self._knowing: dict[bytes, list[tuple[Machine, object]]] = {}
        self._rewound_ms = 0
        self.world.chronicle.on_step.append(self._step)
        self.world.chronicle.on_rewind.append(lambda *_: self._rewound())

    def _rewound(self) -> None:
        self._last.clear()
        self._rewound_ms = self.world.now_ms()
        for closed, (table, version) in self._settled.items():
            self._knowing[closed] = [
                (machine, machine.floor)
                for machine in self.world.machines
                if machine.floor
                and (live := machine.floor.registry.live(table)) is not None
                and live.state.version >= version
            ]

    def _step(self, step: Step) -> None:
        if step.commit is not None and step.commit.record is not None:
            self._record(step, *step.commit.record)
        closed = step.before.close_head if step.before else b""
        if closed in self._settled and any(isinstance(event, e.CardDealt) for event in step.batch.events):
            self._again(step, closed)
        if closed and any(isinstance(event, e.RoundSettled) for event in step.batch.events):
            self._settled[closed] = (step.table, step.version)

    def _again(self, step: Step, closed: bytes) -> None:
        """Nobody may be left who could have known: then the store alone decides, and it has forgotten."""
        knowing = [machine.name for machine, floor in self._knowing.get(closed, ()) if machine.floor is floor]
        now_s = self.world.loop.now
        # what is away cannot be looked at
        looked = not self.world.outages.any_within(now_s - NOTICED_MS_MAX / 1000, now_s)
        if knowing and looked and step.time_ms > self._rewound_ms + NOTICED_MS_MAX:
            self.broken(
                f"{step.table} v{step.version} deals a round once more of which {knowing} know the secret is out"
            )
        self.world.trace.counts["dealt again"] += 1

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
