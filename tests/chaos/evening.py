"""Three nodes, tables of both games, bots that play and people who look on: what the faults are thrown at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from tapete_client.bot import Pauses
from tapete_protocol.base import TableId
from tapete_server.core.codec import unpack_table
from tapete_server.ports import StoreAway
from tests.chaos.company import Company, wait_for
from tests.chaos.figures import Outcome
from tests.chaos.referee import Sheet, referee
from tests.chaos.venue import Post, Venue, venue

WRITE_S = 1.0
"""Between two looks of the scribe; a stream keeps many more batches than are played meanwhile."""
ROUNDS_S_MAX = 90.0
TIMES = {"betting_ms": 4_000, "closing_ms": 0, "card_ms": 0, "turn_ms": 15_000, "hold_ms": 60_000}
GAMES: tuple[tuple[str, Pauses], ...] = (("double_exposure", "human"), ("punto_banco", "none"))
"""Who plays Double Exposure thinks as people do, unless there is hardly any pause between rounds either."""
HURRY_MS = 500


@dataclass(frozen=True, slots=True)
class Scale:
    """How much of everything."""

    bots: int = 40
    onlookers: int = 200
    tables: int = 10
    times: int = 3
    """How often the fault of a scenario happens."""
    herd: int = 1_000
    offsets: int = 100
    """Places at which the log of the store is cut."""
    pause_ms: int = 2_000
    """Between two rounds."""
    seed: int = 1


class Evening:
    def __init__(self, house: Venue, company: Company, posts: list[Post], tables: list[str]) -> None:
        self.house, self.company, self.posts, self.tables = house, company, posts, tables
        self._batches: dict[str, list[tuple[int, bytes]]] = {table: [] for table in tables}
        self._writing = asyncio.Lock()

    async def write(self) -> None:
        """The scribe: every batch of every table, once."""
        async with self._writing:
            for table, kept in self._batches.items():
                kept.extend(await self.house.store.batches(TableId(table), kept[-1][0] if kept else 0))

    async def write_on(self) -> None:
        while True:
            with suppress(StoreAway):
                await self.write()
            await asyncio.sleep(WRITE_S)

    async def rounds(self, more: int = 1) -> None:
        """Wait until each table has settled so many more."""
        seats = {watch.table.id: watch.table for watch in self.company.watches if watch.table is not None}
        wanted = {table: seat.view.round + more for table, seat in seats.items()}
        await wait_for(lambda: all(seat.view.round >= wanted[table] for table, seat in seats.items()), ROUNDS_S_MAX)

    async def balance(self, outcome: Outcome) -> None:
        """Stop, and count all money."""
        outcome.faults += [f"a bot stopped: {one}" for one in await self.company.stop_bots()]
        await self.company.level()
        found = await self.house.audit()
        outcome.faults += found.faults
        outcome.counts["minor units missing!"] = abs(found.difference)
        if found.moved:
            outcome.faults.append("the audit found no quiet moment")

    async def close(self, outcome: Outcome) -> list[Sheet]:
        """Stop, count everything, and note what must not be: the whole history of every table is read."""
        await self.balance(outcome)
        sheets = [await self._sheet(table) for table in self.tables]
        outcome.faults += [fault for sheet in sheets for fault in sheet.faults]
        outcome.counts |= {
            "rounds settled": sum(len(sheet.settled) for sheet in sheets),
            "rounds voided": sum(len(sheet.voided) for sheet in sheets),
            "hands played by the house for want of time": sum(sheet.timed_out for sheet in sheets),
            "clocks extended": sum(len(sheet.extended_ms) for sheet in sheets),
        }
        return sheets

    async def _sheet(self, table: str) -> Sheet:
        stored = await self.house.store.read(TableId(table))
        assert stored is not None
        state = unpack_table(stored.blob)
        await self.write()
        return referee(table, [payload for version, payload in self._batches[table] if version <= state.version], state)


@asynccontextmanager
async def evening(scale: Scale, *, through_wires: bool = False, **options: str) -> AsyncIterator[Evening]:
    """Everyone is there, and each table has settled a round. `through_wires`: clients come by the wires that are ours.
    `options` are those of the store's server."""
    async with venue(**{"appendfsync": "everysec", **options}) as house, AsyncExitStack() as stack:
        posts = [await house.post(name) for name in ("a", "b", "c")]
        urls = [post.to_clients.url if through_wires else post.url for post in posts]
        times = TIMES | {"pause_ms": scale.pause_ms}
        played = [GAMES[number % len(GAMES)] for number in range(scale.tables)]
        tables = await house.open(posts[0].url, *({"game": game, "times": times} for game, _ in played))
        company = Company(stack)
        made = Evening(house, company, posts, tables)
        hurry = scale.pause_ms < HURRY_MS
        seats = [(table, "none" if hurry else pauses) for table, (_, pauses) in zip(tables, played, strict=True)]
        await company.look_on(urls, tables, scale.onlookers)
        await company.play(urls, seats, scale.bots)
        writing = asyncio.create_task(made.write_on())
        try:
            await made.rounds()
            yield made
        finally:
            writing.cancel()
            await asyncio.wait({writing})
