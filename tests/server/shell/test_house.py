"""Presence, clocks, openings, the lobby, the audit, guests that expire, readiness: one node and another."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tapete_protocol import commands as c
from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.codec import decode_frame
from tapete_protocol.frames import Ack, Lobby, Refused, Welcome
from tapete_server.adapters.system import SystemClock, SystemEntropy, jitter
from tapete_server.core.commands import DeadlinePassed, Refusal
from tapete_server.shell import tokens
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.committer import Accepted
from tapete_server.shell.operator import Operator
from tapete_server.shell.sweeping import for_ever
from tests.server.shell.floors import KEY, QUICK, SLOW, Guest, Houses, seat, until

DAY_MS = 86_400_000


class TestClocks:
    async def test_a_sweep_fires_what_nobody_fires(self, houses: Houses) -> None:
        first, second = await houses.floor(), await houses.floor()
        ana = await houses.guest(first)
        table = await houses.table(ana, SLOW.replace("60000", "5000"))
        await ana.sit(table, 1, 1_000)
        await ana.bet(table, 1, 100)
        first.timers.stop()
        round_now = ana.live(table).state.round

        async def sweep() -> None:
            while ana.live(table).state.round == round_now:
                await second.timers.sweep()
                await asyncio.sleep(0.02)

        await asyncio.wait_for(sweep(), 30)

    async def test_a_clock_that_cannot_be_fired_stops_the_table_and_not_the_node(
        self, houses: Houses, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        floor = await houses.floor()
        ana = await houses.guest(floor)
        table = await houses.table(ana, SLOW.replace("60000", "5000"))
        await ana.sit(table, 1, 1_000)

        def breaks(*_: Any) -> None:
            raise RuntimeError("a mistake of ours")

        monkeypatch.setattr("tapete_server.core.clocks._run_out", breaks)
        await ana.bet(table, 1, 100)
        await until(lambda: ana.live(table).state.phase == "betting" and not ana.live(table).state.bets)
        assert seat(ana, table).stack == 1_000, "the round was void"
        live = ana.live(table)
        (idle,) = [clock for clock in live.state.deadlines if clock[0].startswith("idle:")]
        monkeypatch.setattr(floor.clock, "now_ms", lambda: idle[1] + 500)
        monkeypatch.setattr(floor._store, "commit", _whenever(floor._store.commit))
        await floor.committer.run(live, DeadlinePassed(*idle))
        assert "cannot be fired" in live.state.frozen
        assert live.state.deadlines == ()

    async def test_a_broken_invariant_is_no_ack(self, houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
        floor = await houses.floor()
        ana = await houses.guest(floor)
        table = await houses.table(ana)
        await ana.sit(table, 1, 1_000)
        with monkeypatch.context() as patched:
            patched.setattr("tapete_server.shell.plan.broken", lambda table: None if table.frozen else "a test says so")
            answer = await ana.bet(table, 1, 100)
        assert isinstance(answer, Refused)
        assert answer.code == "table_frozen"
        again = await ana.bet(table, 1, 100)
        assert isinstance(again, Refused)
        assert again.code == "table_frozen"
        assert (await houses.audit()).difference == 0

    def test_the_stores_time_is_believed_anew(self) -> None:
        class Hand:
            now = 0.0

            def monotonic(self) -> float:
                return self.now

        hand = Hand()
        clock = StoreClock(hand)
        clock.learn(1_000_000)
        for second in range(1, 120):  # the store's clock goes slower than ours, one part in a hundred
            hand.now = float(second)
            clock.learn(1_000_000 + 990 * second)
        assert 0 <= clock.now_ms() - (1_000_000 + 990 * 119) <= 700
        clock.learn(5_000)
        assert clock.now_ms() == 5_000

    async def test_a_sweep_that_fails_goes_on(self) -> None:
        turns = 0

        async def work() -> None:
            nonlocal turns
            turns += 1
            raise RuntimeError("a mistake of ours")

        task = asyncio.create_task(for_ever(work, "a test", (1, 1), jitter()))
        await until(lambda: turns > 3)
        task.cancel()


def _whenever(commit: Any) -> Any:
    async def made(order: Any) -> Any:
        return await commit(replace(order, not_before_ms=0, not_after_ms=0))

    return made


class TestOpenings:
    async def test_the_same_command_is_the_same_table_even_when_the_house_is_full(self, houses: Houses) -> None:
        floor = await houses.floor(tables_max=1)
        ana = await houses.guest(floor)
        wish = c.OpenTable(id=1, command="open-me-1", name="Mine", settings=SLOW)
        answers = [await floor.open_table(ana.actor, wish) for _ in range(2)]
        assert isinstance(answers[0], Ack)
        assert isinstance(answers[1], Ack)
        assert answers[0].table == answers[1].table
        other = await floor.open_table(ana.actor, c.OpenTable(id=1, command="open-me-2", name="Mine", settings=SLOW))
        assert isinstance(other, Refused)
        assert other.code == "too_many_tables"

    async def test_an_id_that_is_somebody_elses_is_not_handed_over(
        self, houses: Houses, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        floor = await houses.floor()
        ana, bea = await houses.guest(floor), await houses.guest(floor, "Bea")
        monkeypatch.setattr(floor.openings, "_entropy", _Same())
        tables = []
        for guest in (ana, bea):
            wish = c.OpenTable(id=1, command="open-me-1", name="Felt", settings=SLOW)
            answer = await floor.open_table(guest.actor, wish)
            assert isinstance(answer, Ack)
            tables.append(answer.table)
        assert tables[0] != tables[1]

    async def test_settings_are_queued_for_the_next_opening(self, houses: Houses) -> None:
        floor = await houses.floor()
        ana = await houses.guest(floor)
        table = await houses.table(ana)
        await ana.sit(table, 1)
        store = await houses.store()
        operator = Operator(store, SystemClock(), SystemEntropy(), KEY, jitter())
        document = SLOW.replace("60000", "50000")
        assert isinstance(await operator.queue_settings(table, document, refuse_player_edge=False), Accepted)
        await until(lambda: ana.live(table).state.queued_settings == document)
        for wrong in ('{"game":"double_exposure"}', "[]", document + " " * 2_000):
            refused = await operator.queue_settings(table, wrong, refuse_player_edge=False)
            assert isinstance(refused, Refusal)
            assert refused.code == "bad_settings"
        absent = await operator.queue_settings(TableId("nowhere"), document, refuse_player_edge=False)
        assert absent == Refusal("no_such_table", {"table": "nowhere"})


class _Same:
    def token_bytes(self, size: int) -> bytes:
        return bytes(size)


class TestLobby:
    async def test_public_tables_and_no_others(self, houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tapete_server.shell.lobby.HEADS_MAX", 4)
        monkeypatch.setattr("tapete_server.shell.lobby.READS_MAX", 2)
        floor = await houses.floor()
        ana = await houses.guest(floor)
        public = {await houses.table(ana) for _ in range(5)}
        private = await houses.table(ana, public=False)
        await ana.sit(private, 1)
        looks = 0
        while not floor.lobby_list.complete:
            await floor.lobby_list.look()
            looks += 1
        assert looks >= 3
        assert shown(houses, floor) == public
        assert floor.lobby_list.places(ana.player) == (private,)
        closed = public.pop()
        await floor.close_table(ana.actor, c.CloseTable(id=1, table=closed))
        await floor.lobby_list.look()
        assert shown(houses, floor) == public


def shown(houses: Houses, floor: Any) -> set[TableId]:
    frame = decode_frame(houses.ear(floor).lobbies[-1])
    assert isinstance(frame, Lobby)
    return {TableId(row.table) for row in frame.tables}


class TestAudit:
    async def test_right_while_rounds_are_played(self, houses: Houses) -> None:
        first, second = await houses.floor(), await houses.floor()
        guests = [await houses.guest(first), await houses.guest(second, "Bea")]
        table = await houses.table(guests[0], SLOW.replace("60000", "0"))
        for box, guest in enumerate(guests, 1):
            await guest.sit(table, box, 50_000)

        async def bets(guest: Guest, box: int) -> None:
            while True:
                await guest.bet(table, box, 100)
                await asyncio.sleep(0)

        playing = [asyncio.create_task(bets(guest, box)) for box, guest in enumerate(guests, 1)]
        try:
            for _ in range(5):
                found = await houses.audit()
                assert (found.difference, found.faults) == (0, ())
        finally:
            for task in playing:
                task.cancel()
            await asyncio.wait(playing)

    async def test_a_chip_too_many_is_found(self, houses: Houses) -> None:
        floor = await houses.floor()
        ana = await houses.guest(floor)
        key = (await houses.client.keys(f"a:*:{ana.player}"))[0]
        await houses.client.hincrby(key, "b", 1)
        assert (await houses.audit()).difference == 1


class TestExpiry:
    async def test_only_who_has_nothing_anywhere(self, houses: Houses) -> None:
        floor = await houses.floor()
        gone, sits, back = [await houses.guest(floor, name) for name in ("Ana", "Bea", "Carlos")]
        table = await houses.table(sits)
        await sits.sit(table, 1, 1_000)
        for guest in (gone, sits, back):
            await unseen(houses, guest.player)
        await floor.sign_in(c.Hello(id=1, token=back.welcome.token), "192.0.2.1")
        await floor.expiry.sweep()
        assert floor.expiry.expired == 0, "before every table was looked at"
        await floor.lobby_list.look()
        await floor.expiry.sweep()
        assert floor.expiry.expired == 1
        left = [account.player async for account in floor._store.accounts()]
        assert sorted(left) == sorted([sits.player, back.player])
        answer = await floor.sign_in(c.Hello(id=1, token=gone.welcome.token), "192.0.2.1")
        assert isinstance(answer, Refused)
        assert answer.code == "bad_token"
        found = await houses.audit()
        assert (found.difference, found.totals.burned) == (0, 100_000)

    async def test_who_is_seen_in_the_meantime_stays(self, houses: Houses) -> None:
        floor = await houses.floor()
        ana = await houses.guest(floor)
        assert not await floor._store.expire_account(ana.player, floor.now_ms() - DAY_MS)


async def unseen(houses: Houses, player: PlayerId) -> None:
    for key in await houses.client.keys("s:*"):
        if await houses.client.zscore(key, player) is not None:
            await houses.client.zadd(key, {player: 1})


class TestReadiness:
    async def test_a_frozen_store_is_not_ready_within_five_seconds(self, houses: Houses) -> None:
        houses.limits = QUICK
        floor = await houses.floor()
        assert floor.faults == ()
        houses.server.freeze()
        try:
            async with asyncio.timeout(5):
                await floor.readiness.look()
            assert floor.readiness.faults != ()
        finally:
            houses.server.thaw()
        await until(lambda: floor.available)
        await floor.readiness.look()
        await until(lambda: floor.faults == ())


class TestTokens:
    @pytest.mark.parametrize("token", ["", ".", "gabc", "gabc.", "gabc.00", ".00", "g.a.b", "ñ.ñ"])
    def test_only_what_this_house_signed(self, token: str) -> None:
        assert tokens.verify(KEY, token) is None

    async def test_resumed_on_another_node(self, houses: Houses) -> None:
        first, second = await houses.floor(), await houses.floor()
        ana = await houses.guest(first)
        again = await second.sign_in(c.Hello(id=1, token=ana.welcome.token), "192.0.2.1")
        assert isinstance(again, Welcome)
        assert again.player == ana.player
        stolen = "x" + ana.welcome.token
        assert isinstance(await second.sign_in(c.Hello(id=1, token=stolen), "192.0.2.1"), Refused)
