"""A table of Double Exposure as plain frozen values: boxes with hands and bonus bets, the dealer, whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass

from tapete_rules.cards import Card, Shoe
from tapete_rules.events import By, Closing, Outcome
from tapete_rules.game import Turn


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand and the main bet on it. One card: it comes from a split and waits for its turn."""

    cards: tuple[Card, ...]
    stake: int
    closed: Closing | None = None
    by: By | None = None
    outcome: Outcome | None = None
    returned: int = 0


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus bet of a box, on the spot `blackjack` or `sevens`."""

    spot: str
    stake: int
    outcome: Outcome | None = None
    returned: int = 0


@dataclass(frozen=True, slots=True)
class BoxInPlay:
    """A box in the present round. `staked`: all that left its owner's stack; `returned` is None until it is settled."""

    box: int
    owner: str
    hands: tuple[Hand, ...]
    bonuses: tuple[Bonus, ...]
    staked: int
    returned: int | None = None

    @property
    def split(self) -> bool:
        return len(self.hands) > 1


@dataclass(frozen=True, slots=True)
class Standing:
    """A player all of whose remaining hands stand. (D13; seed 004, rules 5, 6 and 8)"""

    owner: str
    by: By


@dataclass(frozen=True, slots=True)
class DoubleExposureState:
    """Boxes in seat order. Between `begin` and the deal each box has one hand without cards. `shoes`: how many were opened."""

    shoe: Shoe
    boxes: tuple[BoxInPlay, ...] = ()
    dealer: tuple[Card, ...] = ()
    dealer_done: bool = False
    turn: Turn | None = None
    standing: tuple[Standing, ...] = ()
    shoes: int = 0

    def box(self, number: int) -> BoxInPlay:
        """The box with this number, which takes part in the round."""
        return next(box for box in self.boxes if box.box == number)

    def hand(self, box: int, hand: int) -> Hand:
        return self.box(box).hands[hand]

    def stands_by(self, owner: str) -> By | None:
        """Who decided that all hands of this player stand, if somebody did."""
        return next((standing.by for standing in self.standing if standing.owner == owner), None)

    def first_open(self, owner: str | None = None) -> tuple[BoxInPlay, int] | None:
        """The first hand in order of play that is not closed, of this player or of all."""
        for box in self.boxes:
            for number, hand in enumerate(box.hands):
                if hand.closed is None and owner in (None, box.owner):
                    return box, number
        return None
