"""Many rounds by chance through the real core, every record of them proven by the verifier.

An evening that fails prints its seed and number, and the command that plays it alone.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tapete_client import verify
from tests.fairness.evening import Evening, evenings

ROUNDS_EACH = 40
"""Of one table."""


@dataclass
class Count:
    """What was seen. `took_ms`: of each verification, by game."""

    proven: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    took_ms: dict[str, list[float]] = field(default_factory=dict)

    def of(self, proof: verify.Proof, took_ms: float) -> None:
        self.proven += 1
        self.took_ms.setdefault(proof.game, []).append(took_ms)
        self.seen["void"] += bool(proof.voided)
        self.seen["dealt"] += proof.cards > 0
        self.seen["with reveals"] += proof.reveals
        self.seen["reveals"] += proof.commitments - len(proof.missing)
        self.seen["missing"] += len(proof.missing)
        self.seen["cards"] += proof.cards

    def told(self) -> str:
        lines = [f"{self.proven} rounds proven; " + ", ".join(f"{name}: {n}" for name, n in self.seen.items())]
        for game, took in sorted(self.took_ms.items()):
            ordered = sorted(took)
            p99 = ordered[len(ordered) * 99 // 100]
            lines.append(
                f"{game}: {len(took)} verifications, median {statistics.median(ordered):.2f} ms, "
                f"mean {statistics.fmean(ordered):.2f} ms, p99 {p99:.2f} ms"
            )
        return "\n".join(lines)


def prove(evening: Evening, count: Count) -> verify.Unproven | None:
    """All records of a table, one after the other; and, without reveals, as the first release would have written them."""
    before: verify.Proof | None = None
    old: verify.Proof | None = None
    for packed in evening.records:
        record = verify.unpack(packed)
        began = time.perf_counter()
        try:
            before = verify.verify(record, before)
        except verify.Unproven as wrong:
            return wrong
        count.of(before, (time.perf_counter() - began) * 1000)
        if not before.reveals:
            plain = {name: value for name, value in record.items() if name not in ("start", "head")} | {"schema": 1}
            old = _old(plain, old if old is not None and old.round == before.round - 1 else None)
    return None


def _old(record: dict[str, object], before: verify.Proof | None) -> verify.Proof | None:
    """Without a start, a coup is proven only from a shoe's opening on: everything else has to be."""
    try:
        return verify.verify(record, before)
    except verify.Unproven as wrong:
        if wrong.where.endswith("start.left") and before is None:
            return None
        raise


def soak(rounds: int, seed: int, told: Callable[[int, int], None], only: int | None = None) -> int:
    """Returns the exit status."""
    count, began = Count(), time.monotonic()
    for number, evening in enumerate(_wanted(evenings(seed, ROUNDS_EACH), only)):
        failed = prove(evening, count)
        if failed is not None:
            where = number if only is None else only
            sys.stdout.write(f"\nNOT PROVEN: {failed}\npython -m tests.fairness soak --seed {seed} --only {where}\n")
            return 1
        told(count.proven, rounds)
        if count.proven >= rounds or only is not None:
            break
    sys.stdout.write(f"{count.told()}\nseed {seed}, {time.monotonic() - began:.0f} s\n")
    return 0


def _wanted(all_of_them: Iterable[Evening], only: int | None) -> Iterable[Evening]:
    for number, evening in enumerate(all_of_them):
        if only in (None, number):
            yield evening
