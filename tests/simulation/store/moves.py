"""Any call of a store, in any order: drawn from a seed, the same for every store that it is asked of."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, Literal

from tapete_protocol.base import PlayerId, TableId
from tapete_server.ports import Commit, Store, Transfer

TABLES = [TableId(f"felt-{n}") for n in range(3)]
PLAYERS = [PlayerId(name) for name in ("ana", "bea", "carla")]
NODES = ["one", "two"]
FAR_MS = 2**50
"""A time that does not come."""

Call = Callable[[Store], Awaitable[Any]]


class Moves:
    """Draws calls. It follows what is at the tables, so that most commits fit; the rest are what a late node asks."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self._felts: dict[TableId, tuple[int, bytes]] = {}
        self._last: dict[TableId, Call] = {}
        self.transfers: list[Transfer] = []
        self._count = 0

    def draw(self) -> tuple[str, Call]:
        name = self._dice.choice(("commit", "commit", "commit", "money", "money", "journal", "nodes", "look", "create"))
        call: Call = getattr(self, f"_{name}")()
        return name, call

    def _fresh(self, word: str) -> bytes:
        self._count += 1
        return f"{word} {self._count}".encode()

    def _create(self) -> Call:
        table, head = self._dice.choice(TABLES), self._fresh("head")
        blob, batch, public = self._fresh("blob"), self._fresh("batch"), self._dice.random() < 0.5
        deadline_ms = self._dice.choice((0, 700))
        self._felts.setdefault(table, (1, head))
        return lambda store: store.create(table, head, blob, batch, public, deadline_ms)

    def _commit(self) -> Call:
        table, dice = self._dice.choice(TABLES), self._dice
        if table in self._last and dice.random() < 0.15:
            return self._last[table]
        version, head = self._felts.get(table, (0, b""))
        if dice.random() < 0.05:
            return self._remove(table, version, head)
        commit = Commit(
            table,
            version + dice.choice((0, 0, 0, 0, 0, 0, 0, 0, -1, 1)),
            head if dice.random() < 0.95 else b"another",
            self._fresh("head"),
            self._fresh("blob"),
            self._fresh("batch"),
            not_before_ms=dice.choice((0, 0, 0, 0, 1, FAR_MS)),
            not_after_ms=dice.choice((0, 0, 0, 0, 1, FAR_MS)),
            deadline_ms=dice.choice((0, dice.randint(1, 900))),
            record=dice.choice((None, None, (version, self._fresh("record")), (dice.randint(1, 40), b"record"))),
            transfer=self._transfer(table).id if dice.random() < 0.3 else None,
            trim_before=dice.choice((0, 0, 0, max(0, version - 3))),
        )
        self._last[table] = lambda store: store.commit(commit)
        return self._last[table]

    def _remove(self, table: TableId, version: int, head: bytes) -> Call:
        batch, bank = self._fresh("bye"), self._dice.randint(-50, 50)
        self._last[table] = lambda store: store.remove(table, version, head, batch, bank)
        return self._last[table]

    def stands(self, table: TableId, at: tuple[int, bytes] | None) -> None:
        """What the store has there now."""
        if at is None:
            self._felts.pop(table, None)
        else:
            self._felts[table] = at

    def _transfer(self, table: TableId) -> Transfer:
        """A buy-in belongs to one table: that its id would be asked for at another one is not drawn."""
        dice = self._dice
        known = [transfer for transfer in self.transfers if transfer.table == table]
        if known and dice.random() < 0.8:
            return dice.choice(known[-5:])
        player = dice.choice(PLAYERS)
        self._count += 1
        drawn = Transfer(f"{player}~{self._count}", player, table, dice.randint(1, 200), "pending", 0)
        self.transfers.append(drawn)
        return drawn

    def _journal(self) -> Call:
        one = self._transfer(self._dice.choice(TABLES))
        outcome: Literal["credited", "refused"] = self._dice.choice(("credited", "refused"))
        calls: list[Call] = [
            lambda store: store.start_transfer(one.id, one.player, one.table, one.amount),
            lambda store: store.start_transfer(one.id, one.player, one.table, one.amount),
            lambda store: store.refuse_transfer(one),
            lambda store: store.finish_transfer(one, outcome),
            lambda store: store.open_transfers(0),
            lambda store: store.open_transfers(FAR_MS),
            lambda store: store.mark_of(one),
            lambda store: store.pay_out(one.id, one.player, one.table, one.amount),
            lambda store: store.settle_pay_out(one.id, one.player),
            lambda store: store.paid_out(one.id, one.player),
            lambda store: store.unsettled_pay_outs(0),
        ]
        return self._dice.choice(calls)

    def _money(self) -> Call:
        dice, player = self._dice, self._dice.choice(PLAYERS)
        amount, command = dice.randint(0, 400), f"command-{dice.randint(0, 9)}"
        address, before_ms = f"192.0.2.{dice.randint(0, 3)}", dice.choice((0, 1, FAR_MS))
        calls: list[Call] = [
            lambda store: store.open_account(player, player.title(), amount, address),
            lambda store: store.open_account(player, player.title(), amount, address),
            lambda store: store.account(player),
            lambda store: store.see(player),
            lambda store: store.top_up(player, command, amount, 500),
            lambda store: store.remember(player, command, str(amount)),
            lambda store: store.remembered(player, command),
            lambda store: store.expire_account(player, before_ms),
            lambda store: store.stale_accounts(before_ms, 10),
            lambda store: store.totals(),
            every_account,
        ]
        return dice.choice(calls)

    def _nodes(self) -> Call:
        dice, node, table = self._dice, self._dice.choice(NODES), self._dice.choice(TABLES)
        crowd = {table: dice.randint(0, 9) for table in TABLES}
        calls: list[Call] = [
            lambda store: store.beat(node, f"node {node}"),
            lambda store: store.serve_table(node, table),
            lambda store: store.retire(node),
            lambda store: store.forget(node),
            lambda store: store.lapsed(),
            lambda store: store.crowd(node, crowd),
            lambda store: store.crowds(),
            who_is_alive,
        ]
        return dice.choice(calls)

    def _look(self) -> Call:
        dice, table = self._dice, self._dice.choice(TABLES)
        version = self._felts.get(table, (0, b""))[0]
        number, after = dice.randint(0, 40), max(0, version - dice.randint(0, 12))
        until = dice.choice((0, version - 1, version + 5))
        calls: list[Call] = [
            lambda store: store.read(table),
            lambda store: store.heads(TABLES),
            lambda store: store.batches(table, after, max(0, until)),
            lambda store: store.record(table, number),
            lambda store: store.records(table, number),
            lambda store: store.listed(),
            lambda store: store.due(number * 20),
        ]
        return dice.choice(calls)


async def every_account(store: Store) -> list[Any]:
    return sorted([account async for account in store.accounts()], key=lambda account: account.player)


async def who_is_alive(store: Store) -> list[str]:
    return sorted(await store.alive())
