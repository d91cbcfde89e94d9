"""Buy-ins on their way, step by step: pending; decided at the table by the mark `x`; done or refunded; forgotten.

Each step is one script in one slot, and may be taken again by anybody. The order is what keeps the money whole:
only when the entry can never be credited or refunded again does the mark get its TTL, and only then does the entry go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from tapete_protocol.base import PlayerId, TableId
from tapete_server.adapters.redis_store import scripts
from tapete_server.adapters.redis_store.part import Part, whole
from tapete_server.adapters.redis_store.tables import time_ms
from tapete_server.ports import Account, Transfer

Status = Literal["pending", "done", "refunded"]


def account_of(player: PlayerId, reply: Sequence[Any]) -> Account:
    return Account(player, reply[0].decode(), int(reply[1]))


def transfer_of(transfer: str, entry: bytes) -> Transfer:
    """An entry is 'STATUS AMOUNT STARTED_MS TABLE PLAYER'."""
    status, amount, started, table, player = entry.decode().split(" ", 4)
    return Transfer(transfer, PlayerId(player), TableId(table), int(amount), cast("Status", status), int(started))


class Journal(Part):
    async def start_transfer(
        self, transfer: str, player: PlayerId, table: TableId, amount: int
    ) -> Transfer | Literal["not_enough"]:
        if " " in table:
            raise ValueError(f"{table!r} is no table")
        keys = self._keys
        names = [keys.account(player), keys.ledger(player), keys.seen(player), keys.journal(player)]
        names.append(keys.finished(player, transfer))
        rows = self._limits.ledger_rows_max
        entry = await self._lane.run(scripts.START_TRANSFER, names, transfer, player, table, whole(amount), rows)
        return "not_enough" if entry is None else transfer_of(transfer, entry)

    async def refuse_transfer(self, transfer: Transfer) -> Literal["credited", "refused"]:
        """The mark has no TTL yet: the entry in the journal still needs it."""
        before = await self._lane.call("SET", self._keys.mark(transfer.table, transfer.id), "refused", "NX", "GET")
        return "credited" if before == b"credited" else "refused"

    async def finish_transfer(self, transfer: Transfer, outcome: Literal["credited", "refused"]) -> Account:
        """Raises `LookupError` when there is no such account; with an open entry that cannot be."""
        keys, limits, player = self._keys, self._limits, transfer.player
        names = [keys.account(player), keys.ledger(player), keys.journal(player), keys.finished(player, transfer.id)]
        status = "done" if outcome == "credited" else "refunded"
        reply = await self._lane.run(
            scripts.FINISH_TRANSFER, names, transfer.id, status, limits.finished_s, limits.ledger_rows_max
        )
        if reply is None:
            raise LookupError(f"no account of {player}")
        await self._tidy(transfer)
        return account_of(player, reply)

    async def _tidy(self, transfer: Transfer) -> None:
        """The last two steps of an ended transfer."""
        keys, player = self._keys, transfer.player
        await self._lane.call("EXPIRE", keys.mark(transfer.table, transfer.id), self._limits.mark_s)
        names = [keys.account(player), keys.journal(player), keys.finished(player, transfer.id)]
        await self._lane.run(scripts.FORGET_TRANSFER, names, transfer.id, self._limits.finished_s)

    async def open_transfers(self, older_than_ms: int) -> list[Transfer]:
        """Pending ones. One that has ended, and whose driver went before tidying up, is tidied here."""
        entries, now = await self._entries("j")
        left = [one for one in entries if one.started_ms <= now - older_than_ms]
        for transfer in left:
            if transfer.status != "pending":
                await self._tidy(transfer)
        return [transfer for transfer in left if transfer.status == "pending"]

    async def unsettled_pay_outs(self, older_than_ms: int) -> list[Transfer]:
        """Cash-outs credited, of which nobody has said that the table took note."""
        entries, now = await self._entries("o")
        return [one for one in entries if one.started_ms <= now - older_than_ms]

    async def _entries(self, kind: str) -> tuple[list[Transfer], int]:
        """All of a journal, over all shards, and the store's time."""
        *replies, time = await self._lane.calls([*(("HGETALL", key) for key in self._keys.each(kind)), ("TIME",)])
        entries = [
            transfer_of(reply[at].decode(), reply[at + 1]) for reply in replies for at in range(0, len(reply), 2)
        ]
        return entries, time_ms(time)

    async def mark_of(self, transfer: Transfer) -> str | None:
        reply = await self._lane.call("GET", self._keys.mark(transfer.table, transfer.id))
        return None if reply is None else reply.decode()
