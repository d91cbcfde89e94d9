"""The bytes of the fair deal: published vectors of its parts, and values that a stranger's code has to come to as well."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest

from tapete_protocol import vectors
from tapete_protocol.fair import Reveal, entropy_commitment, plain_salt, reveals_salt, tagged
from tapete_rules.catalogue import GAMES, game_of

FAIR: dict[str, Any] = json.loads((vectors.FOLDER / "fair.json").read_text(encoding="utf-8"))
README = vectors.FOLDER.with_name("README.md").read_text(encoding="utf-8")

RFC_4231 = [
    ("0b" * 20, b"Hi There".hex(), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
        b"Jefe".hex(),
        b"what do ya want for nothing?".hex(),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    ("aa" * 20, "dd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (
        "0102030405060708090a0b0c0d0e0f10111213141516171819",
        "cd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    (
        "aa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First".hex(),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        "aa" * 131,
        (
            b"This is a test using a larger than block-size key and a larger than block-size data. "
            b"The key needs to be hashed before being used by the HMAC algorithm."
        ).hex(),
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]
"""Test cases 1 to 4, 6 and 7: key, message, code. (Case 5 is about a code cut short.)"""


def hmac_of(key: bytes, message: bytes) -> bytes:
    """RFC 2104, written once more."""
    key = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(one ^ 0x36 for one in key) + message).digest()
    return hashlib.sha256(bytes(one ^ 0x5C for one in key) + inner).digest()


@pytest.mark.parametrize(("key", "message", "code"), RFC_4231)
def test_hmac_as_rfc_4231_has_it(key: str, message: str, code: str) -> None:
    made = hmac_of(bytes.fromhex(key), bytes.fromhex(message))
    assert made.hex() == code
    assert hmac.digest(bytes.fromhex(key), bytes.fromhex(message), "sha256") == made


def parts(*texts: bytes) -> bytes:
    return b"".join(bytes([len(text) >> 8, len(text) & 255]) + text for text in texts)


@pytest.mark.parametrize("vector", FAIR["commitments"])
def test_commitments_of_players(vector: dict[str, Any]) -> None:
    table, number, player = vector["table"], vector["round"], vector["player"]
    entropy = bytes.fromhex(vector["entropy"])
    said = parts(b"tapete/1/entropy", table.encode(), number.to_bytes(8, "big"), player.encode(), entropy)
    assert hashlib.sha256(said).hexdigest() == vector["commitment"]
    assert entropy_commitment(table, number, player, entropy).hex() == vector["commitment"]


def test_a_commitment_is_good_for_one_player_in_one_round_of_one_table() -> None:
    entropy = bytes(32)
    made = {entropy_commitment(t, n, p, entropy) for t in ("a", "ab") for n in (1, 2) for p in ("b", "bb")}
    assert len(made) == 8


@pytest.mark.parametrize("vector", FAIR["salts"])
def test_salts(vector: dict[str, Any]) -> None:
    head, settings = bytes.fromhex(vector["close_head"]), vector["settings"]
    settings_hash = hashlib.sha256(settings.encode()).digest()
    assert settings_hash.hex() == vector["settings_hash"]
    if "reveals" not in vector:
        said = parts(b"tapete/1/salt", head, settings_hash)
        made = plain_salt(head, settings)
    else:
        given = [
            Reveal(one["box"], bytes.fromhex(one["commitment"]), bytes.fromhex(one.get("entropy", "")))
            for one in vector["reveals"]
        ]
        ordered = sorted(vector["reveals"], key=lambda one: one["box"])
        flagged = [
            bytes([one["box"], "entropy" in one]) + bytes.fromhex(one.get("entropy", one["commitment"]))
            for one in ordered
        ]
        said = parts(b"tapete/2/salt", head, settings_hash, *flagged)
        made = reveals_salt(head, settings, given)
    assert made.hex() == vector["salt"] == hashlib.sha256(said).hexdigest()


def test_every_set_of_reveals_has_a_salt_of_its_own() -> None:
    """But for the order in which they are given, which makes no difference."""
    salts = [vector["salt"] for vector in FAIR["salts"]]
    assert salts[-1] == salts[3]
    assert len(set(salts)) == len(salts) - 1


@pytest.mark.parametrize("vector", FAIR["house"])
def test_secret_of_the_house(vector: dict[str, Any]) -> None:
    said = parts(
        b"tapete/1/secret",
        vector["table"].encode(),
        vector["round"].to_bytes(8, "big"),
        bytes.fromhex(vector["nonce"]),
    )
    secret = hmac_of(bytes.fromhex(vector["cluster_key"]), said)
    assert (secret.hex(), hashlib.sha256(secret).hexdigest()) == (vector["secret"], vector["commitment"])


@pytest.mark.parametrize("vector", FAIR["streams"])
def test_streams(vector: dict[str, Any]) -> None:
    key = hmac_of(bytes.fromhex(vector["salt"]), bytes.fromhex(vector["secret"]))
    assert key.hex() == vector["key"]
    first = hmac_of(key, b"tapete/1/cards\x01")
    second = hmac_of(key, first + b"tapete/1/cards\x02")
    assert b"".join(word.to_bytes(4, "big") for word in vector["words"]) == first + second


def test_a_word_is_passed_over_in_the_vectors() -> None:
    eight = next(vector for vector in FAIR["draws"] if vector["decks"] == 8)
    assert eight["passed_over"] == [165]
    assert eight["words"] == 417


def test_tags_and_lengths_keep_their_inputs_apart() -> None:
    assert tagged("a", b"bc", b"") == b"\x00\x01a\x00\x02bc\x00\x00"


@pytest.mark.parametrize("game", GAMES)
def test_the_readme_has_every_setting_that_a_verifier_needs(game: str) -> None:
    section = README[README.index("### Settings\n") : README.index("### What it does not prove\n")]
    for name, value in game_of({"game": game}).document().items():
        if name not in ("game", "times"):
            assert f"`{name}`" in section, name
        if isinstance(value, int) and not isinstance(value, bool) and name not in ("tie_max", "pair_max"):
            assert str(value) in section, name
        if isinstance(value, list):
            assert str(value) in section, name
