"""Messages to bytes and back. One frame is one msgpack map: what is none closes the connection, what is a map but no
command is refused.

No map has a nil: a field without a value is absent. Integers are below 2^53 either way, keys are text and never come
twice, and there are no floats, no extension types and no timestamps. The same message is always the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar, get_args

import msgpack
import msgspec

from tapete_protocol import limits
from tapete_protocol.base import WHOLE_MAX
from tapete_protocol.codes import CloseCode
from tapete_protocol.commands import Command
from tapete_protocol.events import Event
from tapete_protocol.frames import Batch, Frame

COMMANDS: dict[str, type[Command]] = {kind.__name__: kind for kind in get_args(Command)}
FRAMES: dict[str, type[Frame]] = {kind.__name__: kind for kind in get_args(Frame)}
EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}

Message = TypeVar("Message")


class WireError(Exception):
    """These bytes are no message. The connection closes with this code."""

    def __init__(self, close_code: CloseCode, reason: str) -> None:
        super().__init__(f"{close_code.name}: {reason}")
        self.close_code = close_code
        self.reason = reason


class BadCommand(Exception):
    """A map, but no command: refused, and the connection stays. `id` is 0 where the map has no usable one."""

    def __init__(self, number: int, code: str, detail: Mapping[str, Any]) -> None:
        super().__init__(f"{code}: {dict(detail)}")
        self.id = number
        self.code = code
        self.detail = dict(detail)


class UnknownFrame(Exception):
    """A kind of frame that this release does not know: to be ignored."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class UnknownEvent(Exception):
    """A batch with an event that this release does not know: its table has to be taken up from a snapshot."""

    def __init__(self, kind: str, table: str) -> None:
        super().__init__(f"{kind} at {table}")
        self.kind = kind
        self.table = table


_ENCODER = msgspec.msgpack.Encoder()
_NIL = b"\xc0"


def encode(message: Command | Frame) -> bytes:
    """The one byte form of a message. msgspec writes the same bytes, twenty times as fast, where there is no nil to leave out;
    and there is none where its byte does not occur, whatever that may be part of."""
    quick = _ENCODER.encode(message)
    if _NIL not in quick:
        return quick
    plain = msgspec.to_builtins(message, builtin_types=(bytes,))
    packed: bytes = msgpack.packb(without_nil(plain), use_bin_type=True)
    return packed


def decode_command(frame: bytes) -> Command:
    """Raises `WireError` or `BadCommand`, and nothing else."""
    if len(frame) > limits.COMMAND_BYTES_MAX:
        raise WireError(CloseCode.TOO_BIG, f"{len(frame)} bytes, a command has at most {limits.COMMAND_BYTES_MAX}")
    raw = _map(frame, _COMMAND_LIMITS)
    number, kind = _number(raw), raw.get("t")
    if not isinstance(kind, str) or kind not in COMMANDS:
        raise BadCommand(number, "unsupported", {"what": _echo(kind)})
    for path, problem in _faults(raw):
        raise BadCommand(number, "malformed_command", {"field": path, "problem": problem})
    try:
        return msgspec.convert(raw, COMMANDS[kind], strict=True, builtin_types=(bytes,))
    except msgspec.ValidationError as invalid:
        raise _bad_command(number, kind, str(invalid)) from None


def decode_frame(frame: bytes) -> Frame:
    """Raises `WireError`, `UnknownFrame` or `UnknownEvent`, and nothing else. Unknown fields are ignored."""
    if len(frame) > limits.FRAME_BYTES_MAX:
        raise WireError(CloseCode.TOO_BIG, f"{len(frame)} bytes, a frame has at most {limits.FRAME_BYTES_MAX}")
    raw = _map(frame, _FRAME_LIMITS)
    for path, problem in _faults(raw):
        raise WireError(CloseCode.BAD_FRAME, f"{path}: {problem}")
    kind = raw.get("t")
    if not isinstance(kind, str):
        raise WireError(CloseCode.BAD_FRAME, "no kind under `t`")
    known = FRAMES.get(kind)
    if known is None:
        raise UnknownFrame(_echo(kind))
    if known is Batch:
        _check_events(raw)
    try:
        return msgspec.convert(raw, known, strict=True, builtin_types=(bytes,))
    except msgspec.ValidationError as invalid:
        raise WireError(CloseCode.BAD_FRAME, f"{kind}: {invalid}") from None


def _check_events(raw: dict[str, Any]) -> None:
    events = raw.get("events")
    for event in events if isinstance(events, list) else ():
        kind = event.get("t") if isinstance(event, dict) else None
        if isinstance(kind, str) and kind not in EVENTS:
            raise UnknownEvent(_echo(kind), _echo(raw.get("table")))


def without_nil(value: Any) -> Any:
    """Plain values as they go out: no nil in a map (in an array it has its place)."""
    if isinstance(value, dict):
        return {key: without_nil(one) for key, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [without_nil(one) for one in value]
    return value


def _pairs(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if type(key) is not str:
            raise ValueError("a key is not text")
        if key in made:
            raise ValueError("a key comes twice")
        made[key] = value
    return made


def _no_extension(kind: int, _: bytes) -> Any:
    raise ValueError(f"extension type {kind}")


def _limited(**lengths: int) -> dict[str, Any]:
    return {
        "raw": False,
        "use_list": True,
        "strict_map_key": True,
        "object_pairs_hook": _pairs,
        "ext_hook": _no_extension,
        "max_ext_len": 0,
        **lengths,
    }


_COMMAND_LIMITS = _limited(
    max_str_len=limits.COMMAND_STR_BYTES_MAX,
    max_bin_len=limits.COMMAND_BIN_BYTES_MAX,
    max_array_len=limits.COMMAND_ARRAY_ITEMS_MAX,
    max_map_len=limits.COMMAND_MAP_FIELDS_MAX,
)
_FRAME_LIMITS = _limited(
    max_str_len=limits.FRAME_STR_BYTES_MAX,
    max_bin_len=limits.FRAME_BIN_BYTES_MAX,
    max_array_len=limits.FRAME_ARRAY_ITEMS_MAX,
    max_map_len=limits.FRAME_MAP_FIELDS_MAX,
)


def _map(frame: bytes, lengths: dict[str, Any]) -> dict[str, Any]:
    try:
        raw = msgpack.unpackb(frame, **lengths)
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as broken:
        raise WireError(CloseCode.BAD_FRAME, str(broken) or type(broken).__name__) from None
    if type(raw) is not dict:
        raise WireError(CloseCode.BAD_FRAME, "not a map")
    return raw


_PLAIN = frozenset({str, bool, bytes, type(None)})


def _faults(raw: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Where a value is that the wire does not have, and what it is. `WireError` for what only msgpack allows."""
    pending: list[tuple[str, Any, int]] = [("", raw, 1)]
    while pending:
        path, inside, depth = pending.pop()
        if depth > limits.DEPTH_LEVELS_MAX:
            raise WireError(CloseCode.BAD_FRAME, f"nested deeper than {limits.DEPTH_LEVELS_MAX}")
        parts: Iterable[tuple[Any, Any]] = inside.items() if type(inside) is dict else enumerate(inside)
        for key, value in parts:
            kind = type(value)
            if kind in _PLAIN:
                continue
            here = f"{path}[{key}]" if type(key) is int else f"{path}.{key}" if path else key
            if kind is int:
                if not -WHOLE_MAX <= value <= WHOLE_MAX:
                    yield here[: limits.ECHO_CHARS_MAX], "is beyond 2^53"
            elif kind is float:
                yield here[: limits.ECHO_CHARS_MAX], "is not a whole number"
            elif kind is dict or kind is list:
                pending.append((here, value, depth + 1))
            else:
                raise WireError(CloseCode.BAD_FRAME, "a timestamp")


def _number(raw: dict[str, Any]) -> int:
    number = raw.get("id")
    return number if type(number) is int and 0 <= number <= WHOLE_MAX else 0


def _echo(value: Any) -> str:
    return value[: limits.ECHO_CHARS_MAX] if isinstance(value, str) else ""


_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(.*?)`(?: - at `\$\.?(.*)`)?", re.DOTALL)
_MISSING_FIELD = re.compile(r"Object missing required field `(\w+)`(?: - at `\$\.?(.*)`)?")
_PLACED = re.compile(r"(.*) - at `\$\.?(.*)`", re.DOTALL)


def _bad_command(number: int, kind: str, invalid: str) -> BadCommand:
    """What msgspec said, as a refusal that names the field."""
    if unknown := _UNKNOWN_FIELD.fullmatch(invalid):
        field = ".".join(part for part in (kind, unknown[2], unknown[1]) if part)
        return BadCommand(number, "unsupported", {"what": field[: limits.ECHO_CHARS_MAX]})
    if missing := _MISSING_FIELD.fullmatch(invalid):
        field = ".".join(part for part in (missing[2], missing[1]) if part)
        return BadCommand(number, "malformed_command", {"field": field, "problem": "is missing"})
    placed = _PLACED.fullmatch(invalid)
    problem, field = (placed[1], placed[2]) if placed else (invalid, "")
    return BadCommand(number, "malformed_command", {"field": field, "problem": problem[: 2 * limits.ECHO_CHARS_MAX]})
