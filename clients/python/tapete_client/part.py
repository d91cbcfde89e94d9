"""This player's part in the cards: random bytes for each round with a bet, bound by their commitment, revealed after the close.

All of it happens unseen. The bytes stay in memory, and are never made anew for a round once something was said of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from tapete_protocol.events import EntropyClosed
from tapete_protocol.fair import ENTROPY_BYTES, entropy_commitment
from tapete_protocol.view import TableView

ROUNDS_KEPT_MAX = 64
"""For whoever wants to look for their own bytes in a record."""


@dataclass(slots=True)
class Given:
    """What was given to a round. `sent_at`: store time in milliseconds, 0 before; `taken`: the node has acknowledged it."""

    entropy: bytes
    sent_at: int = 0
    taken: bool = False
    missing: bool = False


class Part:
    """At one table. `fresh` makes random bytes."""

    def __init__(self, table: str, player: str, fresh: Callable[[int], bytes]) -> None:
        self._table, self._player, self._fresh = table, player, fresh
        self._settings = ("", False)
        self.given: dict[int, Given] = {}
        """By round."""

    def commitment(self, view: TableView) -> bytes | None:
        """For a bet in the round of `view`; None at a table without reveals."""
        if not self._wanted(view.settings):
            return None
        given = self.given.get(view.round)
        if given is None:
            given = self.given[view.round] = Given(self._fresh(ENTROPY_BYTES))
            while len(self.given) > ROUNDS_KEPT_MAX:
                del self.given[min(self.given)]
        return entropy_commitment(self._table, view.round, self._player, given.entropy)

    def misbound(self, view: TableView) -> bool:
        """Bets are open, and what the table has of this player was made for an earlier round: nobody could reveal it."""
        last = self.given.get(view.round)
        bound = last and entropy_commitment(self._table, view.round, self._player, last.entropy)
        found = [one.commitment for one in view.contributions if one.player == self._player]
        return view.phase == "betting" and found not in ([], [bound])

    def due(self, view: TableView) -> Given | None:
        """What has to be revealed as the table stands: bets are closed, it is bound to these bytes, and has not got them."""
        given = self.given.get(view.round)
        if given is None or view.phase != "closing":
            return None
        bound = entropy_commitment(self._table, view.round, self._player, given.entropy)
        waits = any(
            one.player == self._player and one.commitment == bound and one.entropy is None for one in view.contributions
        )
        return given if waits else None

    def missed(self, event: EntropyClosed) -> Given | None:
        """What the house says it did not get, although it was sent."""
        given = self.given.get(event.round)
        if given is None or self._player not in event.missing:
            return None
        given.missing = True
        return given if given.sent_at else None

    def rewound(self, view: TableView) -> None:
        """The store went back: what was revealed of later rounds is known, and is no use any more; of this one too, unless it is
        bound to it already."""
        first = view.round + (view.phase not in ("betting", "settled"))
        for number in [number for number, given in self.given.items() if number >= first and given.sent_at]:
            del self.given[number]

    def _wanted(self, settings: str) -> bool:
        if self._settings[0] != settings:
            self._settings = (settings, json.loads(settings).get("reveals") is True)
        return self._settings[1]
