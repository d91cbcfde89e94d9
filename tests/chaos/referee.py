"""Reads a table's batches from the first to the last, adds up by itself, and finds what must not be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tapete_protocol import events as e
from tapete_protocol.base import TableId
from tapete_protocol.chain import next_head
from tapete_server.adapters.redis_store import RedisStore
from tapete_server.core.codec import unpack_batch, unpack_table
from tapete_server.core.state import Table


@dataclass
class Sheet:
    """What happened at one table. `stacks` in minor units, counted from the events alone."""

    table: str
    faults: list[str] = field(default_factory=list)
    stacks: Counter[str] = field(default_factory=Counter)
    bets: dict[tuple[int, str], tuple[str, int]] = field(default_factory=dict)
    staked: Counter[str] = field(default_factory=Counter)
    settled: list[int] = field(default_factory=list)
    voided: list[int] = field(default_factory=list)
    timed_out: int = 0
    extended_ms: list[int] = field(default_factory=list)
    transfers: Counter[tuple[str, str]] = field(default_factory=Counter)
    paid: Counter[tuple[int, int]] = field(default_factory=Counter)
    round: int = 0

    def take(self, event: e.Event) -> None:  # noqa: C901, PLR0912 - one line for each kind of event that moves chips
        match event:
            case e.RoundOpened(round=number):
                self.round = number
            case e.ChipsIn(player=player, amount=amount, transfer=transfer):
                self.stacks[player] += amount
                self._once("in", transfer)
            case e.ChipsOut(player=player, amount=amount, transfer=transfer):
                self.stacks[player] -= amount
                self._once("out", transfer)
            case e.ChipsArrived(transfer=transfer):
                self._once("arrived", transfer)
            case e.BetPlaced(box=box, spot=spot, player=player, amount=amount):
                _, before = self.bets.get((box, spot), (player, 0))
                self.stacks[player] += before - amount
                self.bets[box, spot] = (player, amount)
            case e.StakeAdded(owner=owner, amount=amount):
                self.stacks[owner] -= amount
                self.staked[owner] += amount
            case e.BettingClosed():
                for player, amount in self.bets.values():
                    self.staked[player] += amount
                self.bets.clear()
            case e.BoxSettled(box=box, owner=owner, staked=staked, returned=returned):
                self.stacks[owner] += returned
                self.staked[owner] -= staked
                self.paid[self.round, box] += 1
            case e.RoundSettled(round=number):
                self._ends(number, self.settled)
            case e.RoundVoided(round=number):
                self._void(number)
            case e.PlayerTimedOut():
                self.timed_out += 1
            case e.ClockExtended(by_ms=by_ms):
                self.extended_ms.append(by_ms)
            case e.TableFrozen(incident=incident):
                self.faults.append(f"{self.table} froze: {incident}")
            case _:
                pass

    def _once(self, what: str, transfer: str) -> None:
        self.transfers[what, transfer] += 1
        if self.transfers[what, transfer] > 1:
            self.faults.append(f"{self.table}: transfer {transfer} came {what} twice")

    def _ends(self, number: int, ended: list[int]) -> None:
        if number in self.settled or number in self.voided:
            self.faults.append(f"{self.table}: round {number} ended twice")
        if any(count > 1 for (of, _), count in self.paid.items() if of == number):
            self.faults.append(f"{self.table}: a box was paid twice in round {number}")
        if any(self.staked.values()):
            self.faults.append(f"{self.table}: round {number} ended, and {dict(self.staked)} is still staked")
        ended.append(number)

    def _void(self, number: int) -> None:
        for player, amount in self.bets.values():
            self.stacks[player] += amount
        self.bets.clear()
        self.stacks.update(self.staked)
        self.staked.clear()
        self._ends(number, self.voided)

    def compare(self, state: Table) -> None:
        """With what the house believes."""
        for player in state.players:
            if self.stacks[player.id] != player.stack:
                self.faults.append(
                    f"{self.table}: {player.id} has {player.stack}, by the events {self.stacks[player.id]}"
                )
        gone = {one for one in self.stacks if state.player(one) is None and self.stacks[one]}
        self.faults += [f"{self.table}: {one} left {self.stacks[one]} behind" for one in gone]


async def read(store: RedisStore, table: str) -> Sheet:
    """The whole history of a table that is younger than its stream is long."""
    stored = await store.read(TableId(table))
    assert stored is not None, f"{table} is there"
    state = unpack_table(stored.blob)
    batches = await store.batches(state.id, 0, state.version)
    sheet = referee(table, [payload for _, payload in batches], state)
    if len(batches) != state.version:
        sheet.faults.append(f"{table}: {len(batches)} batches lead to version {state.version}")
    return sheet


def referee(table: str, payloads: Sequence[bytes], state: Table) -> Sheet:
    sheet = Sheet(table)
    head: bytes | None = None
    for payload in payloads:
        batch = unpack_batch(payload)
        if head is not None and batch.prev != head:
            sheet.faults.append(f"{table}: version {batch.v} does not join the one before it")
        head = next_head(batch.prev, payload)
        for event in batch.events:
            sheet.take(event)
    if head != state.head:
        sheet.faults.append(f"{table}: the last batch does not lead to the state")
    sheet.compare(state)
    return sheet
