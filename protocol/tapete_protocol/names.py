"""Names that people give themselves and their tables: one spelling for one look, and nothing that hides."""

from __future__ import annotations

import unicodedata

from tapete_protocol.limits import MARKS_IN_A_ROW_MAX, PLAYER_NAME_CHARS_MAX, TABLE_NAME_CHARS_MAX

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories: control, format (bidi, zero-width), surrogate, private, unassigned, separators of lines."""
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and symbols by category, but nothing to see."""
SPACES = dict.fromkeys(map(ord, "\t\n\r"), " ")
"""What a keyboard may put where a space is meant."""


def player_name(text: str) -> str | None:
    """The name as everyone sees it, or None where it cannot be one."""
    return normal(text, PLAYER_NAME_CHARS_MAX)


def table_name(text: str) -> str | None:
    return normal(text, TABLE_NAME_CHARS_MAX)


def normal(text: str, chars_max: int) -> str | None:
    """NFC, spaces trimmed and collapsed to one; None if nothing is left, it is too long, or something in it hides."""
    if any(char in BLANK or unicodedata.category(char) in HIDDEN for char in text.translate(SPACES)):
        return None
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not 1 <= len(name) <= chars_max or unicodedata.category(name[0]).startswith("M"):
        return None
    return name if _marks_in_a_row(name) <= MARKS_IN_A_ROW_MAX else None


def _marks_in_a_row(name: str) -> int:
    longest = run = 0
    for char in name:
        run = run + 1 if unicodedata.category(char).startswith("M") else 0
        longest = max(longest, run)
    return longest
