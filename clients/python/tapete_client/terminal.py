"""What the terminal can show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO


def in_colour(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Only a terminal that can, of a person who has not said otherwise (NO_COLOR)."""
    return out.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") not in (None, "dumb")
