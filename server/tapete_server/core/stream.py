"""The cards of a round: a stream of words that only the closed round determines, and unbiased draws from what is left.

    s_r    = HMAC-SHA256(cluster key, "tapete/1/secret" ‖ table ‖ round ‖ nonce)
    salt   = SHA-256(tag ‖ head after the close ‖ settings hash ‖ reveals in box order)
    stream = HKDF-SHA256(ikm = s_r, salt = salt, info = "tapete/1/cards")

Each card takes big-endian words of four bytes until one falls below the largest multiple of the number of cards left.
`protocol/README.md` has the byte layout.
"""

from __future__ import annotations

import hashlib
import hmac

from tapete_protocol.fair import tagged
from tapete_rules.cards import Card, OutOfCards, Shoe

WORD_BYTES = 4
BLOCK_BYTES = 32
BLOCKS_MAX = 255
"""RFC 5869: one expansion has no more."""


def round_secret(key: bytes, table: str, number: int, nonce: bytes) -> bytes:
    return hmac.digest(key, tagged("tapete/1/secret", table.encode(), number.to_bytes(8, "big"), nonce), "sha256")


def commitment_to(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()


class Stream:
    """The round's words from number `words` on. A `CardSource`."""

    def __init__(self, secret: bytes, salt: bytes, words: int = 0) -> None:
        self.words = words
        self._key = hmac.digest(salt, secret, "sha256")
        self._blocks: list[bytes] = []

    def _word(self) -> int:
        block, offset = divmod(self.words * WORD_BYTES, BLOCK_BYTES)
        while len(self._blocks) <= block:
            if len(self._blocks) == BLOCKS_MAX:
                raise OutOfCards("the round's stream is used up")
            last = self._blocks[-1] if self._blocks else b""
            counter = bytes([len(self._blocks) + 1])
            self._blocks.append(hmac.digest(self._key, last + b"tapete/1/cards" + counter, "sha256"))
        self.words += 1
        return int.from_bytes(self._blocks[block][offset : offset + WORD_BYTES], "big")

    def draw(self, shoe: Shoe) -> Card:
        left = len(shoe)
        if not left:
            raise OutOfCards("the shoe is empty")
        fair = (1 << 8 * WORD_BYTES) // left * left
        while (word := self._word()) >= fair:
            pass
        return shoe.at(word % left)
