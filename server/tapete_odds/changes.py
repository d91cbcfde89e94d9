"""The same table with one rule changed: what each change is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tapete_rules.double_exposure import DoubleExposureSettings

CHANGES: dict[str, dict[str, Any]] = {
    "dealer_hits_soft_17": {"dealer_hits_soft_17": True},
    "double_any": {"double_on": "any"},
    "no_double_after_split": {"double_after_split": False},
    "blackjack_tie": {"blackjack_tie": "win"},
    "max_hands_2": {"max_hands": 2},
    "max_hands_1": {"max_hands": 1},
    "blackjack_3_2": {"blackjack_odds": (3, 2)},
    "decks_8": {"decks": 8},
    "decks_2": {"decks": 2},
}


def changed(settings: DoubleExposureSettings) -> dict[str, DoubleExposureSettings]:
    """By the change's name; without those that change nothing here."""
    made = {name: replace(settings, **change) for name, change in CHANGES.items()}
    return {name: other for name, other in made.items() if other != settings}
