"""A decision being written: each event is folded at once, so what is decided next sees what was decided before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from tapete_protocol import events as e
from tapete_rules import game as rules
from tapete_rules.game import Game
from tapete_rules.settings import Times
from tapete_server.core.commands import Dice, Refusal
from tapete_server.core.evolve import evolve
from tapete_server.core.games import game_for, to_wire
from tapete_server.core.salt import salt_of
from tapete_server.core.state import Player, Table
from tapete_server.core.stream import Stream, round_secret

EXTENSIONS_MAX = 5
"""Extensions of one round's clocks; one more, and the round is void."""


class Draft:
    """`now`: store milliseconds as the node knows them. `not_after`: a bound that some rule has set on the commit."""

    def __init__(self, table: Table, now: int, dice: Dice) -> None:
        self.table = replace(table, version=table.version + 1)
        self.now = now
        self.dice = dice
        self.events: list[e.Event] = []
        self.not_before = 0
        self.not_after = 0
        self._transfers = 0

    @property
    def game(self) -> Game[Any]:
        return game_for(self.table.settings)

    @property
    def times(self) -> Times:
        return self.game.times

    def emit(self, *events: e.Event) -> None:
        for event in events:
            self.events.append(event)
            self.table = evolve(self.table, event, self.now)

    def player(self, player: str) -> Player:
        found = self.table.player(player)
        assert found is not None, "the player was checked before"
        return found

    def clock(self, name: str, until: int) -> None:
        """Set, move or (0) stop a clock; silent when it stands so already."""
        if self.table.deadline(name) != until:
            self.emit(e.ClockSet(name, until))

    def secret(self) -> bytes:
        return round_secret(self.dice.key, self.table.id, self.table.round, self.table.nonce)

    def new_transfer(self) -> str:
        """An id for a cash-out: unique even if the store goes back in time."""
        self._transfers += 1
        return f"{self.table.id}.{self.table.version}.{self._transfers}.{self.dice.fresh[:6].hex()}"

    def felt(self, command: rules.Command) -> Refusal | None:
        """Let the game decide; its refusal, if it has one."""
        table = self.table
        cards = Stream(self.secret(), salt_of(table), table.words)
        decided = self.game.decide(table.play, command, cards, table.funds())
        if isinstance(decided, rules.Refusal):
            return Refusal(decided.code, decided.detail)
        self.emit(*(to_wire(event) for event in decided))
        return None

    def owners(self) -> Iterable[str]:
        return dict.fromkeys(stake.owner for stake in self.table.staked)
