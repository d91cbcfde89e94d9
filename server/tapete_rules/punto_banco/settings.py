"""What the rules of Punto Banco leave to the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tapete_rules.punto_banco.tableaux import TABLEAUX
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

NAME = "punto_banco"

DECKS_MAX = 8
CUT_CARD_MIN = 11
"""The cut card shows before a coup's second card at the earliest: five more of that coup, six of the last one."""
BURNT_MAX = 11
"""The card that is turned, and ten for a ten or a figure."""
SIDE_PART = 8
"""A tie or a pair takes an eighth of the main maximum, unless the table says otherwise."""


@dataclass(frozen=True, slots=True)
class PuntoBancoSettings:
    """Amounts in minor units, odds as (numerator, denominator). The defaults are the standard game. (seed 002)"""

    decks: int = 8
    tableau: str = "reglamento"
    """Which of the published rules of the third card. (seeds 000, 001, 002)"""
    commission: bool = True
    """False: no commission, and a winning banca six is paid `banca_six_odds`."""
    commission_rate: tuple[int, int] = (1, 20)
    """What the house keeps of a win on banca: five per cent."""
    banca_six_odds: tuple[int, int] = (1, 2)
    punto_odds: tuple[int, int] = (1, 1)
    tie_odds: tuple[int, int] = (8, 1)
    pair_odds: tuple[int, int] = (11, 1)
    chips: tuple[int, ...] = (100, 500, 2500, 10000)
    """Bets are multiples of the lowest one, which is also the least bet on a tie or a pair."""
    main_min: int = 100
    main_max: int = 100_000
    """On punto, and on banca."""
    tie_max: int | None = None
    pair_max: int | None = None
    """Absent: an eighth of `main_max` in whole lowest chips, and that number once it is read. 0: no such bets."""
    burn: bool = True
    """The first card of a shoe is turned, and as many cards as it counts are burnt."""
    cut_card: int = 14
    """Cards behind the cut card."""
    reveals: bool = False
    """Players have a part in the cards; absent: no, as in the first release."""
    times: Times = Times()  # noqa: RUF009 - frozen, so one default for all is safe

    def __post_init__(self) -> None:
        check_whole("decks", self.decks, 1, DECKS_MAX)
        check_choice("tableau", self.tableau, TABLEAUX)
        check_flag("commission", self.commission)
        for name in ("commission_rate", "banca_six_odds", "punto_odds", "tie_odds", "pair_odds"):
            check_odds(name, getattr(self, name))
        if self.commission_rate[0] >= self.commission_rate[1]:
            raise SettingsError("commission_rate", "must be less than the whole win")
        check_chips("chips", self.chips)
        self._check_limits()
        check_flag("burn", self.burn)
        most = 52 * self.decks - (BURNT_MAX if self.burn else 0)
        check_whole("cut_card", self.cut_card, CUT_CARD_MIN, most)
        check_times(self.times)
        check_reveals(self.reveals, self.times)

    def _check_limits(self) -> None:
        chip = self.chips[0]
        check_whole("main_min", self.main_min, 1, AMOUNT_MAX)
        check_whole("main_max", self.main_max, 1, AMOUNT_MAX)
        check_limits("main_min", self.main_min, "main_max", self.main_max)
        if self.main_max // chip * chip < self.main_min:
            raise SettingsError("main_max", "must leave room for a bet in multiples of the lowest chip")
        for name in ("tie_max", "pair_max"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, self.main_max // SIDE_PART // chip * chip)
            check_whole(name, getattr(self, name), 0, AMOUNT_MAX)

    def limits(self, spot: str) -> tuple[int, int]:
        """Least and largest bet on a spot; (0, 0) where none is taken."""
        if spot in ("punto", "banca"):
            return self.main_min, self.main_max
        most = self.tie_max if spot == "tie" else self.pair_max
        assert most is not None, "an absent maximum is worked out when the settings are made"
        return (self.chips[0], most) if most >= self.chips[0] else (0, 0)

    def banca_odds(self, points: int) -> tuple[int, int]:
        """What a banca that wins with so many points is paid: 1:1 less the commission, or the form without one."""
        if self.commission:
            part, whole = self.commission_rate
            return whole - part, whole
        return self.banca_six_odds if points == 6 else (1, 1)

    @classmethod
    def from_plain(cls, document: object) -> PuntoBancoSettings:
        """Reads a settings document; absent fields have their defaults. Raises `SettingsError`."""
        return cls(**read_document(cls, document, game=NAME))

    def to_plain(self) -> dict[str, Any]:
        """The complete settings document."""
        return write_document(self, game=NAME)
