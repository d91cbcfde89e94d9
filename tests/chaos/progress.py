"""How far it is: a bar that is drawn over itself on a terminal, plain lines anywhere else. On standard error."""

from __future__ import annotations

import sys
import time
from typing import TextIO

BAR_CHARS = 24


class Progress:
    """`steps`: how many there will be, about."""

    def __init__(self, steps: int, out: TextIO = sys.stderr) -> None:
        self._steps, self._done, self._out = steps, 0, out
        self._began = time.monotonic()
        self._live = out.isatty()
        self._title = ""

    def title(self, title: str) -> None:
        self._title = title
        self._show("")

    def step(self, what: str = "") -> None:
        self._done = min(self._done + 1, self._steps)
        self._show(what)

    def _show(self, what: str) -> None:
        share = self._done / max(1, self._steps)
        spent_s = round(time.monotonic() - self._began)
        said = f"{share:4.0%} {spent_s // 60}:{spent_s % 60:02} {self._title}{': ' if what else ''}{what}"
        if self._live:
            full = round(share * BAR_CHARS)
            self._out.write(f"\r\x1b[K[{'#' * full}{'.' * (BAR_CHARS - full)}] {said}"[:160])
        else:
            self._out.write(said + "\n")
        self._out.flush()

    def end(self) -> None:
        if self._live:
            self._out.write("\n")
