"""Every box against one dealer's two cards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tapete_odds.hands import Cards, cards_of
from tapete_odds.solver.chances import Shoes, dealer_chances
from tapete_odds.solver.game import ACE, Game
from tapete_odds.solver.outcomes import box_nets, ends_of_hands, split_nets, stood_ends, with_mean
from tapete_odds.solver.play import Decisions, Values, play, stand_values
from tapete_odds.solver.rows import BUST, Floats, Numbers
from tapete_odds.solver.splits import split_value

Two = tuple[int, int]
"""Two cards as places of their values, the lower one first."""


@dataclass(frozen=True, slots=True)
class Split:
    """A pair against one dealer, by the number of further cards of its value that are out: the chance of one more, and a
    hand's value with another second card (0 where it is not), with any."""

    chances: tuple[float, ...]
    other: tuple[float, ...]
    free: tuple[float, ...]


class Dealer:
    """All boxes against one dealer's two cards."""

    def __init__(self, game: Game, cards: Two, full: Cards | None = None, cases: Floats | None = None) -> None:
        """`full`: the shoe that dealer and boxes are dealt from, where it is not a whole one. `cases`: `of_cases` of an
        earlier one with the same cards, which is most of the work."""
        self.game, self.cards = game, cards
        shoes = Shoes.beside(game.rows.gone, full or game.full, cards)
        if cases is None:
            cases = dealer_chances(shoes, cards, hits_soft_17=game.settings.dealer_hits_soft_17)
        self.of_cases = cases
        """(finals, cases): the dealer's ends, each case of `Rows.gone` once"""
        self.shoes, self.ends = shoes.of(game.rows.gone_of), cases[:, game.rows.gone_of]
        self.stand = stand_values(game.rows, self.ends)

    def play(self, given: Decisions | None = None) -> Values:
        return play(self.game.rows, self.shoes, self.stand, self.game.may_double, given)

    def split(self, place: int, values: Values) -> Split:
        """A pair of this value under a way to play its hands. Split aces stand. (D11; seed 004, rule 8)"""
        of_two = self.stand if place == ACE else values.two
        chances, other, free = [], [], []
        for further in range(self.game.further + 1):
            chance, after = self.second_cards(place, further)
            parts = chance * of_two[after]
            chances.append(float(chance[place]))
            other.append(float(parts.sum() - parts[place]))
            free.append(float(parts.sum()))
        return Split(tuple(chances), tuple(other), tuple(free))

    def actions(self, two: Two, values: Values) -> dict[str, float]:
        """What each action of a box's two cards is worth; chips suffice for all."""
        row = self.game.row(*two)
        worth = {"stand": float(self.stand[row]), "hit": float(values.hit[row])}
        if self.game.may_double[row]:
            worth["double"] = float(values.double[row])
        if two[0] == two[1] and self.game.further >= 0:
            worth["split"] = max(self.split_worth(two[0], values).values())
        return worth

    def split_worth(self, place: int, values: Values) -> dict[int, float]:
        """By the number of hands up to which the pair is split again, where it can be."""
        split = self.split(place, values)
        limits = range(2, self.game.settings.max_hands + 1)
        return {limit: split_value(limit, split.chances, split.other, split.free) for limit in limits}

    def nets(self, decisions: Decisions) -> Nets:
        return Nets(self, decisions)

    def second_cards(self, place: int, further: int) -> tuple[Floats, Numbers]:
        """Chance and row of each second card of a hand of a split pair."""
        row = self.game.rows.row(self.game.segment(place, further), cards_of(place))
        return self.shoes.counts[:, row] / self.shoes.cards[row], self.game.rows.after[row]


class Nets:
    """How often a box ends with how much, against one dealer and by some decisions."""

    def __init__(self, dealer: Dealer, decisions: Decisions) -> None:
        self._dealer, game = dealer, dealer.game
        rows, at = game.leading, game.leaders
        shoes, ends = dealer.shoes.of(at), dealer.ends[:, at]
        made = Decisions(decisions.hits[at], decisions.doubles[at])
        self._stood = stood_ends(rows, ends)
        self._made = ends_of_hands(rows, shoes, ends, self._stood, made)

    def whole(self, two: Two) -> Floats:
        """Of a box that is not split."""
        return box_nets(self._made[:, :, self._dealer.game.row(*two)])

    def split(self, place: int, split_to: int, mean: float) -> Floats:
        """Of a pair that is split up to so many hands."""
        game = self._dealer.game
        chance, rows = self._dealer.second_cards(place, 0)
        after = np.where(rows == BUST, BUST, np.searchsorted(game.leaders, rows))
        parts = (self._stood if place == ACE else self._made)[:, :, after] * chance
        free = parts.sum(axis=2)
        chances = [float(self._dealer.second_cards(place, further)[0][place]) for further in range(game.further + 1)]
        return with_mean(split_nets(split_to, chances, free - parts[:, :, place], free), mean)
