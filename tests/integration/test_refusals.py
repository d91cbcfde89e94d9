"""Every refusal on the list is provoked here, through a socket: it says why, it changes nothing, and life goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing

import pytest
import pytest_asyncio

from tapete_protocol.codes import CODES
from tests.integration.cluster import house
from tests.integration.provoked import (
    at_the_door,
    at_the_table,
    by_the_rules,
    in_advice,
    in_the_fair_deal,
    when_things_go_wrong,
)
from tests.integration.provoked.stage import SCENARIOS, Stage, nothing_happened_but

pytestmark = pytest.mark.asyncio(loop_scope="module")
MODULES = (at_the_door, at_the_table, by_the_rules, in_advice, in_the_fair_deal, when_things_go_wrong)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage() -> AsyncIterator[Stage]:
    async with house() as running, AsyncExitStack() as stack:
        yield await Stage(running, stack).open()


@pytest.mark.parametrize("code", CODES)
async def test_every_code_is_provoked_and_changes_nothing(code: str, stage: Stage) -> None:
    assert code in SCENARIOS, "no socket provokes this code: write its scenario, or take it from the list"
    async with aclosing(SCENARIOS[code](stage)) as scenario:
        async for attempt in scenario:
            await nothing_happened_but(code, attempt)


async def test_no_scenario_is_left_over() -> None:
    assert set(SCENARIOS) == set(CODES), [module.__name__ for module in MODULES]
