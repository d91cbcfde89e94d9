"""What any `Store` owes the shell. A module with a fixture `make_store` imports these classes, and they run against it.

`make_store()` gives another node's view of the same store, started; every test begins with an empty one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tapete_protocol.base import PlayerId, TableId
from tapete_server.ports import (
    Account,
    Commit,
    Conflict,
    Done,
    Duplicate,
    Listed,
    NoTable,
    Store,
    TooEarly,
    TooLate,
    Totals,
    Transfer,
)

MakeStore = Callable[..., Awaitable[Store]]

T, U = TableId("felt-1"), TableId("felt-2")
ANA, BEA = PlayerId("ana"), PlayerId("bea")


def head(version: int, who: str = "") -> bytes:
    return f"head {version} {who}".encode()


def step(version: int, who: str = "", since: str = "", **more: Any) -> Commit:
    """The commit that makes `version`, on what `since` committed."""
    return Commit(
        table=more.pop("table", T), version=version - 1, head=head(version - 1, since), new_head=head(version, who),
        blob=f"blob {version} {who}".encode(), batch=f"batch {version} {who}".encode(), **more,
    )  # fmt: skip


async def opened(store: Store, table: TableId = T, *, public: bool = True) -> None:
    assert await store.create(table, head(1), b"blob 1 ", b"batch 1 ", public, 0)


async def until(condition: Callable[[], Any], within_s: float = 8) -> None:
    """Wait for a condition, not for a time."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.002)


class TestCommit:
    async def test_makes_the_next_version(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        before = await store.now_ms()
        done = await store.commit(step(2))
        assert isinstance(done, Done)
        assert done.version == 2
        assert before <= done.time_ms <= await store.now_ms()
        stored = await store.read(T)
        assert stored is not None
        assert (stored.version, stored.head, stored.blob) == (2, head(2), b"blob 2 ")
        assert await store.heads([U, T]) == {T: (2, head(2))}

    async def test_an_absent_table_is_no_version_zero(self, make_store: MakeStore) -> None:
        store = await make_store()
        assert isinstance(await store.commit(step(1)), NoTable)
        assert await store.read(T) is None
        assert await store.heads([T]) == {}

    @pytest.mark.parametrize("stale", [step(3), step(2, since="someone"), step(9)])
    async def test_another_version_or_head_is_a_conflict_with_what_is_there(
        self, make_store: MakeStore, stale: Commit
    ) -> None:
        store = await make_store()
        await opened(store)
        if stale.version == 2:
            await store.commit(step(2, "someone else"))
        conflict = await store.commit(stale)
        assert isinstance(conflict, Conflict)
        stored = await store.read(T)
        assert stored is not None
        assert (conflict.stored.version, conflict.stored.head, conflict.stored.blob) == (
            stored.version, stored.head, stored.blob,
        )  # fmt: skip

    async def test_a_conflict_with_its_own_head_was_done(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        assert isinstance(await store.commit(step(2)), Done)
        again = await store.commit(step(2))
        assert isinstance(again, Done)
        assert again.version == 2
        assert [version for version, _ in await store.batches(T, 0)] == [1, 2]

    async def test_one_of_fifty_wins_each_version(self, make_store: MakeStore) -> None:
        stores = [await make_store(), await make_store()]
        await opened(stores[0])
        winner = ""
        for version in range(2, 8):
            since = winner
            outcomes = await asyncio.gather(*(stores[n % 2].commit(step(version, f"n{n}", since)) for n in range(50)))
            winners = [n for n, outcome in enumerate(outcomes) if isinstance(outcome, Done)]
            assert len(winners) == 1
            assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 49
            winner = f"n{winners[0]}"
        assert [version for version, _ in await stores[1].batches(T, 0)] == list(range(1, 8))

    async def test_time_is_the_stores(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        now = await store.now_ms()
        early = await store.commit(step(2, not_before_ms=now + 60_000))
        assert isinstance(early, TooEarly)
        late = await store.commit(step(2, not_after_ms=now - 1_000))
        assert isinstance(late, TooLate)
        assert now <= early.time_ms <= late.time_ms
        assert await store.heads([T]) == {T: (1, head(1))}
        good = step(2, not_before_ms=now - 1_000, not_after_ms=now + 60_000)
        assert isinstance(await store.commit(good), Done)

    async def test_deadlines_are_due_when_they_are(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        assert await store.create(U, head(1), b"", b"", True, 700)
        await store.commit(step(2, deadline_ms=500))
        assert await store.due(499) == []
        assert await store.due(500) == [(T, 500)]
        assert await store.due(700) == [(T, 500), (U, 700)]
        await store.commit(step(3))
        assert await store.due(700) == [(U, 700)]

    async def test_batches_from_the_stream(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        for version in range(2, 11):
            await store.commit(step(version))
        every = [(version, f"batch {version} ".encode()) for version in range(1, 11)]
        assert await store.batches(T, 0) == every
        assert await store.batches(T, 4) == every[4:]
        assert await store.batches(T, 4, 6) == every[4:6]
        assert await store.batches(T, 10) == []
        assert await store.batches(U, 0) == []

    async def test_trimmed_below_a_version(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        for version in range(2, 8):
            await store.commit(step(version))
        await store.commit(step(8, trim_before=6))
        assert [version for version, _ in await store.batches(T, 5)] == [6, 7, 8]

    async def test_records_are_kept_and_bounded(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        for version in range(2, 510):
            outcome = await store.commit(step(version, record=(version, b"record %d" % version)))
            assert isinstance(outcome, Done)
        assert await store.record(T, 509) == b"record 509"
        assert await store.record(T, 10) == b"record 10"
        assert await store.record(T, 9) is None
        assert await store.records(T, 2) == [(508, b"record 508"), (509, b"record 509")]
        assert await store.records(T, 0) == []
        assert len(await store.records(T, 1_000)) == 500

    async def test_a_buy_in_is_marked_once(self, make_store: MakeStore) -> None:
        store = await make_store()
        transfer = await buy_in(store, 100)
        assert isinstance(await store.commit(step(2, transfer=transfer.id)), Done)
        twice = await store.commit(step(3, transfer=transfer.id))
        assert isinstance(twice, Duplicate)
        assert twice.mark == "credited"
        assert await store.heads([T]) == {T: (2, head(2))}
        await store.finish_transfer(transfer, "credited")


class TestOpeningAndClosing:
    async def test_a_table_is_made_once(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        assert not await store.create(T, head(1, "other"), b"", b"", True, 0)
        assert await store.create(U, head(1), b"", b"", False, 0)
        assert await store.listed() == [Listed(T, True), Listed(U, False)]
        assert await store.batches(T, 0) == [(1, b"batch 1 ")]

    async def test_asked_again_by_its_maker_it_was_made(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        await opened(store)

    async def test_closing_leaves_the_bank_to_the_house_and_nothing_else(self, make_store: MakeStore) -> None:
        store = await make_store()
        await opened(store)
        await store.commit(step(2, deadline_ms=5, record=(1, b"record")))
        assert isinstance(await store.remove(T, 1, head(1), b"bye", -30), Conflict)
        for _ in range(2):
            done = await store.remove(T, 2, head(2), b"bye", -30)
            assert isinstance(done, Done)
            assert done.version == 3
        assert isinstance(await store.remove(T, 2, head(2), b"another", -30), NoTable)
        assert await store.totals() == Totals(0, 0, -30)
        assert (await store.listed(), await store.due(10), await store.records(T, 9)) == ([], [], [])
        assert isinstance(await store.commit(step(3)), NoTable)
        await opened(store)
        assert isinstance(await store.commit(step(2, record=(1, b"record"))), Done)


class TestFollowing:
    async def test_every_node_hears_every_batch_in_order(self, make_store: MakeStore) -> None:
        one, other = await make_store(), await make_store()
        heard: list[tuple[TableId, bytes]] = []
        other.on_batch = lambda table, batch: heard.append((table, batch))
        await opened(one)
        await opened(one, U)
        await other.subscribe(T)
        for version in range(2, 40):
            await one.commit(step(version))
            await one.commit(step(version, table=U))
        await one.remove(T, 39, head(39), b"bye", 0)
        await until(lambda: len(heard) == 39)
        assert heard == [(T, f"batch {version} ".encode()) for version in range(2, 40)] + [(T, b"bye")]

    async def test_from_the_moment_that_subscribe_returns(self, make_store: MakeStore) -> None:
        one, other = await make_store(), await make_store()
        heard: list[bytes] = []
        other.on_batch = lambda _, batch: heard.append(batch)
        tables = [TableId(f"t{n}") for n in range(30)]
        await asyncio.gather(*(opened(one, table) for table in tables))
        await asyncio.gather(*(other.subscribe(table) for table in tables))
        await asyncio.gather(*(one.commit(step(2, table=table)) for table in tables))
        await until(lambda: len(heard) == 30)

    async def test_left_and_followed_again(self, make_store: MakeStore) -> None:
        store = await make_store()
        heard: list[bytes] = []
        store.on_batch = lambda _, batch: heard.append(batch)
        await opened(store)
        await store.subscribe(T)
        await store.unsubscribe(T)
        await store.commit(step(2))
        await store.subscribe(T)
        await store.commit(step(3))
        await until(lambda: heard)
        assert heard == [b"batch 3 "]

    async def test_a_listener_that_fails_hears_the_next_one(self, make_store: MakeStore) -> None:
        store = await make_store()
        heard: list[bytes] = []

        def listen(_table: TableId, batch: bytes) -> None:
            heard.append(batch)
            raise ValueError

        store.on_batch = listen
        await opened(store)
        await store.subscribe(T)
        await store.commit(step(2))
        await store.commit(step(3))
        await until(lambda: len(heard) == 2)


async def buy_in(store: Store, amount: int, transfer: str = "ana~buy-in-1") -> Transfer:
    """An account with 1000, a table, and a buy-in that has begun."""
    await store.create(T, head(1), b"0", b"batch 1 ", True, 0)
    await store.open_account(ANA, "Ana", 1_000, "192.0.2.1")
    started = await store.start_transfer(transfer, ANA, T, amount)
    assert isinstance(started, Transfer)
    return started


class TestAccounts:
    async def test_opening_mints_once(self, make_store: MakeStore) -> None:
        store = await make_store()
        for _ in range(2):
            assert await store.open_account(ANA, "Ana María", 500, "192.0.2.1") == Account(ANA, "Ana María", 500)
        assert await store.totals() == Totals(500, 0, 0)
        assert await store.account(ANA) == Account(ANA, "Ana María", 500)
        assert await store.account(BEA) is None

    async def test_topped_up_once_for_a_command_and_only_when_low(self, make_store: MakeStore) -> None:
        store = await make_store()
        await store.open_account(ANA, "Ana", 99, "192.0.2.1")
        for _ in range(2):
            assert await store.top_up(ANA, "command-1", 1_000, 100) == Account(ANA, "Ana", 1_099)
        assert await store.top_up(ANA, "command-2", 1_000, 100) == "enough"
        assert await store.totals() == Totals(1_099, 0, 0)

    async def test_every_account_once(self, make_store: MakeStore) -> None:
        store = await make_store()
        players = [PlayerId(f"p{n}") for n in range(60)]
        await asyncio.gather(*(store.open_account(player, "P", 10, "192.0.2.1") for player in players))
        assert sorted([account.player async for account in store.accounts()]) == sorted(players)

    async def test_the_first_answer_is_remembered(self, make_store: MakeStore) -> None:
        store = await make_store()
        assert await store.remembered(ANA, "command-1") is None
        assert await store.remember(ANA, "command-1", "one") == "one"
        assert await store.remember(ANA, "command-1", "two") == "one"
        assert await store.remember(BEA, "command-1", "two") == "two"
        assert await store.remembered(ANA, "command-1") == "one"

    async def test_expired_accounts_are_burned(self, make_store: MakeStore) -> None:
        store = await make_store()
        transfer = await buy_in(store, 100)
        assert not await store.expire_account(ANA)
        assert await store.refuse_transfer(transfer) == "refused"
        await store.finish_transfer(transfer, "refused")
        assert await store.expire_account(ANA)
        assert await store.expire_account(ANA)
        assert await store.account(ANA) is None
        assert [account async for account in store.accounts()] == []
        assert await store.totals() == Totals(1_000, 1_000, 0)

    @pytest.mark.parametrize("amount", [0, -5, 2**53, 1.5, True])
    async def test_only_whole_amounts_move(self, make_store: MakeStore, amount: Any) -> None:
        store = await make_store()
        await store.open_account(ANA, "Ana", 1_000, "192.0.2.1")
        with pytest.raises(ValueError, match="amount"):
            await store.start_transfer("t", ANA, T, amount)
        with pytest.raises(ValueError, match="amount"):
            await store.pay_out("t", ANA, T, amount)
        with pytest.raises(ValueError, match="amount"):
            await store.top_up(ANA, "c", amount, 10_000)
        assert await store.account(ANA) == Account(ANA, "Ana", 1_000)


class TestTransfers:
    async def test_credited(self, make_store: MakeStore) -> None:
        store = await make_store()
        transfer = await buy_in(store, 400)
        assert (transfer.player, transfer.table, transfer.amount, transfer.status) == (ANA, T, 400, "pending")
        assert await store.open_transfers(0) == [transfer]
        assert await store.open_transfers(60_000) == []
        await store.commit(step(2, transfer=transfer.id))
        assert await store.mark_of(transfer) == "credited"
        assert await store.refuse_transfer(transfer) == "credited"
        for _ in range(2):
            assert await store.finish_transfer(transfer, "credited") == Account(ANA, "Ana", 600)
        assert await store.open_transfers(0) == []

    async def test_refused_is_paid_back_once(self, make_store: MakeStore) -> None:
        store = await make_store()
        transfer = await buy_in(store, 400)
        for _ in range(2):
            assert await store.refuse_transfer(transfer) == "refused"
        duplicate = await store.commit(step(2, transfer=transfer.id))
        assert isinstance(duplicate, Duplicate)
        assert duplicate.mark == "refused"
        for _ in range(2):
            assert await store.finish_transfer(transfer, "refused") == Account(ANA, "Ana", 1_000)
        assert await store.finish_transfer(transfer, "credited") == Account(ANA, "Ana", 1_000)
        assert await store.open_transfers(0) == []

    async def test_the_same_id_is_the_same_transfer_even_when_it_has_ended(self, make_store: MakeStore) -> None:
        store = await make_store()
        transfer = await buy_in(store, 400)
        assert await store.start_transfer(transfer.id, ANA, T, 400) == transfer
        assert await store.start_transfer(transfer.id, ANA, U, 1) == transfer
        await store.commit(step(2, transfer=transfer.id))
        await store.finish_transfer(transfer, "credited")
        again = await store.start_transfer(transfer.id, ANA, T, 400)
        assert isinstance(again, Transfer)
        assert again.status == "done"
        refused = await buy_in(store, 100, "ana~buy-in-2")
        await store.refuse_transfer(refused)
        await store.finish_transfer(refused, "refused")
        again = await store.start_transfer(refused.id, ANA, T, 100)
        assert isinstance(again, Transfer)
        assert again.status == "refunded"
        assert await store.account(ANA) == Account(ANA, "Ana", 600)

    async def test_not_more_than_there_is(self, make_store: MakeStore) -> None:
        store = await make_store()
        await buy_in(store, 999)
        assert await store.start_transfer("ana~2", ANA, T, 2) == "not_enough"
        assert await store.start_transfer("bea~1", BEA, T, 1) == "not_enough"
        everything = await store.start_transfer("ana~3", ANA, T, 1)
        assert isinstance(everything, Transfer)

    async def test_whoever_decides_first(self, make_store: MakeStore) -> None:
        one, other = await make_store(), await make_store()
        for n in range(10):
            transfer = await buy_in(one, 1, f"ana~{n}")
            stored = await one.read(T)
            assert stored is not None
            outcome, mark = await asyncio.gather(
                one.commit(step(stored.version + 1, transfer=transfer.id)), other.refuse_transfer(transfer)
            )
            assert isinstance(outcome, Done) == (mark == "credited")
            assert await one.mark_of(transfer) == mark

    async def test_a_cash_out_is_credited_once(self, make_store: MakeStore) -> None:
        store = await make_store()
        await store.open_account(ANA, "Ana", 1_000, "192.0.2.1")
        assert not await store.paid_out("out-1", ANA)
        for _ in range(2):
            assert await store.pay_out("out-1", ANA, T, 250) == Account(ANA, "Ana", 1_250)
        assert not await store.expire_account(ANA)
        await store.settle_pay_out("out-1", ANA)
        await store.settle_pay_out("out-1", ANA)
        assert await store.pay_out("out-1", ANA, T, 250) == Account(ANA, "Ana", 1_250)
        assert await store.paid_out("out-1", ANA)
        assert await store.pay_out("out-1", BEA, T, 250) is None
        assert await store.expire_account(ANA)

    async def test_settling_what_was_never_paid_does_not_pay_it(self, make_store: MakeStore) -> None:
        store = await make_store()
        await store.open_account(ANA, "Ana", 1_000, "192.0.2.1")
        await store.settle_pay_out("out-1", ANA)
        assert await store.pay_out("out-1", ANA, T, 250) == Account(ANA, "Ana", 1_250)
        await store.settle_pay_out("out-1", ANA)


class TestPresence:
    async def test_a_heartbeat_has_the_stores_time(self, make_store: MakeStore) -> None:
        store = await make_store()
        before = await store.now_ms()
        await store.beat("one", "node-a")
        assert list(await store.alive()) == ["one"]
        assert before <= (await store.alive())["one"] <= await store.now_ms()
        assert await store.lapsed() == []

    async def test_who_retires_is_walked_at_once_and_then_forgotten(self, make_store: MakeStore) -> None:
        store = await make_store()
        await store.beat("one", "node-a")
        await store.beat("two", "node-b")
        await store.serve_table("one", U)
        await store.serve_table("one", T)
        await store.retire("one")
        await store.retire("two")
        assert await store.lapsed() == [("one", [T, U])]
        await store.forget("one")
        assert await store.lapsed() == []
        assert "one" in await store.alive(), "its last heartbeat is still of use"

    async def test_crowds_add_up_and_are_replaced(self, make_store: MakeStore) -> None:
        store = await make_store()
        for node in ("one", "two"):
            await store.beat(node, node)
            await store.crowd(node, {T: 3, U: 1})
        await store.crowd("two", {T: 4})
        assert await store.crowds() == {T: 7, U: 1}
        await store.crowd("two", {})
        await store.retire("one")
        assert await store.crowds() == {}
