"""All roads of a shoe, and what the next coup would add to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapete_rules.events import Side
from tapete_rules.roads.big_road import Column, big_road
from tapete_rules.roads.coups import Coup
from tapete_rules.roads.derived import BIG_EYE_BOY, COCKROACH_ROAD, KS, SMALL_ROAD, Mark, derived_road, mark_at

Ask = tuple[Mark | None, Mark | None, Mark | None]
"""What a coup would add to Big Eye Boy, Small Road and Cockroach Road; None: nothing."""


@dataclass(frozen=True, slots=True)
class Roads:
    """`bead_plate`: every coup, ties too. The derived roads are texts of `R` and `B`."""

    bead_plate: tuple[Coup, ...]
    big_road: tuple[Column, ...]
    big_eye_boy: str
    small_road: str
    cockroach_road: str

    def ask(self, side: Side) -> Ask:
        """The marks of the next coup if `side` wins it. For the other side they are the opposite, or absent as well."""
        heights = [len(column) for column in self.big_road]
        goes_on = bool(heights) and self.big_road[-1][0].coup.winner == side
        column, row = (len(heights) - 1, heights[-1]) if goes_on else (len(heights), 0)
        big_eye_boy, small_road, cockroach_road = (mark_at(heights, column, row, k) for k in KS)
        return big_eye_boy, small_road, cockroach_road


def roads_of(coups: Sequence[Coup]) -> Roads:
    """The roads of a shoe's coups, in order of play."""
    columns = big_road(coups)
    heights = [len(column) for column in columns]
    return Roads(
        tuple(coups),
        columns,
        derived_road(heights, BIG_EYE_BOY),
        derived_road(heights, SMALL_ROAD),
        derived_road(heights, COCKROACH_ROAD),
    )
