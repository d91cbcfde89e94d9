"""Names, lifetimes and bounds in the store, and the scripts as they are shipped."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest

from tapete_server.adapters import redis_store
from tapete_server.adapters.redis_store import RedisStore, StoreLimits, scripts
from tapete_server.adapters.redis_store.keys import ERA, NODES_UNWALKED, PERMANENT, WITNESSES, Keys
from tapete_server.ports import StoreAway
from tests.server.store.contract import ANA, BEA, MakeStore, T, head, opened, step, until
from tests.server.store.key_leaks import leaks


async def test_a_key_without_a_life_span_is_found(client: Any) -> None:
    for key in ("stray", "c:{s1}:ana:command", "x:{s1}:ana~1", "t:felt-1"):
        await client.set(key, "1")
        assert await leaks(client) == [key]
        await client.delete(key)
    await client.set("c:{s1}:ana:command", "1", ex=60)
    assert await leaks(client) == []


async def test_the_first_node_settles_the_number_of_shards(make_store: MakeStore, client: Any) -> None:
    first, second = await make_store(shards=4), await make_store(shards=9)
    assert isinstance(second, RedisStore)
    assert second.shards == 4
    await opened(first)
    assert await second.heads([T]) == {T: (1, head(1))}
    await client.set("tapete:shards", "many")
    with pytest.raises(StoreAway, match="many"):
        await make_store()
    await client.set("tapete:shards", "4")


def test_a_shard_never_changes() -> None:
    keys = Keys(64)
    assert [keys.shard(name) for name in ("felt-1", "ana", "")] == [59, 34, 0]
    assert keys.table("felt-1") == f"t:{{s{keys.shard('felt-1')}}}:felt-1"


def test_an_address_that_is_none() -> None:
    with pytest.raises(ValueError, match="scheme"):
        RedisStore("http://localhost")


async def test_nobody_is_there() -> None:
    with pytest.raises(StoreAway):
        await RedisStore("redis://127.0.0.1:1").start()


def slot(key: str) -> str:
    return key[key.index("{") : key.index("}")]


class TestScripts:
    def test_every_file_is_a_script_with_a_head(self) -> None:
        names = {file.name.removesuffix(".lua") for file in (files(redis_store) / "lua").iterdir()}
        assert names == {script.name for script in scripts.ALL} | {"prelude"}
        for script in scripts.ALL:
            text = (files(redis_store) / "lua" / f"{script.name}.lua").read_text()
            assert re.match(r"-- [^\n]+\n(-- [^\n]+\n)*-- KEYS  1 ", text), script.name
            assert "\n-- ARGV  1 " in text, script.name
            assert "\n-- Reply " in text, script.name

    async def test_keys_of_a_script_lie_in_one_slot(
        self, make_store: MakeStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = await make_store()
        assert isinstance(store, RedisStore)
        run, ran = store._lane.run, set()

        async def watched(script: scripts.Script, keys: list[str], *arguments: Any) -> Any:
            ran.add(script.name)
            assert len({slot(key) for key in keys}) == 1, script.name
            return await run(script, keys, *arguments)

        monkeypatch.setattr(store._lane, "run", watched)
        await every_script(store)
        by_greeting = {scripts.ERA.name}
        assert slot(ERA) == slot(NODES_UNWALKED) == slot(WITNESSES), "asked over every new connection"
        assert ran == {script.name for script in scripts.ALL} - by_greeting

    async def test_all_that_they_write_lives_as_long_as_it_is_said(self, make_store: MakeStore, client: Any) -> None:
        store = await make_store()
        assert isinstance(store, RedisStore)
        await every_script(store)
        assert await leaks(client) == []
        kinds = {key.decode().partition(":")[0] async for key in client.scan_iter()}
        documented = set(re.findall(r"^    ([a-z]+):", redis_store.__doc__ or "", re.MULTILINE))
        assert kinds <= documented
        assert {kind for kind in PERMANENT if ":" not in kind} < documented


async def every_script(store: RedisStore) -> None:
    await opened(store)
    for player in (ANA, BEA):
        await store.open_account(player, "P", 50, "192.0.2.1")
        await store.see(player)
        await store.top_up(player, "command-1", 50, 100)
        await store.remember(player, "command-1", "answer")
    credited = await store.start_transfer("ana~1", ANA, T, 10)
    refused = await store.start_transfer("bea~1", BEA, T, 10)
    assert not isinstance(credited, str)
    assert not isinstance(refused, str)
    await store.commit(step(2, transfer="ana~1", deadline_ms=5, record=(1, b"record")))
    await store.finish_transfer(credited, "credited")
    await store.refuse_transfer(refused)
    await store.finish_transfer(refused, "refused")
    await store.pay_out("out-1", ANA, T, 10)
    await store.settle_pay_out("out-1", ANA)
    await store.expire_account(BEA)
    for node in ("one", "two"):
        await store.beat(node, "node")
        await store.serve_table(node, T)
        await store.crowd(node, {T: 1})
    await store.heads([T])
    await store.alive()
    await store.keep_odds("5f", b"odds")
    await store.claim_odds("one")
    await store.retire("one")
    await store.lapsed()
    await store.remove(T, 2, head(2), b"bye", 0)


class TestBounds:
    @pytest.mark.timeout(600)
    async def test_streams_of_batches_and_ledgers(self, make_store: MakeStore, client: Any) -> None:
        store = await make_store(StoreLimits(stream_batches_max=100, ledger_rows_max=100, read_batches_max=7))
        assert isinstance(store, RedisStore)
        await opened(store)
        await store.open_account(ANA, "Ana", 1_000, "192.0.2.1")
        for version in range(2, 500):
            await store.commit(step(version))
            await store.pay_out(f"out-{version}", ANA, T, 1)
            await store.settle_pay_out(f"out-{version}", ANA)
        kept = [version for version, _ in await store.batches(T, 0)]
        assert kept == list(range(kept[0], 500))
        assert 100 <= len(kept) < 250
        assert 100 <= await client.xlen(store._keys.ledger(ANA)) < 250


class TestDisagreement:
    """What cannot be, after somebody's hand in the store: it is an error before anything is written."""

    async def test_a_stream_ahead_of_its_table_gives_way(self, make_store: MakeStore, client: Any) -> None:
        store = await make_store()
        assert isinstance(store, RedisStore)
        await opened(store)
        await client.xadd(store._keys.stream(T), {"b": "from nowhere"}, "9-0")
        await store.commit(step(2))
        assert await store.batches(T, 0) == [(2, b"batch 2 ")]


class TestSilence:
    async def test_heartbeats_are_kept_a_minute(self, make_store: MakeStore, client: Any) -> None:
        store = await make_store()
        await store.beat("one", "node-a")
        await client.zincrby("hb:{s0}", -61_000, "one")
        assert await store.alive() == {}
        await store.beat("two", "node-b")
        assert await client.zrange("hb:{s0}", 0, -1) == [b"two"]


async def test_a_subscription_costs_one_connection(make_store: MakeStore, client: Any) -> None:
    store = await make_store()
    tables = [f"felt-{n}" for n in range(20)]
    for table in tables:
        await store.subscribe(table)  # type: ignore[arg-type]
    ours = [one for one in await client.client_list() if one["name"] == "tapete"]
    assert sorted(int(one["sub"]) for one in ours) == [0, 20]
    for table in tables:
        await store.unsubscribe(table)  # type: ignore[arg-type]
    heard: list[bytes] = []
    store.on_batch = lambda _, batch: heard.append(batch)
    await opened(store)
    await store.subscribe(T)
    await store.commit(step(2))
    await until(lambda: heard)
    ours = [one for one in await client.client_list() if one["name"] == "tapete"]
    assert sorted(int(one["sub"]) for one in ours) == [0, 1]
