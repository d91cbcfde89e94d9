"""Floors on one real store, in one process: each a node of its own, without its sweeps, which tests run by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from redis.asyncio import Redis

from tests.server.shell.floors import Houses
from tests.server.store.servers import Server, binaries


@pytest.fixture(scope="module")
def standing_server() -> Iterator[Server]:
    server = Server(binaries()["valkey"])
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
async def houses(standing_server: Server) -> AsyncIterator[Houses]:
    async with Redis.from_url(standing_server.url) as client:
        await client.flushall()
        houses = Houses(standing_server, client)
        yield houses
        await houses.close()
