"""Everything that can be asked of a table, in any order: legal, illegal, repeated, stale, early, late and twice."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tapete_protocol import commands as c
from tapete_protocol.base import PlayerId
from tapete_server.core.commands import (
    Close,
    ConfirmOut,
    DeadlinePassed,
    Decision,
    GiveTime,
    MarkAway,
    MarkBack,
    QueueSettings,
    Refusal,
    Repeat,
    VoidRound,
    Wait,
)
from tests.server.core.ledger import Ledger
from tests.server.core.pulse import check_pulse
from tests.server.core.table_driver import ZERO, TableDriver

PLAYERS = ("ana", "berta", "carla")
WALLET = 1_000_000
REAL = {"betting_ms": 9_000, "turn_ms": 7_000, "hold_ms": 20_000, "idle_ms": 60_000}
BRISK = {**ZERO, "turn_ms": 1, "hold_ms": 1}

BUSY_STEPS = 25
BUSY_WEIGHTS = (6, 6, 8, 8, 3, 1, 1, 1, 2)

players = st.sampled_from(PLAYERS)
boxes = st.integers(1, 4)
amounts = st.sampled_from((0, 100, 500, 1000, 2000, 5000, 123, 10**9))
lateness = st.sampled_from((0, 0, 0, 1, 2_000, 2_001, 60_000))


class TableMachine(RuleBasedStateMachine):
    """One table of `game`; a subclass names it."""

    game = "double_exposure"

    @initialize(times=st.sampled_from((REAL, ZERO, BRISK)), key=st.binary(min_size=32, max_size=32))
    def opened(self, times: dict[str, int], key: bytes) -> None:
        self.driver = TableDriver(self.game, times, key)
        self.ledger = Ledger(dict.fromkeys(PLAYERS, WALLET))
        self.noted = 0
        for box, player in enumerate(PLAYERS, 1):
            self.driver.sit(player, box, chips=0)
            self._buy(player, 50_000)

    @property
    def table(self) -> Any:
        return self.driver.table

    def _buy(self, player: str, amount: int) -> None:
        amount = min(amount, self.ledger.wallets[player])
        if amount:
            self.ledger.wallets[player] -= amount
            if not isinstance(self.driver.buy_in(player, amount), Decision):
                self.ledger.wallets[player] += amount

    # --- players ---

    @rule(amounts=st.lists(st.sampled_from((0, 500, 1000, 2000)), min_size=3, max_size=3))
    def everybody_bets(self, amounts: list[int]) -> None:
        spot = self.driver.game.spots[0]
        for player, amount in zip(PLAYERS, amounts, strict=True):
            bets = tuple(c.Bet(box, spot, amount) for box in self.table.boxes_of(player))
            if bets:
                self.driver.play(player, c.PlaceBets, bets=bets)

    @rule(player=players, data=st.data())
    def bets_this_and_that(self, player: str, data: st.DataObject) -> None:
        spots = st.sampled_from((*self.driver.game.spots, self.driver.game.spots[0], "nowhere"))
        mine = self.table.boxes_of(player) or [1]
        bets = st.lists(st.builds(c.Bet, st.sampled_from([*mine, *mine, 4]), spots, amounts), min_size=1, max_size=4)
        self.driver.play(player, c.PlaceBets, bets=tuple(data.draw(bets)))

    @rule(choices=st.lists(st.integers(0, 4), min_size=1, max_size=3))
    def some_decide(self, choices: list[int]) -> None:
        for choice in choices:
            if (turn := self.driver.turn) is None:
                return
            late = self.driver.now >= self.table.deadline("turn")
            answer = self.driver.act(turn.legal[choice % len(turn.legal)])
            assert isinstance(answer, Decision) or (late and isinstance(answer, Refusal) and answer.code == "too_late")

    @rule(player=players, what=st.integers(0, 4), box=boxes, amount=amounts)
    def a_player_acts(self, player: str, what: int, box: int, amount: int) -> None:
        match what:
            case 0:
                self.driver.play(player, c.TakeBox, box=box, via=f"n{box}.{player}")
            case 1:
                self.driver.ready(player, ready=amount > 0)
            case 2:
                self.driver.play(player, c.FreeBox, box=box)
            case 3:
                self.driver.play(player, c.CashOut, amount=amount)
            case _:
                action = ("hit", "stand", "double", "split")[box - 1]
                self.driver.play(player, c.Act, box=box, hand=amount % 4, action=action)

    @rule(player=players, amount=st.sampled_from((1, 1000, 50_000)))
    def buys_in(self, player: str, amount: int) -> None:
        self._buy(player, amount)

    @rule(player=players, box=boxes)
    def comes_with_chips(self, player: str, box: int) -> None:
        self.driver.play(player, c.TakeBox, box=box)
        self._buy(player, 20_000)

    @rule(player=players)
    def leaves(self, player: str) -> None:
        self.driver.play(player, c.Leave)

    @rule(player=players, amount=st.sampled_from((100, 1000)), back=st.integers(0, 2), other_stint=st.booleans())
    def says_it_again(self, player: str, amount: int, back: int, *, other_stint: bool) -> None:
        """An accepted command once more changes nothing and has its first answer; older ones are stale."""
        first = self.driver.play(player, c.CashOut, amount=amount)
        version, found = self.table.version, self.table.player(player)
        again = self.driver.repeat(player)
        assert again == (Repeat(version) if isinstance(first, Decision) else first)
        if found is not None:
            seq = found.seq + 1 if other_stint else max(found.seq - back, 0)
            old = c.CashOut(id=1, table="mesa", stint=found.stint - other_stint, seq=seq, amount=77)
            answer = self.driver.send(player, old, "n9.x")
            assert isinstance(answer, Refusal)
            assert answer.code == "stale"
        assert self.table.version == version

    # --- connections, money, operators ---

    @rule(player=players, right=st.booleans())
    def loses_connection(self, player: str, *, right: bool) -> None:
        found = self.table.player(player)
        via = found.via if found and right else "n7.old"
        self.driver.submit(MarkAway(PlayerId(player), via))

    @rule(player=players, connection=st.integers(1, 3), lost_ms=st.sampled_from((0, 0, 3_000, 60_000)))
    def comes_back(self, player: str, connection: int, lost_ms: int) -> None:
        self.driver.submit(MarkBack(PlayerId(player), f"n{connection}.{player}", lost_ms))

    @rule(player=players, late_ms=st.sampled_from((0, 0, 1)), lost_ms=st.sampled_from((0, 900, 60_000)))
    def gets_time_back(self, player: str, late_ms: int, lost_ms: int) -> None:
        self.driver.submit(GiveTime(PlayerId(player), self.table.deadline("turn") - late_ms, lost_ms))

    @rule()
    def wallets_have_the_chips(self) -> None:
        for transfer in ("mesa.0.0.0", *(out.transfer for out in self.driver.table.outgoing)):
            self.driver.submit(ConfirmOut(transfer))

    @rule(what=st.integers(0, 4), times=st.sampled_from((REAL, ZERO)))
    def an_operator_acts(self, what: int, times: dict[str, int]) -> None:
        match what:
            case 0:
                self.driver.void()
            case 1:
                self.driver.submit(VoidRound(self.table.round, b"?" * 16, "too late"))
            case 2:
                queued = self.driver.submit(QueueSettings(json.dumps({"game": self.game, "times": times})))
                assert isinstance(queued, Decision)
            case 3:
                assert isinstance(self.driver.submit(QueueSettings('{"game": "faro"}')), Refusal)
            case _:
                answer = self.driver.submit(Close("house"))
                assert isinstance(answer, Refusal) or not self.driver.table.players

    # --- time ---

    @rule(ms=st.sampled_from((1, 400, 3_000)))
    def time_passes(self, ms: int) -> None:
        self.driver.now += ms

    @rule(data=st.data(), late_ms=lateness, twice=st.booleans())
    def a_clock_runs_out(self, data: st.DataObject, late_ms: int, *, twice: bool) -> None:
        clocks = self.table.deadlines
        if not clocks:
            return
        name, at = data.draw(st.sampled_from(clocks))
        if self.driver.now < at:
            assert self.driver.submit(DeadlinePassed(name, at)) == Wait(at)
        assert isinstance(self.driver.fire(name, late_ms), Decision)
        if twice and self.table.deadline(name) != at:
            again = self.driver.submit(DeadlinePassed(name, at))
            assert isinstance(again, Decision)
            assert not again.events

    @rule()
    def everybody_is_ready(self) -> None:
        for player in self.table.players:
            self.driver.ready(player.id)

    @rule()
    def the_round_goes_on(self) -> None:
        """Whatever the round waits for happens in time."""
        waits = {"closing": "deal", "playing": "turn", "settled": "pause"}.get(self.table.phase)
        if waits:
            self.driver.fire(waits)

    @rule(seed=st.integers(0, 2**32))
    def a_busy_while(self, seed: int) -> None:
        """An evening with more play in it than chance alone brings about: one seed, one story."""
        rng = Random(seed)
        for _ in range(BUSY_STEPS):
            match rng.choices(("bet", "ready", "on", "act", "sit", "away", "back", "leave", "paid"), BUSY_WEIGHTS)[0]:
                case "bet":
                    self.everybody_bets([rng.choice((0, 1000, 2000)) for _ in PLAYERS])
                case "ready":
                    self.everybody_is_ready()
                case "on":
                    self.the_round_goes_on()
                case "act":
                    self.some_decide([rng.randrange(5), rng.randrange(5)])
                case "sit":
                    self.comes_with_chips(rng.choice(PLAYERS), rng.randint(1, 4))
                case "away":
                    self.loses_connection(rng.choice(PLAYERS), right=True)
                case "back":
                    self.comes_back(rng.choice(PLAYERS), rng.randint(1, 3), 0)
                case "leave":
                    self.leaves(rng.choice(PLAYERS))
                case _:
                    self.wallets_have_the_chips()
            self.chips_are_conserved()
            self.never_stuck()

    # --- always ---

    @invariant()
    def chips_are_conserved(self) -> None:
        for event in self.driver.events[self.noted :]:
            self.ledger.note(event)
        self.noted = len(self.driver.events)
        self.ledger.check(self.table)

    @invariant()
    def never_stuck(self) -> None:
        check_pulse(self.table)

    def teardown(self) -> None:
        if hasattr(self, "driver"):
            assert self.driver.replayed() == self.table
