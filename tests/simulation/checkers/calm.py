"""Nodes and clients run into no surprise of their own: nothing is logged as an error, and no exception goes unnoticed."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

from tests.simulation.checkers.checker import Checker

FRAMES = 6
"""Of a traceback, the innermost."""


class NothingIsInternal(Checker, logging.Handler):
    def __init__(self, *args: object) -> None:
        logging.Handler.__init__(self, logging.ERROR)
        Checker.__init__(self, *args)  # type: ignore[arg-type]

    def emit(self, record: logging.LogRecord) -> None:
        why, where = (record.exc_info[1], record.exc_info[2]) if record.exc_info else ("", None)
        frames = [f"{Path(frame.filename).stem}.{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(where)]
        self.broken(f"{record.name}: {record.getMessage()} {why!r} in {' < '.join(reversed(frames[-FRAMES:]))}")
