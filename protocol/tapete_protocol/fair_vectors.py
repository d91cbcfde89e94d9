"""Values of every formula of the fair deal, for whoever writes a client or a verifier. The stream is written once more
here, so that the vectors do not say about the server what the server says about itself."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from tapete_protocol.fair import Reveal, entropy_commitment, plain_salt, reveals_salt, tagged

TABLE, ROUND, ANA, BEN = "green-room", 7, "p-ana", "p-ben"
SETTINGS = '{"game":"double_exposure"}'
WITH_REVEALS = '{"game":"double_exposure","reveals":true}'
CLOSE_HEAD = bytes([4]) * 32
CLUSTER_KEY, NONCE = bytes([9]) * 32, bytes([1]) * 16
ENTROPY = {ANA: bytes(range(32)), BEN: bytes(range(32, 64))}

STREAM_SECRET = (91_828).to_bytes(32, "big")
STREAM_SALT = bytes(range(32))
"""With these two, a word is passed over in the middle of eight decks: about one shoe in fifty thousand has that."""
SHOWN_WORDS = 16
CARDS = tuple(rank + suit for suit in "CDHS" for rank in "A23456789TJQK")


def fair_vectors() -> dict[str, Any]:
    """The content of `fair.json`, bytes in hexadecimal."""
    return {
        "house": [_house()],
        "commitments": [_commitment(table, number, player) for table, number, player in _rounds()],
        "salts": [_salt(None), *(_salt(reveals) for reveals in _reveals())],
        "streams": [_stream(STREAM_SECRET, STREAM_SALT), _stream(_secret(), plain_salt(CLOSE_HEAD, SETTINGS))],
        "draws": [_draws(8), _draws(6), _draws(1)],
    }


def _secret() -> bytes:
    parts = (TABLE.encode(), ROUND.to_bytes(8, "big"), NONCE)
    return hmac.digest(CLUSTER_KEY, tagged("tapete/1/secret", *parts), "sha256")


def _house() -> dict[str, Any]:
    return {
        "cluster_key": CLUSTER_KEY.hex(), "table": TABLE, "round": ROUND, "nonce": NONCE.hex(),
        "secret": _secret().hex(), "commitment": hashlib.sha256(_secret()).hexdigest(),
    }  # fmt: skip


def _rounds() -> list[tuple[str, int, str]]:
    return [(TABLE, ROUND, ANA), (TABLE, ROUND, BEN), (TABLE, ROUND + 1, ANA), ("sala", ROUND, ANA)]


def _commitment(table: str, number: int, player: str) -> dict[str, Any]:
    entropy = ENTROPY[player]
    return {
        "table": table, "round": number, "player": player, "entropy": entropy.hex(),
        "commitment": entropy_commitment(table, number, player, entropy).hex(),
    }  # fmt: skip


def _reveals() -> list[tuple[Reveal, ...]]:
    """None at all, one, both, and each one missing; the last ones are not in box order."""
    ana = Reveal(2, entropy_commitment(TABLE, ROUND, ANA, ENTROPY[ANA]), ENTROPY[ANA])
    ben = Reveal(3, entropy_commitment(TABLE, ROUND, BEN, ENTROPY[BEN]), ENTROPY[BEN])
    no_ana, no_ben = Reveal(2, ana.commitment), Reveal(3, ben.commitment)
    return [(), (ana,), (ana, ben), (no_ana, ben), (ana, no_ben), (no_ana, no_ben), (ben, ana)]


def _salt(reveals: tuple[Reveal, ...] | None) -> dict[str, Any]:
    settings = SETTINGS if reveals is None else WITH_REVEALS
    made: dict[str, Any] = {
        "close_head": CLOSE_HEAD.hex(), "settings": settings,
        "settings_hash": hashlib.sha256(settings.encode()).hexdigest(),
    }  # fmt: skip
    if reveals is None:
        return {**made, "salt": plain_salt(CLOSE_HEAD, settings).hex()}
    parts = [
        {"box": one.box, "commitment": one.commitment.hex()} | ({"entropy": one.entropy.hex()} if one.entropy else {})
        for one in reveals
    ]
    return {**made, "reveals": parts, "salt": reveals_salt(CLOSE_HEAD, settings, reveals).hex()}


def _key_and_words(secret: bytes, salt: bytes) -> tuple[bytes, list[int]]:
    """HKDF's key, and all words of its one expansion."""
    key, block, stream = hmac.digest(salt, secret, "sha256"), b"", b""
    for number in range(1, 256):
        block = hmac.digest(key, block + b"tapete/1/cards" + bytes([number]), "sha256")
        stream += block
    return key, [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]


def _stream(secret: bytes, salt: bytes) -> dict[str, Any]:
    key, words = _key_and_words(secret, salt)
    return {"secret": secret.hex(), "salt": salt.hex(), "key": key.hex(), "words": words[:SHOWN_WORDS]}


def _draws(decks: int) -> dict[str, Any]:
    """A whole shoe, card by card. `passed_over`: before which cards (from 0) a word was."""
    _, words = _key_and_words(STREAM_SECRET, STREAM_SALT)
    left, used = [card for card in CARDS for _ in range(decks)], 0
    drawn: list[str] = []
    passed_over: list[int] = []
    while left:
        fair = (1 << 32) // len(left) * len(left)
        while words[used] >= fair:
            passed_over.append(len(drawn))
            used += 1
        drawn.append(left.pop(words[used] % len(left)))
        used += 1
    return {
        "decks": decks, "secret": STREAM_SECRET.hex(), "salt": STREAM_SALT.hex(),
        "cards": " ".join(drawn), "passed_over": passed_over, "words": used,
    }  # fmt: skip
