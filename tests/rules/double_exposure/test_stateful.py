"""Rounds of chance, several owners, legal and illegal commands: what must hold after every one of them."""

from __future__ import annotations

import random
from typing import Any, get_args

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tapete_rules.cards import Card, Shoe
from tapete_rules.codes import REFUSALS
from tapete_rules.double_exposure import DoubleExposure, DoubleExposureSettings
from tapete_rules.double_exposure.state import DoubleExposureState
from tapete_rules.events import Action, BoxSettled, CardDealt, Event, HandClosed, StakeAdded, TurnStarted
from tapete_rules.game import Act, Command, Deal, FundsChanged, HousePlays, Refusal, StakedBox

OWNERS = ("ana", "berta", "carla")
ACTIONS = get_args(Action)
GAME = DoubleExposure(DoubleExposureSettings(decks=2))


class Dice:
    """Cards of chance; one time in two an ace, a seven or a ten if the shoe gives one soon."""

    def __init__(self, seed: int) -> None:
        self.words = 0
        self._dice = random.Random(seed)

    def draw(self, shoe: Shoe) -> Card:
        self.words += 1
        cards = [shoe.at(self._dice.randrange(len(shoe))) for _ in range(6)]
        liked = [card for card in cards if card[0] in "A7T"] if self._dice.random() < 0.5 else []
        return (liked or cards)[0]


class Table(RuleBasedStateMachine):
    """A table with up to three players in four boxes, and a house that may go below 0."""

    def __init__(self) -> None:
        super().__init__()
        self.state: DoubleExposureState = GAME.initial()
        self.start = self.state
        self.events: list[Event] = []
        self.stacks = dict.fromkeys(OWNERS, 0)
        self.house = 0
        self.chips = 0

    @initialize(seed=st.integers(0, 2**32))
    def open(self, seed: int) -> None:
        self.cards = Dice(seed)

    @precondition(lambda self: GAME.over(self.state))
    @rule(
        boxes=st.dictionaries(st.integers(1, 4), st.tuples(st.sampled_from(OWNERS), st.booleans()), min_size=1),
        stacks=st.tuples(*[st.sampled_from((5000, 300, 100, 0))] * 3),
    )
    def begin(self, boxes: dict[int, tuple[str, bool]], stacks: tuple[int, ...]) -> None:
        staked = tuple(
            StakedBox(box, owner, {"main": 100, "blackjack": 100, "sevens": 200} if bonus else {"main": 100})
            for box, (owner, bonus) in boxes.items()
        )
        self.stacks = dict(zip(OWNERS, stacks, strict=True))
        self.start = self.state = GAME.begin(self.state, staked)
        self.events = []
        self.house = 0
        self.chips = sum(stacks) + sum(sum(box.stakes.values()) for box in staked)
        if sum(stacks) % 3 == 0:
            self.apply(HousePlays("carla"))

    @precondition(lambda self: self.state.boxes and not self.state.dealer)
    @rule()
    def deal(self) -> None:
        events = self.apply(Deal())
        assert [event.place for event in events if isinstance(event, CardDealt)].count("dealer") >= 2

    @rule(box=st.integers(1, 4), hand=st.integers(0, 3), action=st.sampled_from(ACTIONS))
    def attempt(self, box: int, hand: int, action: Any) -> None:
        turn = GAME.legal(self.state, self.stacks)
        legal = turn is not None and (turn.box, turn.hand) == (box, hand) and action in turn.legal
        self.apply(Act(box, hand, action), refused=not legal)

    @precondition(lambda self: self.state.turn)
    @rule(data=st.data())
    def choose(self, data: st.DataObject) -> None:
        turn = GAME.legal(self.state, self.stacks)
        assert turn is not None
        liked = [action for action in ("split", "double") if action in turn.legal]
        action = data.draw(st.sampled_from([*liked, *liked, *turn.legal]))
        self.apply(Act(turn.box, turn.hand, action))

    @precondition(lambda self: self.state.turn)
    @rule(action=st.sampled_from(ACTIONS))
    def try_on_turn(self, action: Action) -> None:
        turn = GAME.legal(self.state, self.stacks)
        assert turn is not None
        self.apply(Act(turn.box, turn.hand, action), refused=action not in turn.legal)

    @precondition(lambda self: self.state.turn)
    @rule(owner=st.sampled_from(OWNERS))
    def house_plays(self, owner: str) -> None:
        self.apply(HousePlays(owner))
        assert self.state.turn is None or self.state.turn.owner != owner

    @precondition(lambda self: len(self.events) % 3 == 0)
    @rule(owner=st.sampled_from(OWNERS), amount=st.sampled_from((100, 1000)))
    def chips_arrive(self, owner: str, amount: int) -> None:
        self.stacks[owner] += amount
        self.chips += amount
        self.apply(FundsChanged())

    def apply(self, command: Command, *, refused: bool = False) -> tuple[Event, ...]:
        before, words = self.state, self.cards.words
        decided = GAME.decide(self.state, command, self.cards, dict(self.stacks))
        assert isinstance(decided, Refusal) == refused, decided
        if isinstance(decided, Refusal):
            assert decided.code in REFUSALS
            assert (self.state, self.cards.words) == (before, words)
            return ()
        for event in decided:
            self.state = GAME.evolve(self.state, event)
            if isinstance(event, StakeAdded):
                self.stacks[event.owner] -= event.amount
            if isinstance(event, BoxSettled):
                self.stacks[event.owner] += event.returned
                self.house += event.staked - event.returned
        self.events.extend(decided)
        return decided

    @invariant()
    def chips_are_conserved(self) -> None:
        staked = sum(box.staked for box in self.state.boxes if box.returned is None)
        assert sum(self.stacks.values()) + staked + self.house == self.chips
        assert min(self.stacks.values()) >= 0

    @invariant()
    def no_card_comes_more_often_than_the_shoe_has_it(self) -> None:
        held = [card for box in self.state.boxes for hand in box.hands for card in hand.cards]
        held += self.state.dealer
        if held:
            shoe = Shoe.of(2)
            for card in held:
                shoe = shoe.without(card)
            assert shoe == self.state.shoe

    @invariant()
    def the_events_replayed_give_the_same_state(self) -> None:
        state = self.start
        for event in self.events:
            state = GAME.evolve(state, event)
        assert state == self.state

    @invariant()
    def the_turn_says_what_is_legal(self) -> None:
        assert GAME.legal(self.state, self.stacks) == self.state.turn
        if self.state.dealer:
            assert GAME.over(self.state) == (self.state.turn is None)

    @invariant()
    def every_hand_closes_once_and_every_box_is_settled_once(self) -> None:
        if GAME.over(self.state):
            hands = sum(len(box.hands) for box in self.state.boxes)
            assert sum(isinstance(event, HandClosed) for event in self.events) == hands
            assert sum(isinstance(event, BoxSettled) for event in self.events) == len(self.state.boxes)
        assert all(len(box.hands) <= 4 for box in self.state.boxes)

    @invariant()
    def a_codec_writes_and_reads_the_state(self) -> None:
        plain = msgspec.to_builtins(self.state)
        assert msgspec.convert(plain, type=GAME.state_type) == self.state
        packed = msgspec.msgpack.encode(self.state)
        assert msgspec.msgpack.decode(packed, type=GAME.state_type) == self.state
        msgspec.json.encode(GAME.view(self.state))

    @invariant()
    def a_turn_is_announced_last(self) -> None:
        if self.state.turn is not None:
            announced = [event for event in self.events if isinstance(event, TurnStarted)]
            assert (announced[-1].box, announced[-1].hand) == (self.state.turn.box, self.state.turn.hand)


Table.TestCase.settings = settings(max_examples=120, stateful_step_count=40, deadline=None, derandomize=True)
TestTable = Table.TestCase
