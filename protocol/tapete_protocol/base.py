"""The common shape of everything on the wire: a map with its kind under `t`."""

from __future__ import annotations

from typing import Annotated, NewType, dataclass_transform

import msgspec

TableId = NewType("TableId", str)
PlayerId = NewType("PlayerId", str)

WHOLE_MAX = 2**53 - 1
"""The largest integer on the wire: what JavaScript can hold."""

Whole = Annotated[int, msgspec.Meta(ge=0, le=WHOLE_MAX)]
Signed = Annotated[int, msgspec.Meta(ge=-WHOLE_MAX, le=WHOLE_MAX)]
Amount = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
"""Chips in whole minor units."""
Box = Annotated[int, msgspec.Meta(ge=1, le=4)]
Hand = Annotated[int, msgspec.Meta(ge=0, le=15)]
TableName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
PlayerName = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
TableRef = Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9-]{0,31}\\Z", max_length=32)]
CommandId = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{8,40}\\Z", max_length=40)]
"""Chosen by the client, unique for its player: the same id again is the same command."""
Head = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Spot = Annotated[str, msgspec.Meta(min_length=1, max_length=16)]


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Wire(msgspec.Struct, frozen=True, tag_field="t", tag=True):
    """Anything that has a kind of its own on the wire."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Strict(msgspec.Struct, frozen=True, tag_field="t", tag=True, forbid_unknown_fields=True):
    """A command: a field that the node does not know is refused, not ignored."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Part(msgspec.Struct, frozen=True):
    """A map inside a message."""
