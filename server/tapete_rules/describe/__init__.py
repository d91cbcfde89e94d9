"""A game in words: settings, paytable, and for Punto Banco its tableau and the exact edge of every bet.

Text for a terminal, in English or Spanish. Figures are worked out in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tapete_rules.catalogue import game_of
from tapete_rules.describe import double_exposure, punto_banco
from tapete_rules.describe.words import WORDS, Words

SHEETS: dict[str, Callable[[Mapping[str, Any], Words], str]] = {
    "double_exposure": double_exposure.describe,
    "punto_banco": punto_banco.describe,
}


def describe(document: Mapping[str, Any], lang: str) -> str:
    """The sheet of a settings document. Raises `SettingsError`, and `ValueError` for an unknown language."""
    game_of(document)
    if lang not in WORDS:
        raise ValueError(f"lang: must be one of {', '.join(WORDS)}")
    return SHEETS[document["game"]](document, WORDS[lang])
