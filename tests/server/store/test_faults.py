"""The store freezes, dies, refuses, or loses a reply: nothing happens twice, nothing hangs, play is back by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tapete_server.adapters.redis_store import RedisStore, ScriptError
from tapete_server.adapters.redis_store.connection import stop
from tapete_server.adapters.redis_store.follow import Follower
from tapete_server.ports import Account, Commit, Committed, Conflict, Done, Store, StoreAway, Transfer
from tests.server.store.conftest import QUICK
from tests.server.store.contract import ANA, MakeStore, T, buy_in, head, opened, step, until
from tests.server.store.proxy import Proxy
from tests.server.store.servers import Server

AT_ONCE_S = 0.8 * QUICK.socket_timeout_ms / 1000
"""Sooner than anything could have been waited for."""


@pytest.fixture
def frozen(server: Server) -> Iterator[Server]:
    """For a test to freeze; thawed at its end whatever happens."""
    yield server
    server.thaw()


def edges_of(store: Store) -> list[bool]:
    edges: list[bool] = []
    store.on_available = edges.append
    return edges


async def seconds(call: Any) -> float:
    """How long a call takes to say that the store is away."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    with pytest.raises(StoreAway):
        await call
    return loop.time() - began


class TestLostReply:
    """The proxy cuts the wire after the request has passed and been answered."""

    async def test_a_commit_happens_once_and_is_done(self, make_store: MakeStore, proxy: Proxy) -> None:
        store = await make_store(url=proxy.url)
        await opened(store)
        edges = edges_of(store)
        proxy.swallow = b"batch 2"
        assert await self.outcome(store, step(2, deadline_ms=9, record=(1, b"record"))) == (2, Done)
        assert proxy.swallowed.is_set()
        assert await store.batches(T, 0) == [(1, b"batch 1 "), (2, b"batch 2 ")]
        assert await store.records(T, 9) == [(1, b"record")]
        assert edges == [], "a broken wire that is whole again at once is nobody's business"

    @staticmethod
    async def outcome(store: Store, commit: Commit) -> tuple[int, type[Committed]]:
        outcome = await store.commit(commit)
        assert isinstance(outcome, Done)
        return outcome.version, type(outcome)

    async def test_all_of_a_pipeline(self, make_store: MakeStore, proxy: Proxy) -> None:
        store = await make_store(url=proxy.url)
        tables = [f"felt-{n}" for n in range(40)]
        await asyncio.gather(*(opened(store, table) for table in tables))  # type: ignore[arg-type]
        proxy.swallow = b"batch 2"
        outcomes = await asyncio.gather(*(store.commit(step(2, table=table)) for table in tables))
        assert proxy.swallowed.is_set()
        assert all(isinstance(outcome, Done) for outcome in outcomes)
        assert {version for version, _ in (await store.heads(tables)).values()} == {2}  # type: ignore[arg-type]

    async def test_what_rests_on_the_lost_connection_is_not_asked_over_the_next(
        self, make_store: MakeStore, proxy: Proxy
    ) -> None:
        store = await make_store(url=proxy.url)
        await opened(store)
        with store.unbroken():
            over = asyncio.Event()
            later = asyncio.create_task(
                self.after(over, store)
            )  # like a timer, it has the context of where it was begun
            proxy.swallow = b"batch 2"
            with pytest.raises(StoreAway, match="in the middle"):
                await store.commit(step(2))
            with pytest.raises(StoreAway, match="in the middle"):
                await store.now_ms()
        over.set()
        assert await later > 0, "it has outlived the steps that belonged together"
        assert await store.batches(T, 0) == [(1, b"batch 1 "), (2, b"batch 2 ")]

    @staticmethod
    async def after(over: asyncio.Event, store: Store) -> int:
        await over.wait()
        return await store.now_ms()

    async def test_buried_under_another_commit_it_is_a_conflict(self, make_store: MakeStore, proxy: Proxy) -> None:
        store, other = await make_store(replace(QUICK, call_deadline_ms=20_000), url=proxy.url), await make_store()
        await opened(other)
        edges = edges_of(store)
        proxy.closed_after_swallow, proxy.swallow = True, b"batch 2"
        commit = asyncio.create_task(store.commit(step(2)))
        await proxy.swallowed.wait()
        assert isinstance(await other.commit(step(3, "other")), Done)
        await until(lambda: edges == [False])
        proxy.shut = False
        conflict = await commit
        assert isinstance(conflict, Conflict)
        assert (conflict.stored.version, conflict.stored.head) == (3, head(3, "other"))
        await until(lambda: edges == [False, True])

    async def test_opening_and_closing_a_table(self, make_store: MakeStore, proxy: Proxy) -> None:
        store = await make_store(url=proxy.url)
        proxy.swallow = b"batch 1"
        await opened(store)
        proxy.swallow = b"bye"
        assert isinstance(await store.remove(T, 1, head(1), b"bye", 70), Done)
        assert (await store.totals()).house == 70

    async def test_money_moves_once(self, make_store: MakeStore, proxy: Proxy) -> None:
        store = await make_store(url=proxy.url)
        proxy.swallow = b"Ana"
        await store.open_account(ANA, "Ana", 50, "192.0.2.1")
        proxy.swallow = b"command-1"
        assert await store.top_up(ANA, "command-1", 950, 100) == Account(ANA, "Ana", 1_000)
        proxy.swallow = b"ana~1"
        transfer = await buy_in(store, 300, "ana~1")
        proxy.swallow = b"ana~1"
        assert await store.refuse_transfer(transfer) == "refused"
        proxy.swallow = b"refunded"
        assert await store.finish_transfer(transfer, "refused") == Account(ANA, "Ana", 1_000)
        proxy.swallow = b"out-1"
        assert await store.pay_out("out-1", ANA, T, 10) == Account(ANA, "Ana", 1_010)
        proxy.swallow = b"out-1"
        await store.settle_pay_out("out-1", ANA)
        assert (await store.totals()).minted == 1_000
        assert await store.expire_account(ANA)


class TestFrozen:
    async def test_away_within_the_deadline_then_at_once_and_back_by_itself(
        self, make_store: MakeStore, frozen: Server
    ) -> None:
        store, other = await make_store(QUICK), await make_store(QUICK)
        await opened(store)
        edges, elsewhere = edges_of(store), edges_of(other)
        frozen.freeze()
        waits = await asyncio.gather(seconds(store.commit(step(2))), seconds(store.now_ms()), seconds(other.now_ms()))
        assert max(waits) < QUICK.call_deadline_ms / 1000 + 3
        assert (edges, elsewhere) == ([False], [False])
        assert await seconds(store.commit(step(2))) < AT_ONCE_S
        assert await seconds(store.subscribe(T)) < AT_ONCE_S
        frozen.thaw()
        await until(lambda: edges == [False, True] and elsewhere == [False, True])
        stored = await store.read(T)
        assert stored is not None
        assert len(await store.batches(T, 0)) == stored.version <= 2, "whenever it was carried out, it was once"

    async def test_a_call_that_waits_is_answered_when_the_store_is_back_in_time(
        self, make_store: MakeStore, frozen: Server
    ) -> None:
        store = await make_store(replace(QUICK, call_deadline_ms=20_000))
        await opened(store)
        edges = edges_of(store)
        frozen.freeze()
        commit = asyncio.create_task(store.commit(step(2)))
        await until(lambda: edges == [False])
        frozen.thaw()
        assert isinstance(await commit, Done)
        assert [version for version, _ in await store.batches(T, 0)] == [1, 2]

    async def test_a_start_that_finds_nobody(self, frozen: Server) -> None:
        frozen.freeze()
        for url in (frozen.url, f"{frozen.url}-absent"):
            with pytest.raises(StoreAway):
                await RedisStore(url, limits=QUICK).start()


class TestKilled:
    async def test_scripts_subscription_and_tables_are_there_again(self, make_store: MakeStore, server: Server) -> None:
        store, other = await make_store(QUICK), await make_store()
        await opened(store)
        heard: list[bytes] = []
        again: list[str] = []
        store.on_batch = lambda _, batch: heard.append(batch)
        store.on_resubscribed = lambda: again.append("again")
        edges = edges_of(store)
        await store.subscribe(T)
        await store.commit(step(2))
        await until(lambda: heard)
        server.kill()
        with pytest.raises(StoreAway):
            await store.commit(step(3))
        assert edges == [False]
        server.start()
        await until(lambda: edges == [False, True] and again == ["again"])
        assert isinstance(await other.commit(step(3)), Done)
        await until(lambda: heard == [b"batch 2 ", b"batch 3 "])

    async def test_forgotten_scripts_are_sent_again(self, make_store: MakeStore, client: Any) -> None:
        store = await make_store()
        await opened(store)
        await client.script_flush()
        outcomes = await asyncio.gather(store.commit(step(2)), buy_in(store, 5), store.beat("one", "node"))
        assert isinstance(outcomes[0], Done)
        assert isinstance(await store.commit(step(3)), Done)


class TestRefusing:
    @pytest.mark.parametrize(
        ("refuse", "relent"),
        [
            (["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]),
            (["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]),
        ],
        ids=["memory is full", "read-only"],
    )
    async def test_is_being_away(
        self, make_store: MakeStore, client: Any, refuse: list[str], relent: list[str]
    ) -> None:
        store = await make_store(QUICK)
        await opened(store)
        edges = edges_of(store)
        await client.execute_command(*refuse)
        try:
            with pytest.raises(StoreAway):
                await store.commit(step(2, transfer="t", record=(1, b"record")))
            assert edges == [False]
            assert await seconds(store.read(T)) < AT_ONCE_S
        finally:
            await client.execute_command(*relent)
        await until(lambda: edges == [False, True])
        assert await store.heads([T]) == {T: (1, head(1))}
        assert await store.records(T, 9) == []

    async def test_somebody_elses_key_is_a_fault_and_not_an_outage(self, make_store: MakeStore, client: Any) -> None:
        store = await make_store()
        edges = edges_of(store)
        await client.set(store._keys.account(ANA), "not an account", ex=60)  # type: ignore[attr-defined]
        with pytest.raises(ScriptError, match="WRONGTYPE"):
            await store.account(ANA)
        assert edges == []
        assert await store.now_ms()

    async def test_a_queue_has_an_end(self, make_store: MakeStore) -> None:
        store = await make_store(replace(QUICK, queue_commands_max=100))
        outcomes = await asyncio.gather(*(store.now_ms() for _ in range(150)), return_exceptions=True)
        assert sum(isinstance(outcome, StoreAway) for outcome in outcomes) == 50
        assert await store.now_ms()

    async def test_a_caller_may_leave(self, make_store: MakeStore) -> None:
        store = await make_store()
        calls = [asyncio.create_task(store.now_ms()) for _ in range(50)]
        await asyncio.sleep(0)
        for call in calls[::2]:
            call.cancel()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(answer, int) for answer in answers[1::2])

    async def test_a_swallowed_cancellation_stops_it_all_the_same(self) -> None:
        swallowed = 0

        async def stubborn() -> None:
            nonlocal swallowed
            while swallowed < 2:
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    swallowed += 1
            await asyncio.Event().wait()

        task = asyncio.create_task(stubborn())
        await asyncio.sleep(0)
        await stop(task)
        assert (task.cancelled(), swallowed) == (True, 2)

    async def test_closed_is_away(self, make_store: MakeStore) -> None:
        store = await make_store()
        await store.close()
        with pytest.raises(StoreAway):
            await store.now_ms()


class TestSubscription:
    async def test_one_that_died_quietly_is_found_and_made_again(self, make_store: MakeStore, proxy: Proxy) -> None:
        store, other = await make_store(QUICK, url=proxy.url), await make_store()
        await opened(other)
        heard: list[bytes] = []
        again: list[str] = []
        store.on_batch = lambda _, batch: heard.append(batch)
        store.on_resubscribed = lambda: again.append("again")
        await store.subscribe(T)
        proxy.deaf_subscriptions = True
        await until(lambda: again)
        await other.commit(step(2))
        await until(lambda: heard == [b"batch 2 "])

    async def test_without_a_confirmation_nothing_is_followed(self, make_store: MakeStore, frozen: Server) -> None:
        store = await make_store(QUICK)
        await opened(store)
        frozen.freeze()
        assert await seconds(store.subscribe(T)) < QUICK.call_deadline_ms / 1000 + 3
        assert isinstance(store._follower, Follower)  # type: ignore[attr-defined]
        assert not store._follower._wanted  # type: ignore[attr-defined]


class TestTidying:
    """A driver of a transfer may go between any two of its steps."""

    async def test_an_ended_transfer_is_tidied_by_whoever_looks(
        self, make_store: MakeStore, client: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = await make_store()
        assert isinstance(store, RedisStore)
        transfer = await buy_in(store, 400)
        await store.commit(step(2, transfer=transfer.id))

        async def gone(_transfer: Transfer) -> None:
            raise StoreAway

        with monkeypatch.context() as patch:
            patch.setattr(store, "_tidy", gone)
            with pytest.raises(StoreAway):
                await store.finish_transfer(transfer, "credited")
        again = await store.start_transfer(transfer.id, ANA, T, 400)
        assert isinstance(again, Transfer)
        assert again.status == "done"
        mark = store._keys.mark(T, transfer.id)
        assert await client.ttl(mark) == -1
        assert await store.open_transfers(0) == []
        finished = store._keys.finished(ANA, transfer.id)
        assert 0 < await client.ttl(mark) < await client.ttl(finished), "a late repeat meets the end before no mark"
        assert await store.account(ANA) == Account(ANA, "Ana", 600)
        assert await store.expire_account(ANA)
