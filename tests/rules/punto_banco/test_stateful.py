"""Coups of chance over many shoes, good and bad bets, commands that make no sense: what must hold after every one."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tapete_rules.cards import Card, Shoe
from tapete_rules.codes import REFUSALS
from tapete_rules.events import BoxSettled, CardDealt, CoupDecided, Event, ShoeOpened, SpotSettled
from tapete_rules.game import Act, Command, Deal, FundsChanged, HousePlays, Refusal, StakedBox
from tapete_rules.punto_banco import PuntoBanco, PuntoBancoSettings, PuntoBancoState
from tests.rules.punto_banco.seeds import PUNTO_DRAWS, banca_draws

OWNERS = ("ana", "berta", "carla", "dina")
SPOTS = ("punto", "banca", "tie", "punto_pair", "banca_pair")
VALUES = {rank: place % 10 for rank, place in zip("A23456789TJQK", [*range(1, 11), 10, 10, 10], strict=True)}
GOOD = st.integers(1, 125).map(lambda chips: 100 * chips)
BAD = st.sampled_from([1, 99, 150, 12_600, 10**9, -100])
BETS = st.dictionaries(st.sampled_from(SPOTS), GOOD, min_size=1)
CHIPS = 100_000_000
DOCUMENTS = st.fixed_dictionaries(
    {
        "decks": st.integers(1, 2),
        "tableau": st.sampled_from(("reglamento", "europacasino", "casinoonnet")),
        "commission": st.booleans(),
        "burn": st.booleans(),
        "cut_card": st.integers(11, 30),
    }
)


class Dice:
    """Cards of chance from one seed."""

    def __init__(self, seed: int) -> None:
        self.words = 0
        self._dice = random.Random(seed)

    def draw(self, shoe: Shoe) -> Card:
        self.words += 1
        return shoe.at(self._dice.randrange(len(shoe)))


class Table(RuleBasedStateMachine):
    """A table with up to four players, of one or two decks so that shoes end often."""

    def __init__(self) -> None:
        super().__init__()
        self.game = PuntoBanco()
        self.state: PuntoBancoState = self.game.initial()
        self.steps: list[Callable[[PuntoBancoState], PuntoBancoState]] = []
        self.stacks = dict.fromkeys(OWNERS, CHIPS)
        self.house = 0
        self.out: list[Card] = []
        self.shoes = 0
        self.cards = Dice(0)

    @initialize(seed=st.integers(0, 2**32), document=DOCUMENTS)
    def open(self, seed: int, document: dict[str, Any]) -> None:
        self.cards = Dice(seed)
        self.game = PuntoBanco(PuntoBancoSettings.from_plain(document))
        self.state = self.game.initial()

    @rule(stakes=st.dictionaries(st.sampled_from((*SPOTS, "main")), st.one_of(GOOD, BAD), min_size=1))
    def ask_for_bets(self, stakes: dict[str, int]) -> None:
        """A refused bet changes nothing, and its code says what to do."""
        before = self.state
        refusal = self.game.check_stakes(stakes)
        most = {"punto": 100_000, "banca": 100_000, "main": 0}
        allowed = [100 <= bet <= most.get(spot, 12_500) and bet % 100 == 0 for spot, bet in stakes.items()]
        assert (refusal is None) == all(allowed)
        assert refusal is None or refusal.code in REFUSALS
        assert self.state is before

    @precondition(lambda self: self.game.over(self.state))
    @rule(bets=st.dictionaries(st.integers(1, 4), BETS, min_size=1))
    def coup(self, bets: dict[int, dict[str, int]]) -> None:
        self._begin(bets)
        before = self.state
        for event in self._do(Deal()):
            self._see(event)
        assert self.state.shoe_due or len(self.state.shoe) > 0
        assert self.state.coup == (1 if before.shoe_due else before.coup + 1)
        self._check_hands()
        self._check_codec()

    @precondition(lambda self: self.game.over(self.state))
    @rule()
    def void(self) -> None:
        """Bets come back before the deal, and the shoe does not move."""
        stacks, shoe = dict(self.stacks), self.state.shoe
        self._begin({1: {"tie": 100}, 2: {"punto": 500}})
        for box in self.state.boxes:
            self.stacks[box.owner] += box.staked
        self._step(self.game.clear)
        assert (self.stacks, self.state.shoe, self.state.boxes) == (stacks, shoe, ())

    @rule(command=st.sampled_from((Act(1, 0, "hit"), Act(9, 9, "split"), HousePlays("ana"), FundsChanged())))
    def nobody_decides(self, command: Command) -> None:
        before, words = self.state, self.cards.words
        decided = self.game.decide(self.state, command, self.cards, self.stacks)
        assert decided == (Refusal("round_over") if isinstance(command, Act) else ())
        assert (self.state, self.cards.words) == (before, words)

    def _begin(self, bets: dict[int, dict[str, int]]) -> None:
        boxes = tuple(StakedBox(box, OWNERS[box - 1], stakes) for box, stakes in bets.items())
        assert all(self.game.check_stakes(box.stakes) is None for box in boxes)
        for box in boxes:
            self.stacks[box.owner] -= sum(box.stakes.values())
        self._step(lambda state: self.game.begin(state, boxes))

    def _do(self, command: Command) -> tuple[Event, ...]:
        decided = self.game.decide(self.state, command, self.cards, self.stacks)
        assert not isinstance(decided, Refusal), decided
        for event in decided:
            self._step(lambda state, event=event: self.game.evolve(state, event))  # type: ignore[misc]
        return decided

    def _step(self, step: Callable[[PuntoBancoState], PuntoBancoState]) -> None:
        self.state = step(self.state)
        self.steps.append(step)

    def _see(self, event: Event) -> None:
        match event:
            case ShoeOpened():
                self.out = []
                self.shoes += 1
            case BoxSettled():
                self.stacks[event.owner] += event.returned
                self.house += event.staked - event.returned
            case SpotSettled():
                assert event.returned >= (event.stake if event.outcome in ("win", "push") else 0)
            case CardDealt():
                assert event.word <= self.cards.words
            case _:
                pass

    def _check_hands(self) -> None:
        """The hands are as a plain reading of the seeds leaves them."""
        punto, banca = ([VALUES[card[0]] for card in hand] for hand in (self.state.punto, self.state.banca))
        first, second = sum(punto[:2]) % 10, sum(banca[:2]) % 10
        natural = first >= 8 or second >= 8
        assert (len(punto) == 3) == (not natural and first in PUNTO_DRAWS)
        drew = not natural and banca_draws(self.game.settings.tableau, second, tuple(punto))
        assert (len(banca) == 3) == drew
        difference = sum(punto) % 10 - sum(banca) % 10
        decided = self.state.decided
        assert isinstance(decided, CoupDecided)
        assert decided.winner == ("tie" if difference == 0 else "punto" if difference > 0 else "banca")
        assert decided.natural == natural
        if self.state.coup == 1:
            self.out = list(self.state.burnt)
        self.out += [*self.state.punto, *self.state.banca]

    def _check_codec(self) -> None:
        """Any codec that reads type annotations writes and reads the state."""
        assert msgspec.convert(msgspec.to_builtins(self.state), type=self.game.state_type) == self.state
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(self.state), type=self.game.state_type) == self.state
        msgspec.json.encode(self.game.view(self.state))

    @invariant()
    def chips_are_conserved(self) -> None:
        staked = sum(box.staked for box in self.state.boxes if box.returned is None)
        assert sum(self.stacks.values()) + staked + self.house == CHIPS * len(OWNERS)

    @invariant()
    def no_card_comes_more_often_than_the_shoe_has_it(self) -> None:
        shoe = Shoe.of(self.game.settings.decks)
        for card in self.out:
            shoe = shoe.without(card)
        assert shoe == self.state.shoe

    def teardown(self) -> None:
        """All that happened, replayed from the start, gives the same state."""
        state = self.game.initial()
        for step in self.steps:
            state = step(state)
        assert state == self.state


Table.TestCase.settings = settings(max_examples=30, stateful_step_count=40, deadline=None, derandomize=True)
TestTable = Table.TestCase
