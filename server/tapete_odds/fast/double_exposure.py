"""Double Exposure by a chart, one box, many rounds at once. The rules are those of `tapete_rules.double_exposure`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapete_odds.document import chosen
from tapete_odds.fast.shoes import Ints, Shoes
from tapete_odds.names import DEALERS, LETTERS
from tapete_rules.cards import CARDS
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.double_exposure.points import BEST, DEALER_STANDS, value

VALUE = np.array([value(card) for card in CARDS])
SEVEN = 7
ACE = 1
PAIR, SOFT, HARD = 0, 1, 2
STAND, HIT, DOUBLE, SPLIT = range(4)
ACTIONS = ("stand", "hit", "double", "split")
TOTALS = BEST + 1

Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Played:
    """Of each round, in bets: the net of the main bet, what the bonus bets on blackjack and sevens net per unit."""

    main: NDArray[np.float64]
    blackjack: NDArray[np.float64]
    sevens: NDArray[np.float64]


def said(chart: Mapping[str, Any]) -> Ints:
    """(dealer, kind, total or pair's value, may double, may split): the chart's action."""
    table = np.full((len(DEALERS), 3, TOTALS, 2, 2), STAND)
    for number, dealer in enumerate(DEALERS):
        for kind, size, name in _lines():
            worth = chart[name][dealer]
            for double in (0, 1):
                for split in (0, 1):
                    open_to = {
                        action: each
                        for action, each in worth.items()
                        if action in ("stand", "hit")
                        or (action == "double" and double)
                        or (action == "split" and split)
                    }
                    table[number, kind, size, double, split] = ACTIONS.index(chosen(open_to))
    return table


def _lines() -> list[tuple[int, int, str]]:
    pairs = [(PAIR, number, f"pair {letter}") for number, letter in enumerate(LETTERS, 1)]
    softs = [(SOFT, total, f"soft {total}") for total in range(13, BEST)]
    return pairs + softs + [(HARD, total, f"hard {total}") for total in range(5, BEST)]


class Round:
    """Rounds under way. Hands lie in columns, left to right, up to `max_hands`; `turn` is the hand that is played."""

    def __init__(self, settings: DoubleExposureSettings, table: Ints, shoes: Shoes) -> None:
        self.settings, self.table, self.shoes = settings, table, shoes
        rounds, hands = len(shoes.dealt), max(2, settings.max_hands)
        self.all = np.arange(rounds)
        self.hard = np.zeros((rounds, hands), dtype=np.int64)
        self.ace = np.zeros((rounds, hands), dtype=bool)
        self.size = np.zeros((rounds, hands), dtype=np.int64)
        self.first = np.zeros((rounds, hands), dtype=np.int64)
        self.second = np.zeros((rounds, hands), dtype=np.int64)
        self.bet = np.ones((rounds, hands), dtype=np.int64)
        self.hands = np.ones(rounds, dtype=np.int64)
        self.turn = np.zeros(rounds, dtype=np.int64)
        self.dealer_hard = np.zeros(rounds, dtype=np.int64)
        self.dealer_ace = np.zeros(rounds, dtype=bool)
        self.sevens = np.zeros(rounds, dtype=np.int64)

    def play(self) -> Played:
        self._deal()
        mine, theirs = (
            self._blackjack(self.hard[:, 0], self.ace[:, 0]),
            self._blackjack(self.dealer_hard, self.dealer_ace),
        )
        self.column = self._columns()
        self.turn[mine | theirs] = self.hands[mine | theirs]
        while len(rows := np.flatnonzero(self.turn < self.hands)):
            self._step(rows)
        self._dealer_plays(~(mine | theirs) & self._any_left())
        return Played(self._main(mine, theirs), self._bonus_blackjack(mine), self._bonus_sevens())

    # --- cards ---

    def _deal(self) -> None:
        for _ in range(2):
            self._card(self.all)
            self._dealer_card(self.all)

    def _card(self, rows: Ints) -> None:
        """To the hand whose turn it is."""
        card, hand = VALUE[self.shoes.draw(rows)], self.turn[rows]
        size = self.size[rows, hand]
        runs = (card == SEVEN) & (self.hands[rows] == 1) & (self.sevens[rows] == size) & (size < 3)
        self.sevens[rows] += runs
        self.hard[rows, hand] += card
        self.ace[rows, hand] |= card == ACE
        self.first[rows, hand] = np.where(size == 0, card, self.first[rows, hand])
        self.second[rows, hand] = np.where(size == 1, card, self.second[rows, hand])
        self.size[rows, hand] += 1

    def _dealer_card(self, rows: Ints) -> None:
        card = VALUE[self.shoes.draw(rows)]
        self.dealer_hard[rows] += card
        self.dealer_ace[rows] |= card == ACE

    @staticmethod
    def _total(hard: Ints, ace: Flags) -> Ints:
        return hard + 10 * (ace & (hard <= BEST - 10))

    def _blackjack(self, hard: Ints, ace: Flags) -> Flags:
        """Of the first two cards."""
        return (hard == BEST - 10) & ace

    def _columns(self) -> Ints:
        """The dealer's place in `DEALERS`: hard 4 to 20, then soft 12 to 20."""
        total = self._total(self.dealer_hard, self.dealer_ace)
        return np.where(self.dealer_ace, 17 + total - 12, total - 4) % len(DEALERS)

    # --- a decision of every hand whose turn it is ---

    def _step(self, rows: Ints) -> None:
        fresh = rows[self.size[rows, self.turn[rows]] == 1]
        if len(fresh):
            self._second_card(fresh)
            rows = rows[self.turn[rows] < self.hands[rows]]
            rows = rows[self.size[rows, self.turn[rows]] > 1]
        action = self._action(rows)
        self._close(rows[action == STAND])
        self._hit(rows[action == HIT])
        self._double(rows[action == DOUBLE])
        self._split(rows[action == SPLIT])

    def _second_card(self, rows: Ints) -> None:
        """21 stands by itself, and so does any card on a split ace but an ace that may be split again."""
        self._card(rows)
        hand = self.turn[rows]
        total = self._total(self.hard[rows, hand], self.ace[rows, hand])
        of_aces = self.first[rows, hand] == ACE
        again = (self.second[rows, hand] == ACE) & (self.hands[rows] < self.settings.max_hands)
        self._close(rows[(total == BEST) | (of_aces & ~again)])

    def _action(self, rows: Ints) -> Ints:
        hand = self.turn[rows]
        hard, ace, size = self.hard[rows, hand], self.ace[rows, hand], self.size[rows, hand]
        total = self._total(hard, ace)
        pair = (size == 2) & (self.first[rows, hand] == self.second[rows, hand])
        soft = total > hard
        kind = np.where(pair, PAIR, np.where(soft, SOFT, HARD))
        size_of = np.where(pair, self.first[rows, hand], total)
        of_aces = (self.hands[rows] > 1) & (self.first[rows, hand] == ACE)
        low = (hard >= 9) & (hard <= 11) & (~soft | (self.settings.double_on == "low_9_to_11"))
        double = (size == 2) & (low | (self.settings.double_on == "any")) & ~of_aces
        double &= np.logical_or(self.hands[rows] == 1, self.settings.double_after_split)
        split = pair & (self.hands[rows] < self.settings.max_hands)
        action = self.table[self.column[rows], kind, size_of, double.astype(int), split.astype(int)]
        return np.where(of_aces & (action != SPLIT), STAND, action)

    def _close(self, rows: Ints) -> None:
        self.turn[rows] += 1

    def _hit(self, rows: Ints) -> None:
        self._card(rows)
        hand = self.turn[rows]
        self._close(rows[self._total(self.hard[rows, hand], self.ace[rows, hand]) >= BEST])

    def _double(self, rows: Ints) -> None:
        self.bet[rows, self.turn[rows]] = 2
        self._card(rows)
        self._close(rows)

    def _split(self, rows: Ints) -> None:
        """The hands to the right move up by one; the pair becomes two hands of one card."""
        columns = np.arange(self.hard.shape[1])
        moved = np.where(columns[None, :] > self.turn[rows][:, None], columns[None, :] - 1, columns[None, :])
        for part in (self.hard, self.ace, self.size, self.first, self.second, self.bet):
            part[rows] = np.take_along_axis(part[rows], moved, axis=1)
        for hand in (self.turn[rows], self.turn[rows] + 1):
            card = self.first[rows, hand]
            self.hard[rows, hand], self.ace[rows, hand], self.size[rows, hand] = card, card == ACE, 1
        self.hands[rows] += 1

    # --- the end ---

    def _in_play(self) -> Flags:
        return np.arange(self.hard.shape[1])[None, :] < self.hands[:, None]

    def _any_left(self) -> Flags:
        return np.any(self._in_play() & (self.hard <= BEST), axis=1)

    def _dealer_plays(self, plays: Flags) -> None:
        rows = np.flatnonzero(plays)
        while len(rows):
            total = self._total(self.dealer_hard[rows], self.dealer_ace[rows])
            soft_17 = (total == DEALER_STANDS) & (total > self.dealer_hard[rows]) & self.settings.dealer_hits_soft_17
            rows = rows[(total < DEALER_STANDS) | soft_17]
            self._dealer_card(rows)

    def _main(self, mine: Flags, theirs: Flags) -> NDArray[np.float64]:
        dealer = self._total(self.dealer_hard, self.dealer_ace)[:, None]
        total = self._total(self.hard, self.ace)
        wins = (total <= BEST) & ((dealer > BEST) | (total > dealer))
        net = (np.where(wins, self.bet, -self.bet) * self._in_play()).sum(axis=1).astype(np.float64)
        paid = self.settings.blackjack_odds[0] / self.settings.blackjack_odds[1]
        net[theirs] = -1.0
        net[mine] = np.where(theirs[mine], paid if self.settings.blackjack_tie == "win" else 0.0, paid)
        return net

    def _bonus_blackjack(self, mine: Flags) -> NDArray[np.float64]:
        return np.where(mine, self.settings.bonus_blackjack_odds[0] / self.settings.bonus_blackjack_odds[1], -1.0)

    def _bonus_sevens(self) -> NDArray[np.float64]:
        settings = self.settings
        odds = (settings.seven_odds, settings.two_sevens_odds, settings.three_sevens_odds)
        return np.array([-1.0, *(numerator / denominator for numerator, denominator in odds)])[self.sevens]
