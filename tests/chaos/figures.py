"""What was measured, as distributions, and what was counted; as Markdown for people and as JSON for programs."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


def quantile(ordered: Sequence[float], share: float) -> float:
    """Nearest rank: a value that was measured, of an ascending list."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True, slots=True)
class Figure:
    """`values` in `unit`. `wanted` says in words what `reached` finds."""

    name: str
    unit: str
    values: Sequence[float]
    wanted: str = ""
    reached: Callable[[Sequence[float]], bool] | None = None

    def row(self) -> dict[str, Any]:
        ordered = sorted(self.values)
        if not ordered:
            return {"name": self.name, "unit": self.unit, "n": 0, "wanted": self.wanted, "reached": None}
        return {
            "name": self.name, "unit": self.unit, "n": len(ordered), "min": ordered[0], "median": quantile(ordered, 0.5),
            "p90": quantile(ordered, 0.9), "p99": quantile(ordered, 0.99), "max": ordered[-1],
            "wanted": self.wanted, "reached": None if self.reached is None else self.reached(ordered),
        }  # fmt: skip


def within(median: float | None = None, p99: float | None = None, most: float | None = None) -> Any:
    """At most so much, in the middle, at the ninety-ninth, or ever."""

    def reached(ordered: Sequence[float]) -> bool:
        bounds = ((0.5, median), (0.99, p99), (1.0, most))
        return all(bound is None or quantile(ordered, share) <= bound for share, bound in bounds)

    return reached


@dataclass
class Outcome:
    """Of one scenario. `counts`: name to number; those that end in `!` have to be 0. `faults`: what must not be."""

    scenario: str
    said: str
    figures: list[Figure] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def wrong(self) -> list[str]:
        bad = [f"{name.rstrip('!')}: {count}" for name, count in self.counts.items() if name.endswith("!") and count]
        return [*self.faults, *bad]

    @property
    def missed(self) -> list[str]:
        return [f"{row['name']}: {row['wanted']}" for row in map(Figure.row, self.figures) if row["reached"] is False]


def machine() -> str:
    """Where and under what load."""
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, load average {load:.1f} at the end"


def markdown(outcomes: Sequence[Outcome]) -> str:
    lines = [f"# Chaos\n\n{machine()}.\n"]
    for one in outcomes:
        lines.append(f"## {one.scenario}\n\n{one.said} ({one.seconds:.0f} s)\n")
        if one.figures:
            lines.append("| figure | n | min | median | p90 | p99 | max | wanted | |\n| --- " + "| --- " * 8 + "|")
            lines += [_line(figure.row()) for figure in one.figures]
            lines.append("")
        lines += [f"- {name.rstrip('!')}: {count:,}" for name, count in one.counts.items()]
        lines += [f"- **WRONG** {fault}" for fault in one.wrong]
        lines.append("")
    return "\n".join(lines)


def _line(row: dict[str, Any]) -> str:
    name = f"{row['name']} ({row['unit']})"
    mark = {None: "", True: "reached", False: "**missed**"}[row["reached"]]
    shown = [f"{row[key]:.3g}" if row["n"] else "" for key in ("min", "median", "p90", "p99", "max") if row["n"]] or [
        ""
    ] * 5
    return f"| {name} | {row['n']} | " + " | ".join([*shown, row["wanted"], mark]) + " |"


def as_json(outcomes: Sequence[Outcome]) -> str:
    return json.dumps(
        {
            "machine": machine(),
            "scenarios": [
                {
                    "scenario": one.scenario, "said": one.said, "seconds": round(one.seconds, 1), "counts": one.counts,
                    "figures": [figure.row() | {"values": list(figure.values)} for figure in one.figures],
                    "wrong": one.wrong, "missed": one.missed,
                }
                for one in outcomes
            ],
        },
        indent=1,
    )  # fmt: skip
