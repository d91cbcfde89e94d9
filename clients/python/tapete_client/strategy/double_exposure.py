"""How a sensible player plays Double Exposure: the best action by the exact odds of the table's rules, open sevens included.

For rules whose odds nobody has worked out, by a count of endless decks that knows the house's own rules only: a little off.
Values are in units of the hand's bet. (D6-D15)
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from tapete_client.strategy.stakes import Laid, fitting_bet, smallest_bet
from tapete_odds import shelf
from tapete_odds.advice import Position
from tapete_odds.seats import by_chart
from tapete_protocol.view import Felt, HandView, TurnView
from tapete_rules.double_exposure import DoubleExposure
from tapete_rules.game import Game

VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""One rank each; an ace counts one here, and ten more while that does not bust."""
Points = tuple[int, bool]
"""A total and whether an ace counts eleven in it."""
MAIN_UNITS = (1, 1, 1, 2, 2, 5)
BONUS_CHANCE = 0.1
MAIN, BONUSES = "main", ("blackjack", "sevens")


def bets(game: Game[Any], boxes: tuple[int, ...], stack: int, rng: Random) -> Laid:
    """A few smallest bets in each box, now and then a bonus of one chip; half the stack is left to double and split."""
    laid: Laid = {}
    left = stack
    for box in boxes:
        least = smallest_bet(game, MAIN)
        wish = fitting_bet(game, MAIN, least * rng.choice(MAIN_UNITS))
        main = wish if 2 * wish <= left else least
        if not 0 < main <= left:
            break
        laid[box, MAIN] = main
        left -= main
        bonus = rng.choice(BONUSES)
        chip = smallest_bet(game, bonus, {MAIN: main})
        if chip and 2 * chip <= left and rng.random() < BONUS_CHANCE:
            laid[box, bonus] = chip
            left -= chip
    return laid


def decide(game: Game[Any], felt: Felt, turn: TurnView) -> str:
    """The legal action with the highest value."""
    assert isinstance(game, DoubleExposure), "turns of this game"
    odds = shelf.known(game.settings)
    if odds is not None:
        return by_chart(game.settings, odds, position_of(felt, turn)).best
    values = action_values(felt, turn)
    return max(values, key=lambda action: values[action]) if values else "stand"


def position_of(felt: Felt, turn: TurnView) -> Position:
    """The hand that decides, with all that its values depend on."""
    assert felt.dealer is not None, "both dealer cards are up before anybody decides"
    seat = next(box for box in felt.boxes if box.box == turn.box)
    hand = seat.hands[turn.hand]
    open_sevens = sum(spot.stake for spot in seat.spots if spot.spot == "sevens" and spot.outcome is None)
    return Position(hand.cards, felt.dealer.cards, turn.legal, len(seat.hands), Fraction(open_sevens, hand.stake))


def action_values(felt: Felt, turn: TurnView) -> dict[str, float]:
    """What each legal action is worth; `stand_all` is worth what `stand` is, and is left out beside it."""
    assert felt.dealer is not None, "both dealer cards are up before anybody decides"
    hand = _hand(felt, turn)
    dealer = (felt.dealer.total, felt.dealer.soft)
    points = (hand.total, hand.soft)
    values: Mapping[str, float] = {
        "stand": stand_value(points, dealer),
        "hit": hit_value(points, dealer) if "hit" in turn.legal else 0.0,
        "double": double_value(points, dealer),
        "split": split_value(_value(hand.cards[0]), dealer),
    }
    return {action: values[action] for action in turn.legal if action in values}


def add(points: Points, value: int) -> Points:
    """The hand with one more card."""
    total, soft = points[0] + value, points[1]
    if value == 1 and total + 10 <= 21:
        return total + 10, True
    return (total - 10, False) if total > 21 and soft else (total, soft)


@cache
def dealer_ends(dealer: Points) -> tuple[tuple[int, float], ...]:
    """The dealer's final totals (22: bust) with their chances."""
    if dealer[0] >= 17:
        return ((min(dealer[0], 22), 1.0),)
    chances: dict[int, float] = {}
    for value in VALUES:
        for total, chance in dealer_ends(add(dealer, value)):
            chances[total] = chances.get(total, 0.0) + chance / len(VALUES)
    return tuple(sorted(chances.items()))


@cache
def stand_value(points: Points, dealer: Points) -> float:
    """A bust dealer pays, a lower one pays, an equal one takes. (D15)"""
    return sum(chance if total > 21 or total < points[0] else -chance for total, chance in dealer_ends(dealer))


@cache
def hit_value(points: Points, dealer: Points) -> float:
    """One more card, and the best play after it; 21 stands by itself. (D7)"""
    return sum(_after(add(points, value), dealer) for value in VALUES) / len(VALUES)


@cache
def double_value(points: Points, dealer: Points) -> float:
    """Twice the bet, one card."""
    ends = [add(points, value) for value in VALUES]
    return 2 * sum(-1.0 if end[0] > 21 else stand_value(end, dealer) for end in ends) / len(VALUES)


@cache
def split_value(value: int, dealer: Points) -> float:
    """Two hands from one card each, not split again; aces get one card and stand. (D8-D11)"""
    first = add((0, False), value)
    total = 0.0
    for second in VALUES:
        points = add(first, second)
        best = stand_value(points, dealer)
        if value != 1 and points[0] < 21:
            best = max(best, hit_value(points, dealer))
            if not points[1] and 9 <= points[0] <= 11:
                best = max(best, double_value(points, dealer))
        total += best
    return 2 * total / len(VALUES)


def _after(points: Points, dealer: Points) -> float:
    if points[0] > 21:
        return -1.0
    stand = stand_value(points, dealer)
    return stand if points[0] == 21 else max(stand, hit_value(points, dealer))


def _value(card: str) -> int:
    return VALUES["A23456789TJQK".index(card[0])]


def _hand(felt: Felt, turn: TurnView) -> HandView:
    return next(box.hands[turn.hand] for box in felt.boxes if box.box == turn.box)
