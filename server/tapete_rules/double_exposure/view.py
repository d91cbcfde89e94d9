"""What everyone at the table sees, as plain values."""

from __future__ import annotations

from typing import Any

from tapete_rules.cards import Card
from tapete_rules.double_exposure.points import count
from tapete_rules.double_exposure.settings import DoubleExposureSettings
from tapete_rules.double_exposure.state import BoxInPlay, DoubleExposureState, Hand


def view(settings: DoubleExposureSettings, state: DoubleExposureState) -> dict[str, Any]:
    """The felt. The shoe is new in every round, so it has neither coups nor a cut card: both are 0."""
    left = len(state.shoe)
    return {
        "boxes": [_box(box) for box in state.boxes],
        "dealer": _cards(state.dealer) if state.dealer else None,
        "dealer_done": state.dealer_done,
        "punto": None,
        "banca": None,
        "turn": _turn(state),
        "standing": [standing.owner for standing in state.standing],
        "coup": None,
        "third": [],
        "shoe": {
            "decks": settings.decks,
            "left": left,
            "dealt": settings.decks * 52 - left,
            "coup": 0,
            "cut_card": 0,
            "last_coups": None,
            "burnt": [],
            "number": state.shoes,
        },
    }


def _cards(cards: tuple[Card, ...]) -> dict[str, Any]:
    points, soft = count(cards)
    return {"cards": list(cards), "total": points, "soft": soft}


def _hand(hand: Hand) -> dict[str, Any]:
    return _cards(hand.cards) | {
        "stake": hand.stake,
        "doubled": hand.closed == "doubled",
        "closed": hand.closed,
        "by": hand.by,
        "outcome": hand.outcome,
        "returned": hand.returned,
    }


def _box(box: BoxInPlay) -> dict[str, Any]:
    return {
        "box": box.box,
        "hands": [_hand(hand) for hand in box.hands],
        "spots": [
            {"spot": bonus.spot, "stake": bonus.stake, "outcome": bonus.outcome, "returned": bonus.returned}
            for bonus in box.bonuses
        ],
        "staked": box.staked,
        "returned": box.returned,
    }


def _turn(state: DoubleExposureState) -> dict[str, Any] | None:
    turn = state.turn
    if turn is None:
        return None
    return {"box": turn.box, "hand": turn.hand, "owner": turn.owner, "legal": list(turn.legal)}
