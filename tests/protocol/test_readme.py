"""The page on the wire is current, and names everything that travels."""

from __future__ import annotations

import re

import pytest

from tapete_protocol import reference
from tapete_protocol.codec import COMMANDS, EVENTS, FRAMES
from tapete_protocol.codes import CODES, CloseCode
from tapete_protocol.reduce import STEPS
from tapete_rules.catalogue import GAMES, game_of

TEXT = reference.FILE.read_text(encoding="utf-8")


def section(title: str) -> str:
    return re.split(r"\n##+ ", TEXT[TEXT.index(f"# {title}\n") :])[0]


def test_its_tables_are_current() -> None:
    assert reference.written(TEXT) == TEXT


@pytest.mark.parametrize("name", [*COMMANDS, *FRAMES, *EVENTS, *CODES, *(code.name for code in CloseCode)])
def test_it_names(name: str) -> None:
    assert f"`{name}`" in TEXT


def test_every_refusal_says_which_commands_may_meet_it() -> None:
    commands = section("Commands")
    assert [name for name in CODES if f"`{name}`" not in commands] == []


def test_reduce_is_told_for_every_event() -> None:
    told = section("Reduce")
    assert [name for name in EVENTS if f"`{name}`" not in told] == []


def test_reduce_knows_every_event() -> None:
    assert set(STEPS) == set(EVENTS.values())


@pytest.mark.parametrize("game", GAMES)
def test_it_names_the_spots(game: str) -> None:
    assert [spot for spot in game_of({"game": game}).spots if f"`{spot}`" not in section("The view")] == []


def test_the_command_line_says_whether_it_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert reference.main([]) == 0
    assert capsys.readouterr().out == "current\n"
