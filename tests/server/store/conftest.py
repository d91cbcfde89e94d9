"""Stores on real servers: the same tests against each kind that is installed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from redis.asyncio import Redis

from tapete_server.adapters.redis_store import RedisStore, StoreLimits
from tests.server.store.contract import MakeStore
from tests.server.store.key_leaks import leaks
from tests.server.store.proxy import Proxy
from tests.server.store.servers import Server, binaries

QUICK = StoreLimits(socket_timeout_ms=500, call_deadline_ms=1_500, follow_health_ms=300, probe_interval_ms=50)
"""The same behaviour in less time."""


@pytest.fixture(scope="module", params=sorted(binaries().items()), ids=lambda one: one[0])
def standing_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    server = Server(request.param[1])
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
async def server(standing_server: Server) -> AsyncIterator[Server]:
    """Empty at first, and without a leaked key at last."""
    async with Redis.from_url(standing_server.url) as client:
        await client.flushall()
        await client.script_flush()
        yield standing_server
        assert await leaks(client) == []


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Any]:
    async with Redis.from_url(server.url) as client:
        yield client


@pytest.fixture
async def make_store(server: Server) -> AsyncIterator[MakeStore]:
    stores: list[RedisStore] = []

    async def make(limits: StoreLimits | None = None, *, url: str = "", shards: int = 64) -> RedisStore:
        store = RedisStore(url or server.url, limits=limits, shards=shards)
        await store.start()
        stores.append(store)
        return store

    yield make
    for store in stores:
        await store.close()


@pytest.fixture
async def proxy(server: Server) -> AsyncIterator[Proxy]:
    proxy = Proxy(server.socket)
    await proxy.start()
    yield proxy
    await proxy.close()
