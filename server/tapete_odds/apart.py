"""Odds worked out in a process of their own, behind everything else that the machine does.

    python -m tapete_odds.apart SECONDS < settings.json > odds

A settings document comes in, the odds go out as `shelf.unpacked` takes them. `SECONDS` of a core are the most that it may
take. Exit status: 0, or 1 with what was wrong on standard error.
"""

from __future__ import annotations

import json
import os
import sys

from tapete_odds import shelf
from tapete_rules.catalogue import game_of
from tapete_rules.double_exposure import DoubleExposure
from tapete_rules.settings import SettingsError

NICE = 10
"""A tenth of a core where the machine is busy with anything else, so that it still comes to an end; all of one where not."""
SETTINGS_CHARS_MAX = 16_384


def main(arguments: list[str], settings: str) -> bytes:
    """Raises `ValueError` for settings that are none, or need no working out."""
    seconds = int(arguments[0])
    if len(settings) > SETTINGS_CHARS_MAX:
        raise ValueError(f"a settings document has at most {SETTINGS_CHARS_MAX} characters")
    game = game_of(json.loads(settings))
    if not isinstance(game, DoubleExposure):
        raise SettingsError("game", f"{game.name}: these odds are counted in a moment")
    _step_back(seconds)
    return shelf.packed(shelf.work_out(game.settings))


def _step_back(seconds: int) -> None:
    """Where the system can: a low priority, and an end even if nobody is left who would stop this process."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - there is none on Windows

    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


if __name__ == "__main__":
    try:
        odds = main(sys.argv[1:], sys.stdin.read(SETTINGS_CHARS_MAX + 1))
    except (ValueError, IndexError) as wrong:
        sys.exit(f"tapete_odds.apart: {wrong}")
    sys.stdout.buffer.write(odds)
