"""Logs of real rounds, decided by the server's own core, for whoever folds them in another language.

A file is frames, each after its length in four bytes, big-endian: a snapshot, then each batch followed by the snapshot that
the server would send after it. `python -m tests.web.recorded GAME ROUNDS FILE` writes one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from tapete_protocol import commands as c
from tapete_protocol.base import PlayerId
from tapete_protocol.fair import ENTROPY_BYTES, entropy_commitment
from tapete_server.core.codec import snapshot
from tapete_server.core.commands import FromPlayer
from tests.server.core.table_driver import TableDriver

PLAYERS = ("ana", "berta", "carla")
TIMES = {"betting_ms": 9_000, "closing_ms": 2_000, "turn_ms": 7_000, "pause_ms": 1_000, "card_ms": 0, "hold_ms": 20_000}
SEATS = {"ana": (1, 2), "berta": (3,), "carla": (4,)}
STACK = 10_000_000


class Recorder(TableDriver):
    """A table that writes down what it commits, and what it looks like after that."""

    def __init__(self, game: str, seed: int) -> None:
        self.frames: list[bytes] = []
        self.dice = Random(seed)
        super().__init__(game, TIMES, reveals=True)
        self.frames = [snapshot(self.table, self.now)]
        self.written = len(self.payloads)

    def keep(self) -> None:
        """The one batch of the last commit, if there was one."""
        assert len(self.payloads) - self.written <= 1, "each commit is kept as it happens"
        if len(self.payloads) > self.written:
            self.written = len(self.payloads)
            self.frames += [self.payloads[-1], snapshot(self.table, self.now)]

    def round(self) -> None:
        """Bets and decisions of chance; now and then a clock runs out, or the round is void."""
        while self.table.phase == "settled":
            self.kept_fire("pause")
        self.bets()
        if self.dice.random() < 0.02:
            self.void()
            self.keep()
            return
        if self.dice.random() < 0.2:
            self.kept_fire("betting")
        self.everybody_ready()
        self.reveals()
        self.decisions()

    def bets(self) -> None:
        for player, boxes in SEATS.items():
            if self.dice.random() < 0.9 or player == "ana":
                self.place(player, boxes)

    def everybody_ready(self) -> None:
        for player in PLAYERS:
            if self.table.phase == "betting" and self.table.has_stake(PlayerId(player)):
                self.ready(player)
                self.keep()

    def reveals(self) -> None:
        """Now and then one is missing, and the window runs out."""
        for one in self.table.contributions:
            if self.table.phase == "closing" and self.dice.random() < 0.9:
                told = c.Reveal(id=1, table="mesa", round=self.table.round, entropy=self.entropy(one.player))
                self.submit(FromPlayer(one.player, one.player.title(), f"n1.{one.player}", told, bytes(16)))
                self.keep()
        while self.table.phase == "closing":
            self.kept_fire("closing" if self.table.deadline("closing") else "deal")

    def entropy(self, player: str) -> bytes:
        return f"{player} {self.table.round}".encode().ljust(ENTROPY_BYTES)

    def decisions(self) -> None:
        while (turn := self.turn) is not None:
            if self.dice.random() < 0.03:
                self.kept_fire("turn")
            else:
                self.act(self.dice.choice(sorted(turn.legal)))
                self.keep()

    def place(self, player: str, boxes: tuple[int, ...]) -> None:
        bound = entropy_commitment("mesa", self.table.round, player, self.entropy(player))
        for box in boxes:
            for spot in self.game.spots:
                if spot == self.game.spots[0] or self.dice.random() < 0.4:
                    bet = c.Bet(box, spot, 100 * self.dice.randint(1, 10))
                    self.play(player, c.PlaceBets, bets=(bet,), commitment=bound)
                    self.keep()
        if self.dice.random() < 0.1:
            self.play(player, c.PlaceBets, bets=(c.Bet(boxes[-1], self.game.spots[-1], 0),))
            self.keep()

    def kept_fire(self, name: str) -> None:
        self.fire(name)
        self.keep()


def recorded(game: str, rounds: int, seed: int = 1) -> list[bytes]:
    table = Recorder(game, seed)
    for player, boxes in SEATS.items():
        for box in boxes:
            table.play(player, c.TakeBox, box=box)
            table.keep()
        table.buy_in(player, STACK)
        table.keep()
    for _ in range(rounds):
        table.round()
    return table.frames


def write(game: str, rounds: int, file: Path, seed: int = 1) -> int:
    """Returns how many batches were written."""
    frames = recorded(game, rounds, seed)
    file.write_bytes(b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames))
    return len(frames) // 2


if __name__ == "__main__":
    sys.stdout.write(f"{write(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))} batches\n")
