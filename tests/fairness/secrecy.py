"""What everybody is sent in many rounds, held against the order of the log: nothing is seen before its event, and no secret
stands in a frame, in what the store holds, or in a record before its time.

Every role is sent the same bytes of a table: players, spectators and the nodes themselves. What a late-comer is sent is a
snapshot; what the store holds is the state and the batch.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random

from tapete_protocol import events as e
from tapete_protocol.codec import decode_frame
from tapete_protocol.frames import Batch, Snapshot
from tapete_protocol.reduce import reduce_all
from tapete_protocol.view import TableView
from tapete_server.core.codec import pack_table, snapshot
from tapete_server.core.commands import Answer, AnyCommand
from tapete_server.core.stream import round_secret
from tapete_server.core.view import view_of
from tests.fairness.evening import PLAYERS, Evening, any_settings

ROUNDS_EACH = 40


class Leak(AssertionError):
    """Something was seen before its time."""


class Watched(Evening):
    """An evening at which somebody reads every byte. `seen` is what a spectator knows who has followed from the start."""

    frames = 0
    seen: TableView | None = None

    def submit(self, command: AnyCommand) -> Answer:
        before = self.table.version
        answer = super().submit(command)
        if self.table.version != before:
            self._read(self.batches[-1])
        return answer

    def _read(self, payload: bytes) -> None:
        """A batch as it goes to everybody, a snapshot as it goes to whoever comes now, and the store's copy."""
        frame = decode_frame(payload)
        assert isinstance(frame, Batch)
        late = snapshot(self.table, self.now)
        taken = decode_frame(late)
        assert isinstance(taken, Snapshot)
        self.seen = view_of(self.table) if self.seen is None else reduce_all(self.seen, frame.events)
        if taken.view != self.seen:
            raise Leak("a late-comer knows other things than somebody who saw everything")
        self._in_order(frame)
        for where, written in (("frame", payload), ("snapshot", late), ("store", pack_table(self.table))):
            self.frames += 1
            self._no_secret_in(where, written)

    def _no_secret_in(self, where: str, written: bytes) -> None:
        table = self.table
        if self.key in written:
            raise Leak(f"the cluster key stands in a {where}")
        if round_secret(self.key, table.id, table.round, table.nonce) in written:
            raise Leak(f"the secret of round {table.round}, which is open, stands in a {where}")
        revealed = {one.player for one in table.contributions if one.entropy}
        for player in PLAYERS:
            entropy = self.secrets.get((player, table.round))
            if entropy is not None and player not in revealed and entropy in written:
                raise Leak(f"what {player} has not revealed stands in a {where}")

    def _in_order(self, frame: Batch) -> None:
        """No card in the batch of the close or before it; no card at a table with reveals before they are closed."""
        closing = [place for place, event in enumerate(frame.events) if isinstance(event, e.BettingClosed)]
        cards = [place for place, event in enumerate(frame.events) if isinstance(event, e.CardDealt | e.CardBurnt)]
        if closing and closing[0] != len(frame.events) - 1:
            raise Leak("something follows the close in its batch")
        if cards and closing:
            raise Leak("a card in the batch of the close")


def watch(rounds: int, seed: int, told: Callable[[int, int], None]) -> tuple[int, int]:
    """Rounds played and frames read. Raises `Leak`."""
    rng, played, frames = Random(seed), 0, 0
    while played < rounds:
        evening = Watched(Random(rng.getrandbits(64)), any_settings(rng))
        for _ in range(min(ROUNDS_EACH, rounds - played)):
            evening.play_round()
            played += 1
        frames += evening.frames
        told(played, rounds)
    return played, frames


def main(rounds: int, seed: int, told: Callable[[int, int], None]) -> int:
    began = time.monotonic()
    try:
        played, frames = watch(rounds, seed, told)
    except Leak as leak:
        sys.stdout.write(f"LEAK: {leak}\nseed {seed}\n")
        return 1
    seconds = time.monotonic() - began
    sys.stdout.write(
        f"{played} rounds, {frames} frames, snapshots and states read; nothing was seen too early. {seconds:.0f} s\n"
    )
    return 0
