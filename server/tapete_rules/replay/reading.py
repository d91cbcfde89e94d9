"""Reading a replay's line, field by field. A field that is missing or wrong is named in the error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tapete_rules.cards import INDEX, Card, WrongCard
from tapete_rules.settings import is_whole

BET_MAX = 10**18
"""A bet in a replay has no table limit, but it stays a number that one can read."""


class LineError(ValueError):
    """A line that cannot be replayed: a code, and what is wrong in words."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def bad_line(field: str, problem: str) -> LineError:
    """The field at fault, as a path such as `bets[0].main`, and what it has to be."""
    return LineError("bad_line", f"{field} {problem}")


def read_object(value: object, at: str, known: Iterable[str] | None = None) -> Mapping[str, Any]:
    """A JSON object; with `known`, one without other fields."""
    if not isinstance(value, Mapping):
        raise bad_line(at, "must be an object")
    names = value.keys() if known is None else tuple(known)
    for name in value:
        if name not in names:
            raise bad_line(f"{at}.{name}"[:80], f"is unknown; known: {', '.join(names)}")
    return value


def read_whole(
    source: Mapping[str, Any], name: str, low: int, high: int = BET_MAX, *, at: str = "", default: int | None = None
) -> int:
    """A whole number from `low` to `high`; without `default` it has to be there."""
    value = source.get(name, default)
    if name not in source and default is None:
        raise bad_line(f"{at}{name}", "is missing")
    if not is_whole(value) or not low <= value <= high:
        raise bad_line(f"{at}{name}", f"must be a whole number from {low} to {high}")
    return value


def read_choice(source: Mapping[str, Any], name: str, choices: Iterable[str], *, at: str = "") -> str:
    """One of these words."""
    names = tuple(choices)
    if name not in source:
        raise bad_line(f"{at}{name}", "is missing")
    value = source[name]
    if not isinstance(value, str) or value not in names:
        raise bad_line(f"{at}{name}", f"must be one of {', '.join(names)}")
    return value


def read_list(source: Mapping[str, Any], name: str, *, optional: bool = False) -> list[Any]:
    """A JSON array; where it is optional, absent means empty."""
    if name not in source:
        if optional:
            return []
        raise bad_line(name, "is missing")
    value = source[name]
    if not isinstance(value, list):
        raise bad_line(name, "must be a list")
    return value


def read_cards(source: Mapping[str, Any], name: str = "cards") -> tuple[Card, ...]:
    """Cards in the order in which they leave the shoe. Raises `WrongCard` for what is no card at all."""
    cards = read_list(source, name)
    for place, card in enumerate(cards):
        if not isinstance(card, str):
            raise bad_line(f"{name}[{place}]", "must be a card such as AS or TH")
        if card not in INDEX:
            raise WrongCard(f"{name}[{place}] is {card[:8]!r}, and a card is a rank and a suit such as AS or TH")
    return tuple(Card(card) for card in cards)
