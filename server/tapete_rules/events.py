"""What happens on the felt, as past facts. The closed family of both games.

Every amount is whole minor units. `box` counts from 1; `hand` from 0, left to right within its box; both are 0 where a
card does not go to a box. `owner` names a player (one player may hold several boxes).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tapete_rules.cards import Card

Place = Literal["box", "dealer", "punto", "banca"]
Side = Literal["punto", "banca"]
Action = Literal["hit", "stand", "stand_all", "double", "split"]
Closing = Literal["stood", "twenty_one", "bust", "doubled", "split_aces", "blackjack", "dealer_blackjack"]
Outcome = Literal["win", "lose", "bust", "push", "blackjack"]
By = Literal["player", "house"]


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card to a hand, with the hand's total after it. `soft`: an ace counts eleven. `word`: words of the round's stream
    consumed up to and including this card."""

    place: Place
    box: int
    hand: int
    card: Card
    total: int
    soft: bool
    word: int


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """This hand decides; `legal` is the complete set. Says so again after each card that leaves it a choice."""

    box: int
    hand: int
    owner: str
    legal: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class ActionsChanged:
    """The hand whose turn it is may do other things than before: chips arrived."""

    box: int
    hand: int
    legal: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class StakeAdded:
    """Chips that went from the owner's stack to the box: a double or a split. `hand` is the hand that gets them."""

    box: int
    hand: int
    owner: str
    amount: int


@dataclass(frozen=True, slots=True)
class HandSplit:
    """Hand `hand` became `hand` and `hand + 1`, one card each; hands to the right moved up by one."""

    box: int
    hand: int


@dataclass(frozen=True, slots=True)
class AllStood:
    """Every remaining hand of this player stands as its turn comes."""

    owner: str
    by: By


@dataclass(frozen=True, slots=True)
class HandClosed:
    """Nothing more is dealt to this hand, and why. `by` says who decided it, where somebody did."""

    box: int
    hand: int
    why: Closing
    by: By


@dataclass(frozen=True, slots=True)
class DealerDone:
    """The dealer's hand is final. `drew`: it took cards beyond its two."""

    total: int
    soft: bool
    blackjack: bool
    drew: bool


@dataclass(frozen=True, slots=True)
class HandSettled:
    """The main bet of one hand. `returned` includes the stake where it comes back."""

    box: int
    hand: int
    outcome: Outcome
    stake: int
    returned: int


@dataclass(frozen=True, slots=True)
class SpotSettled:
    """A bet on a spot: a bonus of Double Exposure, or any bet of Punto Banco."""

    box: int
    spot: str
    outcome: Outcome
    stake: int
    returned: int


@dataclass(frozen=True, slots=True)
class BoxSettled:
    """A box's sum over its hands and spots: `staked` left the stack in this round, `returned` goes back to it."""

    box: int
    owner: str
    staked: int
    returned: int


@dataclass(frozen=True, slots=True)
class ShoeOpened:
    """A new shuffled shoe of `decks` decks."""

    decks: int


@dataclass(frozen=True, slots=True)
class CardBurnt:
    """A card out of play. The first one of a shoe is turned and says how many follow it."""

    card: Card
    word: int


@dataclass(frozen=True, slots=True)
class CutCardShown:
    """The cut card came out. `last_coups`: how many more coups are dealt from this shoe after the present one."""

    last_coups: int


@dataclass(frozen=True, slots=True)
class ThirdCardDecided:
    """Whether a side draws, and the cell of the tableau that says so. `row`: the side's two-card total. `column`: what the
    tableau looks at (punto's third card or three-card total), or -1 when punto stood, or for punto itself."""

    side: Side
    draws: bool
    row: int
    column: int
    source: str


@dataclass(frozen=True, slots=True)
class CoupDecided:
    """Both totals are final. `natural`: an 8 or 9 in two cards ended the coup."""

    winner: Literal["punto", "banca", "tie"]
    punto: int
    banca: int
    natural: bool
    punto_pair: bool
    banca_pair: bool


Event = (
    CardDealt
    | TurnStarted
    | ActionsChanged
    | StakeAdded
    | HandSplit
    | AllStood
    | HandClosed
    | DealerDone
    | HandSettled
    | SpotSettled
    | BoxSettled
    | ShoeOpened
    | CardBurnt
    | CutCardShown
    | ThirdCardDecided
    | CoupDecided
)
