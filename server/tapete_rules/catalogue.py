"""The games of the house, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tapete_rules.double_exposure import DoubleExposure, DoubleExposureSettings
from tapete_rules.game import Game
from tapete_rules.punto_banco import PuntoBanco, PuntoBancoSettings
from tapete_rules.settings import SettingsError, check_choice


def _double_exposure(document: Mapping[str, Any]) -> Game[Any]:
    return DoubleExposure(DoubleExposureSettings.from_plain(document))


def _punto_banco(document: Mapping[str, Any]) -> Game[Any]:
    return PuntoBanco(PuntoBancoSettings.from_plain(document))


GAMES: dict[str, Callable[[Mapping[str, Any]], Game[Any]]] = {
    "double_exposure": _double_exposure,
    "punto_banco": _punto_banco,
}


def game_of(document: object) -> Game[Any]:
    """The game that a settings document opens a table with. Raises `SettingsError`, also for an unknown game."""
    if not isinstance(document, Mapping):
        raise SettingsError("settings", "must be an object")
    if "game" not in document:
        raise SettingsError("game", f"is missing; one of {', '.join(GAMES)}")
    check_choice("game", document["game"], GAMES)
    return GAMES[document["game"]](document)
