"""Requests and replies are lost, late, or never come: nothing happens twice, nothing hangs, play is back by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store import ScriptError, StoreLimits
from tapete_server.ports import Account, Commit, Conflict, Done, Store, StoreAway
from tests.server.store.contract import ANA, T, buy_in, head, opened, step, until
from tests.simulation.store.observer import Observer
from tests.simulation.store.planned_wire import PlannedWire
from tests.simulation.store.sim_store import SimStore
from tests.simulation.store.vault import Vault

QUICK = StoreLimits(socket_timeout_ms=100, call_deadline_ms=300, follow_health_ms=60, probe_interval_ms=20)
PATIENT = replace(QUICK, call_deadline_ms=20_000)
"""For a call that is to be answered, however slow the machine is at the moment."""

Joined = tuple[SimStore, PlannedWire]
Join = Callable[[], Awaitable[Joined]]


class Commits(Observer):
    def __init__(self) -> None:
        self.of_version: list[int] = []

    def committed(self, table: TableId, commit: Commit, time_ms: int) -> None:
        assert (table, time_ms > 0) == (commit.table, True)
        self.of_version.append(commit.version + 1)


@pytest.fixture
def commits(vault: Vault) -> Commits:
    seen = Commits()
    vault.observers.append(seen)
    return seen


@pytest.fixture
async def join(vault: Vault) -> AsyncIterator[Join]:
    stores: list[SimStore] = []
    vault.limits = QUICK

    async def one_more() -> Joined:
        wire = PlannedWire()
        store = SimStore(vault, wire)
        await store.start()
        stores.append(store)
        return store, wire

    yield one_more
    for store in stores:
        await store.close()


def edges_of(store: Store) -> list[bool]:
    edges: list[bool] = []
    store.on_available = edges.append
    return edges


class TestLost:
    @pytest.mark.parametrize("what", ["lose_requests", "lose_replies"])
    async def test_a_commit_happens_once_and_is_done(self, join: Join, commits: Commits, what: str) -> None:
        store, wire = await join()
        await opened(store)
        edges = edges_of(store)
        setattr(wire, what, 1)
        outcome = await store.commit(step(2, deadline_ms=9, record=(1, b"record")))
        assert isinstance(outcome, Done)
        assert wire.lost.is_set()
        assert commits.of_version == [2]
        assert await store.records(T, 9) == [(1, b"record")]
        assert edges == [], "a broken wire that is whole again at once is nobody's business"

    async def test_all_that_was_under_way_is_asked_again(self, join: Join, commits: Commits) -> None:
        store, wire = await join()
        tables = [TableId(f"felt-{n}") for n in range(40)]
        await asyncio.gather(*(opened(store, table) for table in tables))
        wire.lose_replies = 1
        outcomes = await asyncio.gather(*(store.commit(step(2, table=table)) for table in tables))
        assert all(isinstance(outcome, Done) for outcome in outcomes)
        assert commits.of_version == [2] * 40

    async def test_buried_under_another_commit_it_is_a_conflict(
        self, join: Join, vault: Vault, commits: Commits
    ) -> None:
        vault.limits = PATIENT
        (store, wire), (other, _) = await join(), await join()
        await opened(other)
        edges = edges_of(store)
        wire.severed_after_loss, wire.lose_replies = True, 1
        commit = asyncio.create_task(store.commit(step(2)))
        await wire.lost.wait()
        assert isinstance(await other.commit(step(3, "other")), Done)
        await until(lambda: edges == [False])
        wire.severed = False
        conflict = await commit
        assert isinstance(conflict, Conflict)
        assert (conflict.stored.version, conflict.stored.head) == (3, head(3, "other"))
        assert edges == [False, True]
        assert commits.of_version == [2, 3]

    async def test_money_moves_once(self, join: Join) -> None:
        store, wire = await join()

        async def answer_lost(call: Awaitable[Any]) -> Any:
            wire.lose_replies = 1
            answer = await call
            assert wire.lose_replies == 0
            return answer

        await answer_lost(store.open_account(ANA, "Ana", 50, "192.0.2.1"))
        assert await answer_lost(store.top_up(ANA, "command-1", 950, 100)) == Account(ANA, "Ana", 1_000)
        transfer = await answer_lost(buy_in(store, 300))
        assert await answer_lost(store.refuse_transfer(transfer)) == "refused"
        assert await answer_lost(store.finish_transfer(transfer, "refused")) == Account(ANA, "Ana", 1_000)
        assert await answer_lost(store.pay_out("out-1", ANA, T, 10)) == Account(ANA, "Ana", 1_010)
        await answer_lost(store.settle_pay_out("out-1", ANA))
        assert isinstance(await answer_lost(store.remove(T, 1, head(1), b"bye", 70)), Done)
        assert await answer_lost(store.expire_account(ANA))
        totals = await store.totals()
        assert (totals.minted, totals.burned, totals.house) == (1_000, 1_010, 70)

    async def test_an_error_of_the_script_is_no_outage(self, join: Join) -> None:
        store, _ = await join()
        await opened(store)
        edges = edges_of(store)
        await store.commit(step(2, record=(7, b"record")))
        with pytest.raises(ScriptError):
            await store.commit(step(3, record=(7, b"another")))
        assert edges == []


class TestFrozen:
    async def test_away_in_time_then_at_once_and_back_by_itself(self, join: Join, commits: Commits) -> None:
        store, wire = await join()
        await opened(store)
        edges = edges_of(store)
        wire.freeze()
        with pytest.raises(StoreAway, match="no answer"):
            await store.commit(step(2))
        assert edges == [False]
        for call in (store.now_ms(), store.subscribe(T)):
            with pytest.raises(StoreAway, match="away"):
                await call
        assert commits.of_version == []
        wire.thawed.set()
        await until(lambda: edges == [False, True])
        assert commits.of_version == [2], "what it was sent, a store that thaws carries out"

    async def test_a_call_that_waits_is_answered_when_the_store_is_back_in_time(
        self, join: Join, vault: Vault, commits: Commits
    ) -> None:
        vault.limits = PATIENT
        store, wire = await join()
        await opened(store)
        edges = edges_of(store)
        wire.freeze()
        commit = asyncio.create_task(store.commit(step(2)))
        await until(lambda: edges == [False])
        wire.thawed.set()
        assert isinstance(await commit, Done)
        assert commits.of_version == [2]

    async def test_a_late_answer_is_an_absence_and_is_never_taken(
        self, join: Join, vault: Vault, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        vault.limits = replace(PATIENT, socket_timeout_ms=1_000)
        store, wire = await join()
        edges: list[bool] = []
        first_way, second_way, times = asyncio.Event(), asyncio.Event(), iter(range(100))
        monkeypatch.setattr(vault, "now_ms", lambda: next(times))

        def told(available: bool) -> None:
            edges.append(available)
            if available:
                wire.stuck = second_way

        store.on_available, wire.stuck = told, first_way
        asked = asyncio.create_task(store.now_ms())
        await until(lambda: edges == [False, True] and wire.stuck is None)
        first_way.set()
        await until(lambda: not store._lane._left)
        assert not asked.done(), "the store has carried it out, and its answer came on a line that nobody reads"
        second_way.set()
        assert await asked > 0, "that of the first line was 0"
        assert edges == [False, True]

    async def test_a_start_that_finds_nobody(self, vault: Vault) -> None:
        vault.limits = QUICK
        frozen, severed = PlannedWire(), PlannedWire()
        frozen.freeze()
        severed.severed = True
        for wire in (frozen, severed):
            with pytest.raises(StoreAway):
                await SimStore(vault, wire).start()

    async def test_what_the_dead_have_sent_is_carried_out(self, join: Join, commits: Commits) -> None:
        (store, wire), (other, _) = await join(), await join()
        await opened(other)
        wire.freeze()
        commit = asyncio.create_task(store.commit(step(2)))
        await until(lambda: store._lane._sent)
        store.die()
        commit.cancel()
        wire.thawed.set()
        await until(lambda: commits.of_version == [2])
        with pytest.raises(StoreAway, match="closed"):
            await store.now_ms()

    async def test_what_the_closed_have_sent_is_not(self, join: Join, commits: Commits) -> None:
        store, wire = await join()
        await opened(store)
        wire.freeze()
        commit = asyncio.create_task(store.commit(step(2)))
        await until(lambda: store._lane._sent)
        await store.close()
        with pytest.raises(StoreAway, match="closed"):
            await commit
        wire.thawed.set()
        (other, _) = await join()
        assert await other.heads([T]) == {T: (1, head(1))}
        assert commits.of_version == []


class TestQueue:
    async def test_has_an_end(self, vault: Vault) -> None:
        vault.limits = StoreLimits(queue_commands_max=100)
        store = SimStore(vault, PlannedWire())
        await store.start()
        outcomes = await asyncio.gather(*(store.now_ms() for _ in range(150)), return_exceptions=True)
        assert sum(isinstance(outcome, StoreAway) for outcome in outcomes) == 50
        assert await store.now_ms()
        await store.close()

    async def test_a_caller_may_leave(self, join: Join) -> None:
        store, _ = await join()
        calls = [asyncio.create_task(store.now_ms()) for _ in range(50)]
        await asyncio.sleep(0)
        for call in calls[::2]:
            call.cancel()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(answer, int) for answer in answers[1::2])


class TestSubscription:
    async def heard_by(self, store: SimStore) -> tuple[list[bytes], list[str]]:
        heard: list[bytes] = []
        again: list[str] = []
        store.on_batch = lambda _, batch: heard.append(batch)
        store.on_resubscribed = lambda: again.append("again")
        await store.subscribe(T)
        return heard, again

    async def test_one_that_broke_hears_nothing_until_it_is_made_again(self, join: Join) -> None:
        (store, wire), (other, _) = await join(), await join()
        await opened(other)
        heard, again = await self.heard_by(store)
        late: list[Callable[[], None]] = []
        wire.held = late
        await other.commit(step(2))
        wire.held = None
        wire.on_broken()
        for said in late:
            said()
        await other.commit(step(3))
        await until(lambda: again)
        await other.commit(step(4))
        await until(lambda: heard)
        assert (len(late), heard, again) == (1, [b"batch 4 "], ["again"])

    async def test_one_that_died_quietly_is_found_and_made_again(self, join: Join) -> None:
        (store, wire), (other, _) = await join(), await join()
        await opened(other)
        heard, again = await self.heard_by(store)
        wire.deaf = True
        await other.commit(step(2))
        await until(lambda: again)
        await other.commit(step(3))
        await until(lambda: heard == [b"batch 3 "])

    async def test_silence_alone_breaks_nothing(self, join: Join) -> None:
        store, wire = await join()
        await opened(store)
        asked: list[str] = []
        ask = wire.ask

        async def counted() -> None:
            asked.append("alive?")
            await ask()

        heard, again = await self.heard_by(store)
        wire.ask = counted  # type: ignore[method-assign]
        await until(lambda: len(asked) == 3)
        await store.commit(step(2))
        await until(lambda: heard == [b"batch 2 "])
        assert again == []

    async def test_what_comes_twice_is_told_twice(self, join: Join) -> None:
        store, wire = await join()
        await opened(store)
        heard, _ = await self.heard_by(store)
        late: list[Callable[[], None]] = []
        wire.held = late
        await store.commit(step(2))
        await store.commit(step(3))
        for said in (late[1], late[0], late[0]):
            said()
        assert heard == [b"batch 3 ", b"batch 2 ", b"batch 2 "]

    async def test_without_a_confirmation_nothing_is_followed(self, join: Join) -> None:
        store, wire = await join()
        await opened(store)
        heard: list[bytes] = []
        store.on_batch = lambda _, batch: heard.append(batch)
        wire.deaf = True
        wire.listen = wire.ask  # type: ignore[method-assign]
        with pytest.raises(StoreAway, match="confirmation"):
            await store.subscribe(T)
        assert not store._follower._wanted

    async def test_the_next_connection_confirms_what_the_last_one_did_not(self, join: Join) -> None:
        store, wire = await join()
        await opened(store)
        heard: list[bytes] = []
        store.on_batch = lambda _, batch: heard.append(batch)
        wire.freeze()
        following = asyncio.create_task(store.subscribe(T))
        await asyncio.sleep(0)
        wire.on_broken()
        wire.thawed.set()
        await following
        await store.commit(step(2))
        await until(lambda: heard == [b"batch 2 "])

    async def test_the_store_forgets_who_has_gone(self, join: Join, vault: Vault) -> None:
        store, _ = await join()
        await opened(store)
        await self.heard_by(store)
        await store.echo()
        store.die()
        assert not vault._ears
