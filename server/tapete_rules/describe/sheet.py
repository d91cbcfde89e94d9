"""How figures and columns are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tapete_rules.describe.words import Words

MINOR_UNITS = 100
PLACES = 4
"""Decimals of a percentage."""


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Rows as aligned lines, two spaces in; columns whose number is in `right` stand flush right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = (
            text.rjust(width) if place in right else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def section(title: str, lines: Sequence[str]) -> str:
    """A heading and what stands under it."""
    return "\n".join((title, *lines))


def amount(value: int, words: Words) -> str:
    """Minor units as money: 100 is 1.00."""
    whole, rest = divmod(value, MINOR_UNITS)
    return f"{whole}{words.decimal_point}{rest:02}"


def grouped(value: int, words: Words) -> str:
    """A large whole number, in groups of three digits."""
    return f"{value:,}".replace(",", words.group_mark)


def percent(value: Fraction, words: Words) -> str:
    """A fraction as a percentage with four decimals, the last one rounded half up."""
    scale = 10**PLACES
    scaled = abs(value) * 100 * scale
    nearest = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if value < 0 and nearest else ""
    return f"{sign}{nearest // scale}{words.decimal_point}{nearest % scale:0{PLACES}} %"


def odds(value: Sequence[int]) -> str:
    """A payout: 8:1."""
    return ":".join(str(number) for number in value)


def settings_table(document: Mapping[str, Any], words: Words) -> str:
    """Every setting that is neither a payout nor a time."""
    names = [name for name in document if name not in ("game", "times") and not name.endswith("_odds")]
    rows = [(words.label(name), _setting(name, document[name], words)) for name in names]
    return section(words.settings, columns(rows))


def times_table(document: Mapping[str, Any], words: Words) -> str:
    """The pace of the table, in seconds."""
    rows = [(words.label(name), _seconds(value, words)) for name, value in document["times"].items()]
    return section(words.times, columns(rows, right=(1,)))


def _setting(name: str, value: Any, words: Words) -> str:
    if isinstance(value, bool):
        return words.yes if value else words.no
    if name == "chips":
        return "  ".join(amount(chip, words) for chip in value)
    if name == "commission_rate":
        return "/".join(str(number) for number in value)
    if name.endswith(("_min", "_max")):
        return amount(value, words)
    return words.label(value) if name in ("double_on", "blackjack_tie") else str(value)


def _seconds(milliseconds: int, words: Words) -> str:
    whole, rest = divmod(milliseconds, 1000)
    fraction = f"{words.decimal_point}{rest:03}".rstrip("0") if rest else ""
    return f"{whole}{fraction} s"
