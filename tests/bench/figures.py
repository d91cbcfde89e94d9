"""What was measured, round by round, and what it comes to: medians, ratios of rounds that stood side by side, goals."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """`rounds`: for each server (or size), one value a round, in `unit`. Absolute values are those of one machine."""

    name: str
    unit: str
    rounds: Mapping[str, Sequence[float]]

    def median(self, side: str) -> float:
        return statistics.median(self.rounds[side])

    def plain(self) -> dict[str, Any]:
        return {"name": self.name, "unit": self.unit, "rounds": {side: list(of) for side, of in self.rounds.items()}}

    def over(self, above: str, below: str) -> list[float]:
        """The one divided by the other, round by round."""
        return [one / other for one, other in zip(self.rounds[above], self.rounds[below], strict=True)]


@dataclass(frozen=True, slots=True)
class Goal:
    """What a ratio must be and should be; `most`: they are upper bounds."""

    must: float
    aim: float
    most: bool = False

    def said(self) -> str:
        sign = "≤" if self.most else "≥"
        return f"{sign} {self.must:g}" + (f", aim {self.aim:g}" if self.aim != self.must else "")

    def verdict(self, value: float) -> str:
        def holds(bound: float) -> bool:
            return value <= bound if self.most else value >= bound

        return "aim reached" if holds(self.aim) else "reached" if holds(self.must) else "missed"


@dataclass(frozen=True, slots=True)
class Ratio:
    """`values`: one a round. `goal`: none where it only tells."""

    name: str
    values: Sequence[float]
    goal: Goal | None = None
    unit: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def verdict(self) -> str:
        return self.goal.verdict(self.median) if self.goal else ""


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines of (x, y); both axes logarithmic where `logarithmic`."""

    name: str
    x: str
    y: str
    lines: Mapping[str, Sequence[tuple[float, float]]]
    logarithmic: bool = True


@dataclass
class Outcome:
    """Of one case. `notes`: what was not measured, and why; `faults`: what must not be."""

    case: str
    said: str
    figures: list[Figure] = field(default_factory=list)
    ratios: list[Ratio] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def missed(self) -> list[str]:
        return [one.name for one in self.ratios if one.verdict == "missed"]

    def plain(self) -> dict[str, Any]:
        return {
            "case": self.case, "said": self.said, "seconds": round(self.seconds, 1), "notes": self.notes, "faults": self.faults,
            "figures": [one.plain() for one in self.figures],
            "ratios": [
                {
                    "name": one.name, "values": list(one.values), "median": one.median, "unit": one.unit, "verdict": one.verdict,
                    "must": one.goal.must if one.goal else None, "aim": one.goal.aim if one.goal else None,
                }
                for one in self.ratios
            ],
        }  # fmt: skip


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high
