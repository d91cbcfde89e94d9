"""Anything, in any order, at a table of Double Exposure."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.server.core.table_machine import TableMachine


class DoubleExposureMachine(TableMachine):
    game = "double_exposure"


TestDoubleExposureTable = DoubleExposureMachine.TestCase
TestDoubleExposureTable.settings = settings(
    max_examples=24,
    stateful_step_count=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
