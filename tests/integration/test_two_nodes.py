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
ROUNDS_BETWEEN_KILLS = 5
ROUNDS_S_MAX = 60


@pytest.mark.parametrize("game", ["double_exposure", "punto_banco"])
@pytest.mark.timeout(600)
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


@pytest.mark.parametrize(("game", "times"), [("double_exposure", 10), ("punto_banco", 3)])
@pytest.mark.timeout(600)
async def test_a_third_node_is_killed_meanwhile(game: str, times: int) -> None:
    async with house() as running, AsyncExitStack() as stack:
        first, second, third = [await running.node() for _ in range(3)]
        opener = await stack.enter_async_context(connect(first.url, name="Opener"))
        table = await opener.open_table("Three nodes", {"game": game, "times": FAST})
        seen = await witnesses(stack, second.url, table, SPECTATORS, "Spectator")
        # the last player sits on the node that dies, and goes on elsewhere or there again
        addresses = [[first.url], [second.url], [third.url, first.url]]
        tasks, players = await bots(stack, addresses, table, rounds=None)
        await _kill_again_and_again(third, times, seen[0])
        await _rounds_go_on(seen[0], ROUNDS - len(seen[0].settled))
        assert [task.result() for task in tasks if task.done()] == [], "everyone plays to the end"
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await _level(seen + players)
        assert len(common_digests(seen)) == 1
        assert len(common_digests(seen + players[:2])) == 1
        await _nothing_is_lost(running.data)


async def _kill_again_and_again(node: NodeProcess, times: int, witness: Witness) -> None:
    """Each time while rounds are played, and they go on while it is away."""
    for _ in range(times):
        await _rounds_go_on(witness, ROUNDS_BETWEEN_KILLS)
        node.kill()
        await _rounds_go_on(witness, 1)
        await node.start()


async def _rounds_go_on(witness: Witness, rounds: int) -> None:
    """Wait until so many more rounds are settled."""
    wanted = len(witness.settled) + rounds
    async with asyncio.timeout(ROUNDS_S_MAX):
        while len(witness.settled) < wanted:  # noqa: ASYNC110 - there is nothing but frames to wait for
            await asyncio.sleep(0.02)


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
