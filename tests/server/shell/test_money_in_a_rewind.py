"""The store forgets its last moments while chips are on their way: whatever it forgets, no chip is made or lost by it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from tapete_protocol import commands as c
from tapete_server.ports import StoreAway
from tapete_server.shell import transfers
from tests.server.shell.floors import Guest, Houses, until
from tests.server.store.servers import Server, binaries

CALLS_MAX = 12


@pytest.fixture(scope="module")
def forgetful() -> Iterator[Server]:
    server = Server(binaries()["valkey"])
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "STUCK_MS", 0)


class Amnesia:
    """Before call number `at` the store dies, and has lost everything from call number `lost_from` on."""

    def __init__(self, store: Any, server: Server, lost_from: int, at: int) -> None:
        self._ask, self._server = store._lane._ask, server
        self._lost_from, self._at = lost_from, at
        self._size = 0
        self.calls = 0
        store._lane._ask = self.ask

    def ends(self) -> int:
        """From now on nothing is lost; how many calls there were."""
        self._at = 0
        return self.calls

    async def ask(self, request: Any) -> Any:
        self.calls += 1
        if self.calls == self._lost_from:
            self._size = self._server.log_bytes()
        if self.calls == self._at:
            await asyncio.to_thread(self._server.lose, self._size)
        return await self._ask(request)


async def buy_in(ana: Guest, table: Any) -> Any:
    return await ana.buy(table, 100, command="the-buy-in")


async def cash_out(ana: Guest, table: Any) -> Any:
    return await ana.play(c.CashOut, table, amount=300)


@pytest.mark.parametrize("operation", [buy_in, cash_out])
async def test_the_store_forgets_any_part_of_it_at_any_moment(operation: Any, forgetful: Server) -> None:
    at = 2
    while await all_parts_forgotten(operation, forgetful, at):
        at += 1
    assert 3 < at < CALLS_MAX, "every call of it was tried"


async def all_parts_forgotten(operation: Any, server: Server, at: int) -> bool:
    """Before call `at`, each part of what went before, up to all. False when the operation has no such call any more."""
    tried = [await forgotten(operation, server, lost_from, at) for lost_from in range(1, at)]
    return all(tried)


async def forgotten(operation: Any, server: Server, lost_from: int, at: int) -> bool:
    houses = Houses(server, None)
    try:
        floor = await houses.floor()
        ana = await houses.guest(floor)
        table = await houses.table(ana)
        await ana.sit(table, 1, 1_000)
        amnesia = Amnesia(floor._store, server, lost_from, at)
        with suppress(StoreAway):
            await operation(ana, table)
        calls = amnesia.ends()
        await until(lambda: floor.available)
        await floor.transfers.sweep()
        await ana.live(table).refresh()
        await floor.transfers.pay_out(ana.live(table))
        await floor.transfers.sweep()
        found = await houses.audit()
        assert (found.difference, found.faults, found.underway) == (0, (), 0), (lost_from, at)
        return calls >= at
    finally:
        await houses.close()
