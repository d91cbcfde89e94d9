"""The message types in TypeScript, made from the structs.

`python -m tapete_protocol.typescript > protocol/ts/tapete.ts`. A frame's field is optional only where its absence means
nil; a command's, also where it has a default.
"""

from __future__ import annotations

import inspect as python
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect

from tapete_protocol import codes, limits
from tapete_protocol.codec import COMMANDS, FRAMES
from tapete_protocol.events import FeltEvent, TableEvent

FILE = Path(__file__).resolve().parents[1] / "ts" / "tapete.ts"

HEADER = """\
// The messages between a client and a node, their codes and limits. Made by `python -m tapete_protocol.typescript`: do
// not edit. `protocol/README.md` says what they mean.
"""


def typescript() -> str:
    """The whole module."""
    unions = {
        "Command": list(COMMANDS.values()),
        "TableEvent": list(get_args(TableEvent)),
        "FeltEvent": list(get_args(FeltEvent)),
        "Frame": list(FRAMES.values()),
    }
    made = [HEADER, *_constants()]
    seen: set[type] = set()
    for kinds in unions.values():
        for kind in kinds:
            made += [_interface(struct, COMMANDS) for struct in _parts_first(kind, seen)]
    made += [_union(name, [kind.__name__ for kind in kinds]) for name, kinds in unions.items()]
    made.append(_union("Event", ["TableEvent", "FeltEvent"]))
    made += _shapes([*unions["Frame"], *unions["TableEvent"], *unions["FeltEvent"]])
    return "\n".join(made)


def _constants() -> Iterator[str]:
    yield f"export const SUBPROTOCOL = {_text(limits.SUBPROTOCOL)};\n"
    numbers = {name: value for name, value in vars(limits).items() if isinstance(value, int)}
    yield _const("LIMITS", {name: str(value) for name, value in numbers.items()})
    yield _const("CLOSE_CODES", {code.name: str(int(code)) for code in codes.CloseCode})
    yield "/** For each close code: what to tell, and how long to wait at most before coming back (0: do not). */"
    yield _const("CLOSES", {str(int(code)): _object(msgspec.to_builtins(said)) for code, said in codes.CLOSES.items()})
    yield "/** For each refusal: message templates, and whether the same command may succeed a little later. */"
    yield _const("CODES", {name: _object(msgspec.to_builtins(code)) for name, code in codes.CODES.items()})
    yield "export type RefusalCode = keyof typeof CODES;\n"


def _shapes(kinds: Iterable[type]) -> Iterator[str]:
    """What a client checks a frame against when it runs; the words are those of `_shape`."""
    seen: set[type] = set()
    structs = [part for kind in kinds for part in _parts_first(kind, seen)]
    yield (
        "/** Each field's shape: i whole number, s text, b boolean, y bytes, m any map, e event, [x list, (xy) that many items,\n"
        " * Name a map of that kind; ?: may be absent, |n: may be nil. A pair is a shape and what its absence means. */"
    )
    yield _const("SHAPES", {struct.__name__: _fields(struct) for struct in structs}).replace(
        " as const;", " satisfies Shapes;"
    )
    yield "export type Shapes = { readonly [kind: string]: { readonly [field: string]: string | readonly [string, unknown] } };\n"


def _fields(kind: type) -> str:
    return "{ " + ", ".join(f"{field.encode_name}: {_field(field)}" for field in _struct(kind).fields) + " }"


def _field(field: inspect.Field) -> str:
    if field.default is None:
        return _text(_shape(field.type).removesuffix("|n") + "?")
    if field.required:
        return _text(_shape(field.type))
    default = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
    return _text([_shape(field.type), list(default) if isinstance(default, tuple) else default])


def _shape(info: inspect.Type) -> str:
    match info:
        case inspect.UnionType(types=types):
            words = [_shape(one) for one in types if not isinstance(one, inspect.NoneType)]
            return "e" if len(words) > 10 else "|".join(words) + ("|n" if len(words) < len(types) else "")
        case inspect.LiteralType():
            return "s"
        case inspect.VarTupleType(item_type=item):
            return f"[{_shape(item)}"
        case inspect.TupleType(item_types=items):
            return f"({''.join(_shape(item) for item in items)})"
        case inspect.StructType(cls=cls):
            return cls.__name__
        case _:
            return _LETTERS[type(info)]


def _const(name: str, members: dict[str, str]) -> str:
    lines = (f"  {key}: {value},\n" for key, value in members.items())
    return f"export const {name} = {{\n{''.join(lines)}}} as const;\n"


def _object(fields: dict[str, Any]) -> str:
    inside = ", ".join(f"{key}: {_text(value)}" for key, value in fields.items() if key != "name")
    return f"{{ {inside} }}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _parts_first(kind: type, seen: set[type]) -> Iterator[type]:
    """A struct after those that its fields hold, each once."""
    if kind in seen:
        return
    seen.add(kind)
    for field in _struct(kind).fields:
        for part in _structs_in(field.type):
            yield from _parts_first(part, seen)
    yield kind


def _struct(kind: type) -> inspect.StructType:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType), "messages are structs"
    return info


def _structs_in(info: inspect.Type) -> Iterator[type]:
    match info:
        case inspect.StructType(cls=cls):
            if info.tag is None:
                yield cls
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            for one in types:
                yield from _structs_in(one)
        case inspect.VarTupleType(item_type=item):
            yield from _structs_in(item)
        case _:
            return


def _interface(kind: type, commands: Iterable[str]) -> str:
    info = _struct(kind)
    lines = [f'  readonly t: "{info.tag}";\n'] if info.tag else []
    for field in info.fields:
        mark = "?" if field.default is None or (not field.required and kind.__name__ in commands) else ""
        lines.append(f"  readonly {field.encode_name}{mark}: {_type(field.type, optional=bool(mark))};\n")
    return f"{_comment(kind)}export interface {kind.__name__} {{\n{''.join(lines)}}}\n"


def _comment(kind: type) -> str:
    said = python.cleandoc(kind.__dict__.get("__doc__") or "")
    return f"/** {' '.join(said.split())} */\n" if said else ""


def _type(info: inspect.Type, *, optional: bool = False) -> str:
    match info:
        case inspect.UnionType(types=types):
            words = [_type(one) for one in types if not (optional and isinstance(one, inspect.NoneType))]
            return "Event" if len(words) > 10 else " | ".join(words)
        case inspect.LiteralType(values=values):
            return " | ".join(_text(value) for value in values)
        case inspect.VarTupleType(item_type=item):
            inner = _type(item)
            return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
        case inspect.TupleType(item_types=items):
            return f"readonly [{', '.join(_type(item) for item in items)}]"
        case inspect.DictType(value_type=value):
            return f"{{ readonly [field: string]: {_type(value)} }}"
        case inspect.StructType(cls=cls):
            return cls.__name__
        case _:
            return _SIMPLE[type(info)]


_SIMPLE: dict[type[inspect.Type], str] = {
    inspect.IntType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.BytesType: "Uint8Array",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
}


_LETTERS: dict[type[inspect.Type], str] = {
    inspect.IntType: "i",
    inspect.StrType: "s",
    inspect.BoolType: "b",
    inspect.BytesType: "y",
    inspect.DictType: "m",
}


def _union(name: str, kinds: list[str]) -> str:
    return f"export type {name} =\n" + "".join(f"  | {kind}\n" for kind in kinds).rstrip("\n") + ";\n"


if __name__ == "__main__":
    sys.stdout.write(typescript())
