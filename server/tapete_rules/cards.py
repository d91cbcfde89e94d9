"""Cards and what is left of a shoe.

A card is two characters, rank then suit: `AS` the ace of spades, `TH` the ten of hearts. A shoe is no secret: it is the
number of each of the 52 cards that are left, in canonical order (suits C D H S, in each suit ranks A to K).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType, Protocol

Card = NewType("Card", str)

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CARDS: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
INDEX: dict[Card, int] = {card: place for place, card in enumerate(CARDS)}


class OutOfCards(ValueError):
    """The source has no card to give: a list that is too short, or an empty shoe."""


class WrongCard(ValueError):
    """A listed card is no card, or the shoe has none of it left."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """Cards left, as 52 counts in canonical order."""

    counts: tuple[int, ...]

    @classmethod
    def of(cls, decks: int) -> Shoe:
        return cls((decks,) * len(CARDS))

    def __len__(self) -> int:
        return sum(self.counts)

    def without(self, card: Card) -> Shoe:
        """The shoe after `card` has left it. Raises `WrongCard` when none is left."""
        place = INDEX.get(card)
        if place is None or self.counts[place] == 0:
            raise WrongCard(f"the shoe has no {card} left")
        return Shoe((*self.counts[:place], self.counts[place] - 1, *self.counts[place + 1 :]))

    def at(self, index: int) -> Card:
        """The card at `index` (0 to len - 1) when the cards left are laid out in canonical order."""
        for card, count in zip(CARDS, self.counts, strict=True):
            if index < count:
                return card
            index -= count
        raise OutOfCards("the shoe is empty")


class CardSource(Protocol):
    """Cards in the order in which they leave the shoe: the round's stream, or a list in `replay`.

    `words` counts what the source has consumed of the round's stream so far (for a list: its cards).
    """

    words: int

    def draw(self, shoe: Shoe) -> Card:
        """The next card, one that `shoe` still has. The caller takes it out of the shoe."""
        ...


@dataclass(slots=True)
class ListedCards:
    """Cards written down beforehand, for `replay` and tests. Raises `OutOfCards` and `WrongCard`."""

    cards: tuple[Card, ...]
    words: int = 0

    def draw(self, shoe: Shoe) -> Card:
        if self.words >= len(self.cards):
            raise OutOfCards(f"the list ends after {self.words} cards, and another one is needed")
        card = self.cards[self.words]
        if card not in INDEX or not shoe.counts[INDEX[card]]:
            raise WrongCard(f"card {self.words + 1}, {card!r}, is not in the shoe")
        self.words += 1
        return card
