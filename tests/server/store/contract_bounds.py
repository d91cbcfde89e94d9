"""The rest of what any `Store` owes the shell: bounds, life spans, silence, and drivers that go half-way.

As `contract.py`: a module with a fixture `make_store` imports these classes. `make_store(limits)` sets the limits.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from tapete_protocol.base import PlayerId, TableId
from tapete_server.adapters.redis_store import ScriptError, StoreLimits
from tapete_server.ports import Account, Commit, Done, NoTable, Store, StoreAway, Transfer
from tests.server.store.contract import ANA, BEA, MakeStore, T, U, buy_in, head, opened, step, until

ANSWER_S_MAX = 20.0
SILENCE = StoreLimits(lapse_ms=3_000, beats_kept_ms=3_000)
"""Longer than anything takes that is asked in between."""


async def until_asked(store: Store, wanted: Any, question: str, *about: Any) -> None:
    """Ask the store again and again, until it answers so."""
    until_s = time.monotonic() + ANSWER_S_MAX
    while (answer := await getattr(store, question)(*about)) != wanted:
        assert time.monotonic() < until_s, f"{question}: {answer!r} is not {wanted!r}"
        await asyncio.sleep(0.002)


class TestBounds:
    async def test_an_address_has_its_hour(self, make_store: MakeStore) -> None:
        store = await make_store(StoreLimits(accounts_per_address_hour_max=2))
        for player in (ANA, BEA, ANA, BEA):
            assert await store.open_account(player, "P", 5, "192.0.2.1") != "too_many"
        assert await store.open_account(PlayerId("carla"), "P", 5, "192.0.2.1") == "too_many"
        assert await store.open_account(PlayerId("carla"), "P", 5, "192.0.2.2") != "too_many"
        assert (await store.totals()).minted == 15

    async def test_due_tables_at_once(self, make_store: MakeStore) -> None:
        store = await make_store(StoreLimits(due_tables_max=3))
        for n in range(6):
            await store.create(TableId(f"felt-{n}"), head(1), b"", b"", True, 100 - n)
        assert await store.due(1_000) == [("felt-5", 95), ("felt-4", 96), ("felt-3", 97)]

    async def test_the_stream_is_a_window_and_read_in_pages(self, make_store: MakeStore) -> None:
        store = await make_store(StoreLimits(stream_batches_max=100, read_batches_max=7))
        await opened(store)
        for version in range(2, 400):
            await store.commit(step(version))
        kept = [version for version, _ in await store.batches(T, 0)]
        assert kept == list(range(kept[0], 400))
        assert 100 <= len(kept) < 250
        assert [version for version, _ in await store.batches(T, 350, 380)] == list(range(351, 381))

    async def test_records_are_kept_and_bounded_as_it_is_said(self, make_store: MakeStore) -> None:
        store = await make_store(StoreLimits(records_max=3))
        await opened(store)
        for version in range(2, 8):
            await store.commit(step(version, record=(10 * version, b"record %d" % version)))
        assert [number for number, _ in await store.records(T, 9)] == [50, 60, 70]
        assert await store.record(T, 40) is None

    async def test_a_second_record_of_a_round_is_an_error_before_anything_is_written(
        self, make_store: MakeStore
    ) -> None:
        store = await make_store()
        await opened(store)
        await store.commit(step(2, record=(7, b"record")))
        for number in (7, 6):
            with pytest.raises(ScriptError, match=f"record of round {number}"):
                await store.commit(step(3, record=(number, b"another"), deadline_ms=5, transfer="ana~1"))
        assert await store.heads([T]) == {T: (2, head(2))}
        assert await store.batches(T, 2) == []
        assert await store.due(10) == []
        assert await store.mark_of(Transfer("ana~1", ANA, T, 1, "pending", 0)) is None

    async def test_a_balance_stays_whole(self, make_store: MakeStore) -> None:
        store = await make_store()
        await store.open_account(ANA, "Ana", 2**53 - 2, "192.0.2.1")
        assert await store.top_up(ANA, "command-1", 2, 2**53 - 1) == "enough"
        with pytest.raises(ScriptError, match="balance"):
            await store.pay_out("out-1", ANA, T, 2)
        paid = await store.pay_out("out-1", ANA, T, 1)
        assert paid is not None
        assert paid.balance == 2**53 - 1
        await store.settle_pay_out("out-1", ANA)

    @pytest.mark.parametrize("opening", [-1, 2**53, 1.5, True])
    async def test_an_opening_balance_is_whole(self, make_store: MakeStore, opening: Any) -> None:
        store = await make_store()
        with pytest.raises(ValueError, match="balance"):
            await store.open_account(ANA, "Ana", opening, "192.0.2.1")
        assert await store.account(ANA) is None

    async def test_nobody_has_no_account(self, make_store: MakeStore) -> None:
        store = await make_store()
        with pytest.raises(LookupError, match="bea"):
            await store.top_up(BEA, "command-1", 5, 10)
        assert await store.see(BEA) is None
        with pytest.raises(LookupError, match="bea"):
            await store.finish_transfer(Transfer("bea~1", BEA, T, 5, "pending", 0), "refused")

    async def test_what_decides_first(self, make_store: MakeStore) -> None:
        """The head before the mark, the mark before the time: a repeat is told what became of it, however late it is."""
        store = await make_store()
        transfer = await buy_in(store, 5)
        await store.refuse_transfer(transfer)
        late: dict[str, Any] = {"not_after_ms": 1, "transfer": transfer.id}
        outcome = await store.commit(step(2, **late))
        assert type(outcome).__name__ == "Duplicate"
        assert type(await store.commit(step(3, **late))).__name__ == "Conflict"
        await store.finish_transfer(transfer, "refused")


class TestLifeSpans:
    """Each second here is one of the store's clock."""

    async def test_what_is_kept_for_a_while_is_forgotten(self, make_store: MakeStore) -> None:
        store = await make_store(StoreLimits(remembered_s=1, closed_s=1, crowd_s=1, mark_s=1, finished_s=1))
        transfer = await buy_in(store, 100)
        await store.commit(step(2, transfer=transfer.id))
        await store.finish_transfer(transfer, "credited")
        await store.pay_out("out-1", ANA, T, 50)
        await store.settle_pay_out("out-1", ANA)
        await store.top_up(ANA, "command-2", 10, 10_000)
        await store.beat("one", "node-a")
        await store.crowd("one", {T: 3})
        await opened(store, U)
        assert isinstance(await store.remove(U, 1, head(1), b"bye", 0), Done)
        await store.remember(ANA, "command-1", "one")
        await until_asked(store, None, "remembered", ANA, "command-1")  # the last one to go
        await until_asked(store, {}, "crowds")
        await until_asked(store, False, "paid_out", "out-1", ANA)
        await until_asked(store, None, "mark_of", transfer)
        assert await store.remember(ANA, "command-1", "two") == "two"
        topped = await store.top_up(ANA, "command-2", 10, 10_000)
        assert topped == Account(ANA, "Ana", 970)
        again = await store.start_transfer(transfer.id, ANA, T, 100)
        assert isinstance(again, Transfer)
        assert again.status == "pending"
        assert isinstance(await store.remove(U, 1, head(1), b"bye", 0), NoTable)

    async def test_a_mark_stands_while_its_entry_is_open(self, make_store: MakeStore) -> None:
        store = await make_store(StoreLimits(mark_s=1, remembered_s=1))
        open_one, ended = await buy_in(store, 100), await buy_in(store, 100, "ana~buy-in-2")
        await store.commit(step(2, transfer=open_one.id))
        await store.refuse_transfer(ended)
        await store.finish_transfer(ended, "refused")
        await until_asked(store, None, "mark_of", ended)
        assert await store.mark_of(open_one) == "credited"
        await store.finish_transfer(open_one, "credited")


class TestSilence:
    async def test_a_node_that_beats_no_more_has_lapsed(self, make_store: MakeStore) -> None:
        store = await make_store(SILENCE)
        await store.beat("one", "node-a")
        await store.serve_table("one", U)
        await store.serve_table("one", T)
        assert await store.lapsed() == []
        await until_asked(store, [("one", [T, U])], "lapsed")
        await store.beat("one", "node-a")
        assert await store.lapsed() == [], "it was only slow"
        await until_asked(store, [("one", [T, U])], "lapsed")
        await store.forget("one")
        assert await store.lapsed() == []

    async def test_one_that_never_beat_has_lapsed_as_well(self, make_store: MakeStore) -> None:
        store = await make_store(SILENCE)
        await store.serve_table("one", T)
        assert await store.lapsed() == []
        await until_asked(store, [("one", [T])], "lapsed")
        await store.serve_table("one", U)
        assert await store.lapsed() == [("one", [T, U])], "serving a table is no heartbeat"
        await store.forget("one")

    async def test_heartbeats_are_kept_for_a_while(self, make_store: MakeStore) -> None:
        store = await make_store(SILENCE)
        await store.beat("one", "node-a")
        assert list(await store.alive()) == ["one"]
        await until_asked(store, {}, "alive")
        await store.beat("two", "node-b")
        assert list(await store.alive()) == ["two"]

    async def test_stale_accounts(self, make_store: MakeStore) -> None:
        store = await make_store()
        await store.open_account(ANA, "Ana", 10, "192.0.2.1")
        opened_ms = await store.now_ms()
        while await store.now_ms() <= opened_ms + 1:
            pass
        await store.open_account(BEA, "Bea", 10, "192.0.2.1")
        assert await store.stale_accounts(opened_ms + 1, 10) == [ANA]
        assert await store.stale_accounts(1, 10) == []
        assert not await store.expire_account(BEA, opened_ms + 1)
        await store.see(ANA)
        assert await store.stale_accounts(opened_ms + 1, 10) == []
        assert not await store.expire_account(ANA, opened_ms + 1)
        assert await store.expire_account(ANA)


class TestDrivers:
    """A driver of a transfer may go between any two of its steps."""

    async def test_an_ended_transfer_is_tidied_by_whoever_looks(
        self, make_store: MakeStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = await make_store()
        transfer = await buy_in(store, 400)
        await store.commit(step(2, transfer=transfer.id))

        async def gone(_transfer: Transfer) -> None:
            raise StoreAway

        with monkeypatch.context() as patch:
            patch.setattr(store, "_tidy", gone)
            with pytest.raises(StoreAway):
                await store.finish_transfer(transfer, "credited")
        assert not await store.expire_account(ANA), "its entry is still there"
        again = await store.start_transfer(transfer.id, ANA, T, 400)
        assert isinstance(again, Transfer)
        assert again.status == "done"
        assert await store.open_transfers(0) == []
        assert await store.account(ANA) == Account(ANA, "Ana", 600)
        assert await store.expire_account(ANA)

    async def test_an_unsettled_cash_out_is_listed(self, make_store: MakeStore) -> None:
        store = await make_store()
        await store.open_account(ANA, "Ana", 1_000, "192.0.2.1")
        await store.pay_out("out-1", ANA, T, 250)
        listed = await store.unsettled_pay_outs(0)
        assert [(one.id, one.player, one.table, one.amount) for one in listed] == [("out-1", ANA, T, 250)]
        assert await store.unsettled_pay_outs(60_000) == []
        await store.settle_pay_out("out-1", ANA)
        assert await store.unsettled_pay_outs(0) == []


class TestEcho:
    async def test_a_store_that_works_is_heard(self, make_store: MakeStore) -> None:
        store, other = await make_store(), await make_store()
        batches: list[bytes] = []
        store.on_batch = lambda _, batch: batches.append(batch)
        for _ in range(2):
            await store.echo()
            await other.echo()
        assert batches == [], "an echo is nobody's batch"

    async def test_a_commit_is_heard_beside_it(self, make_store: MakeStore) -> None:
        store = await make_store()
        heard: list[bytes] = []
        store.on_batch = lambda _, batch: heard.append(batch)
        await opened(store)
        await store.subscribe(T)
        await store.echo()
        await store.commit(Commit(T, 1, head(1), head(2), b"", b"batch"))
        await until(lambda: heard == [b"batch"])
