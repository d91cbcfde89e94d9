"""When to try again, and for how long: every bound of the client in one place."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tapete_protocol.codes import CLOSES, CloseCode

BACKOFF_MS_MIN = 200
BACKOFF_MS_MAX = 8_000
RETRY_MS_MAX = 10_000
"""The longest wait that a node may ask for before the same command is tried again."""
RETRIES_MAX = 8
RESENDS_MAX = 8
ANSWER_S_MAX = 12.0
"""Without an answer for so long, a connection counts as broken: a node gives up on its store after five seconds."""
SILENCE_S_MAX = 25.0
"""Nodes send a heartbeat every ten seconds; two missed ones and the connection counts as broken."""
STABLE_S_MIN = 5.0
"""A connection that lived shorter than this does not calm the backoff."""
RESYNC_S_MIN = 5.0
WATCHES_MAX = 3
FEED_ITEMS_MAX = 1_024

RETRIED = frozenset({"unavailable", "busy", "rate_limited", "in_flight", "draining"})
"""Refusals that say nothing about the command itself: the same one may succeed a moment later."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a session looks for a node before it gives up: at its start, and after it has once been signed in."""

    first_s: float = 10.0
    again_s: float = 300.0


def backoff_s(attempt: int, rng: random.Random, hint_ms: int | None = None) -> float:
    """Seconds before try number `attempt` (from 0): doubling, bounded, from half to the whole of it at random. A node's
    hint is the least wait."""
    ceiling_ms = min(BACKOFF_MS_MAX, BACKOFF_MS_MIN << min(attempt, 16))
    least_ms = min(RETRY_MS_MAX, hint_ms or 0)
    return (least_ms + rng.uniform(ceiling_ms / 2, ceiling_ms)) / 1000


def advised_ms(code: int | None) -> int:
    """How long to stay away after a connection was closed with `code`."""
    return next((CLOSES[known].delay_ms // 2 for known in CloseCode if known == code), 0)
