"""A felt for tests: cards written down beforehand, coups one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from tapete_rules.cards import Card, ListedCards
from tapete_rules.events import CoupDecided, Event
from tapete_rules.game import Deal, Refusal, StakedBox
from tapete_rules.punto_banco import PuntoBanco, PuntoBancoSettings, PuntoBancoState

Kind = TypeVar("Kind")
NO_BURN = PuntoBancoSettings(burn=False)


class Felt:
    """Cards are ranks as they leave the shoe, with a suit where one matters to the test."""

    def __init__(self, cards: str, settings: PuntoBancoSettings = NO_BURN) -> None:
        self.game = PuntoBanco(settings)
        self.cards = ListedCards(tuple(_card(text, place) for place, text in enumerate(cards.split())))
        self.state: PuntoBancoState = self.game.initial()
        self.events: list[Event] = []
        self.last: tuple[Event, ...] = ()

    def coup(self, bets: Mapping[str, int] | None = None, *others: Mapping[str, int]) -> Felt:
        """Bets of box 1, box 2 and so on; a coup, and its events in `last`."""
        boxes = tuple(
            StakedBox(box, f"player-{box}", stakes) for box, stakes in enumerate((bets or {"punto": 100}, *others), 1)
        )
        self.state = self.game.begin(self.state, boxes)
        events = self.game.decide(self.state, Deal(), self.cards, {})
        assert not isinstance(events, Refusal), events
        for event in events:
            self.state = self.game.evolve(self.state, event)
        self.last = events
        self.events.extend(events)
        return self

    def said(self, kind: type[Kind]) -> list[Kind]:
        """What was said of this kind in the last coup."""
        return [event for event in self.last if isinstance(event, kind)]

    @property
    def decided(self) -> CoupDecided:
        assert self.state.decided is not None
        return self.state.decided

    def outcomes(self, box: int = 1) -> dict[str, tuple[str | None, int]]:
        return {bet.spot: (bet.outcome, bet.returned) for bet in self.state.boxes[box - 1].bets}


def _card(text: str, place: int) -> Card:
    return Card(text if len(text) == 2 else text + "CDHS"[place % 4])


def hand(points: int) -> tuple[str, str]:
    """Two ranks with these points, an eight among them only where it has to be."""
    return "K", "TA23456789"[points]
