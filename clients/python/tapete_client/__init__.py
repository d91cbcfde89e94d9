"""The Python client of tapete: a session at a node, tables with their events, bots, and programs for a terminal."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Sequence

from tapete_client.dial import Dialer
from tapete_client.errors import ClientError, Closed, NoAnswer, Refused, TableGone, Unreachable
from tapete_client.news import (
    ControlChanged,
    CrowdChanged,
    Happened,
    Missed,
    News,
    PartMissing,
    Reconnected,
    StoreChanged,
    Synced,
)
from tapete_client.policy import FEED_ITEMS_MAX, Patience
from tapete_client.session import Session
from tapete_client.table import Table
from tapete_client.transport import DEFAULT_URL, Connection, Lost, Transport, WebSockets

__all__ = [
    "ClientError",
    "Closed",
    "Connection",
    "ControlChanged",
    "CrowdChanged",
    "Happened",
    "Lost",
    "Missed",
    "News",
    "NoAnswer",
    "PartMissing",
    "Patience",
    "Reconnected",
    "Refused",
    "Session",
    "StoreChanged",
    "Synced",
    "Table",
    "TableGone",
    "Transport",
    "Unreachable",
    "WebSockets",
    "connect",
]


def connect(
    url: str | Sequence[str] = DEFAULT_URL,
    name: str | None = None,
    token: str | None = None,
    *,
    transport: Transport | None = None,
    rng: random.Random | None = None,
    patience: Patience | None = None,
    feed_items_max: int = FEED_ITEMS_MAX,
    fresh: Callable[[int], bytes] = secrets.token_bytes,
) -> Session:
    """A session, to be used with `async with`. Of several urls the next is tried when one fails; `token` goes on as the
    player of an earlier session. `rng` (command ids, jitter), `transport` and `fresh` (random bytes that nobody can
    guess) are there for simulations."""
    urls = (url,) if isinstance(url, str) else tuple(url)
    if not urls:
        raise ValueError("no url")
    dice = rng or random.SystemRandom()
    dialer = Dialer(urls, transport or WebSockets(), dice, patience or Patience(), name=name, token=token)
    return Session(dialer, dice, feed_items_max, fresh)
