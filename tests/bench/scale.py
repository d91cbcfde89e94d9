"""How much of everything: the full run, and the short one that only shows that all is delivered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Scale:
    """`events`: of one round, one by one; `bursts`: of `BURST` at once. Counts of connections are those of the cases."""

    rounds: int = 7
    events: int = 100
    bursts: int = 24
    spectators: int = 1_000
    sizes: tuple[int, ...] = (100, 1_000, 10_000)
    company_tables: int = 250
    company_spectators: int = 5_000
    few_tables: int = 10
    many_tables: int = 2_000
    commands: int = 6_000
    players: int = 40
    beside: int = 2_000
    probes: int = 8
    herd: int = 1_000
    stalled: int = 100
    starts: int = 7
    every_ms: int = 20


BURST = 8

FULL = Scale()
SHORT = Scale(
    rounds=1, events=24, bursts=3, spectators=24, sizes=(4, 24), company_tables=4, company_spectators=16, few_tables=2,
    many_tables=8, commands=96, players=4, beside=16, probes=2, herd=12, stalled=3, starts=1, every_ms=10,
)  # fmt: skip
