"""The TypeScript types are those of the structs."""

from __future__ import annotations

import re

from tapete_protocol.codec import COMMANDS, EVENTS, FRAMES
from tapete_protocol.codes import CODES, CloseCode
from tapete_protocol.typescript import FILE, typescript

TEXT = FILE.read_text(encoding="utf-8")


def test_the_file_is_current() -> None:
    assert typescript() == TEXT


def test_every_kind_is_there_once() -> None:
    names = re.findall(r"^export (?:interface|type|const) (\w+)", TEXT, re.MULTILINE)
    assert len(names) == len(set(names))
    assert {*COMMANDS, *FRAMES, *EVENTS, "Command", "Event", "Frame", "TableView"} <= set(names)


def test_every_code_is_there() -> None:
    assert all(f"\n  {name}: {{ en: " in TEXT for name in CODES)
    assert all(f"\n  {close.name}: {int(close)},\n" in TEXT for close in CloseCode)


def test_what_is_optional() -> None:
    hello = TEXT[TEXT.index("interface Hello ") :].split("}")[0]
    assert "readonly token?: string;" in hello
    assert "readonly client?: string;" in hello
    hand = TEXT[TEXT.index("interface HandView ") :].split("}")[0]
    assert "readonly closed?: string;" in hand
    assert "readonly doubled: boolean;" in hand
    assert "readonly boxes: readonly (string | null)[];" in TEXT
    assert "readonly clocks: readonly (readonly [string, number])[];" in TEXT
    assert "readonly events: readonly Event[];" in TEXT
