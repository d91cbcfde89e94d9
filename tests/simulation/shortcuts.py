"""What a simulation need not do twice: frames are values, and all clients and nodes are in one process."""

from __future__ import annotations

from functools import lru_cache

import tapete_client.session
import tapete_server.core.codec
from tapete_protocol import codec

FRAMES_KEPT = 4_096


def take() -> None:
    """A frame that one has decoded, others have, too. (Decoding is tried on its own, with every byte that can be wrong.)"""
    decode = lru_cache(FRAMES_KEPT)(codec.decode_frame)
    tapete_client.session.decode_frame = decode  # type: ignore[attr-defined]
    tapete_server.core.codec.decode_frame = decode  # type: ignore[attr-defined]
