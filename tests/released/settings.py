"""Settings documents as they may stand in a store, and what each of them means."""

from __future__ import annotations

import json
from typing import Any

from tapete_rules.punto_banco.tableaux import TABLEAUX
from tapete_server.core.games import game_for

DOCUMENTS: list[dict[str, Any]] = [
    {"game": "double_exposure"},
    {"game": "double_exposure", "decks": 2, "max_hands": 1, "bonus_max": 0, "main_max": 10_000},
    {"game": "double_exposure", "chips": [50, 100], "main_min": 50, "blackjack_odds": [6, 5], "times": {"turn_ms": 1}},
    {"game": "double_exposure", "dealer_hits_soft_17": True, "double_on": "any", "double_after_split": False},
    {"game": "double_exposure", "double_on": "low_9_to_11", "blackjack_tie": "win"},
    {"game": "punto_banco"},
    {"game": "punto_banco", "reveals": True},
    {"game": "double_exposure", "reveals": True, "times": {"closing_ms": 500}},
    {"game": "punto_banco", "commission": False, "burn": False, "cut_card": 11, "tie_max": 0, "pair_max": 500},
    *({"game": "punto_banco", "tableau": tableau} for tableau in TABLEAUX),
]


def recorded() -> list[dict[str, Any]]:
    """Each document as given, and every field's value as it was read. Whole documents, too."""
    whole = [dict(game_for(json.dumps(document)).document()) for document in DOCUMENTS]
    return [{"text": text, "means": dict(game_for(text).document())} for text in map(json.dumps, [*DOCUMENTS, *whole])]
