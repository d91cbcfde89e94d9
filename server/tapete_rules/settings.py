"""What a table's settings have in common: how they are read, refused and written, and the table's times.

Settings travel as plain documents (`{"game": .., "decks": 6, .., "times": {..}}`). A field that is absent has its
default; one that is unknown, or of another kind, is refused with its name. `SettingsError.field` is a dotted path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, TypeGuard

AMOUNT_MAX = 1_000_000_000_000
"""The largest amount in minor units that a limit, a chip or a bet may name; well inside 53 bits, payouts included."""

CHIPS_MAX = 12
ODDS_MAX = 10_000
HOUR_MS = 3_600_000

REVEALS_MS_MIN = 100
REVEALS_MS_MAX = 2_000
"""`closing_ms` at a table with reveals: time for a message and back, and no longer than anybody likes to wait."""

TIME_BOUNDS: dict[str, tuple[int, int]] = {
    "betting_ms": (0, HOUR_MS),
    "closing_ms": (0, 60_000),
    "turn_ms": (1, HOUR_MS),
    "pause_ms": (0, 10 * 60_000),
    "card_ms": (0, 10_000),
    "hold_ms": (1, HOUR_MS),
    "idle_ms": (1, 24 * HOUR_MS),
}


class SettingsError(ValueError):
    """A settings document that no table can be opened with: the field at fault, and what it has to be."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field.encode(errors="replace").decode()  # JSON can name a field with half a letter
        self.message = message


def is_whole(value: object) -> TypeGuard[int]:
    """A whole number; `True` is none, and neither is 1.0."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_whole(field: str, value: object, low: int, high: int) -> None:
    """Refuses anything but a whole number from `low` to `high`, both included."""
    if not is_whole(value) or not low <= value <= high:
        raise SettingsError(field, f"must be a whole number from {low} to {high}")


def check_flag(field: str, value: object) -> None:
    """Refuses anything but true or false."""
    if not isinstance(value, bool):
        raise SettingsError(field, "must be true or false")


def check_choice(field: str, value: object, choices: Iterable[str]) -> None:
    """Refuses anything but one of these names."""
    names = tuple(choices)
    if not isinstance(value, str) or value not in names:
        raise SettingsError(field, f"must be one of {', '.join(names)}")


def check_chips(field: str, value: object) -> None:
    """Refuses anything but one to twelve amounts, each larger than the one before it, each a multiple of the lowest."""
    if not isinstance(value, tuple) or not 1 <= len(value) <= CHIPS_MAX:
        raise SettingsError(field, f"must be a list of 1 to {CHIPS_MAX} amounts")
    for place, chip in enumerate(value):
        check_whole(f"{field}[{place}]", chip, 1, AMOUNT_MAX)
    if any(left >= right for left, right in pairwise(value)):
        raise SettingsError(field, "must be ascending, and no chip may come twice")
    if any(chip % value[0] for chip in value):
        raise SettingsError(field, "must be multiples of the lowest chip")


def check_odds(field: str, value: object) -> None:
    """Refuses anything but odds `(numerator, denominator)`, two whole numbers from 1."""
    if not isinstance(value, tuple) or len(value) != 2:
        raise SettingsError(field, "must be a list of two numbers, [numerator, denominator]")
    for place, number in enumerate(value):
        check_whole(f"{field}[{place}]", number, 1, ODDS_MAX)


def check_limits(low_field: str, low: int, high_field: str, high: int) -> None:
    """Refuses limits that leave no bet between them."""
    if low > high:
        raise SettingsError(low_field, f"must not be above {high_field}")


def win(stake: int, odds: tuple[int, int]) -> int:
    """What comes back to a bet that wins: the stake and its payout, rounded down to whole minor units."""
    numerator, denominator = odds
    return stake + stake * numerator // denominator


def read_document(form: type[Any], document: object, *, game: str = "", at: str = "") -> dict[str, Any]:
    """The keyword arguments for a settings class, read from a plain document.

    Lists become tuples, `times` becomes `Times`; the class checks the values. `game` is the name that the document's
    own field `game` must have, where it has one; `at` is the prefix of field names in messages.
    """
    if not isinstance(document, Mapping):
        raise SettingsError(at.rstrip(".") or "settings", "must be an object")
    known = [field.name for field in fields(form)]
    values: dict[str, Any] = {}
    for name, value in document.items():
        if game and name == "game":
            check_choice(f"{at}game", value, (game,))
        elif name not in known:
            raise SettingsError(f"{at}{name}"[:80], f"is no setting; known: {', '.join(known)}")
        else:
            values[name] = Times.from_plain(value) if name == "times" else _frozen(value)
    return values


def write_document(settings: Any, *, game: str = "") -> dict[str, Any]:
    """The plain document of a settings object: every field, with its value; `read_document` reads it back."""
    document: dict[str, Any] = {"game": game} if game else {}
    for field in fields(settings):
        value = getattr(settings, field.name)
        document[field.name] = value.to_plain() if isinstance(value, Times) else _thawed(value)
    return document


def check_times(value: object) -> None:
    """Refuses anything but `Times`; it has checked itself."""
    if not isinstance(value, Times):
        raise SettingsError("times", "must be an object")


def check_reveals(reveals: object, times: Times) -> None:
    """Refuses anything but true or false, and true where nobody could reveal in time or all wait for long."""
    check_flag("reveals", reveals)
    if reveals and not REVEALS_MS_MIN <= times.closing_ms <= REVEALS_MS_MAX:
        raise SettingsError("times.closing_ms", f"must be from {REVEALS_MS_MIN} to {REVEALS_MS_MAX} with reveals")


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _thawed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Times:
    """The pace of a table, in milliseconds. Both games share it."""

    betting_ms: int = 15_000
    """How long bets are taken; 0: no clock, the round starts when everyone with a bet is ready."""
    closing_ms: int = 2_000
    """How long the players' reveals are waited for, at most, between "no more bets" and the first card."""
    turn_ms: int = 20_000
    """How long a player may think before the house plays for them."""
    pause_ms: int = 4_000
    """Between the last settlement and the next bets."""
    card_ms: int = 400
    """Between two cards."""
    hold_ms: int = 120_000
    """How long a box is held for a player whose connection dropped."""
    idle_ms: int = 300_000
    """How long a seat may stay without a bet before it is freed."""

    def __post_init__(self) -> None:
        for name, (low, high) in TIME_BOUNDS.items():
            check_whole(f"times.{name}", getattr(self, name), low, high)

    @classmethod
    def from_plain(cls, document: object) -> Times:
        """Reads `{"betting_ms": .., ..}`; refuses with `times.<field>`."""
        return cls(**read_document(cls, document, at="times."))

    def to_plain(self) -> dict[str, Any]:
        """Every time by its name."""
        return write_document(self)
