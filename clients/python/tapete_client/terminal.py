"""What the terminal can show."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

ROAD_CHARS_MIN, ROAD_LINES_MIN = 72, 30
"""Smaller than this, the roads would push what happens at the table out of sight."""


@dataclass(frozen=True, slots=True)
class Room:
    """Characters and lines in sight, and whether there is colour."""

    columns: int
    lines: int
    colour: bool = False

    @property
    def for_roads(self) -> bool:
        return self.columns >= ROAD_CHARS_MIN and self.lines >= ROAD_LINES_MIN


NO_ROOM = Room(0, 0)
"""Where lines go to a file or a program, which wants one sentence a line."""


def in_colour(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Only a terminal that can, of a person who has not said otherwise (NO_COLOR)."""
    return out.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") not in (None, "dumb")


def room_of(out: TextIO, environment: Mapping[str, str]) -> Room:
    """The terminal's size at this moment."""
    if not out.isatty():
        return NO_ROOM
    columns, lines = shutil.get_terminal_size()
    return Room(columns, lines, in_colour(out, environment))
