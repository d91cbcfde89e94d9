"""A node that dies at any step of a transfer or a settlement loses nothing. `python -m tests.simulation.crashes` tells more."""

from __future__ import annotations

import pytest

from tests.simulation.crashes import OPERATIONS, Operation, crashes

POINTS_MIN = 10
"""Fewer, and something was not counted."""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("operation", OPERATIONS, ids=[one.name for one in OPERATIONS])
def test_dead_at_every_step(operation: Operation) -> None:
    points = 0
    for point, ending in crashes(operation):
        assert ending.failure is None, f"dead before step {point}: {ending.failure}\n{ending.last}"
        points = point
    assert points >= POINTS_MIN
