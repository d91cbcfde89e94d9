"""The records of a table's last rounds, as any node gives them over plain HTTP."""

from __future__ import annotations

import asyncio
import http.client
import json
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from tapete_client.transport import LOOPBACK, address_of

ANSWER_S_MAX = 3.0
ANSWER_BYTES_MAX = 16 << 20
ROUNDS_MAX = 100
"""Of one answer."""

NOT_TO_BE_HAD = (OSError, http.client.HTTPException, ValueError)
"""What comes of a node that does not answer, or not with records."""

Records = Sequence[Mapping[str, Any]]


async def past_rounds(url: str, table: str, rounds: int) -> Records:
    """Up to `rounds` records, the oldest first, each with its `round`. Raises one of `NOT_TO_BE_HAD`."""
    return await asyncio.to_thread(_fetch, address_of_rounds(url, table, rounds))


def address_of_rounds(url: str, table: str, rounds: int) -> str:
    """Beside the WebSocket of the node at `url`."""
    parts = urlsplit(address_of(url))
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    if scheme not in ("http", "https"):
        raise ValueError(f"{url!r} is no address of a node")
    path = f"{parts.path.removesuffix('/ws')}/api/tables/{table}/rounds"
    return urlunsplit((scheme, parts.netloc, path, f"last={min(rounds, ROUNDS_MAX)}", ""))


def _fetch(address: str) -> Records:
    local = urlsplit(address).hostname in LOOPBACK
    opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if local else []))
    with opener.open(address, timeout=ANSWER_S_MAX) as answer:
        body = answer.read(ANSWER_BYTES_MAX + 1)
    if len(body) > ANSWER_BYTES_MAX:
        raise ValueError("the answer is too long")
    records = json.loads(body)
    if not isinstance(records, list):
        raise ValueError("the answer is no list of records")  # noqa: TRY004 - the peer's fault, not a caller's
    return records
