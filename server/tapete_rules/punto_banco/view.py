"""What everyone at the table sees, as plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tapete_rules.cards import Card
from tapete_rules.punto_banco.coup import total, value
from tapete_rules.punto_banco.settings import PuntoBancoSettings
from tapete_rules.punto_banco.state import BoxInPlay, PuntoBancoState


def view(settings: PuntoBancoSettings, state: PuntoBancoState) -> dict[str, Any]:
    """The felt. Nobody decides here, so there is never a turn."""
    return {
        "boxes": [_box(box) for box in state.boxes],
        "dealer": None,
        "dealer_done": False,
        "punto": _side(state.punto),
        "banca": _side(state.banca),
        "turn": None,
        "standing": [],
        "coup": asdict(state.decided) if state.decided else None,
        "third": [asdict(decided) for decided in state.third],
        "shoe": _shoe(settings, state),
    }


def _shoe(settings: PuntoBancoSettings, state: PuntoBancoState) -> dict[str, Any]:
    """`coup` is the present coup, or the last one until the next begins; `last_coups` are left after it."""
    left = len(state.shoe)
    return {
        "decks": settings.decks,
        "left": left,
        "dealt": settings.decks * 52 - left,
        "coup": state.coup,
        "cut_card": settings.cut_card,
        "last_coups": None if state.last_coup is None else state.last_coup - state.coup,
        "burnt": list(state.burnt),
        "number": state.shoes,
    }


def _side(cards: tuple[Card, ...]) -> dict[str, Any] | None:
    if not cards:
        return None
    return {"cards": list(cards), "total": total([value(card) for card in cards]), "soft": False}


def _box(box: BoxInPlay) -> dict[str, Any]:
    return {
        "box": box.box,
        "hands": [],
        "spots": [asdict(bet) for bet in box.bets],
        "staked": box.staked,
        "returned": box.returned,
    }
