"""Whoever goes at whatever step, and whoever repeats it: what was minted is somewhere."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tapete_protocol.base import PlayerId
from tapete_server.ports import Commit, Done, Store, StoreAway, Transfer
from tests.server.store.contract import MakeStore, T

PLAYERS = [PlayerId(name) for name in ("ana", "bea", "carlos")]
STEPS = 150


class Felt:
    """A table that is only its chips and the cash-outs on their way: `chips|id:amount,..` is its state."""

    def __init__(self, stores: list[Store], dice: Random) -> None:
        self.stores, self.dice = stores, dice
        self.outgoing: dict[str, tuple[PlayerId, int]] = {}
        self.seen: list[Transfer] = []
        self.chips = 0
        self.count = 0

    @property
    def store(self) -> Store:
        return self.dice.choice(self.stores)

    async def commit(self, **more: Any) -> bool:
        stored = await self.store.read(T)
        assert stored is not None
        self.count += 1
        new = b"head %d" % self.count
        commit = Commit(T, stored.version, stored.head, new, b"blob", b"batch %d" % self.count, **more)
        return isinstance(await self.store.commit(commit), Done)

    async def start(self) -> None:
        player = self.dice.choice(PLAYERS)
        again = self.dice.choice(self.seen) if self.seen and self.dice.random() < 0.4 else None
        self.count += 1
        wanted = (again.id, again.player) if again else (f"{player}~{self.count}", player)
        started = await self.store.start_transfer(*wanted, T, self.dice.randint(1, 300))
        if isinstance(started, Transfer):
            self.seen.append(started)

    async def credit(self) -> None:
        if self.seen:
            transfer = self.dice.choice(self.seen[-6:])
            if transfer.status == "pending" and await self.commit(transfer=transfer.id):
                self.chips += transfer.amount

    async def refuse(self) -> None:
        """The mark only; whoever finishes comes later, or never."""
        if self.seen and (transfer := self.dice.choice(self.seen[-6:])).status == "pending":
            await self.store.refuse_transfer(transfer)

    async def drive(self) -> None:
        """As the sweeper does; and the driver may go before it has tidied up."""
        for transfer in await self.store.open_transfers(0):
            store = self.store
            outcome = await store.refuse_transfer(transfer)
            if self.dice.random() < 0.5:
                await store.finish_transfer(transfer, outcome)
                continue
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(store, "_tidy", self.go)
                with pytest.raises(StoreAway):
                    await store.finish_transfer(transfer, outcome)

    async def go(self, _transfer: Transfer) -> None:
        raise StoreAway

    async def cash_out(self) -> None:
        amount = self.dice.randint(1, 100)
        if self.chips >= amount and await self.commit():
            self.count += 1
            self.outgoing[f"out-{self.count}"] = (self.dice.choice(PLAYERS), amount)
            self.chips -= amount

    async def pay(self) -> None:
        for transfer, (player, amount) in list(self.outgoing.items()):
            await self.store.pay_out(transfer, player, T, amount)
            if self.dice.random() < 0.5 and await self.commit():
                del self.outgoing[transfer]
                await self.store.settle_pay_out(transfer, player)

    async def top_up(self) -> None:
        await self.store.top_up(self.dice.choice(PLAYERS), f"command-{self.dice.randint(0, 30)}", 500, 400)

    async def expire(self) -> None:
        player = self.dice.choice(PLAYERS)
        if not any(player == other for other, _ in self.outgoing.values()) and self.dice.random() < 0.3:
            await self.store.expire_account(player)
        await self.store.open_account(player, player, 1_000, "192.0.2.1")

    async def difference(self) -> int:
        """What is there beyond what was minted, counted as an audit counts it."""
        store = self.store
        held = self.chips + sum([account.balance async for account in store.accounts()])
        for transfer in await store.open_transfers(0):
            if await store.mark_of(transfer) != "credited":
                held += transfer.amount
        for transfer_id, (player, amount) in self.outgoing.items():
            if not await store.paid_out(transfer_id, player):
                held += amount
        totals = await store.totals()
        return held + totals.house - (totals.minted - totals.burned)


@pytest.mark.parametrize("seed", range(4))
async def test_no_order_of_steps_makes_or_destroys_money(make_store: MakeStore, seed: int) -> None:
    stores: list[Any] = [await make_store(shards=3), await make_store(shards=3)]
    felt = Felt(stores, Random(seed))
    await stores[0].create(T, b"head", b"blob", b"batch", True, 0)
    for player in PLAYERS:
        await stores[0].open_account(player, player, 1_000, "192.0.2.1")
    steps = [felt.start, felt.start, felt.credit, felt.credit, felt.refuse, felt.drive, felt.cash_out, felt.pay]
    steps += [felt.top_up, felt.expire]
    for number in range(STEPS):
        taken = felt.dice.choice(steps)
        await taken()
        assert await felt.difference() == 0, f"seed {seed}, step {number}: {taken.__name__}"
    while felt.outgoing:
        await felt.pay()
    await felt.drive()
    assert await stores[0].open_transfers(0) == []
    assert await felt.difference() == 0
