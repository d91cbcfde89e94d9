"""Where a player stands in the numbering of commands at a table. (Design, fine print 9)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapete_protocol.events import BoxTaken, PlayerLeft
from tapete_protocol.frames import Batch, Place
from tapete_protocol.view import TableView


class Standing:
    """`stint`: the version of this player's arrival, 0 before it. `seq`: number of the last command that was taken."""

    def __init__(self, player: str) -> None:
        self._player = player
        self.stint = 0
        self.seq = 0
        self.control = True

    def next(self) -> tuple[int, int]:
        """Stint and number of the next command."""
        return self.stint, self.seq + 1

    def place(self, frame: Place) -> bool:
        """The node says where this player stands. Returns whether control changed hands."""
        changed = self.control != frame.control
        self.stint, self.seq, self.control = frame.stint, frame.seq, frame.control
        return changed

    def batch(self, frame: Batch) -> None:
        """A batch tells whose command made it, and who arrived and left."""
        if frame.by is not None and frame.by.player == self._player:
            self.seq = max(self.seq, frame.by.seq)
        for event in frame.events:
            match event:
                case BoxTaken(player=player, stint=stint) if player == self._player:
                    self.stint = stint
                case PlayerLeft(player=player) if player == self._player:
                    self.stint = self.seq = 0

    def snapshot(self, view: TableView) -> None:
        """Nobody's numbering outlives their stay at the table."""
        if all(one.player != self._player for one in view.players):
            self.stint = self.seq = 0

    def acked(self, stint: int, seq: int) -> None:
        """The command with this number was taken."""
        if stint == self.stint:
            self.seq = max(self.seq, seq)

    def stale(self, detail: Mapping[str, Any]) -> None:
        """The node refused a number and says which one it is at: the next command will fit."""
        stint, seq = detail.get("stint"), detail.get("seq")
        if isinstance(stint, int) and isinstance(seq, int):
            self.stint, self.seq = stint, seq
