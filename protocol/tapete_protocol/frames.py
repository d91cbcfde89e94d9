"""What a node sends. `Batch` and `Snapshot` are the same bytes for every player and spectator of a table."""

from __future__ import annotations

from typing import Any

import msgspec

from tapete_protocol.base import Part, Wire
from tapete_protocol.events import Event
from tapete_protocol.view import TableView


class Welcome(Wire):
    """Who this connection is. Keep `token`: it resumes the session on any node."""

    id: int
    player: str
    name: str
    token: str
    balance: int
    now: int
    node: str
    tables: tuple[str, ...] = ()
    """Where this player holds a box or has chips."""


class Ack(Wire):
    """Done. `version`: the table's version that the command made (or found, if it changed nothing)."""

    id: int
    now: int
    version: int | None = None
    table: str | None = None


class Refused(Wire):
    """Nothing changed. `code` is one of the list of codes; `retry_ms` is there when trying again makes sense."""

    id: int
    code: str
    message: str
    detail: dict[str, Any] = msgspec.field(default_factory=dict)
    retry_ms: int | None = None


class Author(Part):
    """The command behind a batch: the player's sequence at the table, and the command's hash."""

    player: str
    seq: int
    digest: bytes


class Batch(Wire):
    """One commit: events of `table` from the state after head `prev` to version `v`. Its own head is
    SHA-256(prev + these very bytes). `schema` is the format of the log."""

    table: str
    v: int
    prev: bytes
    at: int
    events: tuple[Event, ...]
    by: Author | None = None
    schema: int = 1


class Snapshot(Wire):
    """The table as it stands after version `v`. `rewound`: the store went back; forget what came after."""

    table: str
    v: int
    head: bytes
    at: int
    view: TableView
    rewound: bool = False


class Place(Wire):
    """Private: this player's standing at the table. The next command there carries `stint` and `seq` + 1."""

    table: str
    stint: int
    seq: int
    control: bool = True


class Worth(Part):
    """What a decision is worth on average: the net of the hand, in millionths of its stake."""

    action: str
    millionths: int


class Advice(Wire):
    """Private: what each legal decision of this player's hand is worth at version `v`, the open bonus bet on sevens included.
    Comes before the Ack of the `AskAdvice` with the same `id`. `exact`: by the very cards, else by the chart of the rules.
    `very_bad`: those that cost half the stake or more, or are worse whatever card comes."""

    id: int
    table: str
    v: int
    box: int
    hand: int
    stake: int
    exact: bool
    worth: tuple[Worth, ...]
    very_bad: tuple[str, ...]


class Wallet(Wire):
    """Private: the player's balance, after something changed it."""

    balance: int


class Heartbeat(Wire):
    """Every ten seconds: the store's time, and the version that the table is at (none without a table)."""

    now: int
    table: str = ""
    v: int = 0


class Crowd(Wire):
    """Who looks on: ephemeral, about once a second when it changes, never in the log."""

    table: str
    spectators: int


class LobbyBox(Part):
    """A box that somebody holds, in miniature: all that is staked there, and the hand that is played, or else the first."""

    box: int
    name: str
    staked: int = 0
    cards: tuple[str, ...] = ()


class Edge(Part):
    """What a bet on a spot costs on average, in millionths of it; below 0 the bettor has the edge."""

    spot: str
    millionths: int


class LobbyTable(Part):
    """A line of the lobby. `minimum` and `maximum` of the main bet; `recent`: the last results, the newest last. `turn`: the
    box that decides; `until_at`: store time of the end of that turn, or of the time to bet."""

    table: str
    name: str
    game: str
    phase: str
    players: int
    free_boxes: int
    spectators: int
    minimum: int
    maximum: int
    round: int
    recent: tuple[str, ...]
    tableau: str | None = None
    boxes: tuple[LobbyBox, ...] = ()
    dealer: tuple[str, ...] = ()
    turn: int | None = None
    until_at: int | None = None
    edges: tuple[Edge, ...] = ()


class Lobby(Wire):
    """The public tables, complete; of more than a thousand, those where people play first."""

    tables: tuple[LobbyTable, ...]


class Gone(Wire):
    """The table is closed, or was never there."""

    table: str


class StoreState(Wire):
    """Whether commands can be taken at the moment: countdowns freeze while they cannot."""

    available: bool


Frame = (
    Welcome | Ack | Refused | Batch | Snapshot | Place | Advice | Wallet | Heartbeat | Crowd | Lobby | Gone | StoreState
)
