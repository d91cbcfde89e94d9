"""Whatever comes in, a message comes out or one of the named errors; and what goes out comes back the same."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgpack
import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from tapete_protocol import examples
from tapete_protocol.base import WHOLE_MAX
from tapete_protocol.codec import (
    COMMANDS,
    EVENTS,
    FRAMES,
    BadCommand,
    UnknownEvent,
    UnknownFrame,
    WireError,
    decode_command,
    decode_frame,
    encode,
    without_nil,
)
from tapete_protocol.codes import CODES
from tapete_protocol.commands import Command
from tapete_protocol.events import Event
from tapete_protocol.frames import Batch, Frame

COMMAND_BYTES = [encode(command) for command in examples.COMMANDS]
FRAME_BYTES = [encode(frame) for frame in examples.FRAMES]


def takes_command(frame: bytes) -> None:
    outcome: Any
    try:
        outcome = decode_command(frame)
    except (WireError, BadCommand) as refusal:
        outcome = refusal
    if isinstance(outcome, WireError):
        assert outcome.close_code >= 4500
    elif isinstance(outcome, BadCommand):
        assert outcome.code in CODES
        assert set(outcome.detail) <= set(CODES[outcome.code].detail)
        assert 0 <= outcome.id <= WHOLE_MAX
        assert sum(len(value) for value in outcome.detail.values()) <= 400
    else:
        assert decode_command(encode(outcome)) == outcome


def takes_frame(payload: bytes) -> None:
    try:
        frame = decode_frame(payload)
    except (WireError, UnknownFrame, UnknownEvent):
        return
    assert decode_frame(encode(frame)) == frame


@given(st.binary(max_size=300))
def test_any_bytes(frame: bytes) -> None:
    takes_command(frame)
    takes_frame(frame)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=8)
    | st.binary(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6) | st.integers(0, 9), inner, max_size=4)
    ),
    max_leaves=8,
)
kinds = st.sampled_from([*COMMANDS, *FRAMES, "Cheat"])
fields = st.sampled_from(["id", "table", "bets", "box", "amount", "name", "events", "view", "since", "v", "prev", "at"])


@given(kinds, st.dictionaries(fields, values, max_size=6))
def test_any_map(kind: str, content: dict[str, Any]) -> None:
    frame = msgpack.packb({"t": kind, **content})
    takes_command(frame)
    takes_frame(frame)


@given(st.sampled_from(COMMAND_BYTES + FRAME_BYTES), st.data())
def test_messages_with_bytes_changed(frame: bytes, data: st.DataObject) -> None:
    changed = bytearray(frame)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(changed) - 1))
        changed[place] = data.draw(st.integers(0, 255))
    takes_command(bytes(changed))
    takes_frame(bytes(changed))


@given(st.sampled_from(COMMAND_BYTES + FRAME_BYTES), st.integers(0, 4096), st.binary(max_size=4))
def test_messages_cut_or_lengthened(frame: bytes, length: int, tail: bytes) -> None:
    takes_command(frame[:length] + tail)
    takes_frame(frame[:length] + tail)


@given(st.sampled_from(examples.COMMANDS + examples.FRAMES), fields, values)
def test_messages_with_a_field_changed(message: Any, field: str, value: Any) -> None:
    raw = msgpack.unpackb(encode(message))
    raw[field] = value
    frame = msgpack.packb(raw)
    takes_command(frame)
    takes_frame(frame)


def made(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a struct, or of anything that a field of one may be, within the bounds that the type names."""
    return _made(inspect.type_info(kind))


@cache
def _struct(cls: type[Any]) -> st.SearchStrategy[Any]:
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    return st.builds(cls, **{field.name: _made(field.type) for field in info.fields})


def _made(info: inspect.Type) -> st.SearchStrategy[Any]:  # noqa: C901, PLR0912 - one case for each kind of type
    match info:
        case inspect.NoneType():
            return st.none()
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=least, le=most):
            return st.integers(-WHOLE_MAX if least is None else least, WHOLE_MAX if most is None else most)
        case inspect.StrType(pattern=str(pattern)):
            return st.from_regex(pattern)
        case inspect.StrType(min_length=least, max_length=most):
            return st.text(min_size=least or 0, max_size=min(most or 20, 40))
        case inspect.BytesType(min_length=least, max_length=most):
            return st.binary(min_size=least or 0, max_size=most or 40)
        case inspect.AnyType():
            return st.integers(0, 100) | st.text(max_size=5)
        case inspect.LiteralType(values=words):
            return st.sampled_from(words)
        case inspect.UnionType(types=types):
            return st.one_of([_made(one) for one in types])
        case inspect.TupleType(item_types=items):
            return st.tuples(*(_made(item) for item in items))
        case inspect.VarTupleType(item_type=item, min_length=least):
            return st.lists(_made(item), min_size=least or 0, max_size=(least or 0) + 2).map(tuple)
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_made(key), _made(value), max_size=3)
        case inspect.StructType(cls=cls):
            return _struct(cls)
        case _:
            raise AssertionError(f"no such type on the wire: {info}")


def slowly(message: Command | Frame) -> bytes:
    """The byte form as its definition has it: plain values without nil, by msgpack."""
    packed: bytes = msgpack.packb(without_nil(msgspec.to_builtins(message, builtin_types=(bytes,))), use_bin_type=True)
    return packed


class TestRoundTrip:
    """Messages made from the structs' own types. The quick way to their bytes and the slow one are the same."""

    @settings(max_examples=200)
    @given(st.sampled_from(sorted(COMMANDS)).flatmap(lambda kind: made(COMMANDS[kind])))
    def test_commands(self, command: Command) -> None:
        assert decode_command(encode(command)) == command
        assert encode(command) == slowly(command)

    @settings(max_examples=200)
    @given(st.sampled_from(sorted(set(FRAMES) - {"Batch"})).flatmap(lambda kind: made(FRAMES[kind])))
    def test_frames(self, frame: Frame) -> None:
        assert decode_frame(encode(frame)) == frame
        assert encode(frame) == slowly(frame)

    @settings(max_examples=300)
    @given(st.sampled_from(sorted(EVENTS)).flatmap(lambda kind: made(EVENTS[kind])))
    def test_events(self, event: Event) -> None:
        batch = Batch(table="t", v=1, prev=bytes(32), at=1, events=(event,))
        assert encode(batch) == slowly(batch)
        assert decode_frame(encode(batch)) == batch
