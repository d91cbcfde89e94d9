"""Money is whole in the simulated store, whoever goes at whatever step: the test of the real one."""

from __future__ import annotations

from tests.server.store.test_conservation import test_no_order_of_steps_makes_or_destroys_money

__all__ = ["test_no_order_of_steps_makes_or_destroys_money"]
