"""What the shell asks of the world: storage, time, entropy. Adapters implement these; a simulation does, too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from tapete_protocol.base import PlayerId, TableId


class StoreAway(Exception):
    """The store cannot be reached, or gave no answer in time: the outcome is unknown, and may be asked for again."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as the store has it. `time_ms`: the store's clock when it said so."""

    version: int
    head: bytes
    blob: bytes
    time_ms: int
    doubted: bool = False
    """The store came up anew since this was written, and not all nodes that were at work: some of them may have seen more."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One compare-and-set. `not_before_ms` / `not_after_ms` are compared with the store's clock (0: no bound)."""

    table: TableId
    version: int
    head: bytes
    new_head: bytes
    blob: bytes
    batch: bytes
    not_before_ms: int = 0
    not_after_ms: int = 0
    deadline_ms: int = 0
    """The earliest deadline of the new state; 0: none."""
    record: tuple[int, bytes] | None = None
    """Round number and record, written by the commit that settles it."""
    transfer: str | None = None
    """A buy-in that this commit credits: marked once, or `Duplicate`."""
    trim_before: int = 0
    """Batches below this version may go from the stream."""


@dataclass(frozen=True, slots=True)
class Done:
    version: int
    time_ms: int


@dataclass(frozen=True, slots=True)
class Conflict:
    stored: Stored


@dataclass(frozen=True, slots=True)
class TooEarly:
    time_ms: int


@dataclass(frozen=True, slots=True)
class TooLate:
    time_ms: int


@dataclass(frozen=True, slots=True)
class NoTable:
    time_ms: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The transfer was decided before: `credited` or `refused`."""

    mark: str
    time_ms: int


Committed = Done | Conflict | TooEarly | TooLate | NoTable | Duplicate


@dataclass(frozen=True, slots=True)
class Account:
    player: PlayerId
    name: str
    balance: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """A buy-in on its way from a wallet to a table. `id` = player ~ command id."""

    id: str
    player: PlayerId
    table: TableId
    amount: int
    status: Literal["pending", "done", "refunded"]
    started_ms: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in the index: what can be said of it without reading its state."""

    table: TableId
    public: bool


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over all shards. The house has what closed tables left (may be negative)."""

    minted: int
    burned: int
    house: int


class TableStore(Protocol):
    """Tables: state with version and head, stream of batches, channel, deadlines, records. All raise `StoreAway`."""

    async def now_ms(self) -> int: ...
    async def commit(self, commit: Commit) -> Committed: ...
    async def create(  # noqa: PLR0917 - six things make a table
        self,
        table: TableId,
        head: bytes,
        blob: bytes,
        batch: bytes,
        public: bool,  # noqa: FBT001 - as above
        deadline_ms: int,
    ) -> bool:
        """Version 1 with its first batch; False when the table is there already."""
        ...

    async def remove(self, table: TableId, version: int, head: bytes, batch: bytes, bank: int) -> Committed:
        """Close it: announce the last batch, drop its keys and index entry, add `bank` to the house, in one script."""
        ...

    async def read(self, table: TableId) -> Stored | None: ...
    async def heads(self, tables: Sequence[TableId]) -> dict[TableId, tuple[int, bytes]]:
        """Version and head of each; absent tables are left out."""
        ...

    @property
    def doubted(self) -> int:
        """Grows when the store came up anew and not all nodes that were at work: tables want to be read again. 0: never."""
        ...

    async def batches(self, table: TableId, after: int, until: int = 0) -> list[tuple[int, bytes]]:
        """(version, batch) with after < version (≤ until, if given), as far as the stream still has them."""
        ...

    async def record(self, table: TableId, round: int, /) -> bytes | None: ...  # noqa: A002 - it is a round
    async def records(self, table: TableId, last: int) -> list[tuple[int, bytes]]: ...
    async def listed(self) -> list[Listed]: ...
    async def due(self, until_ms: int) -> list[tuple[TableId, int]]:
        """Tables whose earliest deadline is at or before `until_ms`, over all shards, at most a bounded number."""
        ...

    async def subscribe(self, table: TableId) -> None:
        """From when this returns, batches of the table are handed to `on_batch` (or lost: it is pub/sub)."""
        ...

    async def unsubscribe(self, table: TableId) -> None: ...
    async def echo(self) -> None:
        """A real write, a read of it, and what was said on a channel heard again: the store can be worked with."""
        ...

    on_batch: Callable[[TableId, bytes], None]
    seen: Callable[[], dict[TableId, tuple[int, bytes]]]
    """Asked when the store came up anew: version and head of each table as this node has seen them."""
    on_resubscribed: Callable[[], None]
    """The subscription broke and is there again: something may have been missed."""
    on_available: Callable[[bool], None]
    """The store went away or came back."""


class MoneyStore(Protocol):
    """Accounts, their ledgers, and transfers. Every sum that is made or destroyed is counted in the same script."""

    def unbroken(self) -> AbstractContextManager[None]:
        """What is asked of the store in here rests on what it said in here. It may have lost its last moments whenever it
        was out of reach: then nothing more is asked, and `StoreAway` raised. For steps of which one makes good another."""
        ...

    async def open_account(
        self, player: PlayerId, name: str, opening: int, address: str
    ) -> Account | Literal["too_many"]:
        """Mint the opening balance; at most a bounded number an hour for one address."""
        ...

    async def account(self, player: PlayerId) -> Account | None: ...
    async def see(self, player: PlayerId) -> Account | None:
        """The account, noted as seen now."""
        ...

    async def stale_accounts(self, before_ms: int, most: int) -> list[PlayerId]:
        """Accounts that were not seen, and in which nothing has moved, since a store time; the oldest of them."""
        ...

    async def top_up(self, player: PlayerId, command: str, amount: int, below: int) -> Account | Literal["enough"]:
        """Mint `amount` when the balance is under `below`; once for one command id. Raises `LookupError` without an account."""
        ...

    async def start_transfer(
        self, transfer: str, player: PlayerId, table: TableId, amount: int
    ) -> Transfer | Literal["not_enough"]:
        """Debit, ledger row, journal entry in one script. An id that is there already: that transfer, nothing moves."""
        ...

    async def refuse_transfer(self, transfer: Transfer) -> Literal["credited", "refused"]:
        """Set the table-side mark to `refused` unless it is there; what it says now decides."""
        ...

    async def finish_transfer(self, transfer: Transfer, outcome: Literal["credited", "refused"]) -> Account:
        """Credited: the entry is done, the mark gets its TTL, the entry goes. Refused: paid back in the same script."""
        ...

    async def open_transfers(self, older_than_ms: int) -> list[Transfer]:
        """Journal entries over all shards that somebody has to drive on."""
        ...

    async def pay_out(self, transfer: str, player: PlayerId, table: TableId, amount: int) -> Account | None:
        """A cash-out's credit to the wallet, once for one transfer id. None: there is no such account."""
        ...

    async def settle_pay_out(self, transfer: str, player: PlayerId) -> None:
        """The table has taken note: the mark may expire."""
        ...

    async def unsettled_pay_outs(self, older_than_ms: int) -> list[Transfer]:
        """Cash-outs credited, of which nobody has said that the table took note."""
        ...

    async def remembered(self, player: PlayerId, command: str) -> str | None: ...
    async def remember(self, player: PlayerId, command: str, answer: str) -> str:
        """Keeps the first answer for a day and returns it."""
        ...

    async def expire_account(self, player: PlayerId, before_ms: int = 0) -> bool:
        """Burn and delete a guest's account if nothing of it is open, and nobody has seen it since (0: whenever)."""
        ...

    def accounts(self) -> AsyncIterator[Account]: ...
    async def totals(self) -> Totals: ...
    async def mark_of(self, transfer: Transfer) -> str | None:
        """The table-side mark of a transfer, for the audit."""
        ...

    async def paid_out(self, transfer: str, player: PlayerId) -> bool:
        """Whether a cash-out was credited, for the audit."""
        ...


class PresenceStore(Protocol):
    """Who is alive, and which tables hold players connected to whom."""

    async def beat(self, incarnation: str, node: str) -> None: ...
    async def retire(self, incarnation: str) -> None: ...
    async def alive(self) -> dict[str, int]:
        """Incarnation to the store time of its last beat, of the last minute."""
        ...

    async def serve_table(self, incarnation: str, table: TableId) -> None:
        """Called before a player of this node is seated."""
        ...

    async def lapsed(self) -> list[tuple[str, list[TableId]]]:
        """Incarnations whose heartbeat has lapsed, with the tables they served; walked, then `forget`."""
        ...

    async def forget(self, incarnation: str) -> None: ...
    async def crowd(self, incarnation: str, counts: dict[TableId, int]) -> None:
        """This node's spectators per table (with a TTL)."""
        ...

    async def crowds(self) -> dict[TableId, int]: ...


class OddsStore(Protocol):
    """Odds that somebody of the house has worked out, by the hash of the settings that they depend on. All raise `StoreAway`."""

    async def kept_odds(self, name: str) -> bytes | None: ...
    async def keep_odds(self, name: str, odds: bytes) -> None:
        """For as long as anybody asks for them, and some weeks."""
        ...

    async def claim_odds(self, by: str) -> bool:
        """Whether `by` may work odds out now: one node of the house at a time. For some seconds; then to be claimed anew."""
        ...

    async def leave_odds(self, by: str) -> None:
        """Others may now."""
        ...


class Store(TableStore, MoneyStore, PresenceStore, Protocol):
    async def start(self) -> None:
        """Connect, load scripts, settle the number of shards. Raises `StoreAway`."""
        ...

    async def close(self) -> None: ...


class CannotWorkOut(Exception):
    """Odds could not be worked out, and why: not here, not of these settings, or not in time."""


class OddsBench(Protocol):
    """Where odds are worked out: apart, behind all that a node does for its tables."""

    @property
    def ready(self) -> bool:
        """What it takes is installed here."""
        ...

    async def work_out(self, settings: str) -> bytes:
        """Of a settings document (JSON text), packed. Raises `CannotWorkOut`; cancelled, it stops the work as well."""
        ...


class Entropy(Protocol):
    def token_bytes(self, size: int) -> bytes: ...


class Jitter(Protocol):
    """Chance for pauses, so that nodes do not act in step: never for a card, a nonce or a token."""

    def uniform(self, a: float, b: float) -> float: ...
    def randrange(self, start: int, /) -> int: ...


class Clock(Protocol):
    """Monotonic seconds of this machine; store time is learnt from the store's answers."""

    def monotonic(self) -> float: ...
