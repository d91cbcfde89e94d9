"""How far a long run is, on standard error: over itself on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time

BAR_CHARS = 40
LINES = 20
"""Of a run whose output goes into a file."""


class Progress:
    def __init__(self) -> None:
        self._began = time.monotonic()
        self._line = -1

    def __call__(self, done: int, all_: int) -> None:
        share = min(1.0, done / all_)
        seconds = time.monotonic() - self._began
        left_s = seconds / share - seconds if share else 0.0
        filled = int(BAR_CHARS * share)
        line = f"[{'#' * filled}{'.' * (BAR_CHARS - filled)}] {done}/{all_} rounds, about {left_s:.0f} s left"
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{line} " + ("\n" if share == 1 else ""))
        elif int(share * LINES) != self._line:
            sys.stderr.write(f"{line}\n")
        self._line = int(share * LINES)
        sys.stderr.flush()
