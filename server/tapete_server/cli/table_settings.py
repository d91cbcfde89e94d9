"""The table that a word is about: a game, a settings document, and the two settings that are asked for most."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tapete_rules.catalogue import GAMES, game_of
from tapete_rules.double_exposure import DoubleExposure, DoubleExposureSettings
from tapete_rules.punto_banco import PuntoBanco, PuntoBancoSettings
from tapete_rules.settings import SettingsError

Settings = DoubleExposureSettings | PuntoBancoSettings


def add_options(word: argparse.ArgumentParser) -> None:
    word.add_argument("game", choices=sorted(GAMES))
    word.add_argument("--settings", metavar="FILE", help="settings document (JSON) of a table")
    word.add_argument("--tableau", metavar="NAME", help="Punto Banco: reglamento, europacasino or casinoonnet")
    word.add_argument("--decks", type=int, metavar="N", help="decks in the shoe")


def document_of(options: argparse.Namespace) -> dict[str, Any]:
    """The settings document that the options come to. Raises `SettingsError` and `OSError`."""
    document: Any = _read(options.settings) if options.settings else {}
    if not isinstance(document, dict):
        raise SettingsError("settings", "must be an object")
    whole: dict[str, Any] = {**document, "game": options.game}
    for name in ("tableau", "decks"):
        if getattr(options, name) is not None:
            whole[name] = getattr(options, name)
    return whole


def settings_of(options: argparse.Namespace) -> Settings:
    """Raises `SettingsError` and `OSError`."""
    game = game_of(document_of(options))
    assert isinstance(game, DoubleExposure | PuntoBanco), "these are the games of the house"
    return game.settings


def _read(file: str) -> Any:
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as wrong:
        raise SettingsError(file, f"is not JSON: {wrong}") from wrong


BAR_CHARS = 30
SLOW_S = 1.0
"""A bar is drawn from then on."""


class Bar:
    """Progress on standard error, where somebody looks on and it takes longer than a moment."""

    def __init__(self, says: str, now_s: Callable[[], float]) -> None:
        self._says, self._now_s, self._started_s = says, now_s, now_s()
        self._drawn = 0

    def __call__(self, done: int, of: int) -> None:
        if not sys.stderr.isatty() or self._now_s() - self._started_s < SLOW_S:
            return
        full = BAR_CHARS * done // of
        line = f"{self._says}  {'█' * full}{'·' * (BAR_CHARS - full)} {100 * done // of:3} %"
        sys.stderr.write("\r" + line.ljust(self._drawn))
        self._drawn = len(line)
        if done >= of:
            sys.stderr.write("\r" + " " * self._drawn + "\r")
        sys.stderr.flush()
