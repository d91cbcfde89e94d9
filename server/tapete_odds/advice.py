"""What each legal decision of a hand is worth, the open bonus bet on sevens included, and which of them are very bad. (D19)

From the chart of the table's own rules, which a lookup answers; `tapete_odds.solver.position` has the same by exact composition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from tapete_odds.hands import VALUES, cards_of, points
from tapete_odds.names import player_name, total_name
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.double_exposure.points import dealer_draws, value

VERY_BAD_BETS = 0.5
"""A decision that costs half a bet against the best one is asked about again. (D19; seed 004, rule 11)"""
EVEN_BETS = 1e-9
"""Values nearer than this are equal."""

Why = Literal["cannot_bust", "lost", "won"]
"""What makes a decision worse than another whatever card comes: standing where no card can bust, standing on a hand that has
lost, taking a card to a hand that has won."""


@dataclass(frozen=True, slots=True)
class Position:
    """A hand that decides. `cards` and `dealer` as on the wire, in the order in which they came. `hands`: of its box, itself
    included. `sevens`: what lies open on the bonus bet, in bets of this hand (`stake`)."""

    cards: tuple[str, ...]
    dealer: tuple[str, ...]
    legal: tuple[str, ...]
    hands: int = 1
    sevens: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Advice:
    """`worth`: the expected net of each legal action, in bets of this hand, in the order of `legal`. `very_bad`: those that
    cost at least half a bet or are dominated. `why`: what dominates them."""

    worth: Mapping[str, float]
    very_bad: tuple[str, ...]
    why: Mapping[str, Why]

    @property
    def best(self) -> str:
        return max(self.worth, key=lambda action: self.worth[action])

    def cost(self, action: str) -> float:
        """Against the best action, in bets."""
        return max(self.worth.values()) - self.worth[action]


def advise(settings: DoubleExposureSettings, chart: Mapping[str, Any], position: Position) -> Advice:
    """By the chart of these settings (the `strategy` of their odds)."""
    worth = chart[_row(position.cards)][total_name(_counted(position.dealer[:2]))]
    return judge(settings, position, {action: float(worth[action]) for action in worth})


def judge(settings: DoubleExposureSettings, position: Position, worth: Mapping[str, float]) -> Advice:
    """`worth` of the main bet alone, by action; the open sevens are added. A hand of split aces has only standing to lose."""
    stand = float(worth["stand"])
    named = {action: stand if action == "stand_all" else float(worth[action]) for action in position.legal}
    if "hit" in named and position.sevens:
        named["hit"] += float(position.sevens) * third_seven_gain(settings, position)
    best = max(named.values())
    why = {action: reason for action in named if (reason := dominated(settings, position, action))}
    bad = tuple(
        action
        for action in named
        if named[action] < best - EVEN_BETS and (best - named[action] >= VERY_BAD_BETS or action in why)
    )
    return Advice(named, bad, {action: why[action] for action in bad if action in why})


def third_seven_gain(settings: DoubleExposureSettings, position: Position) -> float:
    """What a hit of 7-7 adds to the bonus bet on average, per unit of that bet; 0 for any other hand. (D17)"""
    ranks = [card[0] for card in position.cards]
    if ranks != ["7", "7"] or position.hands > 1:
        return 0.0
    left = 4 * settings.decks - 2 - sum(card[0] == "7" for card in position.dealer)
    unseen = 52 * settings.decks - 2 - len(position.dealer)
    more = Fraction(*settings.three_sevens_odds) - Fraction(*settings.two_sevens_odds)
    return float(Fraction(left, unseen) * more)


def dominated(settings: DoubleExposureSettings, position: Position, action: str) -> Why | None:
    """Whether another action is at least as good whatever card comes, and better for some."""
    total, soft = points(_counted(position.cards))
    final = not dealer_draws([*_cards(position.dealer)], hits_soft_17=settings.dealer_hits_soft_17)
    dealer = points(_counted(position.dealer))[0]
    can_hit = "hit" in position.legal
    if action in ("stand", "stand_all") and can_hit:
        if not soft and total <= 11:
            return "cannot_bust"
        if final and total <= dealer:
            return "lost"
    if action in ("hit", "double") and final and total > dealer:
        return "won"
    return None


def _row(cards: Sequence[str]) -> str:
    return player_name(_counted(cards))


def _counted(cards: Sequence[str]) -> tuple[int, ...]:
    counted = cards_of(*(value(card) - 1 for card in _cards(cards)))
    assert len(counted) == VALUES, "ten values"
    return counted


def _cards(cards: Sequence[str]) -> list[Any]:
    """As the rules type them."""
    return list(cards)
