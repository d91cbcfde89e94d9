"""Proves that every chip is somewhere: what was minted is in wallets, at tables, on its way, or the house's."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from tapete_protocol.base import TableId
from tapete_server.core.codec import UnreadableTable, unpack_table
from tapete_server.core.state import Table, broken
from tapete_server.ports import Store, Totals

PASSES_MAX = 40
"""Looks at a house where money moves meanwhile, before the audit says that it found no quiet moment."""
PAUSE_MS = 50


@dataclass(frozen=True, slots=True)
class Audit:
    """Sums in minor units. `difference` is what is there beyond what was minted: 0, or something is very wrong. `moved`:
    no two looks saw the same, so a difference may be money that was on its way between two of them."""

    totals: Totals
    wallets: int
    tables: int
    underway: int
    accounts: int
    table_count: int
    moved: bool
    faults: tuple[str, ...] = field(default=())

    @property
    def difference(self) -> int:
        expected = self.totals.minted - self.totals.burned
        return self.wallets + self.tables + self.underway + self.totals.house - expected


@dataclass(slots=True)
class Look:
    """All that holds money, one by one. Two equal ones in a row: there was a moment at which all of it was so. (Rounds
    that are played meanwhile change none of it: a table counts by what came in less what went out.)"""

    wallets: dict[str, int] = field(default_factory=dict)
    underway: dict[str, int] = field(default_factory=dict)
    tables: dict[TableId, tuple[int, int, int]] = field(default_factory=dict)
    """Chips in, chips out, and cash-outs that the wallet has while the table has not taken note."""
    totals: Totals = field(default_factory=lambda: Totals(0, 0, 0))
    faults: tuple[str, ...] = ()

    def audit(self) -> Audit:
        held = sum(came - went - paid for came, went, paid in self.tables.values())
        return Audit(
            self.totals, sum(self.wallets.values()), held, sum(self.underway.values()), len(self.wallets),
            len(self.tables), moved=False, faults=self.faults,
        )  # fmt: skip


class HouseTooBig(Exception):
    """There are more accounts than were to be looked at."""


async def audit(store: Store, *, passes: int = PASSES_MAX, accounts_max: int | None = None) -> Audit:
    """Looks again until two looks in a row see the same. Raises `HouseTooBig`."""
    before = await _look(store, accounts_max)
    for _ in range(passes):
        now = await _look(store, accounts_max)
        if now == before:
            return now.audit()
        before = now
        await asyncio.sleep(PAUSE_MS / 1000)
    return replace(before.audit(), moved=True)


async def _look(store: Store, accounts_max: int | None) -> Look:
    look = Look()
    async for account in store.accounts():
        look.wallets[account.player] = account.balance
        if accounts_max is not None and len(look.wallets) > accounts_max:
            raise HouseTooBig(f"more than {accounts_max} accounts")
    for transfer in await store.open_transfers(0):
        if transfer.status == "pending" and await store.mark_of(transfer) != "credited":
            look.underway[transfer.id] = transfer.amount
    faults: list[str] = []
    for listed in await store.listed():
        stored = await store.read(listed.table)
        if stored is None:
            continue
        try:
            table = unpack_table(stored.blob)
        except UnreadableTable as wrong:
            faults.append(f"{listed.table}: cannot be read: {wrong}")
            continue
        look.tables[listed.table] = (table.chips_in, table.chips_out, await _paid(store, table))
        if why := table.frozen or broken(table):
            faults.append(f"{table.id}: {'frozen: ' if table.frozen else ''}{why}")
    look.totals = await store.totals()
    look.faults = tuple(faults)
    return look


async def _paid(store: Store, table: Table) -> int:
    """Cash-outs of the table that the wallet has already."""
    return sum([out.amount for out in table.outgoing if await store.paid_out(out.transfer, out.player)])
