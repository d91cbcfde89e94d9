"""Tables and batches as bytes. Blobs and batches carry a schema number; an unknown one is refused, never guessed at."""

from __future__ import annotations

from collections.abc import Sequence

import msgpack
import msgspec
from msgspec.structs import replace

from tapete_protocol.codec import encode
from tapete_protocol.events import Event
from tapete_protocol.frames import Author, Batch, Snapshot
from tapete_server.core.games import game_for
from tapete_server.core.state import SCHEMA, Table
from tapete_server.core.view import view_of

BLOB_BYTES_MAX = 8_192
"""A table's state; history lives outside it."""


_ENCODER = msgspec.msgpack.Encoder()
_BATCHES = msgspec.msgpack.Decoder(Batch)
"""Of batches that a node of this house has written: they are read as they are, thirty times as fast as a stranger's frame."""


class UnreadableTable(ValueError):
    """A blob or batch of a schema that this release does not know, or none at all."""


def pack_table(table: Table) -> bytes:
    packed = _ENCODER.encode(table)
    assert len(packed) <= BLOB_BYTES_MAX, "everything in a table's state is bounded"
    return packed


def unpack_table(blob: bytes) -> Table:
    try:
        raw = msgpack.unpackb(blob, use_list=True, strict_map_key=False)
        schema = raw.get("schema")
    except (ValueError, AttributeError) as broken:
        raise UnreadableTable(str(broken)) from broken
    if schema != SCHEMA:
        raise UnreadableTable(f"schema {schema!r}, this release reads {SCHEMA}")
    try:
        table = msgspec.convert(raw, Table, builtin_types=(bytes,))
        return replace(table, play=msgspec.convert(raw["play"], game_for(table.settings).state_type))
    except (ValueError, TypeError, AttributeError, KeyError, msgspec.ValidationError) as broken:
        raise UnreadableTable(str(broken)) from broken


def pack_batch(table: Table, events: Sequence[Event], at: int, by: Author | None) -> tuple[Batch, bytes]:
    """The batch that follows `table`, and the very bytes that stream, channel and sockets carry."""
    batch = Batch(table=table.id, v=table.version + 1, prev=table.head, at=at, events=tuple(events), by=by)
    return batch, encode(batch)


def unpack_batch(payload: bytes) -> Batch:
    try:
        batch = _BATCHES.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as broken:
        raise UnreadableTable(f"no batch that this release reads: {broken}") from broken
    if batch.schema != SCHEMA:
        raise UnreadableTable(f"a batch of schema {batch.schema}, this release reads {SCHEMA}")
    return batch


def snapshot(table: Table, at: int, *, rewound: bool = False) -> bytes:
    """The table as a frame: what somebody gets who has nothing, or something too old."""
    return encode(
        Snapshot(table=table.id, v=table.version, head=table.head, at=at, view=view_of(table), rewound=rewound)
    )
