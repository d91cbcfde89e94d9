"""Accounts and transfers, as a simulated node asks for them: a node may go between any two of the steps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

from tapete_protocol.base import PlayerId, TableId
from tapete_server.adapters.redis_store.part import WHOLE_MAX, whole
from tapete_server.ports import Account, Totals, Transfer
from tests.simulation.store.asked_tables import Asking


class AskedMoney(Asking):
    async def open_account(
        self, player: PlayerId, name: str, opening: int, address: str
    ) -> Account | Literal["too_many"]:
        if type(opening) is not int or not 0 <= opening <= WHOLE_MAX:
            raise ValueError(f"{opening!r} is no balance")
        there = await self.account(player)
        if there is not None:
            return there
        hour = await self._lane.ask(self._vault.hour)
        if not await self._lane.ask(self._vault.quota, address, hour, player):
            return "too_many"
        return await self._lane.ask(self._vault.open_account, player, name, opening)

    async def account(self, player: PlayerId) -> Account | None:
        return await self._lane.ask(self._vault.account, player)

    async def see(self, player: PlayerId) -> Account | None:
        return await self._lane.ask(self._vault.see, player)

    async def stale_accounts(self, before_ms: int, most: int) -> list[PlayerId]:
        return await self._lane.ask(self._vault.stale_accounts, before_ms, most)

    async def top_up(self, player: PlayerId, command: str, amount: int, below: int) -> Account | Literal["enough"]:
        given = await self._lane.ask(self._vault.top_up, player, command, whole(amount), below)
        if given == "absent":
            raise LookupError(f"no account of {player}")
        return given

    # --- buy-ins ---

    async def start_transfer(
        self, transfer: str, player: PlayerId, table: TableId, amount: int
    ) -> Transfer | Literal["not_enough"]:
        if " " in table:
            raise ValueError(f"{table!r} is no table")
        return await self._lane.ask(self._vault.start_transfer, transfer, player, table, whole(amount))

    async def refuse_transfer(self, transfer: Transfer) -> Literal["credited", "refused"]:
        mark = await self._lane.ask(self._vault.refuse_transfer, transfer.table, transfer.id)
        return "credited" if mark == "credited" else "refused"

    async def finish_transfer(self, transfer: Transfer, outcome: Literal["credited", "refused"]) -> Account:
        status: Literal["done", "refunded"] = "done" if outcome == "credited" else "refunded"
        account = await self._lane.ask(self._vault.finish_transfer, transfer.player, transfer.id, status)
        if account is None:
            raise LookupError(f"no account of {transfer.player}")
        await self._tidy(transfer)
        return account

    async def _tidy(self, transfer: Transfer) -> None:
        await self._lane.ask(self._vault.expire_mark, transfer.table, transfer.id)
        await self._lane.ask(self._vault.forget_transfer, transfer.player, transfer.id)

    async def open_transfers(self, older_than_ms: int) -> list[Transfer]:
        left = await self._lane.ask(self._vault.journal, older_than_ms)
        for transfer in left:
            if transfer.status != "pending":
                await self._tidy(transfer)
        return [transfer for transfer in left if transfer.status == "pending"]

    async def mark_of(self, transfer: Transfer) -> str | None:
        return await self._lane.ask(self._vault.mark_of, transfer.table, transfer.id)

    # --- cash-outs ---

    async def pay_out(self, transfer: str, player: PlayerId, table: TableId, amount: int) -> Account | None:
        return await self._lane.ask(self._vault.pay_out, transfer, player, table, whole(amount))

    async def settle_pay_out(self, transfer: str, player: PlayerId) -> None:
        await self._lane.ask(self._vault.settle_pay_out, transfer, player)

    async def unsettled_pay_outs(self, older_than_ms: int) -> list[Transfer]:
        return await self._lane.ask(self._vault.unsettled_pay_outs, older_than_ms)

    async def paid_out(self, transfer: str, player: PlayerId) -> bool:
        return await self._lane.ask(self._vault.paid_out, transfer, player)

    # --- the rest ---

    async def remembered(self, player: PlayerId, command: str) -> str | None:
        return await self._lane.ask(self._vault.remembered, player, command)

    async def remember(self, player: PlayerId, command: str, answer: str) -> str:
        return await self._lane.ask(self._vault.remember, player, command, answer)

    async def expire_account(self, player: PlayerId, before_ms: int = 0) -> bool:
        return await self._lane.ask(self._vault.expire_account, player, before_ms)

    async def accounts(self) -> AsyncIterator[Account]:
        players, most = await self._lane.ask(self._vault.players), self._vault.limits.scan_accounts_max
        for at in range(0, len(players), most):
            for account in await self._lane.ask(self._vault.accounts, players[at : at + most]):
                yield account

    async def totals(self) -> Totals:
        return await self._lane.ask(self._vault.totals)
