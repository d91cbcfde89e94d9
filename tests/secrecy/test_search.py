"""The search finds what it is for, in whatever way it was written, and nothing else."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

import msgpack
import pytest

from tapete_server.core.stream import round_secret
from tests.secrecy.search import Secrets, card_leaks

KEY = bytes(range(200, 232))
TOKEN = "g0123456789abcdef.00112233445566778899aabbccddeeff"

WAYS: dict[str, Callable[[bytes], str | bytes]] = {
    "hex": lambda raw: f"key={raw.hex()}",
    "HEX": lambda raw: f"key={raw.hex().upper()}",
    "a dump of a frame": lambda raw: f"< BINARY {raw.hex(' ')} [{len(raw)} bytes]",
    "base64": lambda raw: base64.b64encode(raw).decode(),
    "base64 for addresses": lambda raw: base64.urlsafe_b64encode(raw).decode(),
    "repr": lambda raw: f"Dice(key={raw!r})",
    "list": lambda raw: str(list(raw)),
    "JSON": lambda raw: json.dumps({"key": list(raw)}, separators=(",", ":")),
    "bytes": lambda raw: msgpack.packb({"key": raw}),
    "half of it": lambda raw: raw.hex()[: len(raw)],
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_secret_is_found_however_it_is_written(way: Callable[[bytes], str | bytes]) -> None:
    secrets = Secrets()
    secrets.add("cluster key", KEY)
    said = way(KEY)
    assert secrets.leaks(b"first line\n" + said if isinstance(said, bytes) else "first line\n" + said) == [
        "line 2: cluster key"
    ]
    other = way(bytes(range(100, 132)))
    assert secrets.leaks(other) == []


def test_a_token_is_found_as_text_and_in_a_frame() -> None:
    secrets = Secrets()
    secrets.add("token of Ana", TOKEN)
    assert secrets.leaks(f"signed in with {TOKEN}.") == ["line 1: token of Ana"]
    assert secrets.leaks(msgpack.packb({"t": "Welcome", "token": TOKEN}).hex(" ")) == ["line 1: token of Ana"]
    assert secrets.leaks(f"player={TOKEN.partition('.')[0]} came") == []


def test_a_round_is_known_by_its_secret() -> None:
    secrets = Secrets()
    secrets.add_round(KEY, "blackjack", 7, b"n" * 16)
    secret = round_secret(KEY, "blackjack", 7, b"n" * 16)
    assert secrets.leaks(f"dealt with {secret!r}") == ["line 1: secret of round 7 of blackjack"]
    assert secrets.leaks(f"dealt with {round_secret(KEY, 'blackjack', 8, b'n' * 16)!r}") == []


def test_what_is_too_short_is_no_secret() -> None:
    with pytest.raises(AssertionError, match="too short"):
        Secrets().add("pin", "1234")


@pytest.mark.parametrize(
    "line",
    [
        "dealt AC TD",
        "cards=['9H', '2S']",
        "CardDealt(place='box', box=1, hand=0, card='AC', total=11)",
        '{"card":"TD"}',
    ],
)
def test_cards_are_seen(line: str) -> None:
    assert card_leaks(f"nothing\n{line}\n") == [f"line 2: {line}"]


@pytest.mark.parametrize(
    "line", ["table=felt-2-9D8C7H via=4D5C.12", "node 2S is gone", "cut_card=14 round=9", "0AC9D TDH"]
)
def test_other_words_are_no_cards(line: str) -> None:
    assert card_leaks(line) == []
