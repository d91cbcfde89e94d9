"""The hash chain over a table's batches: who has the same head has seen the same batches, byte for byte."""

from __future__ import annotations

import hashlib

HEAD_BYTES = 32
GENESIS_TAG = b"tapete/1/genesis"


def genesis_head(table: str) -> bytes:
    """The head of a table before its first batch: SHA-256 of the tag and the table's id."""
    return hashlib.sha256(GENESIS_TAG + table.encode()).digest()


def next_head(prev: bytes, batch: bytes) -> bytes:
    """The head after a batch: SHA-256 of the head before it and the frame's very bytes."""
    assert len(prev) == HEAD_BYTES, "a head has 32 bytes"
    return hashlib.sha256(prev + batch).digest()
