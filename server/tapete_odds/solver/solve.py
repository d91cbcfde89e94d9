"""The whole game: every dealer's two cards against every box's, by the best decisions and by a chart of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb

import numpy as np

from tapete_odds.hands import BLACKJACK, PAIRS, Cards, cards_of, full_shoe
from tapete_odds.names import DEALERS, PLAYERS, player_name, total_name
from tapete_odds.progress import Progress, nobody
from tapete_odds.solver.dealer import Dealer, Nets, Two
from tapete_odds.solver.game import Game
from tapete_odds.solver.outcomes import NET_MAX
from tapete_odds.solver.play import Decisions, Values
from tapete_odds.solver.rows import Floats
from tapete_rules.double_exposure import DoubleExposureSettings

Chart = dict[str, dict[str, dict[str, float]]]
"""By the box's hand and the dealer's, what each action is worth, in units of the bet."""

NOT_DEALT = "hard 20"
"""The one row that no two cards make but a pair: its values are those of three cards."""


@dataclass(slots=True)
class Sum:
    """What a way to play comes to: chances by net (in bets), blackjacks apart, and the mean."""

    mean: float = 0.0
    nets: Floats = field(default_factory=lambda: np.zeros(2 * NET_MAX + 1))
    blackjacks: float = 0.0

    def add(self, chance: float, mean: float, counted: Nets | None, two: Two, split_to: int) -> None:
        """A box's two cards with their chance, split up to so many hands (0: not)."""
        self.mean += chance * mean
        if counted:
            self.nets += chance * (counted.split(two[0], split_to, mean) if split_to else counted.whole(two))

    def chances(self, blackjack: float) -> dict[float, float]:
        """By net in bets, from the lowest that can be; a blackjack is paid `blackjack`."""
        chances = {float(net): float(chance) for net, chance in enumerate(self.nets, -NET_MAX) if chance > 0}
        chances[blackjack] = chances.get(blackjack, 0.0) + self.blackjacks
        return dict(sorted(chances.items()))


@dataclass(frozen=True, slots=True)
class Solution:
    """`optimal`: by the cards of both. `table`: by the chart alone."""

    chart: Chart
    optimal: Sum
    table: Sum


def solve(settings: DoubleExposureSettings, progress: Progress = nobody, *, nets: bool = True) -> Solution:
    """Two passes over all dealers: the best decisions, which make the chart; then the chart's own. Without `nets` it takes
    half the time, and chances by net are left at 0."""
    game = Game(settings)
    dealers = [cards for cards in PAIRS if cards != BLACKJACK]
    averages, optimal, table = Averages(), Sum(), Sum()
    cases = {}
    for done, cards in enumerate(dealers):
        dealer = Dealer(game, cards)
        cases[cards] = dealer.of_cases
        _play_best(dealer, averages, optimal, nets=nets)
        progress(done + 1, 2 * len(dealers))
    chart = averages.chart()
    for done, cards in enumerate(dealers, len(dealers)):
        _play_chart(Dealer(game, cards, cases=cases[cards]), chart, table, nets=nets)
        progress(done + 1, 2 * len(dealers))
    for way in (optimal, table):
        _dealer_blackjack(game, way)
    return Solution(chart, optimal, table)


def boxes(full: Cards, dealer: Two) -> Iterator[tuple[Two, float]]:
    """A box's two cards, and the chance that it and the dealer are dealt these."""
    left = list(full)
    ways = _ways(left, dealer) / comb(sum(full), 2)
    for place in dealer:
        left[place] -= 1
    for two in PAIRS:
        yield two, ways * _ways(left, two) / comb(sum(left), 2)


def _ways(left: list[int] | Cards, two: Two) -> int:
    low, high = two
    return comb(left[low], 2) if low == high else left[low] * left[high]


class Averages:
    """The chart in the making: hands of one name in the middle, by their chances."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str, str], float] = defaultdict(float)
        self._chances: dict[tuple[str, str], float] = defaultdict(float)

    def add(self, player: str, dealer: str, chance: float, worth: dict[str, float]) -> None:
        self._chances[player, dealer] += chance
        for action, value in worth.items():
            self._sums[player, dealer, action] += chance * value

    def chart(self) -> Chart:
        """An action that only some hands of a name may take (no settings make one so) would be left to those."""
        chart: Chart = {player: {dealer: {} for dealer in DEALERS} for player in PLAYERS}
        for (player, dealer, action), total in self._sums.items():
            chart[player][dealer][action] = total / self._chances[player, dealer]
        return chart


def _play_best(dealer: Dealer, averages: Averages, way: Sum, *, nets: bool) -> None:
    values = dealer.play()
    counted = dealer.nets(values.decisions) if nets else None
    column = total_name(cards_of(*dealer.cards))
    for two, chance in boxes(dealer.game.full, dealer.cards):
        if two == BLACKJACK:
            _blackjack(dealer.game, way, chance)
            continue
        worth = dealer.actions(two, values)
        averages.add(player_name(cards_of(*two)), column, chance, worth)
        best = max(worth.values())
        split_to = 0
        if worth.get("split") == best:
            by_limit = dealer.split_worth(two[0], values)
            split_to = max(by_limit, key=lambda limit: by_limit[limit])
        way.add(chance, best, counted, two, split_to)
    for chance, worth in _three_cards(dealer, values):
        averages.add(NOT_DEALT, column, chance, worth)


def _three_cards(dealer: Dealer, values: Values) -> Iterator[tuple[float, dict[str, float]]]:
    game = dealer.game
    dealt = np.arange(len(game.rows)) < game.rows.starts[1]
    for row in np.flatnonzero(dealt & (game.rows.size == 3) & (game.names == PLAYERS.index(NOT_DEALT))):
        cards = game.rows.cards[:, row]
        left = np.array(game.full) - np.array(cards_of(*dealer.cards))
        ways = float(np.prod([comb(int(many), int(taken)) for many, taken in zip(left, cards, strict=True)]))
        yield ways, {"stand": float(dealer.stand[row]), "hit": float(values.hit[row])}


def _play_chart(dealer: Dealer, chart: Chart, way: Sum, *, nets: bool) -> None:
    column = total_name(cards_of(*dealer.cards))
    values = dealer.play(chart_decisions(dealer.game, chart, column))
    counted = dealer.nets(values.decisions) if nets else None
    for two, chance in boxes(dealer.game.full, dealer.cards):
        if two == BLACKJACK:
            _blackjack(dealer.game, way, chance)
            continue
        said = chart[player_name(cards_of(*two))][column]
        if "split" in said and said["split"] == max(said.values()):
            split_to = dealer.game.settings.max_hands
            way.add(chance, dealer.split_worth(two[0], values)[split_to], counted, two, split_to)
        else:
            way.add(chance, float(values.two[dealer.game.row(*two)]), counted, two, 0)


def chart_decisions(game: Game, chart: Chart, column: str) -> Decisions:
    """What the chart says to each row; a pair that stays together plays on by its own line."""
    worth = [chart[player][column] for player in PLAYERS]
    hits = np.array([each["hit"] > each["stand"] for each in worth] + [False])
    doubles = np.array([each.get("double", -2) > max(each["hit"], each["stand"]) for each in worth] + [False])
    return Decisions(hits[game.names], doubles[game.names])


def _blackjack(game: Game, way: Sum, chance: float) -> None:
    """Paid at once. (D6; seed 004, rule 5)"""
    numerator, denominator = game.settings.blackjack_odds
    way.mean += chance * numerator / denominator
    way.blackjacks += chance


def _dealer_blackjack(game: Game, way: Sum) -> None:
    """All bets lose, but a blackjack is pushed or paid. (D5; seed 004, rule 4)"""
    for two, chance in boxes(full_shoe(game.settings.decks), BLACKJACK):
        if two != BLACKJACK:
            way.mean -= chance
            way.nets[NET_MAX - 1] += chance
        elif game.settings.blackjack_tie == "win":
            _blackjack(game, way, chance)
        else:
            way.nets[NET_MAX] += chance
