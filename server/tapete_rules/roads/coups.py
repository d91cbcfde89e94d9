"""What the roads know of a coup, and how it is written: `B`, `P` or `T`, then `n`, `b`, `p` for what players mark with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tapete_rules.events import CoupDecided
from tapete_rules.punto_banco.coup import Winner

COUPS_MAX = 10_000
"""The longest row of coups that is read; a shoe of eight decks has a hundred at most."""

Problem = Literal["letter", "mark_first", "mark_twice", "too_many"]

LETTERS: dict[Winner, str] = {"banca": "B", "punto": "P", "tie": "T"}
_WINNERS: dict[str, Winner] = {letter: winner for winner, letter in LETTERS.items()} | {"E": "tie"}
_MARKS = {"n": "natural", "b": "banca_pair", "p": "punto_pair"}

SAID: dict[Problem, str] = {
    "letter": '"{text}" (at {place}) is no coup: write B for banca, P for punto, T for a tie, and after it n, b or p for a '
    "natural or a pair of banca or punto",
    "mark_first": '"{text}" (at {place}) marks a coup, and there is none before it: write B, P or T first',
    "mark_twice": '"{text}" (at {place}) marks the same coup twice: write it once, or the next coup as B, P or T',
    "too_many": "there are more than {place} coups: give one shoe at a time",
}


class WrongCoup(ValueError):
    """A row of coups that cannot be read. `text` is the letter at fault (its code point where it cannot be shown), `place`
    where it stands, from 1; with `too_many` the most that is read."""

    def __init__(self, problem: Problem, letter: str, place: int) -> None:
        text = letter if letter.isprintable() else f"U+{ord(letter):04X}"
        super().__init__(SAID[problem].format(text=text, place=place))
        self.problem: Problem = problem
        self.text, self.place = text, place


@dataclass(frozen=True, slots=True)
class Coup:
    """Who won, and what is marked with it: `natural` ended it in two cards; pairs are of the first two cards."""

    winner: Winner
    natural: bool = False
    banca_pair: bool = False
    punto_pair: bool = False

    @classmethod
    def of(cls, decided: CoupDecided) -> Coup:
        """As the croupier called it."""
        return cls(decided.winner, decided.natural, decided.banca_pair, decided.punto_pair)


def write_coup(coup: Coup) -> str:
    """`B`, `Tn`, `Pnbp`."""
    return LETTERS[coup.winner] + "".join(letter for letter, name in _MARKS.items() if getattr(coup, name))


def read_coups(text: str) -> tuple[Coup, ...]:
    """Coups as `write_coup` writes them, with any blanks; `E` (empate) is a tie as well. Text without a capital is winners
    only, typed in a hurry. Raises `WrongCoup`."""
    coups: list[Coup] = []
    marks: set[str] = set()
    for place, letter in enumerate(text.upper() if text.islower() else text, 1):
        if letter in _WINNERS:
            if len(coups) == COUPS_MAX:
                raise WrongCoup("too_many", letter, COUPS_MAX)
            coups.append(Coup(_WINNERS[letter]))
            marks.clear()
        elif letter in _MARKS:
            coups[-1:] = [_marked(coups, marks, letter, place)]
            marks.add(letter)
        elif not letter.isspace():
            raise WrongCoup("letter", letter, place)
    return tuple(coups)


def _marked(coups: list[Coup], marks: set[str], letter: str, place: int) -> Coup:
    if not coups:
        raise WrongCoup("mark_first", letter, place)
    if letter in marks:
        raise WrongCoup("mark_twice", letter, place)
    named = {_MARKS[mark]: True for mark in (*marks, letter)}
    return Coup(coups[-1].winner, **named)
