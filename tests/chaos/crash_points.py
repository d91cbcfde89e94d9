"""Die at every await: a node is killed at each request by which a buy-in, a cash-out or a round changes something.

The n-th request is counted on the node's own wire to the store, for n = 1, 2, .. until the operation ends before it is
reached; each once before the request leaves, and once when it was done and the node does not know. Then somebody else
finishes: the player, who comes back at another node and asks again, or nobody but the nodes' own sweeps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tapete_client import Session, Table, connect
from tapete_protocol.base import PlayerId, TableId
from tapete_server.core.codec import unpack_table
from tapete_server.core.state import Table as State
from tapete_server.shell.audit import Audit
from tests.chaos.last_request import LastRequest
from tests.chaos.referee import read
from tests.chaos.venue import FLAGS, Post, Venue
from tests.integration.cluster import NodeProcess

FAST = {"betting_ms": 0, "closing_ms": 0, "pause_ms": 0, "card_ms": 0, "turn_ms": 3_000, "hold_ms": 1_000}
OPENING = 100_000
CHIPS = 20_000
POINTS_MAX = 40
SIDES = (False, True)
"""Before a request leaves, and after it was done."""
MISSES_MAX = 2
"""Runs in a row that end before their point: then there are no more. (A round may have one decision more or less.)"""
FINISH_S_MAX = 40.0


@dataclass(frozen=True, slots=True)
class Operation:
    """`run` is what is counted."""

    name: str
    settings: dict[str, object]
    run: Callable[[Table], Any]
    spot: str = ""
    """Laid before the count begins."""
    leaves: tuple[int, int] | None = None
    """Stack and wallet when it was done."""


@dataclass
class Death:
    """One point and what became of it."""

    operation: str
    number: int
    after: bool
    comes_back: bool
    died_at: str | None = None
    table: str = ""
    player: str = ""
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        side = "after" if self.after else "before"
        return f"{self.operation} {side} request {self.number} ({self.died_at})"


async def buy_in(table: Table) -> None:
    await table.buy_in(5_000)


async def cash_out(table: Table) -> None:
    await table.cash_out(4_000)


async def leave(table: Table) -> None:
    await table.leave()


async def a_round(table: Table) -> None:
    """From `ready` until it is settled, standing on everything."""
    number = table.view.round
    await table.ready()
    while table.view.round == number:
        await table.until(lambda view: view.round > number or table.my_turn is not None)
        while table.my_turn:
            await table.stand()


PUNTO_BANCO: dict[str, object] = {"game": "punto_banco", "times": FAST}
DOUBLE_EXPOSURE: dict[str, object] = {"game": "double_exposure", "times": FAST}
OPERATIONS = (
    Operation("buy-in", PUNTO_BANCO, buy_in, leaves=(25_000, 75_000)),
    Operation("cash-out", PUNTO_BANCO, cash_out, leaves=(16_000, 84_000)),
    Operation("leave", PUNTO_BANCO, leave, leaves=(0, 100_000)),
    Operation("round of Punto Banco", PUNTO_BANCO, a_round, "banca"),
    Operation("round of Double Exposure", DOUBLE_EXPOSURE, a_round, "main"),
)


class CrashPoints:
    """`survivor` is the node that goes on. `told(death)`: after each."""

    def __init__(self, venue: Venue, survivor: Post, told: Callable[[Death], None] = lambda _: None) -> None:
        self._venue, self._survivor, self._told = venue, survivor, told
        self._victims = 0
        self._next: asyncio.Task[tuple[NodeProcess, LastRequest]] | None = None
        self.deaths: list[Death] = []
        self.audits: list[Audit] = []

    async def all_points(self, operation: Operation, *, comes_back: bool, sides: Sequence[bool] = SIDES) -> None:
        """Every point of it, on these sides."""
        for after in sides:
            number = misses = 0
            while misses < MISSES_MAX:
                number += 1
                assert number < POINTS_MAX, "an operation has an end"
                death = Death(operation.name, number, after, comes_back)
                await self._die(operation, death)
                misses = misses + 1 if death.died_at is None else 0
                if death.died_at is not None:
                    self.deaths.append(death)
                    self._told(death)

    async def finish(self) -> None:
        """Wait until nothing is on its way any more, look at every table, and count."""
        async with asyncio.timeout(FINISH_S_MAX):
            while not await self._all_have_left():  # noqa: ASYNC110 - they leave by themselves
                await asyncio.sleep(0.2)
        for death in self.deaths:
            await self._judge(death)
        self._note(await self._venue.audit(), "at the end")

    async def close(self) -> None:
        if self._next is not None:
            node, wire = await self._next
            node.forget()
            await wire.__aexit__()

    # --- one death ---

    async def _die(self, operation: Operation, death: Death) -> None:
        node, wire = await self._victim()
        urls = [node.url, self._survivor.url]
        try:
            async with connect(urls if death.comes_back else urls[:1], name="Ana") as session:
                [death.table] = await self._venue.open(self._survivor.url, operation.settings)
                death.player = session.player
                table = await session.join(death.table, 1, CHIPS)
                if operation.spot:
                    await table.place_bet(1, operation.spot, 1_000)
                wire.arm((table.id, session.player), death.number, after=death.after)
                await self._run(operation, table, session, wire, death)
        finally:
            await wire.__aexit__()
            node.forget()

    async def _run(self, operation: Operation, table: Table, session: Session, wire: LastRequest, death: Death) -> None:
        running = asyncio.create_task(operation.run(table))
        try:
            async with asyncio.timeout(FINISH_S_MAX):
                if death.comes_back:
                    await asyncio.wait([running])
                else:
                    await self._until_dead(running, wire)
        finally:
            running.cancel()
            await asyncio.wait([running])
        death.died_at = wire.died_at
        if running.cancelled() or death.died_at is None:
            return
        if (failure := running.exception()) is not None:
            death.faults.append(f"{death}: {failure!r}")
        elif operation.leaves is not None:
            account = await self._venue.store.account(PlayerId(session.player))
            has = (table.stack, account.balance if account else 0)
            if has != operation.leaves:
                death.faults.append(f"{death}: stack and wallet are {has}, not {operation.leaves}")
        self._note(await self._venue.audit(), str(death))

    @staticmethod
    async def _until_dead(running: asyncio.Task[Any], wire: LastRequest) -> None:
        while wire.died_at is None and not running.done():  # noqa: ASYNC110 - two things may happen
            await asyncio.sleep(0.005)

    def _note(self, found: Audit, when: str) -> None:
        self.audits.append(found)
        assert not found.faults, (when, found.faults)
        assert found.moved or found.difference == 0, (when, found)

    # --- what became of it ---

    async def _judge(self, death: Death) -> None:
        """Everyone has gone home: all chips are in the wallet, less what the house won."""
        sheet = await read(self._venue.store, death.table)
        death.faults += sheet.faults
        account = await self._venue.store.account(PlayerId(death.player))
        state = await self._state(death)
        assert account is not None
        if account.balance + state.bank != OPENING:
            death.faults.append(f"{death}: {account.balance} in the wallet, the house has {state.bank}")
        if sheet.voided:
            death.faults.append(f"{death}: voided {sheet.voided}")
        if death.comes_back and death.operation.startswith("round") and sheet.settled != [1]:
            death.faults.append(f"{death}: settled {sheet.settled}")

    async def _state(self, death: Death) -> State:
        stored = await self._venue.store.read(TableId(death.table))
        assert stored is not None
        return unpack_table(stored.blob)

    async def _all_have_left(self) -> bool:
        """The boxes of those who do not come back are freed when they were held long enough, and the chips cashed out."""
        store = self._venue.store
        states = [await self._state(death) for death in self.deaths]
        if any(state.players or state.outgoing for state in states):
            return False
        return not await store.open_transfers(0) and not await store.unsettled_pay_outs(0)

    # --- nodes that are going to die ---

    async def _victim(self) -> tuple[NodeProcess, LastRequest]:
        """The next one starts while this one dies."""
        mine = self._next or asyncio.create_task(self._start())
        self._next = None
        node, wire = await mine
        self._next = asyncio.create_task(self._start())
        return node, wire

    async def _start(self) -> tuple[NodeProcess, LastRequest]:
        self._victims += 1
        door = self._venue.data / f"v{self._victims}"
        node = NodeProcess(self._venue.data, *FLAGS, "--store", f"unix://{door}", "--node", f"victim-{self._victims}")
        wire = LastRequest(self._venue.server.socket, door, node.kill)
        await wire.__aenter__()
        await node.start()
        return node, wire
