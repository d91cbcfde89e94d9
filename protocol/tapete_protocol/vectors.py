"""The golden vectors: bytes and meaning of every kind of message, for the tests of this and of other languages.

`python -m tapete_protocol.vectors --write` writes `protocol/vectors/*.json` anew; without it, says whether they
are current. Bytes inside a plain form are `{"$hex": ".."}`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgpack
import msgspec

from tapete_protocol import examples
from tapete_protocol.chain import genesis_head, next_head
from tapete_protocol.codec import (
    BadCommand,
    UnknownEvent,
    UnknownFrame,
    WireError,
    decode_command,
    decode_frame,
    encode,
    without_nil,
)
from tapete_protocol.commands import Command
from tapete_protocol.fair_vectors import fair_vectors
from tapete_protocol.frames import Batch, Frame
from tapete_protocol.limits import COMMAND_BYTES_MAX, DEPTH_LEVELS_MAX
from tapete_protocol.road_vectors import road_vectors

FOLDER = Path(__file__).resolve().parents[1] / "vectors"


def plain_form(message: Any) -> Any:
    """A message as JSON has it, bytes under `$hex`."""
    return _hexed(without_nil(msgspec.to_builtins(message, builtin_types=(bytes,))))


def _hexed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _hexed(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_hexed(one) for one in value]
    return {"$hex": value.hex()} if isinstance(value, bytes) else value


def _vector(message: Command | Frame) -> dict[str, Any]:
    return {"hex": encode(message).hex(), "plain": plain_form(message)}


def _chain() -> dict[str, Any]:
    """One batch per example event, each joined to the one before it."""
    head = genesis_head(examples.TABLE)
    batches = []
    for number, event in enumerate(examples.EVENTS, 1):
        batch = Batch(table=examples.TABLE, v=number, prev=head, at=examples.AT + number, events=(event,))
        head = next_head(head, encode(batch))
        batches.append({**_vector(batch), "head": head.hex()})
    return {"table": examples.TABLE, "genesis": genesis_head(examples.TABLE).hex(), "batches": batches}


def _nested(levels: int) -> Any:
    inner: Any = 1
    for _ in range(levels):
        inner = [inner]
    return inner


def _pack(**fields: Any) -> bytes:
    packed: bytes = msgpack.packb(fields)
    return packed


_PLACE = {"table": "green-room", "stint": 1, "seq": 1}
_SEATED = {"id": 3, **_PLACE}
BAD_COMMANDS: dict[str, bytes] = {
    "nothing at all": b"",
    "no msgpack": b"\xc1",
    "cut short": _pack(t="Ping", id=1)[:-1],
    "a byte too many": _pack(t="Ping", id=1) + b"\x00",
    "an array, not a map": msgpack.packb(["Ping", 1]),
    "a number, not a map": b"\x01",
    "text, not msgpack": b'{"t":"Ping","id":1}',
    "a key that is a number": msgpack.packb({"t": "Ping", "id": 1, 2: 3}),
    "a key that is bytes": msgpack.packb({"t": "Ping", "id": 1, b"x": 3}),
    "a key twice": b"\x83\xa1t\xa4Ping\xa2id\x01\xa2id\x02",
    "invalid UTF-8": b"\x82\xa1t\xa4Ping\xa2id\xa1\xff",
    "a surrogate": b"\x82\xa1t\xa4Ping\xa2id\xa3\xed\xa0\x80",
    "an extension type": b"\x83\xa1t\xa4Ping\xa2id\x01\xa1x\xd4\x05\x00",
    "a timestamp": b"\x83\xa1t\xa4Ping\xa2id\x01\xa1x\xd6\xff\x00\x00\x00\x00",
    "nested too deep": _pack(t="Ping", id=1, x=_nested(DEPTH_LEVELS_MAX)),
    "nested without end": b"\x91" * COMMAND_BYTES_MAX,
    "too big": _pack(t="Ping", id=1, x="x" * COMMAND_BYTES_MAX),
    "no kind": _pack(id=7),
    "a kind that is no text": _pack(t=5, id=7),
    "an unknown kind": _pack(t="Cheat", id=7),
    "an unknown kind without id": _pack(t="Cheat"),
    "a frame, not a command": _pack(t="Gone", table="green-room"),
    "an unknown field": _pack(t="Ping", id=7, loud=True),
    "an unknown field inside": _pack(t="PlaceBets", **_SEATED, bets=[{"box": 1, "spot": "main", "amount": 5, "x": 1}]),
    "no id": _pack(t="Ping"),
    "an id below 0": _pack(t="Ping", id=-1),
    "an id beyond 2^53": _pack(t="Ping", id=2**53),
    "an id that is true": _pack(t="Ping", id=True),
    "an id that is nil": _pack(t="Ping", id=None),
    "a float": _pack(t="CashOut", **_SEATED, amount=1.5),
    "a float that is whole": _pack(t="CashOut", **_SEATED, amount=1.0),
    "not a number": _pack(t="CashOut", **_SEATED, amount=float("nan")),
    "an amount below 0": _pack(t="CashOut", **_SEATED, amount=-1),
    "an amount above the most": _pack(t="CashOut", **_SEATED, amount=10**12 + 1),
    "an amount as text": _pack(t="CashOut", **_SEATED, amount="5"),
    "a missing amount": _pack(t="CashOut", **_SEATED),
    "a missing amount inside": _pack(t="PlaceBets", **_SEATED, bets=[{"box": 1, "spot": "main"}]),
    "no bets": _pack(t="PlaceBets", **_SEATED, bets=[]),
    "box 5": _pack(t="TakeBox", **_SEATED, box=5),
    "an unknown action": _pack(t="Act", **_SEATED, box=1, hand=0, action="surrender"),
    "a table's name that is none": _pack(t="Unwatch", id=3, table="Green Room"),
    "a table's name with a line's end": _pack(t="Unwatch", id=3, table="green\n"),
    "a head of 31 bytes": _pack(t="Watch", id=3, table="green-room", since={"version": 1, "head": bytes(31)}),
    "a head as text": _pack(t="Watch", id=3, table="green-room", since={"version": 1, "head": "0" * 32}),
}
_NEW = {"table": "green-room", "v": 1, "prev": bytes(32), "at": 1}
BAD_FRAMES: dict[str, bytes] = {
    "no msgpack": b"\xc1",
    "no kind": _pack(id=7),
    "a missing field": _pack(t="Gone"),
    "a float": _pack(t="Wallet", balance=1.5),
    "a balance beyond 2^53": _pack(t="Wallet", balance=2**53),
    "an unknown kind": _pack(t="Fireworks", colour="red"),
    "an unknown event": _pack(t="Batch", **_NEW, events=[{"t": "CardEaten", "card": "AS"}]),
    "an event with a missing field": _pack(t="Batch", **_NEW, events=[{"t": "ShoeOpened"}]),
}


def outcome_of_command(frame: bytes) -> dict[str, Any]:
    """What comes of bytes from a client: a command's plain form, a refusal, or the connection's end."""
    try:
        return {"command": plain_form(decode_command(frame))}
    except WireError as error:
        return {"close": int(error.close_code)}
    except BadCommand as bad:
        return {"refused": bad.code, "id": bad.id, "detail": bad.detail}


def outcome_of_frame(frame: bytes) -> dict[str, Any]:
    """What comes of bytes from a node."""
    try:
        return {"frame": plain_form(decode_frame(frame))}
    except WireError as error:
        return {"close": int(error.close_code)}
    except UnknownFrame as unknown:
        return {"ignored": unknown.kind}
    except UnknownEvent as unknown:
        return {"resync": unknown.table, "event": unknown.kind}


def vectors() -> dict[str, Any]:
    """Every file of the folder, as plain values."""
    return {
        "commands.json": [_vector(command) for command in examples.COMMANDS],
        "frames.json": [_vector(frame) for frame in examples.FRAMES],
        "batches.json": _chain(),
        "fair.json": fair_vectors(),
        "roads.json": road_vectors(),
        "bad_commands.json": [
            {"why": why, "hex": frame.hex(), **outcome_of_command(frame)} for why, frame in BAD_COMMANDS.items()
        ],
        "bad_frames.json": [
            {"why": why, "hex": frame.hex(), **outcome_of_frame(frame)} for why, frame in BAD_FRAMES.items()
        ],
    }


def written() -> dict[str, str]:
    """The files' text."""
    return {
        name: json.dumps(content, indent=1, ensure_ascii=False, sort_keys=False) + "\n"
        for name, content in vectors().items()
    }


def main(arguments: list[str]) -> int:
    files = written()
    if "--write" in arguments:
        FOLDER.mkdir(exist_ok=True)
        for name, text in files.items():
            (FOLDER / name).write_text(text, encoding="utf-8")
        return 0
    stale = [name for name, text in files.items() if (FOLDER / name).read_text(encoding="utf-8") != text]
    sys.stdout.write(f"not current: {', '.join(stale)}\n" if stale else "current\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
