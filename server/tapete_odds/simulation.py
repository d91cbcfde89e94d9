"""Rounds played out, with confidence intervals; and the proof that what plays fast plays by the rules.

`by_the_rules` deals a listed shoe to `tapete_rules` itself, decision by decision. The fast play is compared with it on a sample
of the very rounds that it played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from tapete_odds.document import chosen
from tapete_odds.hands import cards_of
from tapete_odds.names import player_name, total_name
from tapete_odds.progress import Progress, nobody
from tapete_rules.cards import Card, ListedCards
from tapete_rules.double_exposure import DoubleExposure, DoubleExposureSettings, DoubleExposureState
from tapete_rules.double_exposure.points import value
from tapete_rules.game import Act, Deal, Refusal, StakedBox
from tapete_rules.punto_banco import PuntoBanco, PuntoBancoSettings

ROUNDS_AT_ONCE = 20_000
"""In one batch of the fast play: some ten megabytes of shoes."""
SURE = 1.96
"""Standard errors on each side of a 95 % confidence interval."""
STAKE = 1_000_000
"""Of the rounds that go through the rules, so that rounding down to minor units shows nowhere."""
ROUNDED = 2 / STAKE
FUNDS = 100 * STAKE


@dataclass(slots=True)
class Tally:
    """Nets of one bet, per unit staked."""

    rounds: int = 0
    total: float = 0.0
    squares: float = 0.0
    nets: Counter[float] = field(default_factory=Counter)

    def add(self, nets: Mapping[float, int]) -> None:
        for net, times in nets.items():
            self.rounds += times
            self.total += net * times
            self.squares += net * net * times
            self.nets[net] += times

    @property
    def mean(self) -> float:
        return self.total / self.rounds

    @property
    def variance(self) -> float:
        return self.squares / self.rounds - self.mean**2

    @property
    def interval(self) -> tuple[float, float]:
        """Of the mean, 95 %."""
        return self.mean - SURE * self.standard_error, self.mean + SURE * self.standard_error

    @property
    def standard_error(self) -> float:
        return sqrt(self.variance / self.rounds)

    def off_by(self, exact: float) -> float:
        """How many standard errors the mean is away from an exact one."""
        return (self.mean - exact) / self.standard_error if self.standard_error else 0.0


Tallies = dict[str, Tally]
"""By bet: `main`, `blackjack`, `sevens`, or the spots of Punto Banco."""


class NotByTheRules(AssertionError):
    """The fast play and the rules came to different nets: says in which shoe."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """`replayed`: how many of the rounds went through the rules as well, each to the same nets."""

    tallies: Tallies
    rounds: int
    replayed: int


def simulate(
    settings: DoubleExposureSettings | PuntoBancoSettings,
    chart: Mapping[str, Any],
    rounds: int,
    seed: int,
    *,
    replayed_of_each: int,
    only_rules: bool = False,
    at_once: int = ROUNDS_AT_ONCE,
    progress: Progress = nobody,
) -> Simulated:
    """So many rounds by the chart, `replayed_of_each` batch through the rules as well; or all of them, where `only_rules`
    count. Needs numpy. Raises `NotByTheRules`."""
    from tapete_odds.fast.batches import batches  # noqa: PLC0415 - only here is numpy needed

    tallies: Tallies = {}
    played = replayed = 0
    for batch in batches(settings, chart, rounds, seed, at_once):
        for bet, nets in batch.nets.items():
            tallies.setdefault(bet, Tally()).add(nets)
        for shoe, fast in batch.sample(batch.rounds if only_rules else replayed_of_each):
            slow = by_the_rules(settings, chart, shoe)
            if any(abs(slow[bet] - fast[bet]) > ROUNDED for bet in fast):
                raise NotByTheRules(f"{slow} by the rules, {fast} fast, from {' '.join(shoe)}")
            replayed += 1
            if only_rules:
                progress(replayed, rounds)
        played += batch.rounds
        progress(played, rounds)
    return Simulated(tallies, played, replayed)


def by_the_rules(
    settings: DoubleExposureSettings | PuntoBancoSettings, chart: Mapping[str, Any], shoe: Sequence[Card]
) -> dict[str, float]:
    """The nets of one round from a listed shoe, by `tapete_rules`, per unit staked."""
    if isinstance(settings, PuntoBancoSettings):
        return _coup(settings, shoe)
    return _round(settings, chart, shoe)


def _round(settings: DoubleExposureSettings, chart: Mapping[str, Any], shoe: Sequence[Card]) -> dict[str, float]:
    game, cards = DoubleExposure(settings), ListedCards(tuple(shoe))
    stakes = {"main": STAKE, "blackjack": STAKE, "sevens": STAKE}
    state = game.begin(game.initial(), (StakedBox(1, "player", stakes),))
    command: Deal | Act | None = Deal()
    while command is not None:
        events = game.decide(state, command, cards, {"player": FUNDS})
        assert not isinstance(events, Refusal), f"the chart does only what is legal: {events}"
        for event in events:
            state = game.evolve(state, event)
        command = _decision(game, state, chart)
    (box,) = state.boxes
    main = sum(hand.returned - hand.stake for hand in box.hands)
    nets = {bonus.spot: bonus.returned - bonus.stake for bonus in box.bonuses} | {"main": main}
    return {bet: net / STAKE for bet, net in nets.items()}


def _decision(game: DoubleExposure, state: DoubleExposureState, chart: Mapping[str, Any]) -> Act | None:
    turn = game.legal(state, {"player": FUNDS})
    if turn is None:
        return None
    hand = cards_of(*(value(card) - 1 for card in state.hand(turn.box, turn.hand).cards))
    dealer = cards_of(*(value(card) - 1 for card in state.dealer))
    worth = chart[player_name(hand)][total_name(dealer)]
    open_to = {action: each for action, each in worth.items() if action in turn.legal}
    action = next(legal for legal in turn.legal if legal == chosen(open_to))
    return Act(turn.box, turn.hand, action)


def _coup(settings: PuntoBancoSettings, shoe: Sequence[Card]) -> dict[str, float]:
    game = PuntoBanco(settings)
    state = game.begin(game.initial(), (StakedBox(1, "player", dict.fromkeys(game.spots, STAKE)),))
    events = game.decide(state, Deal(), ListedCards(tuple(shoe)), {"player": FUNDS})
    assert not isinstance(events, Refusal), f"a coup is dealt whenever there are bets: {events}"
    for event in events:
        state = game.evolve(state, event)
    return {bet.spot: (bet.returned - bet.stake) / STAKE for bet in state.boxes[0].bets}
