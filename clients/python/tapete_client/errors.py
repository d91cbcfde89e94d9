"""What a call can end in, other than its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapete_protocol import frames


class ClientError(Exception):
    """The root of all that this package raises."""


class Refused(ClientError):
    """The node said no, and nothing changed. `code` is one of the protocol's list, `message` is English prose."""

    def __init__(
        self, code: str, message: str, detail: Mapping[str, Any] | None = None, retry_ms: int | None = None
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.detail: dict[str, Any] = dict(detail or {})
        self.retry_ms = retry_ms

    @classmethod
    def of(cls, frame: frames.Refused) -> Refused:
        return cls(frame.code, frame.message, frame.detail, frame.retry_ms)


class Closed(ClientError):
    """The session is over: closed by this side, or by a node with a final code (4500 and above)."""

    def __init__(self, reason: str, code: int | None = None) -> None:
        super().__init__(f"{reason} ({code})" if code is not None else reason)
        self.reason = reason
        self.code = code


class Unreachable(Closed):
    """No node could be reached for as long as the session's patience lasts."""


class NoAnswer(ClientError):
    """A command was sent, again over a new connection where the first broke, and its answer never came: it may have
    happened, and the table's view tells. Or a table that was watched was never shown."""


class TableGone(ClientError):
    """The table is closed, or was never there."""

    def __init__(self, table: str) -> None:
        super().__init__(f"there is no table {table}")
        self.table = table
