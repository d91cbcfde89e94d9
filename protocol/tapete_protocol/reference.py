"""The tables in `protocol/README.md`, made from the structs and the lists of codes, each between its two markers.

`python -m tapete_protocol.reference --write` writes them anew; without it, says whether they are current.
"""

from __future__ import annotations

import inspect as python
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from tapete_protocol import codes, examples, limits
from tapete_protocol.base import WHOLE_MAX
from tapete_protocol.codec import COMMANDS, FRAMES, encode
from tapete_protocol.commands import Command, Hello, PlaceBets, TakeBox
from tapete_protocol.events import FeltEvent, TableEvent
from tapete_protocol.frames import Ack, Batch, Frame, Refused, Welcome
from tapete_protocol.view import TableView

FILE = Path(__file__).resolve().parents[1] / "README.md"
HEX_LINE = 96


def tables() -> dict[str, str]:
    """The text between each pair of markers."""
    return {
        "commands": _kinds(COMMANDS.values()),
        "frames": _kinds(FRAMES.values()),
        "table events": _kinds(get_args(TableEvent)),
        "felt events": _kinds(get_args(FeltEvent)),
        "view": _kinds(_parts([TableView])),
        "codes": _codes(),
        "close codes": _close_codes(),
        "limits": _limits(),
        "session": _session(),
    }


def _kinds(kinds: Iterable[type]) -> str:
    kinds = list(kinds)
    rows = [_row(kind) for kind in kinds]
    shown = {*kinds, *_parts([TableView])}
    parts = [_row(part) for part in _parts(kinds) if part not in shown]
    text = _table(("kind", "fields", "meaning"), rows)
    return f"{text}\n\nMaps inside them:\n\n{_table(('map', 'fields', 'meaning'), parts)}" if parts else text


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines)


def _struct(kind: type) -> inspect.StructType:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType), "messages are structs"
    return info


def _row(kind: type) -> tuple[str, str, str]:
    fields = "<br>".join(f"`{field.encode_name}` {_field(field)}" for field in _struct(kind).fields)
    return f"`{kind.__name__}`", fields or "none", _said(kind)


def _said(kind: type) -> str:
    return " ".join(python.cleandoc(kind.__dict__.get("__doc__") or "").split())


def _field(field: inspect.Field) -> str:
    words = _words(field.type)
    if field.required:
        return words
    if field.default is None:
        return f"{words}, or absent"
    default = () if field.default is msgspec.NODEFAULT else field.default
    return f"{words} ({_value(default)} where absent)"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "empty" if value in ("", ()) else str(value)


def _words(info: inspect.Type) -> str:
    match info:
        case inspect.UnionType(types=types):
            return _union([one for one in types if not isinstance(one, inspect.NoneType)])
        case inspect.LiteralType(values=values):
            return "one of " + ", ".join(f"`{value}`" for value in values)
        case inspect.VarTupleType(item_type=item):
            nil = " or nil" if isinstance(item, inspect.UnionType) and item.includes_none else ""
            return f"list of {_range(info.min_length, info.max_length)}{_words(item)}{nil}"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(_words(item) for item in items)}]"
        case inspect.StructType(cls=cls):
            return f"`{cls.__name__}`"
        case inspect.StrType():
            return _text_words(info)
        case inspect.BytesType():
            return f"{_range(info.min_length, info.max_length)}bytes"
        case inspect.IntType():
            return _whole_words(info)
        case _:
            return {inspect.BoolType: "boolean", inspect.DictType: "map"}.get(type(info), "anything")


def _union(types: list[inspect.Type]) -> str:
    return "event" if len(types) > 10 else " or ".join(_words(one) for one in types)


def _text_words(info: inspect.StrType) -> str:
    if info.pattern:
        return f"text `{info.pattern.removesuffix(chr(92) + 'Z')}$`"
    return f"text of {_range(info.min_length, info.max_length)}characters" if info.max_length else "text"


def _whole_words(info: inspect.IntType) -> str:
    if info.ge is None or info.le == WHOLE_MAX:
        return "whole number"
    return f"{info.ge} to {info.le:_}".replace("_", "\u202f")


def _range(least: int | None, most: int | None) -> str:
    if most is None:
        return ""
    return f"{most} " if least == most else f"{least or 0} to {most} "


def _parts(kinds: Iterable[type]) -> Iterator[type]:
    """The structs without a kind of their own that these hold, after whatever holds them, each once."""
    seen: list[type] = []
    waiting = [kind for kind in kinds if _struct(kind).tag is None]
    for kind in kinds:
        if _struct(kind).tag is not None:
            waiting += _held(kind)
    while waiting:
        kind = waiting.pop(0)
        if kind not in seen:
            seen.append(kind)
            waiting += _held(kind)
    yield from seen


def _held(kind: type) -> list[type]:
    return [part for field in _struct(kind).fields for part in _structs_in(field.type)]


def _structs_in(info: inspect.Type) -> Iterator[type]:
    match info:
        case inspect.StructType(cls=cls, tag=None):
            yield cls
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            for one in types:
                yield from _structs_in(one)
        case inspect.VarTupleType(item_type=item):
            yield from _structs_in(item)
        case _:
            return


def _codes() -> str:
    rows = (
        (
            f"`{code.name}`",
            codes.message(code.name),
            ", ".join(f"`{field}`" for field in code.detail),
            "yes" if code.retry else "",
        )
        for code in codes.CODES.values()
    )
    return _table(("code", "what to tell (without its detail)", "detail may have", "the same again may work"), rows)


def _close_codes() -> str:
    rows = (
        (str(int(code)), f"`{code.name}`", said.en, f"after up to {said.delay_ms} ms" if said.delay_ms else "no")
        for code, said in codes.CLOSES.items()
    )
    return _table(("code", "name", "meaning", "come back"), rows)


def _limits() -> str:
    numbers = {name: value for name, value in vars(limits).items() if isinstance(value, int)}
    return _table(("limit", "value"), ((f"`{name}`", str(value)) for name, value in numbers.items()))


def _session() -> str:
    """Some messages of a first visit, from the examples: who sends, what, and the frame's bytes."""
    wanted: list[tuple[str, type, str]] = [
        ("client", Hello, "signs in as a new guest"),
        ("node", Welcome, "says who that is"),
        ("client", TakeBox, "sits down"),
        ("node", Ack, "sat down; the table was at version 42 then"),
        ("client", PlaceBets, "bets 1000 on main and 100 on sevens"),
        ("node", Batch, "tells everyone at the table, each the same bytes"),
        ("node", Refused, "or, had it been 50: says no"),
    ]
    return "\n\n".join(_said_in_hex(who, kind, meaning) for who, kind, meaning in wanted)


def _said_in_hex(who: str, kind: type, meaning: str) -> str:
    messages: tuple[Command | Frame, ...] = (*examples.COMMANDS, *examples.FRAMES)
    found = [message for message in messages if isinstance(message, kind)]
    chosen = found[1] if kind is Ack else found[0]
    digits = encode(chosen).hex()
    lines = "\n".join(digits[start : start + HEX_LINE] for start in range(0, len(digits), HEX_LINE))
    return f"The {who} {meaning} (`{kind.__name__}`):\n\n```\n{lines}\n```"


def written(readme: str) -> str:
    """The README with its tables made anew."""
    for name, text in tables().items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        assert readme.count(start) == readme.count(end) == 1, f"the README has a place for {name}"
        between = re.compile(f"{re.escape(start)}.*{re.escape(end)}", re.DOTALL)
        readme = between.sub(lambda _, made=f"{start}\n{text}\n{end}": made, readme)  # type: ignore[misc]
    return readme


def main(arguments: list[str]) -> int:
    before = FILE.read_text(encoding="utf-8")
    after = written(before)
    if "--write" in arguments:
        FILE.write_text(after, encoding="utf-8")
        return 0
    sys.stdout.write("current\n" if after == before else "not current\n")
    return 0 if after == before else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
