"""What a player types, in plain words of either language."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from tapete_client.table import Action
from tapete_client.texts.prompts import Prompts

Verb = Literal["ready", "leave", "help", "quit", "table", "top", "advice", "warnings"]
AMOUNT_MAX = Decimal(10) ** 10


@dataclass(frozen=True, slots=True)
class Bet:
    """Without a box, the player's first; without a spot, the game's first."""

    amount: int
    box: int | None = None
    spot: str | None = None


@dataclass(frozen=True, slots=True)
class Decide:
    action: Action


@dataclass(frozen=True, slots=True)
class Chips:
    """Buy chips, or cash them: all of them when there is no amount."""

    move: Literal["buy", "cash"]
    amount: int | None


@dataclass(frozen=True, slots=True)
class Seat:
    move: Literal["take", "free"]
    box: int | None


@dataclass(frozen=True, slots=True)
class Say:
    verb: Verb


Order = Bet | Decide | Chips | Seat | Say


class NotUnderstood(ValueError):
    """Says what to type instead."""


_BET = {"bet", "b", "apostar", "apuesta", "apuesto"}
_ACTIONS: dict[str, Action] = {
    **dict.fromkeys(("hit", "h", "pedir", "carta", "pido"), "hit"),
    **dict.fromkeys(("stand", "s", "plantarse", "planto", "plantarme"), "stand"),
    **dict.fromkeys(("all", "todas", "stand_all"), "stand_all"),
    **dict.fromkeys(("double", "d", "doblar", "doblo"), "double"),
    **dict.fromkeys(("split", "dividir", "divido"), "split"),
}
_CHIPS: dict[str, Literal["buy", "cash"]] = {
    **dict.fromkeys(("buy", "comprar", "compro"), "buy"),
    **dict.fromkeys(("cash", "cobrar", "cobro"), "cash"),
}
_SEATS: dict[str, Literal["take", "free"]] = {
    **dict.fromkeys(("box", "sit", "casilla", "sentarse"), "take"),
    **dict.fromkeys(("free", "dejar", "soltar"), "free"),
}
_VERBS: dict[str, Verb] = {
    **dict.fromkeys(("ready", "r", "deal", "listo", "lista", "repartir"), "ready"),
    **dict.fromkeys(("leave", "levantarse", "irse"), "leave"),
    **dict.fromkeys(("help", "?", "ayuda"), "help"),
    **dict.fromkeys(("quit", "q", "exit", "salir"), "quit"),
    **dict.fromkeys(("table", "t", "mesa"), "table"),
    **dict.fromkeys(("top", "topup", "recargar"), "top"),
    **dict.fromkeys(("advice", "advise", "consejo"), "advice"),
    **dict.fromkeys(("warnings", "avisos"), "warnings"),
}
_SPOTS = {
    **dict.fromkeys(("empate", "tablas"), "tie"),
    **dict.fromkeys(("principal", "base"), "main"),
    **dict.fromkeys(("sietes", "siete", "seven"), "sevens"),
    **dict.fromkeys(("pareja_punto", "pareja_de_punto", "pair_punto", "pair_of_punto"), "punto_pair"),
    **dict.fromkeys(("pareja_banca", "pareja_de_banca", "pair_banca", "pair_of_banca"), "banca_pair"),
}


def parse(line: str, prompts: Prompts) -> Order:
    """An order, or `NotUnderstood`. Case and spare blanks do not matter."""
    head, *rest = line.lower().split() or [""]
    if (head, rest) in ((("plantarse"), ["en", "todas"]), ("stand", ["on", "all"]), ("stand", ["all"])):
        return Decide("stand_all")
    if head in _BET:
        return _bet(rest, prompts)
    if head in _CHIPS:
        return _chips(_CHIPS[head], rest, prompts)
    if head in _SEATS:
        return _seat(_SEATS[head], rest, prompts)
    if head not in _ACTIONS and head not in _VERBS:
        raise NotUnderstood(prompts.not_understood.format(text=line.strip()[:40]))
    _no_more(rest, prompts)
    return Decide(_ACTIONS[head]) if head in _ACTIONS else Say(_VERBS[head])


def amount_of(text: str, prompts: Prompts) -> int:
    """Minor units of `10`, `10.5` or `10,50`."""
    try:
        value = Decimal(text.replace(",", "."))
    except InvalidOperation:
        value = Decimal(-1)
    if not value.is_finite() or not 0 <= value < AMOUNT_MAX or value * 100 % 1:
        raise NotUnderstood(prompts.not_an_amount.format(text=text[:20]))
    return int(value * 100)


def _bet(words: list[str], prompts: Prompts) -> Bet:
    if not words:
        raise NotUnderstood(prompts.needs_amount.format(example=prompts.examples["bet"]))
    *where, last = words
    amount = amount_of(last, prompts)
    box = _box(where.pop(0), prompts) if where and where[0][0].isdigit() else None
    spot = "_".join(where) or None
    return Bet(amount, box, _SPOTS.get(spot, spot) if spot else None)


def _chips(move: Literal["buy", "cash"], words: list[str], prompts: Prompts) -> Chips:
    _no_more(words[1:], prompts)
    if not words and move == "buy":
        raise NotUnderstood(prompts.needs_amount.format(example=prompts.examples["buy"]))
    return Chips(move, amount_of(words[0], prompts) if words else None)


def _seat(move: Literal["take", "free"], words: list[str], prompts: Prompts) -> Seat:
    _no_more(words[1:], prompts)
    if not words and move == "free":
        raise NotUnderstood(prompts.needs_box.format(example=prompts.examples["free"]))
    return Seat(move, _box(words[0], prompts) if words else None)


def _box(text: str, prompts: Prompts) -> int:
    if not text.isdecimal() or not 1 <= int(text[:4]) <= 99:
        raise NotUnderstood(prompts.not_a_box.format(text=text[:20]))
    return int(text)


def _no_more(words: list[str], prompts: Prompts) -> None:
    if words:
        raise NotUnderstood(prompts.too_many_words.format(text=" ".join(words)[:40]))
