"""Rounds from written-down cards and decisions: one JSON object a line in, one out.

A line that cannot be replayed is answered with `{"error": {"code", "message"}}`, and the next one is served. Codes:
`bad_json` (the line is not JSON), `bad_line` (no object, or a field is missing or wrong; the message names it),
`unknown_game`, `bad_settings`, `out_of_cards`, `wrong_card`, `undecided`, and the refusal of a bet that the given
settings do not allow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from tapete_rules.cards import OutOfCards, WrongCard
from tapete_rules.replay import double_exposure, punto_banco
from tapete_rules.replay.reading import LineError
from tapete_rules.settings import SettingsError

LINE_BYTES_MAX = 1_000_000

GAMES: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "double_exposure": double_exposure.replay,
    "punto_banco": punto_banco.replay,
}


def run(source: BinaryIO, sink: BinaryIO) -> None:
    """Answers every line of `source` on `sink`, each as soon as it is read."""
    for line in _lines(source):
        sink.write(answer(line).encode("ascii") + b"\n")
        sink.flush()


def answer(line: bytes) -> str:
    """One line's answer, as one line of JSON. Any bytes will do."""
    try:
        answered = replay(_parse(line))
    except LineError as error:
        answered = _error(error.code, error.message)
    return json.dumps(answered)


def replay(line: Mapping[str, Any]) -> dict[str, Any]:
    """The round that a line describes. Raises `LineError`."""
    if "game" not in line:
        raise LineError("bad_line", f"game is missing; one of {', '.join(GAMES)}")
    game = line["game"]
    if not isinstance(game, str) or game not in GAMES:
        raise LineError("unknown_game", f"game must be one of {', '.join(GAMES)}")
    try:
        return GAMES[game](line)
    except OutOfCards as error:
        raise LineError("out_of_cards", str(error)) from error
    except WrongCard as error:
        raise LineError("wrong_card", str(error)) from error
    except SettingsError as error:
        raise LineError("bad_settings", str(error)) from error


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Lines without their ends; of one that is too long only as much as shows that it is."""
    while line := source.readline(LINE_BYTES_MAX + 1):
        if not line.endswith(b"\n"):
            _skip_line(source)
        yield line.rstrip(b"\r\n")


def _skip_line(source: BinaryIO) -> None:
    while (rest := source.readline(LINE_BYTES_MAX)) and not rest.endswith(b"\n"):
        pass


def _parse(line: bytes) -> Mapping[str, Any]:
    if len(line) > LINE_BYTES_MAX:
        raise LineError("bad_json", f"the line is longer than {LINE_BYTES_MAX} bytes")
    try:
        value = json.loads(line.decode("utf-8-sig"), parse_constant=_no_number, object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise LineError("bad_json", f"the line is not UTF-8 (byte {error.start + 1})") from error
    except RecursionError as error:
        raise LineError("bad_json", "the line is nested too deep") from error
    except ValueError as error:
        raise LineError("bad_json", f"the line is not JSON: {error}"[:200]) from error
    if not isinstance(value, dict):
        raise LineError("bad_line", "the line must be a JSON object")
    return value


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key comes twice in one object")
    return fields
