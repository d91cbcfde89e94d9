"""The felt's events on the wire are those of the rules, field by field."""

from __future__ import annotations

import dataclasses
import typing

import msgspec
import pytest

from tapete_protocol import events as wire
from tapete_rules import events as rules

RULES = {kind.__name__: kind for kind in typing.get_args(rules.Event)}
WIRE = {kind.__name__: kind for kind in typing.get_args(wire.FeltEvent)}


def test_the_same_kinds_in_the_same_order() -> None:
    assert list(WIRE) == list(RULES)


@pytest.mark.parametrize("name", RULES)
def test_the_same_fields(name: str) -> None:
    ours = {field.name: typing.get_type_hints(WIRE[name])[field.name] for field in msgspec.structs.fields(WIRE[name])}
    hints = typing.get_type_hints(RULES[name])
    theirs = {field.name: _plain(hints[field.name]) for field in dataclasses.fields(RULES[name])}
    assert list(ours.items()) == list(theirs.items())


def _plain(kind: typing.Any) -> typing.Any:
    """A card is its text on the wire."""
    return str if getattr(kind, "__name__", "") == "Card" else kind


def test_the_same_words() -> None:
    for name in ("Place", "Side", "Action", "Closing", "Outcome", "By"):
        assert getattr(wire, name) == getattr(rules, name)
