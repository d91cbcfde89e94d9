"""The store is killed during play: commands are refused with `unavailable`, connections stay, play resumes by itself."""

from __future__ import annotations

import asyncio
import os
import signal

from tapete_client import Reconnected, Table, connect
from tapete_protocol.codec import decode_frame
from tapete_protocol.frames import Refused, StoreState
from tests.integration.cluster import audited, house
from tests.integration.play import FAST


async def test_the_store_is_killed_and_restarted_during_play() -> None:
    """Commands are refused with `unavailable`, connections stay, play resumes by itself, and the sum is unchanged."""
    async with house() as running:
        node = await running.node()
        async with connect(node.url, name="Ana") as session:
            table = await session.join(
                await session.open_table("Away", {"game": "punto_banco", "times": FAST}), 1, 50_000
            )
            states: list[bool] = []
            seen_away = asyncio.Event()
            session.on_frame(lambda payload: _note(payload, states, seen_away))
            connections = ["open"]
            watching = asyncio.create_task(_note_reconnections(table, connections))
            pid = running.valkey_pid()
            os.kill(pid, signal.SIGSTOP)  # it must be seen to be away before it may be restarted
            bet = asyncio.create_task(table.place_bet(1, "punto", 1_000))  # the client tries again by itself
            async with asyncio.timeout(30):
                await seen_away.wait()
            os.kill(pid, signal.SIGKILL)
            async with asyncio.timeout(60):
                await bet
            round_now = table.view.round
            await table.ready()
            async with asyncio.timeout(30):
                await table.until(lambda view: view.round > round_now)
            assert connections == ["open"], "the connection stayed"
            assert (states[:2], states[-1]) == ([False, True], True)
            assert running.valkey_pid() != pid
            watching.cancel()
        status, told = await audited(running.data)
        assert status == 0, told


def _note(payload: bytes, states: list[bool], seen_away: asyncio.Event) -> None:
    """`seen_away`: the store was said to be away, and a command was refused for it."""
    frame = decode_frame(payload)
    if isinstance(frame, StoreState):
        states.append(frame.available)
    elif isinstance(frame, Refused) and frame.code == "unavailable" and states == [False]:
        assert frame.retry_ms
        seen_away.set()


async def _note_reconnections(table: Table, connections: list[str]) -> None:
    async for news in table:
        if isinstance(news, Reconnected):
            connections.append(news.node)  # noqa: PERF401 - each as it happens: the task is cancelled in the end


async def test_a_hand_goes_on_after_its_store_was_killed() -> None:
    """Double Exposure, in the middle of a hand: the same cards lie there, the decision is taken, and the round is paid."""
    async with house("--fsync", "always") as running:
        node = await running.node()
        async with connect(node.url, name="Ana") as session:
            table = await session.join(
                await session.open_table("Hand", {"game": "double_exposure", "times": FAST}), 1, 50_000
            )
            while table.my_turn is None:
                await _play_until_a_choice_or_the_end(table)
            felt = table.view.felt
            states: list[bool] = []
            seen_away = asyncio.Event()
            session.on_frame(lambda payload: _note(payload, states, seen_away))
            pid = running.valkey_pid()
            os.kill(pid, signal.SIGSTOP)
            deciding = asyncio.create_task(table.stand())
            async with asyncio.timeout(30):
                await seen_away.wait()
            assert table.view.felt == felt
            os.kill(pid, signal.SIGKILL)
            async with asyncio.timeout(60):
                await deciding
                await table.until(lambda view: all(box.returned is not None for box in view.felt.boxes))
            assert table.view.felt.boxes[0].hands[0].cards[:2] == felt.boxes[0].hands[0].cards
            assert (states[:2], states[-1]) == ([False, True], True)
        status, told = await audited(running.data)
        assert status == 0, told


async def _play_until_a_choice_or_the_end(table: Table) -> None:
    round_before = table.view.round
    await table.place_bet(1, "main", 1_000)
    await table.ready()
    async with asyncio.timeout(30):
        await table.until(lambda view: view.felt.turn is not None or view.round > round_before)
