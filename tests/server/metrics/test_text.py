"""The text format: escapes, buckets, and what the strict reading of the tests refuses."""

from __future__ import annotations

import pytest

from tapete_server.histogram import Histogram
from tapete_server.metrics.text import Family, Sample, by, one, spread, written
from tests.server.metrics.scrape import read


def test_a_gauge_and_a_counter() -> None:
    text = written(
        [one("tapete_ready", "gauge", "1 while ready.", 1), one("tapete_x_seconds_total", "counter", "S.", 0.5)]
    )
    assert text.decode() == (
        "# HELP tapete_ready 1 while ready.\n# TYPE tapete_ready gauge\ntapete_ready 1\n"
        "# HELP tapete_x_seconds_total S.\n# TYPE tapete_x_seconds_total counter\ntapete_x_seconds_total 0.5\n"
    )


@pytest.mark.parametrize("value", ["plain", 'a "quoted" one', "back\\slash", "two\nlines", "", "ñ"])
def test_any_label_is_one_label(value: str) -> None:
    text = written([by("tapete_tables", "gauge", "How many tables.", "table", {value: 7, "other": 1})]).decode()
    samples = read(text)["tapete_tables"].samples
    assert sorted(samples.values()) == [1, 7]


def test_help_is_one_line() -> None:
    text = written([one("tapete_ready", "gauge", "one\ntwo \\ three.", 1)]).decode()
    assert text.splitlines()[0] == "# HELP tapete_ready one\\ntwo \\\\ three."


def test_a_histogram_is_cumulated() -> None:
    seen = Histogram((0.1, 1.0))
    for value in (0.05, 0.1, 0.5, 7.0):
        seen.observe(value)
    found = read(written([spread("tapete_wait_seconds", "How long it took.", seen)]).decode())["tapete_wait_seconds"]
    assert found.samples == {
        '_bucket{le="0.1"}': 2, '_bucket{le="1.0"}': 3, '_bucket{le="+Inf"}': 4, "_sum": 7.65, "_count": 4,
    }  # fmt: skip


@pytest.mark.parametrize(
    "families",
    [
        [one("tapete_x", "counter", "Without its ending.", 1)],
        [one("tapete_x_total", "gauge", "With an ending.", 1)],
        [one("tapete_seconds_of_x", "gauge", "The unit is not last.", 1)],
        [one("tapete_x", "gauge", "No stop", 1)],
        [one("tapete_x", "gauge", "Comes twice.", 1)] * 2,
        [Family("tapete_x", "gauge", "Comes twice.", (Sample(1), Sample(2)))],
        [Family("tapete_x", "gauge", "No suffix.", (Sample(1, (), "_sum"),))],
    ],
)
def test_the_reading_is_strict(families: list[Family]) -> None:
    with pytest.raises(AssertionError):
        read(written(families).decode())
