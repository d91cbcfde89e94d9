"""The simulated store in the place of the real one: the same tests, on the loop's own clock and perfect wires."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tapete_server.adapters.redis_store import StoreLimits
from tests.server.store.contract import MakeStore
from tests.simulation.store.sim_store import SimStore
from tests.simulation.store.vault import Vault
from tests.simulation.store.wire import PerfectWire

EPOCH_MS = 1_700_000_000_000
"""When a store's clock began; any time will do."""


@pytest.fixture
async def vault() -> Vault:
    loop = asyncio.get_running_loop()
    return Vault(lambda: EPOCH_MS + int(1_000 * loop.time()))


@pytest.fixture
async def make_store(vault: Vault) -> AsyncIterator[MakeStore]:
    stores: list[SimStore] = []

    async def make(limits: StoreLimits | None = None, *, shards: int = 64) -> SimStore:
        """All nodes have the limits that were given last; a vault knows no shards."""
        assert shards > 0
        if limits is not None:
            vault.limits = limits
        store = SimStore(vault, PerfectWire())
        await store.start()
        stores.append(store)
        return store

    yield make
    for store in stores:
        await store.close()
