"""Token buckets: pure functions of a bucket and a monotonic time."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    per_s: float
    burst: int


@dataclass(frozen=True, slots=True)
class Bucket:
    tokens: float
    at_s: float


def full(rate: Rate, now_s: float) -> Bucket:
    return Bucket(float(rate.burst), now_s)


def filled(bucket: Bucket, rate: Rate, now_s: float) -> Bucket:
    """As it stands at that time. A clock that steps back fills nothing."""
    passed_s = max(0.0, now_s - bucket.at_s)
    return Bucket(min(float(rate.burst), bucket.tokens + passed_s * rate.per_s), max(now_s, bucket.at_s))


def take(bucket: Bucket, rate: Rate, now_s: float) -> tuple[Bucket, int]:
    """One token, and 0; or none, and the milliseconds until there is one."""
    ready = filled(bucket, rate, now_s)
    if ready.tokens >= 1:
        return Bucket(ready.tokens - 1, ready.at_s), 0
    return ready, max(1, math.ceil((1 - ready.tokens) / rate.per_s * 1000))


class Accounts:
    """A bucket for each player, shared by the player's connections; it outlives them until it is full again."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._buckets: dict[str, Bucket] = {}

    def take(self, player: str, now_s: float) -> int:
        bucket = self._buckets.get(player) or full(self.rate, now_s)
        self._buckets[player], wait_ms = take(bucket, self.rate, now_s)
        return wait_ms

    def forget_full(self, now_s: float) -> None:
        """A full bucket says the same as none."""
        for player, bucket in list(self._buckets.items()):
            if filled(bucket, self.rate, now_s).tokens >= self.rate.burst:
                del self._buckets[player]

    def __len__(self) -> int:
        return len(self._buckets)
