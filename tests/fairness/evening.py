"""A table at which everything happens by chance, through the real core: what a soak plays, and what its records are.

Nothing is checked here but that a record comes of every round: the verifier is the judge.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.base import PlayerId
from tapete_protocol.chain import genesis_head
from tapete_protocol.fair import entropy_commitment
from tapete_protocol.frames import Author
from tapete_server.core.codec import pack_batch
from tapete_server.core.commands import (
    Answer,
    AnyCommand,
    ConfirmOut,
    CreditBuyIn,
    DeadlinePassed,
    Decision,
    Dice,
    FromPlayer,
    MarkAway,
    QueueSettings,
    VoidRound,
)
from tapete_server.core.decide import decide, open_table
from tapete_server.core.evolve import opened, sealed
from tapete_server.core.games import game_for
from tapete_server.core.records import pack_record

PLAYERS = ("ana", "ben", "carla", "dan")
START_MS = 1_900_000_000_000
STEPS_MAX = 400
"""Of one round; should it last longer, it is void."""
KEY = bytes(range(32))


class Evening:
    """One table. `records` are those of the rounds that have ended, packed."""

    def __init__(self, rng: Random, settings: str, table: str = "mesa", key: bytes = KEY) -> None:
        self.rng, self.key, self.now = rng, key, START_MS
        self.records: list[bytes] = []
        self.secrets: dict[tuple[str, int], bytes] = {}
        self.transfers = 0
        event = e.TableOpened("Mesa", game_for(settings).name, settings, public=True, opener="house")
        empty = opened(table, event, genesis_head(table))
        events, after = open_table(empty, event, self.now, self._fresh())
        batch, payload = pack_batch(empty, events, self.now, None)
        self.table = sealed(after, batch, payload)
        self.batches = [payload]

    def _fresh(self) -> Dice:
        return Dice(self.key, self.rng.randbytes(32))

    # --- what is asked ---

    def submit(self, command: AnyCommand) -> Answer:
        before = self.table
        answer = decide(before, command, self.now, self._fresh())
        if isinstance(answer, Decision) and answer.events:
            author = None
            if isinstance(command, FromPlayer) and not isinstance(command.command, c.Reveal):
                author = Author(player=command.player, seq=command.command.seq, digest=command.digest)
            batch, payload = pack_batch(before, answer.events, answer.at, author)
            self.table = sealed(answer.table, batch, payload)
            self.batches.append(payload)
            if any(isinstance(event, e.RoundSettled | e.RoundVoided) for event in answer.events):
                self.records.append(pack_record(before, self.batches))
                self.batches = [payload]
        return answer

    def play(self, player: str, kind: Any, **fields: Any) -> Answer:
        found = self.table.player(player)
        stint, seq = (found.stint, found.seq + 1) if found else (0, 1)
        command = kind(id=1, table=self.table.id, stint=stint, seq=seq, **fields)
        return self._send(player, command)

    def reveal(self, player: str) -> Answer:
        entropy = self.secrets.get((player, self.table.round), bytes(32))
        return self._send(player, c.Reveal(id=1, table=self.table.id, round=self.table.round, entropy=entropy))

    def _send(self, player: str, command: Any) -> Answer:
        digest = hashlib.sha256(repr(command).encode()).digest()[:16]
        return self.submit(FromPlayer(PlayerId(player), player.title(), f"n1.{player}", command, digest))

    def buy_in(self, player: str, amount: int) -> None:
        self.transfers += 1
        self.submit(CreditBuyIn(f"{player}~{self.transfers}", PlayerId(player), amount))

    def fire(self) -> bool:
        """The next clock runs out, in time."""
        found = self.table.earliest_deadline()
        if found is None:
            return False
        name, at = found
        self.now = max(self.now, at)
        self.submit(DeadlinePassed(name, at))
        return True

    def arrived(self) -> None:
        for out in self.table.outgoing:
            self.submit(ConfirmOut(out.transfer))

    # --- chance ---

    def play_round(self) -> None:
        """One round, from its opening to the next one's."""
        number = self.table.round
        for _ in range(STEPS_MAX):
            if self.table.round != number:
                return
            self.now += self.rng.randrange(200)
            self._step()
        self.submit(VoidRound(number, self.table.nonce, "operator"))

    def _step(self) -> None:
        if self.rng.random() < 0.002:
            self.submit(VoidRound(self.table.round, self.table.nonce, "operator"))
            return
        {"settled": self._pause, "betting": self._betting, "closing": self._closing, "playing": self._playing}[
            self.table.phase
        ]()

    def _pause(self) -> None:
        self.arrived()
        if self.table.deadline("pause"):
            self.now = max(self.now, self.table.deadline("pause"))
            self.submit(DeadlinePassed("pause", self.table.deadline("pause")))

    def _betting(self) -> None:
        player = self.rng.choice(PLAYERS)
        roll = self.rng.random()
        if self.table.player(player) is None:
            self._sit(player)
        elif roll < 0.06:
            self._come_and_go(player)
        elif roll < 0.75:
            self._bet(player)
        elif roll < 0.97:
            self.play(player, c.Ready)
        elif self.table.bets:
            self.fire()

    def _sit(self, player: str) -> None:
        self.play(player, c.TakeBox, box=self.rng.randint(1, 4))
        self.buy_in(player, self.rng.choice((300, 2_000, 50_000)))

    def _come_and_go(self, player: str) -> None:
        match self.rng.randrange(6):
            case 0:
                self.play(player, c.Leave)
            case 1:
                self.play(player, c.TakeBox, box=self.rng.randint(1, 4))
            case 2:
                self.play(player, c.FreeBox, box=self.rng.randint(1, 4))
            case 3:
                self.play(player, c.CashOut, amount=self.rng.choice((100, 1_000)))
            case 4:
                self.submit(MarkAway(PlayerId(player), f"n1.{player}"))
            case _:
                document = {**json.loads(self.table.settings), **_changed(self.rng)}
                self.submit(QueueSettings(json.dumps(document)))
        self.arrived()

    def _bet(self, player: str) -> None:
        mine = self.table.boxes_of(player)
        found = self.table.player(player)
        if found is not None and found.stack < 100:
            self.buy_in(player, self.rng.choice((500, 3_000)))
        game = game_for(self.table.settings)
        bets = []
        for box in mine:
            for spot in game.spots:
                if spot == game.spots[0] or self.rng.random() < 0.3:
                    low, high = game.limits(spot)
                    amount = self.rng.choice((0, low, low, 2 * low, 5 * low, high))
                    bets.append(c.Bet(box, spot, amount))
        if bets:
            self.play(player, c.PlaceBets, bets=tuple(bets), **self._commitment(player))

    def _commitment(self, player: str) -> dict[str, bytes]:
        table = self.table
        if not game_for(table.settings).reveals or self.rng.random() < 0.15:
            return {}
        entropy = self.secrets.get((player, table.round))
        if entropy is None or self.rng.random() < 0.05:
            entropy = self.secrets[player, table.round] = self.rng.randbytes(32)
        return {"commitment": entropy_commitment(table.id, table.round, player, entropy)}

    def _closing(self) -> None:
        roll = self.rng.random()
        if roll < 0.85:
            self.reveal(self.rng.choice([one.player for one in self.table.contributions] or PLAYERS))
        elif roll < 0.88:
            self.play(self.rng.choice(PLAYERS), c.Leave)
        elif name := next((name for name in ("closing", "deal") if self.table.deadline(name)), None):
            at = self.table.deadline(name)
            self.now = max(self.now, at)
            self.submit(DeadlinePassed(name, at))

    def _playing(self) -> None:
        turn = game_for(self.table.settings).legal(self.table.play, self.table.funds())
        roll = self.rng.random()
        assert turn is not None, "a round in play waits for somebody"
        if roll < 0.05:
            at = self.table.deadline("turn")
            self.now = max(self.now, at)
            self.submit(DeadlinePassed("turn", at))
        elif roll < 0.08:
            self.play(self.rng.choice(PLAYERS), c.Leave)
        elif roll < 0.14:
            player = self.rng.choice(PLAYERS)
            self.play(player, c.CashOut, amount=self.rng.choice((100, 400)))
            self.arrived()
        elif roll < 0.2:
            self.buy_in(turn.owner, 1_000)
        elif roll < 0.23:
            found = self.table.player(turn.owner)
            self.play(turn.owner, c.CashOut, amount=found.stack if found else 0)
            self.arrived()
        else:
            daring = [action for action in turn.legal if action in ("split", "double")]
            action = self.rng.choice(daring if daring and self.rng.random() < 0.7 else turn.legal)
            self.play(turn.owner, c.Act, box=turn.box, hand=turn.hand, action=action)


def _changed(rng: Random) -> dict[str, Any]:
    return {"reveals": rng.random() < 0.7, "decks": rng.randint(4, 8)}


def any_settings(rng: Random) -> str:
    """A document of either game, with what differs by chance."""
    names: tuple[str, ...]
    document: dict[str, Any] = {"times": {"betting_ms": 5_000, "closing_ms": 2_000, "pause_ms": rng.choice((0, 1_000))}}
    if rng.random() < 0.75:
        document["reveals"] = True
    if rng.random() < 0.5:
        document["chips"] = rng.choice(([100, 500], [50, 100, 1000], [25]))
    if rng.random() < 0.6:
        document |= {"game": "double_exposure", "decks": rng.randint(2, 8), "max_hands": rng.randint(1, 4)}
        if rng.random() < 0.5:
            document |= {
                "dealer_hits_soft_17": rng.random() < 0.5,
                "double_on": rng.choice(("hard_9_to_11", "low_9_to_11", "any")),
                "double_after_split": rng.random() < 0.5,
                "blackjack_tie": rng.choice(("push", "win")),
            }
        names = ("blackjack_odds", "bonus_blackjack_odds", "seven_odds", "two_sevens_odds", "three_sevens_odds")
        document["bonus_max"] = rng.choice((0, 2_000, 20_000))
    else:
        document |= {"game": "punto_banco", "decks": rng.randint(1, 8), "burn": rng.random() < 0.7}
        document["tableau"] = rng.choice(("reglamento", "europacasino", "casinoonnet"))
        document["commission"] = rng.random() < 0.5
        document["cut_card"] = rng.randint(11, 30)
        names = ("banca_six_odds", "punto_odds", "tie_odds", "pair_odds")
        for name in ("tie_max", "pair_max"):
            if rng.random() < 0.4:
                document[name] = rng.choice((0, 1_000, 50_000))
    for name in names:
        if rng.random() < 0.4:
            document[name] = [rng.randint(1, 12), rng.choice((1, 1, 2, 5))]
    return json.dumps(document)


def evenings(seed: int, rounds_each: int) -> Iterator[Evening]:
    """One table after the other, each after so many rounds, for ever. The same seed gives the same ones."""
    rng = Random(seed)
    while True:
        evening = Evening(Random(rng.getrandbits(64)), any_settings(rng))
        for _ in range(rounds_each):
            evening.play_round()
        yield evening
