"""Prometheus' text format, version 0.0.4: families of samples as the lines that a scrape reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from tapete_server.histogram import Histogram

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Number = int | float
Kind = Literal["counter", "gauge", "histogram"]


@dataclass(frozen=True, slots=True)
class Sample:
    """One line. `suffix` is what a histogram's parts add to the family's name."""

    value: Number
    labels: tuple[tuple[str, str], ...] = ()
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """All samples of one name. `help` says what is counted, and in what."""

    name: str
    kind: Kind
    help: str
    samples: tuple[Sample, ...]


def one(name: str, kind: Kind, help_: str, value: Number) -> Family:
    return Family(name, kind, help_, (Sample(value),))


def by(name: str, kind: Kind, help_: str, label: str, values: Mapping[str, Number]) -> Family:
    """A sample for each value of one label."""
    return Family(name, kind, help_, tuple(Sample(value, ((label, key),)) for key, value in values.items()))


def spread(name: str, help_: str, seen: Histogram) -> Family:
    totals = list(accumulate(seen.counts))
    ends = [*map(str, seen.bounds), "+Inf"]
    buckets = [Sample(count, (("le", end),), "_bucket") for end, count in zip(ends, totals, strict=True)]
    return Family(name, "histogram", help_, (*buckets, Sample(seen.sum, (), "_sum"), Sample(totals[-1], (), "_count")))


def written(families: Iterable[Family]) -> bytes:
    lines: list[str] = []
    for family in families:
        lines += [f"# HELP {family.name} {_escaped(family.help)}", f"# TYPE {family.name} {family.kind}"]
        lines += [f"{family.name}{sample.suffix}{_labels(sample)} {sample.value}" for sample in family.samples]
    return "\n".join([*lines, ""]).encode()


def _labels(sample: Sample) -> str:
    pairs = [f'{name}="{_escaped(value, quote=True)}"' for name, value in sample.labels]
    return f"{{{','.join(pairs)}}}" if pairs else ""


def _escaped(value: str, *, quote: bool = False) -> str:
    plain = value.replace("\\", "\\\\").replace("\n", "\\n")
    return plain.replace('"', '\\"') if quote else plain
