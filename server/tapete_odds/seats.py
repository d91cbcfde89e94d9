"""From the felt as everyone sees it to what is worked out: plain views of the protocol go in, values come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tapete_odds.advice import Advice, Position, advise, judge
from tapete_odds.hands import cards_of
from tapete_rules.cards import Card
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.double_exposure.points import value

Felt = Mapping[str, Any]
"""`felt` of a table's view in plain form, as `Game.view` has it."""


def position_of(felt: Felt, box: int, hand: int, legal: tuple[str, ...]) -> Position:
    """A hand with all that its values depend on. The open sevens are those that are not settled."""
    seat = next(each for each in felt["boxes"] if each["box"] == box)
    mine = seat["hands"][hand]
    staked = sum(spot["stake"] for spot in seat["spots"] if spot["spot"] == "sevens" and spot["outcome"] is None)
    cards, dealer = tuple(mine["cards"]), tuple(felt["dealer"]["cards"])
    return Position(cards, dealer, legal, len(seat["hands"]), Fraction(staked, mine["stake"]))


def seen_beside(felt: Felt, box: int, hand: int) -> list[str]:
    """All cards of the boxes but those of one hand."""
    return [
        card
        for seat in felt["boxes"]
        for number, other in enumerate(seat["hands"])
        if (seat["box"], number) != (box, hand)
        for card in other["cards"]
    ]


def by_chart(settings: DoubleExposureSettings, odds: Mapping[str, Any], position: Position) -> Advice:
    """From the table's odds: a lookup."""
    return advise(settings, odds["strategy"], position)


def by_composition(settings: DoubleExposureSettings, position: Position, seen: Sequence[str]) -> Advice:
    """With every card that is seen out of the shoe. Needs numpy, and a part of a second."""
    from tapete_odds.solver.position import exact_worth  # noqa: PLC0415 - only here is numpy needed

    low, high = sorted(_place(card) for card in position.dealer[:2])
    hand, gone = (cards_of(*map(_place, cards)) for cards in (position.cards, seen))
    return judge(settings, position, exact_worth(settings, (low, high), hand, gone, position.hands))


def _place(card: str) -> int:
    return value(Card(card)) - 1
