"""From a settings document to its game, and between the events of the rules and those of the wire."""

from __future__ import annotations

import dataclasses
import json
from functools import lru_cache
from typing import Any

import msgspec

from tapete_protocol import events as wire
from tapete_rules import events as felt
from tapete_rules.catalogue import game_of
from tapete_rules.game import Game
from tapete_rules.settings import SettingsError


@lru_cache(maxsize=256)
def game_for(settings: str) -> Game[Any]:
    """The game of a settings document (JSON text). Raises `SettingsError` with the field and what it may be."""
    try:
        document = json.loads(settings)
    except (ValueError, RecursionError) as broken:
        raise SettingsError("settings", f"is not JSON: {broken}") from broken
    if not isinstance(document, dict):
        raise SettingsError("settings", "is a JSON object")
    return game_of(document)


_FIELDS = {kind.__name__: tuple(f.name for f in dataclasses.fields(kind)) for kind in felt.Event.__args__}
_FELT = {kind.__name__: kind for kind in felt.Event.__args__}


def to_wire(event: felt.Event) -> wire.FeltEvent:
    name = type(event).__name__
    made: wire.FeltEvent = getattr(wire, name)(*(getattr(event, field) for field in _FIELDS[name]))
    return made


def from_wire(event: wire.FeltEvent) -> felt.Event:
    name = type(event).__name__
    made: felt.Event = _FELT[name](*(getattr(event, field) for field in _FIELDS[name]))
    return made


def plain(value: Any) -> Any:
    """Frozen dataclasses and structs as maps, tuples as arrays; bytes stay bytes."""
    return msgspec.to_builtins(value, builtin_types=(bytes,))
