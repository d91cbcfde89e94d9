"""What a table tells whoever iterates over it: the game's events, and what happened to the connection."""

from __future__ import annotations

from dataclasses import dataclass

from tapete_protocol.events import Event
from tapete_protocol.view import TableView


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the table. `before` and `view` are the table around it; `at` is the store's time of its batch."""

    version: int
    at: int
    event: Event
    before: TableView
    view: TableView


@dataclass(frozen=True, slots=True)
class Synced:
    """The table as it stands, in place of events: on arrival, or after a gap. `rewound`: the store went back, and what
    came after `version` did not happen."""

    version: int
    at: int
    view: TableView
    rewound: bool


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The session goes on over a new connection; missed events follow, or one `Synced`."""

    node: str


@dataclass(frozen=True, slots=True)
class StoreChanged:
    """Whether commands can be taken: while not, countdowns freeze."""

    available: bool


@dataclass(frozen=True, slots=True)
class ControlChanged:
    """`held` False: another connection of this player acts at the table now, and this one only watches."""

    held: bool


@dataclass(frozen=True, slots=True)
class CrowdChanged:
    """So many people look on."""

    spectators: int


@dataclass(frozen=True, slots=True)
class Missed:
    """The reader was too slow: `count` items were dropped here, the oldest first. The next item's view is complete."""

    count: int


@dataclass(frozen=True, slots=True)
class PartMissing:
    """The house says that this player's part in the cards of `round` did not come, but it was sent `early_ms` before the
    cards were fixed. `taken`: it was even acknowledged, so that the house is lying."""

    round: int
    early_ms: int
    taken: bool


News = Happened | Synced | Reconnected | StoreChanged | ControlChanged | CrowdChanged | Missed | PartMissing
