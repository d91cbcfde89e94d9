"""Between the gateway and the floor: what a connection asks for, and what the floor sends to connections.

`payload` is one msgpack frame, the very bytes of stream and channel for a batch. Everything here runs on one event
loop: calls without `async` finish at once, so "catch up, then register" leaves no hole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.commands import AskAdvice, BuyIn, CloseTable, Hello, OpenTable, Reveal, Since, TableCommand, TopUp
from tapete_protocol.frames import Ack, Advice, Place, Refused, Welcome


@dataclass(frozen=True, slots=True)
class Actor:
    """A signed-in connection. `via` names node incarnation and connection, and is unique."""

    player: PlayerId
    name: str
    via: str


class Sink(Protocol):
    """The gateway, as the floor sees it."""

    def batch(self, table: TableId, version: int, payload: bytes) -> None:
        """To every watcher of the table, in order, without holes."""
        ...

    def snapshot(self, table: TableId, version: int, payload: bytes) -> None:
        """The floor jumped (a gap that could not be filled, or a rewind): to every watcher, instead of batches."""
        ...

    def place(self, via: str, place: Place) -> None:
        """Private to one connection; `control` False: another connection of the player acts now."""
        ...

    def wallet(self, player: PlayerId, balance: int) -> None: ...
    def gone(self, table: TableId) -> None:
        """After the last batch: watchers are told and unregistered."""
        ...

    def crowd(self, table: TableId, spectators: int) -> None: ...
    def lobby(self, payload: bytes) -> None:
        """To everyone who watches the lobby."""
        ...

    def store_state(self, available: bool) -> None: ...  # noqa: FBT001 - there is nothing else to say
    def lobby_is_watched(self) -> bool:
        """Whether anybody wants to be told of the lobby."""
        ...

    def local_crowd(self) -> dict[TableId, int]:
        """Spectators (watchers without a box) connected to this node, per table."""
        ...


class Floor(Protocol):
    """The tables as this node serves them."""

    sink: Sink

    def now_ms(self) -> int:
        """The store's time, as well as this node knows it."""
        ...

    async def sign_in(self, hello: Hello, address: str) -> Welcome | Refused: ...
    async def follow(self, table: TableId) -> bool:
        """Load and keep up with a table, counted; False: there is none. Pair with `unfollow`."""
        ...

    def unfollow(self, table: TableId) -> None: ...
    def catch_up(self, table: TableId, since: Since | None) -> list[bytes]:
        """For a followed table: payloads to send first: the missing batches, or one snapshot."""
        ...

    def version(self, table: TableId) -> int: ...
    def place_of(self, table: TableId, player: PlayerId) -> Place | None:
        """The player's standing there; None without a box or chips."""
        ...

    def holds_box(self, table: TableId, player: PlayerId) -> bool: ...
    async def arrived(self, actor: Actor, table: TableId) -> None:
        """A player with a box or chips watches the table through this connection: marks it as back."""
        ...

    async def left(self, actor: Actor, tables: list[TableId]) -> None:
        """The connection is gone (or unwatches): marks the player as away where this connection was the one."""
        ...

    async def play(self, actor: Actor, command: TableCommand | Reveal) -> Ack | Refused:
        """Decide and commit. When it returns an Ack, the batch was handed to the sink before."""
        ...

    async def advise(self, actor: Actor, command: AskAdvice) -> Advice | Refused:
        """Of a followed table, as this node knows it; nothing changes."""
        ...

    async def odds(self, table: TableId) -> Mapping[str, Any] | None:
        """What `tapete odds --json` says of this table's settings; None: there is no such table. Raises `LookupError` where
        nobody has worked it out."""
        ...

    async def buy_in(self, actor: Actor, command: BuyIn) -> Ack | Refused: ...
    async def top_up(self, actor: Actor, command: TopUp) -> Ack | Refused: ...
    async def open_table(self, actor: Actor, command: OpenTable) -> Ack | Refused: ...
    async def close_table(self, actor: Actor, command: CloseTable) -> Ack | Refused: ...
    async def lobby(self) -> bytes:
        """The `Lobby` frame as it stands."""
        ...
