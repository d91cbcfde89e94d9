"""A table of Punto Banco as plain frozen values: the shoe that goes on over many coups, the bets, the two hands."""

from __future__ import annotations

from dataclasses import dataclass

from tapete_rules.cards import Card, Shoe
from tapete_rules.events import CoupDecided, Outcome, ThirdCardDecided


@dataclass(frozen=True, slots=True)
class Bet:
    """What lies on a spot of a box, and what became of it."""

    spot: str
    stake: int
    outcome: Outcome | None = None
    returned: int = 0


@dataclass(frozen=True, slots=True)
class BoxInPlay:
    """A box in the present coup. `staked`: all that left the owner's stack for it; `returned` is None until settled."""

    box: int
    owner: str
    bets: tuple[Bet, ...]
    staked: int
    returned: int | None = None


@dataclass(frozen=True, slots=True)
class PuntoBancoState:
    """`coup`: number in this shoe of the present coup, or of the last one; 0: no shoe is open yet.

    `last_coup`: the number of the coup after which this shoe is done, once the cut card has shown. `shoes`: how many were
    opened at this table, the present one included.
    """

    shoe: Shoe
    burnt: tuple[Card, ...] = ()
    coup: int = 0
    last_coup: int | None = None
    boxes: tuple[BoxInPlay, ...] = ()
    punto: tuple[Card, ...] = ()
    banca: tuple[Card, ...] = ()
    third: tuple[ThirdCardDecided, ...] = ()
    decided: CoupDecided | None = None
    shoes: int = 0

    @property
    def shoe_due(self) -> bool:
        """The next coup comes from a new shoe."""
        return self.coup in (0, self.last_coup)

    @property
    def coup_begun(self) -> bool:
        """A card of the present coup is on the table."""
        return bool(self.punto)
