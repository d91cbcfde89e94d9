"""The state of a table: everything that its next event may depend on, and nothing else. At most a few KiB as a blob."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from tapete_protocol.base import PlayerId, TableId

SCHEMA = 1
RECENT_MAX = 24
"""Results that a table shows in the lobby."""


class Player(msgspec.Struct, frozen=True):
    """Somebody with a box here. `stint`: the version of arrival. `via`: node and connection, empty when away."""

    id: PlayerId
    name: str
    stint: int
    via: str
    stack: int = 0
    seq: int = 0
    seq_version: int = 0
    seq_digest: bytes = b""
    held_until_at: int = 0
    lost_since_at: int = 0
    bet_at: int = 0
    bet_commands: int = 0
    ready: bool = False
    leaving: bool = False
    misses: int = 0
    """Reveals that did not come in time, in a row."""

    @property
    def away(self) -> bool:
        return not self.via


class Bet(msgspec.Struct, frozen=True):
    """What lies on a spot before the close."""

    box: int
    spot: str
    amount: int


class Staked(msgspec.Struct, frozen=True):
    """What a box has in play after the close: its bets, doubles and splits."""

    box: int
    owner: PlayerId
    amount: int


class Contribution(msgspec.Struct, frozen=True):
    """A player's part in the round's cards. `entropy` is empty until it is revealed. `box`: from the close on, the lowest one
    with a bet."""

    player: PlayerId
    commitment: bytes
    entropy: bytes = b""
    box: int = 0
    missing: bool = False


class Outgoing(msgspec.Struct, frozen=True):
    """A cash-out on its way to the wallet."""

    transfer: str
    player: PlayerId
    amount: int


class Table(msgspec.Struct, frozen=True):
    """`phase`: betting, closing, playing, settled. `play` is the game's own state, opaque here."""

    id: TableId
    name: str
    game: str
    settings: str
    public: bool
    opener: str
    version: int
    head: bytes
    play: Any
    phase: str = "betting"
    round: int = 0
    nonce: bytes = b""
    commitment: bytes = b""
    opened_version: int = 0
    close_head: bytes = b""
    words: int = 0
    boxes: tuple[PlayerId | None, ...] = (None, None, None, None)
    players: tuple[Player, ...] = ()
    bets: tuple[Bet, ...] = ()
    staked: tuple[Staked, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    outgoing: tuple[Outgoing, ...] = ()
    bank: int = 0
    chips_in: int = 0
    chips_out: int = 0
    deadlines: tuple[tuple[str, int], ...] = ()
    extensions: int = 0
    recent: tuple[str, ...] = ()
    queued_settings: str = ""
    frozen: str = ""
    closed: bool = False
    schema: int = SCHEMA

    def player(self, player: str) -> Player | None:
        for one in self.players:  # a generator takes three times as long, and this is asked for all the time
            if one.id == player:
                return one
        return None

    def with_player(self, player: Player) -> Table:
        others = tuple(player if one.id == player.id else one for one in self.players)
        return replace(self, players=others)

    def boxes_of(self, player: str) -> list[int]:
        return [box for box, holder in enumerate(self.boxes, 1) if holder == player]

    def contribution(self, player: str) -> Contribution | None:
        return next((one for one in self.contributions if one.player == player), None)

    def deadline(self, name: str) -> int:
        """Store time in milliseconds; 0 when that clock does not run."""
        return next((at for one, at in self.deadlines if one == name), 0)

    def earliest_deadline(self) -> tuple[str, int] | None:
        return min(self.deadlines, key=lambda clock: clock[1], default=None)

    def bets_of(self, box: int) -> dict[str, int]:
        return {bet.spot: bet.amount for bet in self.bets if bet.box == box}

    def has_stake(self, player: str) -> bool:
        """Chips of this player lie on the felt, before or after the close."""
        mine = self.boxes_of(player)
        return any(bet.box in mine for bet in self.bets) or any(stake.owner == player for stake in self.staked)

    def funds(self) -> dict[str, int]:
        return {player.id: player.stack for player in self.players}


def imbalance(table: Table) -> int:
    """Chips at the table beyond those that came in less those that went out: 0, or an invariant broke. (Design §3)"""
    held = sum(player.stack for player in table.players)
    played = sum(bet.amount for bet in table.bets) + sum(stake.amount for stake in table.staked)
    leaving = sum(out.amount for out in table.outgoing)
    return held + played + leaving + table.bank - (table.chips_in - table.chips_out)


def broken(table: Table) -> str | None:
    """The invariant that this state breaks, in words, or None."""
    if off := imbalance(table):
        return f"chips do not add up: {off:+d}"
    if any(player.stack < 0 for player in table.players):
        return "a stack is negative"
    if any(bet.amount <= 0 for bet in table.bets) or any(stake.amount < 0 for stake in table.staked):
        return "a stake is not positive"
    if table.phase in ("betting", "settled") and table.staked:
        return "stakes are in play outside a round"
    if any(holder is not None and table.player(holder) is None for holder in table.boxes):
        return "a box is held by nobody at the table"
    return None
