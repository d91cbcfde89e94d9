"""What a table is asked: a player's command with who sent it, or one of the house's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tapete_protocol.base import PlayerId
from tapete_protocol.commands import Reveal, TableCommand
from tapete_protocol.events import Event
from tapete_server.core.state import Table


@dataclass(frozen=True, slots=True)
class FromPlayer:
    """`via`: node and connection. `digest`: SHA-256 of the command's content, to tell a repeat from another command."""

    player: PlayerId
    name: str
    via: str
    command: TableCommand | Reveal
    digest: bytes


@dataclass(frozen=True, slots=True)
class DeadlinePassed:
    """The clock `name`, which stood at `at`, has run out."""

    name: str
    at: int


@dataclass(frozen=True, slots=True)
class CreditBuyIn:
    """Chips that were debited from the wallet arrive."""

    transfer: str
    player: PlayerId
    amount: int


@dataclass(frozen=True, slots=True)
class ConfirmOut:
    """The wallet has a cash-out's chips."""

    transfer: str


@dataclass(frozen=True, slots=True)
class MarkAway:
    """The connection `via` is gone. Void when the player has come back through another. `since_at`: when its node was last
    alive, where it is the node that is gone; 0: the connection alone."""

    player: PlayerId
    via: str
    since_at: int = 0


@dataclass(frozen=True, slots=True)
class MarkBack:
    """The player watches this table through `via` now. `lost_ms`: for how long the node that held the connection before
    had been dead. `instead_of`: only if the seat is held by that connection."""

    player: PlayerId
    via: str
    lost_ms: int = 0
    instead_of: str = ""


@dataclass(frozen=True, slots=True)
class GiveTime:
    """The node that held the player's connection was dead when the player came back, as is known now: what was lost until
    then goes to the turn whose clock runs until `until_at`, if it still does."""

    player: PlayerId
    until_at: int
    lost_ms: int


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Give all stakes back. Void unless this very opening is still the present one."""

    round: int
    nonce: bytes
    why: str


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """Go on with this document from the next round on."""

    settings: str


@dataclass(frozen=True, slots=True)
class Close:
    """Close the table; only where nobody has chips."""

    by: str


@dataclass(frozen=True, slots=True)
class Freeze:
    """An invariant broke."""

    incident: str


HouseCommand = (
    DeadlinePassed
    | CreditBuyIn
    | ConfirmOut
    | MarkAway
    | MarkBack
    | GiveTime
    | VoidRound
    | QueueSettings
    | Close
    | Freeze
)
AnyCommand = FromPlayer | HouseCommand


@dataclass(frozen=True, slots=True)
class Dice:
    """All the entropy that one decision may use: the cluster key and 32 fresh random bytes."""

    key: bytes = field(repr=False)
    fresh: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """Nothing changes. `code` is one of the protocol's codes."""

    code: str
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Repeat:
    """The last command once more: its first answer was an Ack with this version."""

    version: int


@dataclass(frozen=True, slots=True)
class Decision:
    """Events to commit (none: the command changes nothing), and the state after them, but for its head and author.

    `not_before_ms`, `not_after_ms`: when the store may take them (0: no bound). `at`: the time of the decision, which
    their batch has to carry.
    """

    events: tuple[Event, ...]
    table: Table
    not_before_ms: int = 0
    not_after_ms: int = 0
    at: int = 0


@dataclass(frozen=True, slots=True)
class Wait:
    """Not before this time: the clock of a `DeadlinePassed` still runs."""

    until_ms: int


Answer = Decision | Refusal | Repeat | Wait
