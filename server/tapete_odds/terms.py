"""The part of a table's settings that its odds depend on. Limits, chips and times change no odds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.punto_banco import PuntoBancoSettings

TAG = "tapete/odds/1"
"""Part of every hash: raised when the same settings come to other figures, so that nothing old is read for new."""

TERMS: Mapping[str, tuple[str, ...]] = {
    "double_exposure": (
        "decks",
        "blackjack_odds",
        "bonus_blackjack_odds",
        "seven_odds",
        "two_sevens_odds",
        "three_sevens_odds",
        "max_hands",
        "dealer_hits_soft_17",
        "double_on",
        "double_after_split",
        "blackjack_tie",
    ),
    "punto_banco": (
        "decks",
        "tableau",
        "commission",
        "commission_rate",
        "banca_six_odds",
        "punto_odds",
        "tie_odds",
        "pair_odds",
    ),
}


def bare(settings: DoubleExposureSettings) -> DoubleExposureSettings:
    """The same table with the usual limits, chips and times: one value for all that differ in nothing else."""
    return DoubleExposureSettings(**{name: getattr(settings, name) for name in TERMS["double_exposure"]})


def terms_of(settings: DoubleExposureSettings | PuntoBancoSettings) -> dict[str, Any]:
    """The settings that decide odds, in plain form, with the game's name first."""
    plain = settings.to_plain()
    return {"game": plain["game"]} | {name: plain[name] for name in TERMS[plain["game"]]}


def terms_hash(settings: DoubleExposureSettings | PuntoBancoSettings) -> str:
    """64 hexadecimal digits that name the odds of these settings."""
    text = json.dumps(terms_of(settings), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{TAG}\n{text}".encode()).hexdigest()
