"""The small interface that both games implement. A table talks to this and never asks which game it holds.

Check, legal, apply: a rule is written once as a check that returns a `Refusal` or nothing; `decide` and `legal` are both
built on it. Everything is a function of values: no clock, no dice, no log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from tapete_rules.cards import CardSource
from tapete_rules.events import Action, Event
from tapete_rules.settings import Times

Stakes = Mapping[str, int]
"""Spot name to amount in minor units; absent or 0 is no bet."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command changes nothing. `code` is one of the protocol's list; `detail` holds plain values for the message."""

    code: str
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StakedBox:
    """A box that takes part in a round: who plays it and what lies on its spots (only amounts above 0)."""

    box: int
    owner: str
    stakes: Stakes


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the round that `begin` has set up."""


@dataclass(frozen=True, slots=True)
class Act:
    """A player's decision for one hand."""

    box: int
    hand: int
    action: Action


@dataclass(frozen=True, slots=True)
class HousePlays:
    """The house plays the default for all that this player still has to decide (stands), now or as its turn comes."""

    owner: str


@dataclass(frozen=True, slots=True)
class FundsChanged:
    """Chips arrived at the table: say anew what is legal (`ActionsChanged`, or no event when nothing changes)."""


Command = Deal | Act | HousePlays | FundsChanged


@dataclass(frozen=True, slots=True)
class Turn:
    """The hand that decides, its owner, and the complete set of what is legal for it."""

    box: int
    hand: int
    owner: str
    legal: tuple[Action, ...]


State = TypeVar("State")


class Game(Protocol, Generic[State]):
    """One game with its settings. A state lives as long as the table: a shoe goes on over many rounds."""

    name: str
    spots: tuple[str, ...]
    boxes_per_player: int

    def document(self) -> dict[str, Any]:
        """The settings in plain form, every field with its value."""
        ...

    @property
    def times(self) -> Times:
        """The pace of the table."""
        ...

    @property
    def reveals(self) -> bool:
        """Whether players have a part in the cards."""
        ...

    def limits(self, spot: str) -> tuple[int, int]:
        """Least and largest bet on a spot, in minor units."""
        ...

    def favours_player(self) -> tuple[str, ...]:
        """The spots on which the bettor has an edge, as these settings have it."""
        ...

    @property
    def state_type(self) -> type[State]:
        """The frozen dataclass of its states: plain values only, so that any codec can write and read it."""
        ...

    def initial(self) -> State:
        """A table where nothing was dealt yet."""
        ...

    def check_stakes(self, stakes: Stakes) -> Refusal | None:
        """Is this complete set of bets of one box within the table's limits? Empty (or all 0) is fine: no bet."""
        ...

    def begin(self, state: State, boxes: tuple[StakedBox, ...]) -> State:
        """Bets are closed: clear the last round's hands and take these boxes (in seat order) into the next."""
        ...

    def clear(self, state: State) -> State:
        """The round is void: take up its boxes and hands; a shoe that goes on stays as it is."""
        ...

    def decide(
        self, state: State, command: Command, cards: CardSource, funds: Mapping[str, int]
    ) -> tuple[Event, ...] | Refusal:
        """The events of a command, up to the next decision that somebody has to take, or to the end of the round with all its
        settlements. `funds`: each owner's chips at the table. Raises `OutOfCards` only for a list that is too short."""
        ...

    def evolve(self, state: State, event: Event) -> State:
        """The state after an event. Never refuses, never draws."""
        ...

    def legal(self, state: State, funds: Mapping[str, int]) -> Turn | None:
        """Whose turn it is and what may be done; None when nobody has to decide."""
        ...

    def over(self, state: State) -> bool:
        """Every box of the round is settled (true before the first round, too)."""
        ...

    def view(self, state: State) -> dict[str, Any]:
        """What everyone at the table may see, as plain values; the shape is `felt` in the protocol.

        {"boxes": [{"box", "hands": [{"cards": [..], "total", "soft", "stake", "doubled", "closed": why | None,
        "by": "player" | "house" | None, "outcome": .. | None, "returned"}], "spots": [{"spot", "stake", "outcome" | None,
        "returned"}], "staked", "returned": int | None}],
         "dealer"/"punto"/"banca": {"cards", "total", "soft"} | None, "dealer_done": bool,
         "turn": {"box", "hand", "owner", "legal"} | None,
         "standing": [owners whose hands all stand],
         "coup": the `CoupDecided` fields | None, "third": [the `ThirdCardDecided` fields],
         "shoe": {"decks", "left", "dealt", "coup", "cut_card", "last_coups" | None, "burnt": [cards], "number"}}
        """
        ...
