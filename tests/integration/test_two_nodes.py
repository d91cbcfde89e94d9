"""Players of one table on two nodes, spectators on the second: everyone receives the same bytes, and no chip is lost."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tapete_client import connect
from tests.integration.cluster import NodeProcess, audited, house
from tests.integration.play import FAST, Witness, bots, common_digests, witnesses

ROUNDS = 200
SPECTATORS = 20
KILLS = 10


@pytest.mark.parametrize("game", ["double_exposure", "punto_banco"])
@pytest.mark.timeout(300)
async def test_all_hashes_are_equal_after_200_rounds(game: str) -> None:
    async with house() as running, AsyncExitStack() as stack:
        first = await running.node()
        second = await running.node()
        opener = await stack.enter_async_context(connect(first.url, name="Opener"))
        table = await opener.open_table("Two nodes", {"game": game, "times": FAST})
        seen = await witnesses(stack, second.url, table, SPECTATORS, "Spectator")
        tasks, players = await bots(stack, [first.url, second.url, first.url], table, ROUNDS)
        tallies = await asyncio.gather(*tasks)
        assert [tally.failure for tally in tallies] == [None] * 3
        assert all(tally.rounds >= ROUNDS for tally in tallies)
        await _level(seen + players)
        assert len(common_digests(seen + players)) == 1
        assert all(not one.holes for one in seen + players)
        assert len(seen[0].settled) >= ROUNDS
        await _nothing_is_lost(running.data)


@pytest.mark.parametrize("game", ["double_exposure", "punto_banco"])
@pytest.mark.timeout(300)
async def test_a_third_node_is_killed_ten_times_meanwhile(game: str) -> None:
    async with house() as running, AsyncExitStack() as stack:
        first, second, third = [await running.node() for _ in range(3)]
        opener = await stack.enter_async_context(connect(first.url, name="Opener"))
        table = await opener.open_table("Three nodes", {"game": game, "times": FAST})
        seen = await witnesses(stack, second.url, table, SPECTATORS, "Spectator")
        # the last player sits on the node that dies, and goes on elsewhere or there again
        addresses = [[first.url], [second.url], [third.url, first.url]]
        tasks, players = await bots(stack, addresses, table, ROUNDS)
        killing = asyncio.create_task(_kill_again_and_again(third, KILLS))
        tallies = await asyncio.gather(*tasks)
        assert await killing == KILLS
        assert [tally.failure for tally in tallies] == [None] * 3
        await _level(seen + players)
        assert len(common_digests(seen)) == 1
        assert len(common_digests(seen + players[:2])) == 1
        assert len(seen[0].settled) >= ROUNDS
        await _nothing_is_lost(running.data)


async def _kill_again_and_again(node: NodeProcess, times: int) -> int:
    killed = 0
    while killed < times:
        await asyncio.sleep(0.3)  # play goes on for a while
        node.kill()
        await node.start()
        killed += 1
    return killed


async def _level(seen: list[Witness]) -> None:
    """Wait until everyone has the last batch that anyone has."""
    async with asyncio.timeout(20):
        while len({max(one.hashes) for one in seen}) > 1:  # noqa: ASYNC110 - there is nothing but frames to wait for
            await asyncio.sleep(0.05)


async def _nothing_is_lost(data: Path) -> None:
    status, told = await audited(data)
    assert status == 0, told
    found = json.loads(told)
    assert found["difference"] == 0
    assert found["minted"] > 0
