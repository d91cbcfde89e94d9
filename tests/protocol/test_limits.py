"""Every bound, from both sides."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from tapete_protocol import limits
from tapete_protocol.base import WHOLE_MAX
from tapete_protocol.codec import BadCommand, UnknownFrame, WireError, decode_command, decode_frame
from tapete_protocol.codes import CloseCode
from tapete_protocol.commands import OpenTable, Ping, PlaceBets

PLACED = {"id": 1, "table": "t", "stint": 0, "seq": 1}


def pack(**fields: Any) -> bytes:
    packed: bytes = msgpack.packb(fields)
    return packed


def padded(size: int) -> bytes:
    """A ping of exactly this many bytes, by an unknown field."""
    bare = len(pack(t="Ping", id=1, x="x" * 300)) - 300
    frame = pack(t="Ping", id=1, x="x" * (size - bare))
    assert len(frame) == size
    return frame


def closes(frame: bytes) -> CloseCode:
    with pytest.raises(WireError) as caught:
        decode_command(frame)
    return caught.value.close_code


def refuses(frame: bytes) -> str:
    with pytest.raises(BadCommand) as caught:
        decode_command(frame)
    return caught.value.code


def test_bytes_of_a_command() -> None:
    assert refuses(padded(limits.COMMAND_BYTES_MAX)) == "unsupported"
    assert closes(padded(limits.COMMAND_BYTES_MAX + 1)) is CloseCode.TOO_BIG


@pytest.mark.parametrize(
    ("most", "value"),
    [
        (limits.COMMAND_BIN_BYTES_MAX, bytes),
        (limits.COMMAND_ARRAY_ITEMS_MAX, lambda size: [1] * size),
        (limits.COMMAND_MAP_FIELDS_MAX, lambda size: {str(key): 1 for key in range(size)}),
    ],
    ids=["bin", "array", "map"],
)
def test_sizes_in_a_command(most: int, value: Any) -> None:
    assert refuses(pack(t="Ping", id=1, x=value(most))) == "unsupported"
    assert closes(pack(t="Ping", id=1, x=value(most + 1))) is CloseCode.BAD_FRAME


def nested(levels: int) -> Any:
    inner: Any = 1
    for _ in range(levels):
        inner = {"x": inner}
    return inner


def test_depth() -> None:
    assert refuses(pack(t="Ping", id=1, x=nested(limits.DEPTH_LEVELS_MAX - 1))) == "unsupported"
    assert closes(pack(t="Ping", id=1, x=nested(limits.DEPTH_LEVELS_MAX))) is CloseCode.BAD_FRAME
    with pytest.raises(UnknownFrame):
        decode_frame(pack(t="New", x=nested(limits.DEPTH_LEVELS_MAX - 1)))
    with pytest.raises(WireError):
        decode_frame(pack(t="New", x=nested(limits.DEPTH_LEVELS_MAX)))


def test_whole_numbers() -> None:
    assert decode_command(pack(t="Ping", id=WHOLE_MAX)) == Ping(id=WHOLE_MAX)
    assert refuses(pack(t="Ping", id=WHOLE_MAX + 1)) == "malformed_command"
    with pytest.raises(WireError):
        decode_frame(pack(t="Wallet", balance=-WHOLE_MAX - 1))


@pytest.mark.parametrize(
    ("kind", "field", "taken", "refused"),
    [
        ("Hello", "name", ["a", "a" * 24], ["", "a" * 25]),
        ("Hello", "token", ["", "a" * 512], ["a" * 513]),
        ("Hello", "client", ["", "a" * 64], ["a" * 65]),
        ("Unwatch", "table", ["a", "0", "a-1", "a" * 32], ["", "-a", "A", "a" * 33, "a_b", "a\n", "é"]),
        ("TopUp", "command", ["a" * 8, "A-z_0" * 8], ["a" * 7, "a" * 41, "a b c d e", "12345678\n"]),
        ("CashOut", "amount", [0, 10**12], [-1, 10**12 + 1, True, None, "1"]),
        ("CashOut", "stint", [0, WHOLE_MAX], [-1]),
        ("TakeBox", "box", [1, 4], [0, 5]),
        ("Act", "hand", [0, 15], [-1, 16]),
    ],
)
def test_fields(kind: str, field: str, taken: list[Any], refused: list[Any]) -> None:
    rest: dict[str, dict[str, Any]] = {
        "CashOut": {**PLACED, "amount": 1},
        "TakeBox": PLACED,
        "Act": {**PLACED, "box": 1, "action": "hit"},
    }
    fields = {"t": kind, "id": 1, **rest.get(kind, {})}
    for value in taken:
        assert getattr(decode_command(pack(**{**fields, field: value})), field) == value
    for value in refused:
        assert refuses(pack(**{**fields, field: value})) == "malformed_command"


def test_bets_of_one_command() -> None:
    bet = {"box": 1, "spot": "main", "amount": 1}
    assert isinstance(decode_command(pack(t="PlaceBets", **PLACED, bets=[bet] * 20)), PlaceBets)
    assert refuses(pack(t="PlaceBets", **PLACED, bets=[bet] * 21)) == "malformed_command"


def test_the_text_of_settings() -> None:
    frame = {"t": "OpenTable", "id": 1, "command": "open-0001", "name": "T"}
    assert isinstance(decode_command(pack(**frame, settings="s" * 1200)), OpenTable)
    assert refuses(pack(**frame, settings="s" * 1201)) == "malformed_command"


def test_bytes_of_a_frame() -> None:
    texts = ["x" * limits.FRAME_STR_BYTES_MAX] * 15
    room = limits.FRAME_BYTES_MAX - len(pack(t="New", x=texts, y="y" * 40_000)) + 40_000
    with pytest.raises(UnknownFrame):
        decode_frame(pack(t="New", x=texts, y="y" * room))
    with pytest.raises(WireError) as caught:
        decode_frame(pack(t="New", x=texts, y="y" * (room + 1)))
    assert caught.value.close_code is CloseCode.TOO_BIG


@pytest.mark.parametrize(
    ("most", "value"),
    [
        (limits.FRAME_STR_BYTES_MAX, lambda size: "x" * size),
        (limits.FRAME_BIN_BYTES_MAX, bytes),
        (limits.FRAME_ARRAY_ITEMS_MAX, lambda size: [1] * size),
        (limits.FRAME_MAP_FIELDS_MAX, lambda size: {str(key): 1 for key in range(size)}),
    ],
    ids=["str", "bin", "array", "map"],
)
def test_sizes_in_a_frame(most: int, value: Any) -> None:
    with pytest.raises(UnknownFrame):
        decode_frame(pack(t="New", x=value(most)))
    with pytest.raises(WireError):
        decode_frame(pack(t="New", x=value(most + 1)))
