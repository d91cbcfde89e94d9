"""Stories of the whole cluster, as many as fit: each a seed that decides everything. `python -m tests.simulation` has more."""

from __future__ import annotations

import os
import time
from itertools import count

import pytest

from tests.simulation.runner import Totals, play_all, run
from tests.simulation.story import HITS_MIN, ROUNDS_MIN

SECONDS = 110.0
"""Two minutes of two cores, with what the workers need to start and to end."""
SEEDS_MIN = 20
"""Fewer on any machine, and something is wrong with the stories, not with the machine."""
TWICE = (3, 14, 15, 92)


@pytest.mark.timeout(300)
def test_every_invariant_holds_in_every_story() -> None:
    totals = Totals()
    for ending in run(count(1), os.cpu_count() or 1, until_s=time.monotonic() + SECONDS):
        totals.add(ending)
        assert ending.failure is None, (
            f"{ending.failure}\n{ending.last}\npython -m tests.simulation --replay {ending.seed}"
        )
        assert ending.rounds >= ROUNDS_MIN
        assert ending.hits >= HITS_MIN
    assert totals.seeds >= SEEDS_MIN
    print(f"{totals.seeds} seeds, {totals.rounds} rounds, {totals.hits} commits hit")  # noqa: T201 - shown with -s, and in the report


def test_a_seed_decides_everything() -> None:
    first, second = play_all(list(TWICE)), play_all(list(reversed(TWICE)))
    assert [ending.digest for ending in first] == [ending.digest for ending in reversed(second)]
    assert len({ending.digest for ending in first}) == len(TWICE)
