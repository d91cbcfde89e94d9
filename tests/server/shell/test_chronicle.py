"""What floors tell of rounds: one line and one count, by the node that made it, with sums that the records bear out."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from tapete_protocol import commands as c
from tapete_protocol.base import TableId
from tapete_protocol.frames import Ack
from tapete_server.core.clocks import LATE_MS
from tapete_server.core.commands import DeadlinePassed, VoidRound
from tapete_server.shell import loop_lag
from tapete_server.shell.loop_lag import LoopLag
from tests.server.shell.floors import Guest, Houses, level, until

TIMED = '{"game":"punto_banco","times":{"betting_ms":60000,"pause_ms":0,"card_ms":0}}'


@pytest.fixture(autouse=True)
def rounds(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "tapete.rounds")
    return caplog


def told(caplog: pytest.LogCaptureFixture, message: str) -> list[dict[str, Any]]:
    return [vars(record) for record in caplog.records if record.name == "tapete.rounds" and record.message == message]


async def coup(guest: Guest, table: TableId, amount: int) -> None:
    """One coup, with this bet on punto and nothing else."""
    round_now = guest.live(table).state.round
    assert isinstance(await guest.bet(table, 1, amount), Ack)
    assert isinstance(await guest.play(c.Ready, table), Ack)
    await guest.floor._fire(table)
    await until(lambda: guest.live(table).state.round > round_now)


async def test_one_of_two_nodes_tells_a_round(houses: Houses, rounds: pytest.LogCaptureFixture) -> None:
    first, second = await houses.floor(), await houses.floor()
    ana = await houses.guest(first)
    table = await houses.table(ana, TIMED)
    await ana.sit(table, 1, 10_000)
    assert await second.follow(table)
    stacks = [ana.live(table).state.players[0].stack]
    for amount in (300, 500):
        await coup(ana, table, amount)
        stacks.append(ana.live(table).state.players[0].stack)
    await level((first, table), (second, table))
    lines = told(rounds, "round settled")
    assert [(line["table"], line["round"], line["game"]) for line in lines] == [
        (table, 1, "punto_banco"), (table, 2, "punto_banco"),
    ]  # fmt: skip
    assert [line["stakes"] for line in lines] == [300, 500]
    assert [line["payments"] - line["stakes"] for line in lines] == [stacks[1] - stacks[0], stacks[2] - stacks[1]]
    assert all(line["duration_ms"] >= 0 for line in lines)
    assert all(line["node"] == "here" for line in lines)
    assert first.counts.rounds_settled["punto_banco"] + second.counts.rounds_settled["punto_banco"] == 2


async def test_a_node_that_came_in_the_middle_knows_the_sums(houses: Houses, rounds: pytest.LogCaptureFixture) -> None:
    first, second = await houses.floor(), await houses.floor()
    ana = await houses.guest(first)
    table = await houses.table(ana, TIMED)
    await ana.sit(table, 1, 10_000)
    await coup(ana, table, 200)
    assert isinstance(await ana.bet(table, 1, 400), Ack)
    first.timers.stop()
    assert await second.follow(table)
    assert isinstance(await ana.play(c.Ready, table), Ack)
    await level((first, table), (second, table))
    live = second.registry.live(table)
    assert live is not None
    await until(lambda: second.now_ms() >= live.state.deadline("betting"))
    await second._fire(table)
    (_, line) = told(rounds, "round settled")
    assert (line["round"], line["stakes"]) == (2, 400)
    assert second.counts.rounds_settled["punto_banco"] == 1


async def test_a_void_round_gives_all_back(houses: Houses, rounds: pytest.LogCaptureFixture) -> None:
    floor = await houses.floor()
    ana = await houses.guest(floor)
    table = await houses.table(ana, TIMED)
    await ana.sit(table, 1, 10_000)
    assert isinstance(await ana.bet(table, 1, 700), Ack)
    live = ana.live(table)
    await floor.committer.run(live, VoidRound(live.state.round, live.state.nonce, "operator"))
    (line,) = told(rounds, "round void")
    assert (line["round"], line["why"], line["stakes"], line["payments"]) == (1, "operator", 700, 700)
    assert floor.counts.rounds_voided == {("punto_banco", "operator"): 1}
    assert not told(rounds, "round settled")


async def test_an_extended_clock_is_told(
    houses: Houses, rounds: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = await houses.floor()
    ana = await houses.guest(floor)
    table = await houses.table(ana, TIMED)
    await ana.sit(table, 1, 10_000)
    assert isinstance(await ana.bet(table, 1, 700), Ack)
    live = ana.live(table)
    at = live.state.deadline("betting")
    late = at + LATE_MS + 1
    monkeypatch.setattr(floor.committer._planner._clock, "now_ms", lambda: late)
    commit = floor._store.commit

    async def any_time(one: Any) -> Any:
        object.__setattr__(one, "not_before_ms", 0)  # the store's clock is not there yet
        return await commit(one)

    monkeypatch.setattr(floor._store, "commit", any_time)
    await floor.committer.run(live, DeadlinePassed("betting", at))
    (line,) = told(rounds, "clock extended")
    assert (line["clock"], line["by_ms"]) == ("betting", LATE_MS + 1)
    assert floor.counts.clocks_extended == {"betting": 1}


async def test_a_jump_is_no_rewind_and_a_rewind_is_a_jump(houses: Houses) -> None:
    first, second = await houses.floor(), await houses.floor()
    ana = await houses.guest(first)
    table = await houses.table(ana, TIMED)
    await ana.sit(table, 1, 10_000)
    assert await second.follow(table)
    second._store.on_batch = lambda _table, _payload: None
    key, stream = [(await houses.client.keys(f"{kind}:*:{table}"))[0] for kind in ("t", "e")]
    before = await houses.client.hgetall(key)
    for amount in (100, 200, 300):
        assert isinstance(await ana.bet(table, 1, amount), Ack)
    await houses.client.xtrim(stream, maxlen=1, approximate=False)
    await second.registry.rescan()
    await level((first, table), (second, table))
    assert (second.counts.jumps, second.counts.rewinds) == (1, 0)
    await houses.client.hset(key, mapping=before)
    await houses.client.delete(stream)
    await second.registry.rescan()
    await until(lambda: second.counts.rewinds == 1)
    assert second.counts.jumps == 2


class TestLoopLag:
    async def test_a_loop_that_keeps_time(self) -> None:
        lag = LoopLag()
        lag.note(loop_lag.LAG_MS_MAX / 1000)
        assert not lag.lags
        assert sum(lag.histogram.counts) == 1

    async def test_a_lag_is_remembered_for_a_while(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lag = LoopLag()
        lag.note(loop_lag.LAG_MS_MAX / 1000 + 0.001)
        assert lag.lags
        monkeypatch.setattr(loop_lag, "LAG_REMEMBERED_MS", 20)
        await until(lambda: not lag.lags)

    async def test_a_callback_that_blocks_is_seen(self) -> None:
        lag = LoopLag()
        watching = asyncio.create_task(lag.watch())
        await asyncio.sleep(0)
        asyncio.get_running_loop().slow_callback_duration = 60
        block_until = asyncio.get_running_loop().time() + (loop_lag.SAMPLE_MS + loop_lag.LAG_MS_MAX) / 1000 + 0.05
        while asyncio.get_running_loop().time() < block_until:
            pass
        await until(lambda: lag.lags)
        watching.cancel()
