"""Log lines: one for a record, for people or for machines, and libraries keep quiet."""

from __future__ import annotations

import json
import logging
import subprocess
import sys

import pytest

from tapete_server.adapters.logbook import JsonLine, TextLine


def record(message: str = "connection over", **more: object) -> logging.LogRecord:
    made = logging.makeLogRecord(
        {"name": "tapete.gateway", "levelname": "INFO", "msg": message, "created": 1.25, "msecs": 250.0}
    )
    vars(made).update(more)
    return made


def test_for_people() -> None:
    line = TextLine().format(record(via="n1.2", player=None, seconds=1.5))
    assert line == "1970-01-01T00:00:01.250Z INFO tapete.gateway connection over via=n1.2 seconds=1.5"


@pytest.mark.parametrize("wrong", ["two words", "a\nforged line", 'a "quote"', "a=b", ""])
def test_no_value_can_forge_another_one_or_a_line(wrong: str) -> None:
    line = TextLine().format(record(why=wrong))
    assert line.endswith(f" why={json.dumps(wrong)}")
    assert "\n" not in line


def test_for_machines() -> None:
    told = json.loads(JsonLine().format(record(via="n1.2", why="two\nlines", limits={1})))
    assert told == {
        "at": "1970-01-01T00:00:01.250Z", "level": "info", "logger": "tapete.gateway", "message": "connection over",
        "via": "n1.2", "why": "two\nlines", "limits": "{1}",
    }  # fmt: skip


def test_a_traceback_stays_on_its_line_for_machines() -> None:
    try:
        logging.getLevelNamesMapping()["no such key"]
    except LookupError:
        line = JsonLine().format(record(exc_info=sys.exc_info()))
    assert "\n" not in line
    assert "KeyError: 'no such key'" in json.loads(line)["traceback"]


@pytest.mark.parametrize(
    ("level", "said"), [("debug", ["our debug", "our info"]), ("info", ["our info"]), ("error", [])]
)
def test_only_our_own_loggers_go_down_to_the_level(level: str, said: list[str]) -> None:
    program = (
        "import logging; from tapete_server.adapters.logbook import log_to_stderr; "
        f"log_to_stderr({level!r}); ours, theirs = map(logging.getLogger, ('tapete.x', 'websockets.client')); "
        "ours.debug('our debug'); ours.info('our info'); theirs.debug('their debug'); theirs.info('their info'); "
        "theirs.error('their error')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [line.split(" ", 3)[3] for line in done.stderr.splitlines()] == [*said, "their error"]
