"""The short version: few of everything, each kind of fault once, and nothing but what must never be. The long one is
`python -m tests.chaos`."""

from __future__ import annotations

import pytest

from tests.chaos import clocks, on_nodes, on_store
from tests.chaos.crash_points import OPERATIONS
from tests.chaos.evening import Scale
from tests.chaos.figures import Outcome
from tests.chaos.transfers import points

pytestmark = pytest.mark.timeout(300)  # of a machine that has much else to do

FEW = Scale(bots=4, onlookers=4, tables=2, times=1, herd=20, offsets=5, pause_ms=450)


def quiet(_: str) -> None:
    """A test has no bar."""


def whole(outcome: Outcome) -> None:
    assert not outcome.wrong


async def test_a_node_dies_after_every_request_of_a_buy_in() -> None:
    deaths, audits = await points(OPERATIONS[:1], (True,), quiet, sides=(True,))
    assert not [fault for death in deaths for fault in death.faults]
    assert {death.died_at for death in deaths} >= {"start_transfer", "commit", "finish_transfer", "forget_transfer"}
    assert audits > len(deaths)


async def test_who_thinks_at_a_node_that_dies_gets_the_time_back() -> None:
    whole(await clocks.clocks(FEW, quiet))


async def test_nodes_are_restarted_one_after_the_other() -> None:
    whole(await on_nodes.rolling(FEW, quiet))


async def test_the_store_forgets_its_last_moments() -> None:
    whole(await on_store.forgetful(FEW, quiet))
