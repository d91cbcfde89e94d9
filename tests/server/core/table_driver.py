"""A table for tests: a value, a virtual store clock, and every commit held against what must always be true of one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, TypeVar

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.base import PlayerId
from tapete_protocol.chain import genesis_head, next_head
from tapete_protocol.codes import CODES
from tapete_protocol.frames import Author
from tapete_protocol.reduce import reduce_all
from tapete_rules.game import Game, Turn
from tapete_server.core.codec import pack_batch, pack_table, snapshot, unpack_batch, unpack_table
from tapete_server.core.commands import (
    Answer,
    AnyCommand,
    CreditBuyIn,
    DeadlinePassed,
    Decision,
    Dice,
    FromPlayer,
    Refusal,
    VoidRound,
)
from tapete_server.core.decide import decide, open_table
from tapete_server.core.evolve import after_batch, opened, sealed
from tapete_server.core.games import game_for
from tapete_server.core.state import Player, Table, broken
from tapete_server.core.stream import round_secret
from tapete_server.core.view import view_of

BLOB_BYTES_MAX = 8 * 1024
START_MS = 1_700_000_000_000
ZERO = {"betting_ms": 0, "closing_ms": 0, "pause_ms": 0, "card_ms": 0}

Kind = TypeVar("Kind", bound=e.Event)


class TableDriver:
    """`payloads` is the log, `events` all that happened, `last` what the last commit made happen."""

    def __init__(
        self,
        game: str = "double_exposure",
        times: Mapping[str, int] | None = None,
        key: bytes = b"k" * 32,
        **fields: Any,
    ) -> None:
        self.key = key
        self.now = START_MS
        self.payloads: list[bytes] = []
        self.events: list[e.Event] = []
        self.last: tuple[e.Event, ...] = ()
        self._last_sent: dict[str, FromPlayer] = {}
        self._dice = 0
        self._transfers = 0
        settings = json.dumps({"game": game, **fields, "times": dict(times or {})})
        event = e.TableOpened("Mesa", game, settings, public=True, opener="house")
        empty = opened("mesa", event, genesis_head("mesa"))
        events, after = open_table(empty, event, self.now, self._fresh())
        batch, payload = pack_batch(empty, events, self.now, None)
        self.table = sealed(after, batch, payload)
        assert self.table == after_batch(None, unpack_batch(payload), payload)
        self._note(events, payload)

    # --- what is asked ---

    def submit(self, command: AnyCommand) -> Answer:
        """Decide, and commit what was decided."""
        dice = self._fresh()
        before = pack_table(self.table)
        answer = decide(self.table, command, self.now, dice)
        assert pack_table(self.table) == before, "deciding changes nothing"
        assert decide(self.table, command, self.now, dice) == answer, "the same question has the same answer"
        self.last = ()
        match answer:
            case Decision(events=events) if events:
                self._commit(command, answer)
            case Refusal(code, detail):
                assert code in CODES
                assert set(detail) <= set(CODES[code].detail), (code, detail)
            case _:
                pass
        return answer

    def play(self, player: str, kind: type[c.Placed], *, via: str | None = None, **fields: Any) -> Answer:
        """The player's next command, through the connection that has control unless another one is named."""
        found = self.table.player(player)
        stint, seq = (found.stint, found.seq + 1) if found else (0, 1)
        through = via or (found.via if found and found.via else f"n1.{player}")
        return self.send(player, kind(id=1, table="mesa", stint=stint, seq=seq, **fields), through)

    def send(self, player: str, command: c.Placed, via: str) -> Answer:
        digest = hashlib.sha256(repr(command).encode()).digest()[:16]
        assert isinstance(command, c.TableCommand)
        sent = FromPlayer(PlayerId(player), player.title(), via, command, digest)
        self._last_sent[player] = sent
        return self.submit(sent)

    def repeat(self, player: str) -> Answer:
        """The player's last command once more, bit for bit."""
        return self.submit(self._last_sent[player])

    def sit(self, player: str, *boxes: int, chips: int = 100_000) -> None:
        for box in boxes:
            assert isinstance(self.play(player, c.TakeBox, box=box), Decision)
        if chips:
            assert isinstance(self.buy_in(player, chips), Decision)

    def buy_in(self, player: str, amount: int) -> Answer:
        self._transfers += 1
        return self.submit(CreditBuyIn(f"{player}~{self._transfers}", PlayerId(player), amount))

    def bet(self, player: str, box: int, amount: int = 1000, spot: str | None = None) -> Answer:
        return self.play(player, c.PlaceBets, bets=(c.Bet(box, spot or self.game.spots[0], amount),))

    def ready(self, player: str, *, ready: bool = True) -> Answer:
        return self.play(player, c.Ready, ready=ready)

    def act(self, action: str) -> Answer:
        """The hand whose turn it is does this."""
        turn = self.turn
        assert turn is not None
        return self.play(turn.owner, c.Act, box=turn.box, hand=turn.hand, action=action)

    def fire(self, name: str, late_ms: int = 0) -> Answer:
        """The clock runs out, and a node says so so much later."""
        at = self.table.deadline(name)
        assert at, f"{name} does not run: {self.table.deadlines}"
        self.now = max(self.now, at + late_ms)
        return self.submit(DeadlinePassed(name, at))

    def void(self, why: str = "operator") -> Answer:
        return self.submit(VoidRound(self.table.round, self.table.nonce, why))

    def deal(self) -> None:
        """Everybody with a bet is ready; the cards come."""
        for player in self.table.players:
            if self.table.phase == "betting" and self.table.has_stake(player.id):
                self.ready(player.id)
        assert self.table.phase == "closing"
        self.fire("deal")

    # --- what is seen ---

    @property
    def game(self) -> Game[Any]:
        return game_for(self.table.settings)

    @property
    def turn(self) -> Turn | None:
        table = self.table
        return self.game.legal(table.play, table.funds()) if table.phase == "playing" else None

    def player(self, player: str) -> Player:
        found = self.table.player(player)
        assert found is not None, f"{player} is not at the table"
        return found

    def happened(self, kind: type[Kind]) -> list[Kind]:
        """The events of a kind in the last commit."""
        return [event for event in self.last if isinstance(event, kind)]

    def replayed(self) -> Table:
        """The state that the log alone leads to."""
        table = None
        for payload in self.payloads:
            table = after_batch(table, unpack_batch(payload), payload)
        assert table is not None
        return table

    # --- what must be true of every commit ---

    def _commit(self, command: AnyCommand, decision: Decision) -> None:
        before = self.table
        author = None
        if isinstance(command, FromPlayer) and not isinstance(command.command, c.Reveal):
            author = Author(player=command.player, seq=command.command.seq, digest=command.digest)
        batch, payload = pack_batch(before, decision.events, decision.at, author)
        after = sealed(decision.table, batch, payload)
        assert decision.at == self.now
        assert decision.not_before_ms <= self.now <= (decision.not_after_ms or self.now)
        assert broken(after) is None
        assert unpack_batch(payload) == batch
        assert after_batch(before, unpack_batch(payload), payload) == after, (
            "whoever follows has the state of who commits"
        )
        assert after.version == before.version + 1
        assert after.head == next_head(before.head, payload)
        assert reduce_all(view_of(before), decision.events) == view_of(after), "a client has what a snapshot shows"
        self.table = after
        self._note(decision.events, payload)

    def _note(self, events: tuple[e.Event, ...], payload: bytes) -> None:
        blob = pack_table(self.table)
        assert len(blob) <= BLOB_BYTES_MAX
        assert unpack_table(blob) == self.table
        secret = round_secret(self.key, self.table.id, self.table.round, self.table.nonce)
        for written in (blob, payload, snapshot(self.table, self.now)):
            assert secret not in written, "the secret of the open round stays with the house"
            assert self.key not in written
        self.payloads.append(payload)
        self.events += events
        self.last = events

    def _fresh(self) -> Dice:
        self._dice += 1
        return Dice(self.key, hashlib.sha256(self._dice.to_bytes(8, "big")).digest())
