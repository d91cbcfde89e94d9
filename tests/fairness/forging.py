"""Records with one thing changed: as somebody would who does not care for the chain, and as somebody who mends it."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import msgpack

Record = dict[str, Any]
Path = tuple[str | int, ...]


def unpacked(packed: bytes) -> Record:
    record: Record = msgpack.unpackb(packed)
    return record


def plain(value: Any) -> Any:
    """As the API has it: bytes in hexadecimal."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def events(record: Record) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Every event of the round itself, with batch and place."""
    opened = False
    for batch, payload in enumerate(record["batches"]):
        for place, event in enumerate(msgpack.unpackb(payload)["events"]):
            if event["t"] == "RoundOpened":
                if event["round"] != record["round"]:
                    return
                opened = True
            if opened:
                yield batch, place, event


def find(record: Record, kind: str) -> tuple[int, int, dict[str, Any]]:
    """The first event of this kind."""
    return next(one for one in events(record) if one[2]["t"] == kind)


def changed(record: Record, batch: int, change: Callable[[dict[str, Any]], None]) -> Record:
    """One batch changed, and nothing mended."""
    made = copy.deepcopy(record)
    content = msgpack.unpackb(made["batches"][batch])
    change(content)
    made["batches"][batch] = msgpack.packb(content)
    return made


def mended(record: Record) -> Record:
    """With the chain made anew from the first batch on, and the last head: what a house can do that writes its log anew."""
    made = copy.deepcopy(record)
    head = msgpack.unpackb(made["batches"][0])["prev"]
    for number, payload in enumerate(made["batches"]):
        content = msgpack.unpackb(payload)
        content["prev"] = head
        made["batches"][number] = msgpack.packb(content)
        head = hashlib.sha256(head + made["batches"][number]).digest()
    if "head" in made:
        made["head"] = head
    return made


def other(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case bytes():
            return bytes([value[0] ^ 1]) + value[1:] if value else b"\x01"
        case str():
            return {"AS": "KD"}.get(value, "AS") if len(value) == 2 else value + "x"
        case list():
            return value[:-1] if value else ["x"]
        case dict():
            return {}
        case _:
            return 1


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Every field of a plain value that holds no others, and every list."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from paths(one, (*at, key))
    elif isinstance(value, list):
        yield at
        for place, one in enumerate(value):
            yield from paths(one, (*at, place))
    else:
        yield at


def replaced(value: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    made = copy.deepcopy(value)
    inside = made
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = change(inside[path[-1]])
    return made
