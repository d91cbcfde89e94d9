"""Accounts and cash-outs. Every sum is moved by one script, with its ledger row and its total."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal

from tapete_protocol.base import PlayerId, TableId
from tapete_server.adapters.redis_store import scripts
from tapete_server.adapters.redis_store.connection import ScriptError
from tapete_server.adapters.redis_store.journal import Journal, account_of
from tapete_server.adapters.redis_store.part import WHOLE_MAX, whole
from tapete_server.ports import Account, Totals

HOUR_MS = 3_600_000


class Money(Journal):
    async def open_account(
        self, player: PlayerId, name: str, opening: int, address: str
    ) -> Account | Literal["too_many"]:
        """An account that is there stays as it is, and costs the address nothing."""
        if type(opening) is not int or not 0 <= opening <= WHOLE_MAX:
            raise ValueError(f"{opening!r} is no balance")
        there = await self.account(player)
        if there is not None:
            return there
        hour = await self._hour()
        quota = self._keys.quota(address, hour)
        most = self._limits.accounts_per_address_hour_max
        if not await self._lane.run(scripts.QUOTA, [quota], player, most, 2 * HOUR_MS // 1000):
            return "too_many"
        keys = self._keys
        names = [keys.account(player), keys.ledger(player), keys.totals(player), keys.seen(player)]
        rows = self._limits.ledger_rows_max
        return account_of(player, await self._lane.run(scripts.OPEN_ACCOUNT, names, player, name, opening, rows))

    async def _hour(self) -> int:
        return int((await self._lane.call("TIME"))[0]) * 1000 // HOUR_MS

    async def account(self, player: PlayerId) -> Account | None:
        name, balance = await self._lane.call("HMGET", self._keys.account(player), "n", "b")
        return None if balance is None else account_of(player, (name, balance))

    async def see(self, player: PlayerId) -> Account | None:
        names = [self._keys.account(player), self._keys.seen(player)]
        reply = await self._lane.run(scripts.SEE_ACCOUNT, names, player)
        return None if reply is None else account_of(player, reply)

    async def top_up(self, player: PlayerId, command: str, amount: int, below: int) -> Account | Literal["enough"]:
        """Raises `LookupError` when there is no such account."""
        keys, limits = self._keys, self._limits
        names = [keys.account(player), keys.ledger(player), keys.totals(player), keys.seen(player)]
        names.append(keys.topped(player, command))
        reply = await self._lane.run(
            scripts.TOP_UP, names, player, command, whole(amount), below, limits.remembered_s, limits.ledger_rows_max
        )
        if reply[0] == b"ABSENT":
            raise LookupError(f"no account of {player}")
        return "enough" if reply[0] == b"ENOUGH" else account_of(player, reply[1:])

    async def pay_out(self, transfer: str, player: PlayerId, table: TableId, amount: int) -> Account | None:
        keys = self._keys
        names = [keys.account(player), keys.ledger(player), keys.seen(player), keys.outgoing(player)]
        names.append(keys.paid(player, transfer))
        rows = self._limits.ledger_rows_max
        reply = await self._lane.run(scripts.PAY_OUT, names, transfer, player, table, whole(amount), rows)
        if reply == []:
            raise ScriptError(f"the balance of {player} would pass {WHOLE_MAX}")
        return None if reply is None else account_of(player, reply)

    async def settle_pay_out(self, transfer: str, player: PlayerId) -> None:
        keys = self._keys
        names = [keys.account(player), keys.outgoing(player), keys.paid(player, transfer)]
        await self._lane.run(scripts.SETTLE_PAY_OUT, names, transfer, self._limits.mark_s)

    async def remembered(self, player: PlayerId, command: str) -> str | None:
        reply = await self._lane.call("GET", self._keys.remembered(player, command))
        return None if reply is None else reply.decode()

    async def remember(self, player: PlayerId, command: str, answer: str) -> str:
        key = self._keys.remembered(player, command)
        before = await self._lane.call("SET", key, answer, "NX", "GET", "EX", self._limits.remembered_s)
        return answer if before is None else str(before.decode())

    async def expire_account(self, player: PlayerId, before_ms: int = 0) -> bool:
        """True as well when it had gone before. What the player has at tables is the caller's to look at."""
        keys = self._keys
        names = [keys.account(player), keys.ledger(player), keys.totals(player), keys.seen(player)]
        return bool(await self._lane.run(scripts.EXPIRE_ACCOUNT, names, player, before_ms))

    async def stale_accounts(self, before_ms: int, most: int) -> list[PlayerId]:
        """Not seen, and unmoved, since a store time; the oldest of each shard."""
        replies = await self._lane.calls(
            [("ZRANGEBYSCORE", key, "-inf", f"({before_ms}", "LIMIT", 0, most) for key in self._keys.each("s")]
        )
        return [PlayerId(player.decode()) for reply in replies for player in reply][:most]

    async def accounts(self) -> AsyncIterator[Account]:
        for key in self._keys.each("s"):
            players, most = await self._players(key), self._limits.scan_accounts_max
            for at in range(0, len(players), most):
                some = players[at : at + most]
                replies = await self._lane.calls([("HMGET", self._keys.account(player), "n", "b") for player in some])
                for player, reply in zip(some, replies, strict=True):
                    if reply[1] is not None:
                        yield account_of(player, reply)

    async def _players(self, key: str) -> list[PlayerId]:
        """All of one shard, each once: a cursor may show the same twice."""
        found: dict[bytes, None] = {}
        cursor: Any = 0
        while True:
            cursor, reply = await self._lane.call("ZSCAN", key, cursor, "COUNT", self._limits.scan_accounts_max)
            found.update(dict.fromkeys(reply[::2]))
            if int(cursor) == 0:
                return [PlayerId(player.decode()) for player in found]

    async def totals(self) -> Totals:
        replies = await self._lane.calls([("HMGET", key, "minted", "burned", "house") for key in self._keys.each("m")])
        minted, burned, house = (sum(int(reply[at] or 0) for reply in replies) for at in range(3))
        return Totals(minted, burned, house)

    async def paid_out(self, transfer: str, player: PlayerId) -> bool:
        keys = self._keys
        open_there, marked = await self._lane.calls(
            [("HEXISTS", keys.outgoing(player), transfer), ("EXISTS", keys.paid(player, transfer))]
        )
        return bool(open_there or marked)
