"""The roads of a shoe as the vectors write them."""

from __future__ import annotations

from collections.abc import Iterable

from tapete_rules.events import Side
from tapete_rules.roads import Roads, place, read_coups, roads_of, streaks, write_coup


def written(text: str) -> dict[str, str]:
    roads = roads_of(read_coups(text))
    marks = {name: getattr(roads, name) for name in ("big_eye_boy", "small_road", "cockroach_road")}
    return {
        "coups": "".join(map(write_coup, roads.bead_plate)),
        "big_road": " ".join(
            "".join(write_coup(cell.coup) + "T" * cell.ties for cell in column) for column in roads.big_road
        ),
        **marks,
        "ask_banca": _asked(roads, "banca"),
        "ask_punto": _asked(roads, "punto"),
        "drawn_big_road": _drawn(map(len, roads.big_road)),
        **{f"drawn_{name}": _drawn(streaks(text)) for name, text in marks.items()},
    }


def _asked(roads: Roads, side: Side) -> str:
    return "".join(mark or "-" for mark in roads.ask(side))


def _drawn(lengths: Iterable[int]) -> str:
    return " ".join(f"{column},{row}" for streak in place(lengths) for column, row in streak)
