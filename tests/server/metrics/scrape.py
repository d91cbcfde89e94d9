"""A strict reading of Prometheus' text format: what a scrape must never be is an error here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

NAME = re.compile(r"tapete_[a-z][a-z0-9_]*")
SAMPLE = re.compile(r"(?P<name>[a-z_0-9]+)(?:\{(?P<labels>.*)\})? (?P<value>-?[0-9.]+(?:e-?[0-9]+)?)")
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')
PARTS = ("_bucket", "_sum", "_count")


@dataclass
class Family:
    kind: str
    help: str
    samples: dict[str, float] = field(default_factory=dict)
    """By suffix and labels, as they are written."""


def read(text: str) -> dict[str, Family]:
    """Families by name. Raises `AssertionError` for anything that is not as the format and its conventions have it."""
    found: dict[str, Family] = {}
    assert text.endswith("\n")
    last = ""
    for line in text.splitlines():
        if line.startswith("# HELP "):
            last, help_ = line[7:].split(" ", 1)
            assert last not in found, f"{last} comes twice"
            found[last] = Family("", help_)
        elif line.startswith("# TYPE "):
            name, found[last].kind = line[7:].split(" ")
            assert name == last
        else:
            _sample(found[last], last, line)
    for name, family in found.items():
        _check(name, family)
    return found


def _sample(family: Family, family_name: str, line: str) -> None:
    match = SAMPLE.fullmatch(line)
    assert match is not None, line
    name, labels = match["name"], match["labels"] or ""
    suffix = name.removeprefix(family_name)
    assert name.startswith(family_name), f"{name} stands under {family_name}"
    assert suffix in (PARTS if family.kind == "histogram" else ("",))
    assert "".join(f"{part[0]}" for part in LABEL.finditer(labels)) == labels, line
    place = f"{suffix}{{{labels}}}" if labels else suffix
    assert place not in family.samples, f"{line} comes twice"
    family.samples[place] = float(match["value"])


def _check(name: str, family: Family) -> None:
    assert NAME.fullmatch(name)
    assert len(family.help) > 10
    assert family.help.endswith(".")
    assert (family.kind == "counter") == name.endswith("_total"), name
    assert family.kind in ("counter", "gauge", "histogram")
    for unit in ("seconds", "bytes", "minor_units"):
        assert name.removesuffix("_total").endswith(unit) == (unit in name), f"the unit comes last: {name}"
    if family.kind == "histogram":
        buckets = [value for place, value in family.samples.items() if place.startswith("_bucket")]
        assert buckets == sorted(buckets)
        assert family.samples['_bucket{le="+Inf"}'] == buckets[-1] == family.samples["_count"]


def total(families: dict[str, Family], name: str) -> float:
    return sum(families[name].samples.values())
