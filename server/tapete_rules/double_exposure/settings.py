"""What the rules of Double Exposure leave to the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tapete_rules.settings import (
    AMOUNT_MAX,
    SettingsError,
    Times,
    check_chips,
    check_choice,
    check_flag,
    check_limits,
    check_odds,
    check_reveals,
    check_times,
    check_whole,
    read_document,
    write_document,
)

NAME = "double_exposure"

DECKS_MIN = 2
"""Sixteen hands and the dealer cannot draw two decks empty, even in their lowest cards."""
DECKS_MAX = 8
HANDS_MAX = 4

DOUBLES_ON = ("hard_9_to_11", "low_9_to_11", "any")
"""Hands of two cards that may double: a hard 9 to 11; 9 to 11 with aces as one, so a soft 19 or 20 as well; every one."""
BLACKJACK_TIES = ("push", "win")
"""Blackjack against the dealer's: the bet comes back, or is paid as any blackjack."""


@dataclass(frozen=True, slots=True)
class DoubleExposureSettings:
    """Amounts in minor units, odds as (numerator, denominator). The defaults are the published game. (seed 004)

    Other houses play it otherwise; what is wide enough for their published rules is marked with ours.
    """

    decks: int = 6
    """(D3; seed 004, feature 9)"""
    chips: tuple[int, ...] = (100, 500, 2500, 10000)
    """Bets are multiples of the lowest one, which is also the least bonus bet. (D2; seed 004, rules 2 and 10)"""
    main_min: int = 100
    main_max: int = 50000
    """Per box. (D2; seed 004, rule 1)"""
    bonus_max: int = 2000
    """Per bonus bet; 0: no bonus bets at this table. (D2; seed 004, rule 10)"""
    blackjack_odds: tuple[int, int] = (1, 1)
    """(D6; seed 004, feature 3)"""
    bonus_blackjack_odds: tuple[int, int] = (19, 1)
    """(D16; seed 004, rule 10)"""
    seven_odds: tuple[int, int] = (8, 1)
    two_sevens_odds: tuple[int, int] = (40, 1)
    three_sevens_odds: tuple[int, int] = (250, 1)
    """(D17; seed 004, rule 10)"""
    max_hands: int = HANDS_MAX
    """Hands in a box after splits; 1: no splits. (D9; seed 004, feature 5)"""
    dealer_hits_soft_17: bool = False
    """The house's dealer stands on every 17; others draw to a soft one. (D14; seed 004, rule 9)"""
    double_on: str = DOUBLES_ON[0]
    """(D8; seed 004, feature 4)"""
    double_after_split: bool = True
    """(D8; seed 004, feature 4)"""
    blackjack_tie: str = BLACKJACK_TIES[0]
    """(D5; seed 004, feature 8)"""
    reveals: bool = False
    """Players have a part in the cards; absent: no, as in the first release."""
    times: Times = Times()  # noqa: RUF009 - frozen, so one default for all is safe

    def __post_init__(self) -> None:
        check_whole("decks", self.decks, DECKS_MIN, DECKS_MAX)
        check_chips("chips", self.chips)
        check_whole("main_min", self.main_min, 1, AMOUNT_MAX)
        check_whole("main_max", self.main_max, 1, AMOUNT_MAX)
        check_limits("main_min", self.main_min, "main_max", self.main_max)
        if self.main_max // self.chips[0] * self.chips[0] < self.main_min:
            raise SettingsError("main_max", "must leave room for a bet in multiples of the lowest chip")
        check_whole("bonus_max", self.bonus_max, 0, AMOUNT_MAX)
        for name in (
            "blackjack_odds",
            "bonus_blackjack_odds",
            "seven_odds",
            "two_sevens_odds",
            "three_sevens_odds",
        ):
            check_odds(name, getattr(self, name))
        check_whole("max_hands", self.max_hands, 1, HANDS_MAX)
        check_flag("dealer_hits_soft_17", self.dealer_hits_soft_17)
        check_choice("double_on", self.double_on, DOUBLES_ON)
        check_flag("double_after_split", self.double_after_split)
        check_choice("blackjack_tie", self.blackjack_tie, BLACKJACK_TIES)
        check_times(self.times)
        check_reveals(self.reveals, self.times)

    @classmethod
    def from_plain(cls, document: object) -> DoubleExposureSettings:
        """Reads a settings document; absent fields have their defaults. Raises `SettingsError`."""
        return cls(**read_document(cls, document, game=NAME))

    def to_plain(self) -> dict[str, Any]:
        """The complete settings document."""
        return write_document(self, game=NAME)
