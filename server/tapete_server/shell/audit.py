"""Proves that every chip is somewhere: what was minted is what wallets, tables, transfers on their way and the house hold."""

from __future__ import annotations

from dataclasses import dataclass, field

from tapete_protocol.base import TableId
from tapete_server.core.codec import unpack_table
from tapete_server.core.state import Table, broken
from tapete_server.ports import Store, Totals

PASSES_MAX = 50
"""Looks at a house that moves meanwhile, before the audit says that it found no quiet moment."""


@dataclass(frozen=True, slots=True)
class Audit:
    """Sums in minor units. `difference` is what is there beyond what was minted: 0, or something is very wrong."""

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


async def audit(store: Store) -> Audit:
    """Looks again while anything moved during the look; `moved` stays true when it never stood still."""
    result = None
    for _ in range(PASSES_MAX):
        before = await _versions(store)
        result = await _look(store)
        if await _versions(store) == before and not result.difference and not result.faults:
            return result
        if await _versions(store) == before and result == await _look(store):
            return result
    assert result is not None
    return Audit(
        result.totals,
        result.wallets,
        result.tables,
        result.underway,
        result.accounts,
        result.table_count,
        True,
        result.faults,
    )


async def _versions(store: Store) -> tuple[dict[TableId, tuple[int, bytes]], Totals]:
    tables = [one.table for one in await store.listed()]
    return await store.heads(tables), await store.totals()


async def _look(store: Store) -> Audit:
    wallets = accounts = 0
    async for account in store.accounts():
        wallets += account.balance
        accounts += 1
    transfers = [one for one in await store.open_transfers(0) if one.status == "pending"]
    underway = 0
    for transfer in transfers:
        if await store.mark_of(transfer) != "credited":
            underway += transfer.amount
    chips, count, faults = 0, 0, []
    for listed in await store.listed():
        stored = await store.read(listed.table)
        if stored is None:
            continue
        table = unpack_table(stored.blob)
        count += 1
        chips += await _held(store, table)
        if why := broken(table):
            faults.append(f"{table.id}: {why}")
        if table.frozen:
            faults.append(f"{table.id}: frozen: {table.frozen}")
    totals = await store.totals()
    return Audit(totals, wallets, chips, underway, accounts, count, False, tuple(faults))


async def _held(store: Store, table: Table) -> int:
    """What a table holds for others and for the house, less cash-outs that the wallet has already."""
    held = table.chips_in - table.chips_out
    for out in table.outgoing:
        if await store.paid_out(out.transfer, out.player):
            held -= out.amount
    return held
