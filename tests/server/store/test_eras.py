"""A store that came up anew may have forgotten: it is doubted unless all who were at work come back and miss nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from redis.asyncio import Redis

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store import RedisStore
from tapete_server.ports import Done, StoreAway
from tests.server.store.contract import T, U, head, opened, step
from tests.server.store.servers import Server, binaries


@pytest.fixture(params=["everysec", "always"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    server = Server(binaries()["valkey"], appendfsync=request.param)
    try:
        server.start()
        yield server
    finally:
        server.close()


def again(server: Server) -> None:
    server.written()
    server.kill()
    server.start()


async def started(server: Server) -> RedisStore:
    store = RedisStore(server.url)
    await store.start()
    return store


async def doubted(store: RedisStore, *tables: str) -> list[bool]:
    """Asked again where the answer was lost with the trust in the store."""
    try:
        read = [await store.read(table) for table in tables]  # type: ignore[arg-type]
    except StoreAway:
        return await doubted(store, *tables)
    return [one is not None and one.doubted for one in read]


async def at_work(server: Server, incarnation: str) -> RedisStore:
    store = await started(server)
    await store.beat(incarnation, "a node")
    return store


async def close(*stores: RedisStore) -> None:
    for store in stores:
        await store.close()


@pytest.mark.parametrize("server", ["everysec"], indirect=True)
class TestAnEra:
    async def test_nobody_is_left_who_was_at_work(self, server: Server) -> None:
        store = await at_work(server, "node1")
        await opened(store)
        await opened(store, U)
        assert await doubted(store, T, U) == [False, False]
        await close(store)
        again(server)
        store = await started(server)
        assert store.doubted > 0
        await store.commit(step(2))
        assert await doubted(store, T, U) == [False, True], "what is committed now is of this era"
        later = await started(server)
        assert later.doubted == store.doubted, "one start of the store is one era"
        await close(store, later)

    async def test_all_have_come_back_and_miss_nothing(self, server: Server) -> None:
        stores = [await at_work(server, name) for name in ("node1", "node2")]
        await opened(stores[0])
        for store in stores:
            store.seen = lambda: {T: (1, head(1))}
        again(server)
        assert await asyncio.gather(*(doubted(store, T) for store in stores)) == [[False], [False]]
        assert [store.doubted for store in stores] == [0, 0]
        await close(*stores)

    async def test_one_of_them_is_waited_for_in_vain(self, server: Server) -> None:
        stores = [await at_work(server, name) for name in ("node1", "node2")]
        await opened(stores[0])
        await close(stores[1])
        again(server)
        assert await doubted(stores[0], T) == [True]
        await close(stores[0])

    @pytest.mark.parametrize("seen", [{T: (2, head(2))}, {T: (1, head(1, "another"))}, {U: (1, head(1))}])
    async def test_one_of_them_has_seen_more(self, server: Server, seen: dict[TableId, tuple[int, bytes]]) -> None:
        stores = [await at_work(server, name) for name in ("node1", "node2")]
        await opened(stores[0])
        stores[1].seen = lambda: seen
        again(server)
        assert await asyncio.gather(*(doubted(store, T) for store in stores)) == [[True], [True]]
        await close(*stores)

    @pytest.mark.parametrize("missed", [True, False])
    async def test_what_was_asked_before_a_doubt_is_not_asked_again(self, server: Server, *, missed: bool) -> None:
        """It rests on what may be forgotten; where nothing is, it is asked again, and done."""
        store = await at_work(server, "node1")
        await opened(store)
        store.seen = lambda: {T: (1 + missed, head(1 + missed))}
        server.written()
        server.freeze()
        commit = asyncio.create_task(store.commit(step(2)))
        await asyncio.sleep(0.05)  # it is on its way
        server.kill()
        server.start()
        if missed:
            with pytest.raises(StoreAway, match="forgotten"):
                await commit
            found = await store.read(T)
            assert found is not None
            assert (found.version, found.doubted) == (1, True)
        else:
            assert isinstance(await commit, Done)
        await close(store)

    async def test_a_doubt_outlasts_the_next_start(self, server: Server) -> None:
        store = await at_work(server, "node1")
        await opened(store)
        await close(store)
        again(server)
        store = await started(server)
        before = store.doubted
        await store.forget("node1")
        await store.beat("node2", "a node")
        again(server)
        assert await doubted(store, T) == [True], "nobody has looked after it since"
        assert store.doubted == before
        await close(store)

    async def test_a_doubt_that_was_forgotten_is_one_again(self, server: Server) -> None:
        """Nobody misses anything by now: who was told of the doubt has taken up what the store has."""
        stores = [await at_work(server, name) for name in ("node1", "node2")]
        await opened(stores[0])
        server.written()
        kept = server.log_bytes()
        stores[0].seen = lambda: {T: (2, head(2))}
        again(server)
        assert await asyncio.gather(*(doubted(store, T) for store in stores)) == [[True], [True]]
        stores[0].seen = lambda: {T: (1, head(1))}
        server.lose(kept)
        assert await asyncio.gather(*(doubted(store, T) for store in stores)) == [[True], [True]]
        await close(*stores)

    async def test_who_left_in_order_leaves_no_doubt(self, server: Server) -> None:
        store = await started(server)
        await store.beat("node1", "Ana's")
        await store.serve_table("node1", T)
        await opened(store)
        await store.retire("node1")
        await store.close()
        again(server)
        store = await started(server)
        assert store.doubted == 0
        assert await doubted(store, T) == [False]
        await store.close()

    async def test_a_table_from_before_there_were_eras(self, server: Server) -> None:
        store = await started(server)
        await opened(store)
        async with Redis.from_url(server.url) as client:
            (key,) = await client.keys("t:*")
            await client.hdel(key, "g")
        assert await doubted(store, T) == [False]
        await store.close()


@pytest.mark.parametrize("server", ["always"], indirect=True)
async def test_a_store_that_writes_before_it_answers_is_not_doubted(server: Server) -> None:
    store = await started(server)
    await store.beat("node1", "Ana's")
    await opened(store)
    await store.close()
    again(server)
    store = await started(server)
    assert await doubted(store, T) == [False]
    await store.close()


@pytest.mark.parametrize("server", ["everysec"], indirect=True)
async def test_a_store_that_tells_nothing_of_itself_is_not_doubted(server: Server) -> None:
    async with Redis.from_url(server.url) as client:
        await client.acl_setuser(
            "node", enabled=True, passwords=["+s3cret"], keys=["*"], channels=["*"], categories=["+@all"],
            commands=["-info", "-config"],
        )  # fmt: skip
    store = RedisStore(server.url.replace("unix://", "unix://node:s3cret@"))
    await store.start()
    assert store.doubted == 0
    await opened(store)
    assert await doubted(store, T) == [False]
    await store.close()
