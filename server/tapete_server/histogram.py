"""How often something took how long: counts in fixed buckets, as cheap as counting can be."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

DURATIONS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Histogram:
    """`bounds`: the upper ends of the buckets, ascending; one more for all above. `counts` are not cumulated."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: Sequence[float] = DURATIONS_S) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value
