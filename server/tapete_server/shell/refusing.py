"""A refusal as the frame that answers a command."""

from __future__ import annotations

from tapete_protocol import codes
from tapete_protocol.frames import Refused
from tapete_server.core.commands import Refusal

RETRY_MS = {"busy": 50, "in_flight": 100, "unavailable": 500, "too_many_accounts": 60_000}
"""What a client is told to wait before it asks the same again."""


def refused(number: int, refusal: Refusal) -> Refused:
    detail = dict(refusal.detail)
    message, retry_ms = codes.message(refusal.code, "en", detail), RETRY_MS.get(refusal.code)
    return Refused(id=number, code=refusal.code, message=message, detail=detail, retry_ms=retry_ms)
