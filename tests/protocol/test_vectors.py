"""The golden vectors are current, cover every kind of message, and mean what they say."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from tapete_protocol import examples, vectors
from tapete_protocol.chain import genesis_head, next_head
from tapete_protocol.codec import COMMANDS, EVENTS, FRAMES, decode_command, decode_frame, encode


def stored(name: str) -> Any:
    return json.loads((vectors.FOLDER / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(vectors.written()))
def test_the_files_are_current(name: str) -> None:
    assert (vectors.FOLDER / name).read_text(encoding="utf-8") == vectors.written()[name]


def test_there_is_no_other_file() -> None:
    """But for whole rounds, which only a server can play."""
    assert {path.name for path in vectors.FOLDER.iterdir()} == {*vectors.written(), "records.json"}


def test_every_kind_has_a_vector() -> None:
    assert {type(command).__name__ for command in examples.COMMANDS} == set(COMMANDS)
    assert {type(frame).__name__ for frame in examples.FRAMES} == set(FRAMES)
    assert {type(event).__name__ for event in examples.EVENTS} == set(EVENTS)


@pytest.mark.parametrize("vector", stored("commands.json"), ids=lambda vector: vector["plain"]["t"])
def test_commands(vector: dict[str, Any]) -> None:
    frame = bytes.fromhex(vector["hex"])
    command = decode_command(frame)
    assert vectors.plain_form(command) == vector["plain"]
    assert encode(command) == frame


@pytest.mark.parametrize("vector", stored("frames.json"), ids=lambda vector: vector["plain"]["t"])
def test_frames(vector: dict[str, Any]) -> None:
    payload = bytes.fromhex(vector["hex"])
    frame = decode_frame(payload)
    assert vectors.plain_form(frame) == vector["plain"]
    assert encode(frame) == payload


def test_batches_are_a_chain() -> None:
    chain = stored("batches.json")
    head = genesis_head(chain["table"])
    assert head.hex() == chain["genesis"] == hashlib.sha256(b"tapete/1/genesis" + chain["table"].encode()).hexdigest()
    for vector in chain["batches"]:
        payload = bytes.fromhex(vector["hex"])
        batch = decode_frame(payload)
        assert vectors.plain_form(batch) == vector["plain"]
        assert vector["plain"]["prev"] == {"$hex": head.hex()}
        assert encode(batch) == payload
        head = next_head(head, payload)
        assert head.hex() == vector["head"]


@pytest.mark.parametrize("vector", stored("bad_commands.json"), ids=lambda vector: vector["why"])
def test_bad_commands(vector: dict[str, Any]) -> None:
    found = vectors.outcome_of_command(bytes.fromhex(vector["hex"]))
    assert "command" not in found
    assert found == {key: value for key, value in vector.items() if key not in ("why", "hex")}


@pytest.mark.parametrize("vector", stored("bad_frames.json"), ids=lambda vector: vector["why"])
def test_bad_frames(vector: dict[str, Any]) -> None:
    found = vectors.outcome_of_frame(bytes.fromhex(vector["hex"]))
    assert "frame" not in found
    assert found == {key: value for key, value in vector.items() if key not in ("why", "hex")}


def test_the_command_line_says_whether_they_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert vectors.main([]) == 0
    assert capsys.readouterr().out == "current\n"
