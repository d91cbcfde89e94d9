"""The bytes of the fair deal that both sides make: players' commitments, and the salt that the reveals go into.

`protocol/README.md` has the whole layout; `vectors/fair.json` has values to check an implementation with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

ENTROPY_BYTES = 32
"""What a player gives to a round."""
PLAIN_SALT_TAG = "tapete/1/salt"
"""Of a round without reveals."""
REVEALS_SALT_TAG = "tapete/2/salt"
ENTROPY_TAG = "tapete/1/entropy"


def tagged(tag: str, *parts: bytes) -> bytes:
    """Domain tag and parts, each with its length (two bytes, big-endian) before it."""
    return b"".join(len(part).to_bytes(2, "big") + part for part in (tag.encode(), *parts))


def entropy_commitment(table: str, number: int, player: str, entropy: bytes) -> bytes:
    """What a player publishes with the first bet of round `number`: SHA-256, 32 bytes. Good for nobody else, and for no
    other round."""
    parts = (table.encode(), number.to_bytes(8, "big"), player.encode(), entropy)
    return hashlib.sha256(tagged(ENTROPY_TAG, *parts)).digest()


@dataclass(frozen=True, slots=True)
class Reveal:
    """A player's part in the salt. `box`: the lowest one with a bet of theirs. `entropy` is empty where it is missing."""

    box: int
    commitment: bytes
    entropy: bytes = b""

    def part(self) -> bytes:
        """34 bytes: box, whether it was revealed, and the entropy or else its commitment."""
        return bytes([self.box, bool(self.entropy)]) + (self.entropy or self.commitment)


def plain_salt(close_head: bytes, settings: str) -> bytes:
    """The salt of a round at a table without reveals."""
    return hashlib.sha256(tagged(PLAIN_SALT_TAG, close_head, hashlib.sha256(settings.encode()).digest())).digest()


def reveals_salt(close_head: bytes, settings: str, reveals: Sequence[Reveal]) -> bytes:
    """The salt of a round at a table with reveals; in which order they are given makes no difference."""
    parts = (one.part() for one in sorted(reveals, key=lambda one: one.box))
    settings_hash = hashlib.sha256(settings.encode()).digest()
    return hashlib.sha256(tagged(REVEALS_SALT_TAG, close_head, settings_hash, *parts)).digest()
