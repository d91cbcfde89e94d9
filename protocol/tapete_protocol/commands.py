"""What a client may ask: imperatives. `id` numbers a connection's commands; its one answer carries the same number."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tapete_protocol.base import (
    Amount,
    Box,
    CommandId,
    Hand,
    Head,
    Part,
    PlayerName,
    Spot,
    Strict,
    TableName,
    TableRef,
    Whole,
)

Token = Annotated[str, msgspec.Meta(max_length=512)]
SettingsText = Annotated[str, msgspec.Meta(max_length=1200)]


class Hello(Strict):
    """The first frame. With the token of an earlier session it goes on as that player; without one, a guest is made."""

    id: Whole
    name: PlayerName | None = None
    token: Token | None = None
    client: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Ping(Strict):
    """Answered with an Ack whose `now` is the store's time."""

    id: Whole


class WatchLobby(Strict):
    """Send the list of tables, and again (about once a second at most) when it changes; `on` false stops that."""

    id: Whole
    on: bool = True


class OpenTable(Strict):
    """Open a table. `settings` is a JSON document; a table that is not public is reached by its id only."""

    id: Whole
    command: CommandId
    name: TableName
    settings: SettingsText
    public: bool = True


class CloseTable(Strict):
    """Close a table that this player opened and where nobody has chips."""

    id: Whole
    table: TableRef


class Since(Part, forbid_unknown_fields=True):
    """The last batch that a client has: what follows it is wanted."""

    version: Whole
    head: Head


class Watch(Strict):
    """Follow a table: the batches after `since`, or one snapshot, then every batch as it happens."""

    id: Whole
    table: TableRef
    since: Since | None = None


class Unwatch(Strict):
    """Follow the table no longer. A box there is kept for a while, as after a lost connection."""

    id: Whole
    table: TableRef


class TopUp(Strict):
    """More play money, for a player who has less than the house's `top_up_below`, chips at tables included."""

    id: Whole
    command: CommandId


class BuyIn(Strict):
    """Chips from the wallet to the stack at a table where this player holds a box."""

    id: Whole
    command: CommandId
    table: TableRef
    amount: Amount


class Placed(Strict):
    """A command of a player at a table. `stint` and `seq` as given by the `Place` frame: `seq` one more each time."""

    id: Whole
    table: TableRef
    stint: Whole
    seq: Whole


class TakeBox(Placed):
    """Sit down at a free box. The first one at a table has `stint` 0 and any `seq`."""

    box: Box


class FreeBox(Placed):
    """Give back a box on which nothing is staked. The last one is `Leave`: what is on the stack is cashed out."""

    box: Box


class Leave(Placed):
    """Give back all boxes and cash out: at once before the close, else when the round is settled."""


class CashOut(Placed):
    """Chips from the stack back to the wallet."""

    amount: Amount


class Bet(Part, forbid_unknown_fields=True):
    """What shall lie on a spot of a box, in all."""

    box: Box
    spot: Spot
    amount: Amount


class PlaceBets(Placed):
    """Absolute amounts, all or nothing; 0 takes a bet back, main 0 takes its bonus bets along."""

    bets: Annotated[tuple[Bet, ...], msgspec.Meta(min_length=1, max_length=20)]
    commitment: Head | None = None
    """To 32 fresh random bytes, at a table with reveals; the last one before the close counts."""


class Ready(Placed):
    """Do not wait for me: the round starts when everyone with a stake is ready."""

    ready: bool = True


class Act(Placed):
    """A decision for the hand whose turn it is; `TurnStarted` lists what is legal."""

    box: Box
    hand: Hand
    action: Literal["hit", "stand", "stand_all", "double", "split"]


class AskAdvice(Strict):
    """What each legal decision of the hand is worth that this player has to decide. `exact`: by every card that is seen."""

    id: Whole
    table: TableRef
    exact: bool = False


class Reveal(Strict):
    """The 32 bytes that this player is committed to, once bets are closed. As often as one likes, on any connection."""

    id: Whole
    table: TableRef
    round: Whole
    entropy: Head


TableCommand = TakeBox | FreeBox | Leave | CashOut | PlaceBets | Ready | Act
Command = (
    Hello
    | Ping
    | WatchLobby
    | OpenTable
    | CloseTable
    | Watch
    | Unwatch
    | TopUp
    | BuyIn
    | TableCommand
    | Reveal
    | AskAdvice
)
