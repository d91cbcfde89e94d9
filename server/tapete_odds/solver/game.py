"""What is the same against every dealer: the rows of all segments, and what the settings allow to each."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tapete_odds.hands import VALUES, all_hands, cards_of, full_shoe
from tapete_odds.names import PLAYERS, player_name
from tapete_odds.solver.rows import Flags, Numbers, Rows, Segment, holding
from tapete_odds.solver.splits import most_out
from tapete_rules.double_exposure import DoubleExposureSettings

DEALT = 0
"""The segment of hands as they are dealt; after it come, for each value, those of its split pair."""
ACE = 0
NO_NAME = -1


class Game:
    """Rows for all segments of some settings, made once; then every dealer's cards are taken from them."""

    def __init__(self, settings: DoubleExposureSettings) -> None:
        self.settings = settings
        self.full = full_shoe(settings.decks)
        self.further = most_out(settings.max_hands) if settings.max_hands > 1 else -1
        self.rows = Rows(self._segments())
        self.may_double = self._may_double()
        self.leaders = np.flatnonzero(self.rows.leader == np.arange(len(self.rows)))
        """The rows whose ends are counted: hands as dealt, and those of a split beside which only the pair is out."""
        self.leading = Rows(self._leading())
        """These rows alone."""

    def _leading(self) -> list[Segment]:
        leading = [segment for number, segment in enumerate(self._segments()) if segment.leader == number]
        return [Segment(segment.out, segment.hands, number) for number, segment in enumerate(leading)]

    def _segments(self) -> list[Segment]:
        segments = [Segment((0,) * VALUES, np.arange(len(all_hands())), DEALT)]
        for place in range(VALUES):
            hands, leader = holding(place), len(segments)
            for further in range(self.further + 1):
                out = tuple((1 + further) * (value == place) for value in range(VALUES))
                segments.append(Segment(out, hands, leader))
        return segments

    def segment(self, place: int, further: int) -> int:
        """Of the hands of a split pair of this value, when so many further cards of it are out."""
        return 1 + place * (self.further + 1) + further

    def _may_double(self) -> Flags:
        rows, settings = self.rows, self.settings
        low = np.where(rows.soft, rows.total - 10, rows.total)
        in_range = (low >= 9) & (low <= 11) & (~rows.soft | (settings.double_on == "low_9_to_11"))
        may = (rows.size == 2) & (rows.total < 21) & (in_range | (settings.double_on == "any"))
        dealt = np.arange(len(rows)) < rows.starts[1]
        after_split = ~dealt & settings.double_after_split
        if self.further >= 0:
            after_split[rows.starts[self.segment(0, 0)] : rows.starts[self.segment(1, 0)]] = False
        return may & (dealt | after_split)

    @cached_property
    def names(self) -> Numbers:
        """Of each row, its place in `PLAYERS`; NO_NAME for a hand that decides nothing."""
        place = {name: number for number, name in enumerate(PLAYERS)}
        return np.array([place.get(player_name(hand), NO_NAME) for hand in all_hands()])[self.rows.hand]

    def row(self, *places: int) -> int:
        """Of a hand as it was dealt."""
        return self.rows.row(DEALT, cards_of(*places))
