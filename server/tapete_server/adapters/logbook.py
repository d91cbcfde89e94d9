"""What a node says on standard error: one line for a record, for people or for machines; the time is UTC.

Only our own loggers go down to the level that the operator chose. Libraries say what is wrong and nothing else: at their
most talkative they would write down frames, and with them tokens.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import Any, Literal

LogFormat = Literal["text", "json"]

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_PLAIN = re.compile(r"[^\s\"=\x00-\x1f\x7f]+")
"""A value that needs no quotes in a line of text."""


def more_of(record: logging.LogRecord) -> dict[str, Any]:
    """What a record has beside its message."""
    return {name: value for name, value in vars(record).items() if name not in _USUAL and value is not None}


class TextLine(logging.Formatter):
    """`TIME LEVEL LOGGER message name=value ..`; a traceback follows on lines of its own."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as the library has it
        values = [f"{name}={self._value(value)}" for name, value in more_of(record).items()]
        return " ".join([super().formatMessage(record), *values])

    @staticmethod
    def _value(value: object) -> str:
        shown = str(value)
        return shown if _PLAIN.fullmatch(shown) else json.dumps(shown, ensure_ascii=False)


class JsonLine(TextLine):
    """One JSON object on one line: `at`, `level`, `logger`, `message`, what else there is, and `traceback`."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": self.formatTime(record, self.datefmt),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told |= {name: value for name, value in more_of(record).items() if name not in told}
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)


def log_to_stderr(level: str, form: LogFormat = "text") -> None:
    stream = logging.StreamHandler(sys.stderr)
    stream.setFormatter(JsonLine() if form == "json" else TextLine())
    logging.basicConfig(level=max(logging.WARNING, getattr(logging, level.upper())), handlers=[stream])
    logging.getLogger("tapete").setLevel(level.upper())
