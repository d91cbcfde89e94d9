"""A felt for tests: cards written down beforehand, bets by box, chips by owner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from tapete_rules.cards import Card, ListedCards
from tapete_rules.double_exposure import DoubleExposure, DoubleExposureSettings
from tapete_rules.double_exposure.state import BoxInPlay, DoubleExposureState, Hand
from tapete_rules.events import BoxSettled, CardDealt, Event, StakeAdded
from tapete_rules.game import Act, Command, Deal, FundsChanged, HousePlays, Refusal, StakedBox

Kind = TypeVar("Kind")
RICH = 1_000_000


class Felt:
    """Deals at once. Cards are ranks as they leave the shoe, with a suit where one matters to the test."""

    def __init__(
        self,
        cards: str,
        bets: Mapping[int, int | Mapping[str, int]] | None = None,
        *,
        owners: Mapping[int, str] | None = None,
        funds: Mapping[str, int] | None = None,
        settings: DoubleExposureSettings | None = None,
    ) -> None:
        self.game = DoubleExposure(settings)
        self.cards = ListedCards(tuple(_card(text, place) for place, text in enumerate(cards.split())))
        owners = owners or {}
        boxes = tuple(
            StakedBox(box, owners.get(box, "ana"), {"main": stakes} if isinstance(stakes, int) else stakes)
            for box, stakes in (bets or {1: 1000}).items()
        )
        self.funds = {"ana": RICH, "berta": RICH} | dict(funds or {})
        self.state: DoubleExposureState = self.game.begin(self.game.initial(), boxes)
        self.events: list[Event] = []
        self.last: tuple[Event, ...] = ()
        self.do(Deal())

    def attempt(self, command: Command) -> tuple[Event, ...] | Refusal:
        return self.game.decide(self.state, command, self.cards, self.funds)

    def do(self, command: Command) -> tuple[Event, ...]:
        events = self.attempt(command)
        assert not isinstance(events, Refusal), events
        for event in events:
            self.state = self.game.evolve(self.state, event)
            if isinstance(event, StakeAdded):
                self.funds[event.owner] -= event.amount
            if isinstance(event, BoxSettled):
                self.funds[event.owner] += event.returned
        self.events.extend(events)
        self.last = events
        return events

    def play(self, *actions: Any) -> Felt:
        """Each action by the hand whose turn it is."""
        for action in actions:
            turn = self.state.turn
            assert turn is not None, f"nobody is to decide, so not {action}"
            self.do(Act(turn.box, turn.hand, action))
        return self

    def refused(self, action: Any, box: int | None = None, hand: int | None = None) -> Refusal:
        """The refusal of this action; the hand whose turn it is unless another is named."""
        turn = self.state.turn
        act = Act(box or (turn.box if turn else 1), hand if hand is not None else (turn.hand if turn else 0), action)
        refusal = self.attempt(act)
        assert isinstance(refusal, Refusal), refusal
        return refusal

    def house_plays(self, owner: str) -> tuple[Event, ...]:
        return self.do(HousePlays(owner))

    def funds_change(self, owner: str, amount: int) -> tuple[Event, ...]:
        self.funds[owner] = amount
        return self.do(FundsChanged())

    @property
    def turn(self) -> tuple[int, int] | None:
        return (self.state.turn.box, self.state.turn.hand) if self.state.turn else None

    @property
    def legal(self) -> str:
        return " ".join(self.state.turn.legal) if self.state.turn else ""

    def box(self, number: int = 1) -> BoxInPlay:
        return self.state.box(number)

    def hand(self, number: int = 0, box: int = 1) -> Hand:
        return self.state.hand(box, number)

    def bonus(self, spot: str, box: int = 1) -> tuple[str | None, int]:
        found = next(bonus for bonus in self.box(box).bonuses if bonus.spot == spot)
        return found.outcome, found.returned

    def said(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def dealt(self) -> list[str]:
        """Where each card went: `D`, or box and hand."""
        return ["D" if event.place == "dealer" else f"{event.box}.{event.hand}" for event in self.said(CardDealt)]

    @property
    def over(self) -> bool:
        return self.game.over(self.state)


def _card(text: str, place: int) -> Card:
    return Card(text if len(text) == 2 else text + "CDHS"[place % 4])
