"""The last batches of a table, without a hole: for clients that come back, and for the round's record."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

from tapete_protocol.base import TableId
from tapete_protocol.chain import HEAD_BYTES, next_head
from tapete_server.core.codec import UnreadableTable, unpack_batch

WINDOW_BATCHES_MAX = 1_024


class Window:
    """Number, head before, and bytes of each batch; the last one is the one that made the state."""

    def __init__(self, table: TableId) -> None:
        self._table = table
        self._batches: deque[tuple[int, bytes, bytes]] = deque(maxlen=WINDOW_BATCHES_MAX)

    def __len__(self) -> int:
        return len(self._batches)

    @property
    def oldest(self) -> int:
        """The first version in it; 0 when it is empty."""
        return self._batches[0][0] if self._batches else 0

    def append(self, version: int, prev: bytes, payload: bytes) -> None:
        self._batches.append((version, prev, payload))

    def fill(self, recent: Iterable[tuple[int, bytes]], version: int, head: bytes) -> None:
        """Of what a stream has, the longest run that leads up to this version and head."""
        self._batches.clear()
        self._batches.extendleft(islice(leading_up(recent, version, head), WINDOW_BATCHES_MAX))

    def holds(self, version: int, payload: bytes) -> bool:
        found = self._at(version)
        return found is not None and found[2] == payload

    def head_at(self, version: int) -> bytes | None:
        """The head of a version before the last one, as far as it is remembered."""
        found = self._at(version + 1)
        return found[1] if found else None

    def after(self, version: int) -> list[bytes]:
        """The batches that follow a version of which the head is remembered."""
        return [payload for _, _, payload in islice(self._batches, version + 1 - self.oldest, None)]

    def since(self, version: int) -> list[bytes] | None:
        """The batches from this one on; None when they do not reach back so far."""
        return self.after(version - 1) if self.oldest and version >= self.oldest else None

    def _at(self, version: int) -> tuple[int, bytes, bytes] | None:
        at = version - self.oldest
        return self._batches[at] if self._batches and 0 <= at < len(self._batches) else None


def leading_up(recent: Iterable[tuple[int, bytes]], version: int, head: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Backwards from the batch that made this version and head, as far as they are a chain: what a store that went back has
    instead is none."""
    for number, payload in sorted(recent, reverse=True):
        prev = _prev(payload)
        if number != version or len(prev) != HEAD_BYTES or next_head(prev, payload) != head:
            return
        yield number, prev, payload
        version, head = number - 1, prev


def _prev(payload: bytes) -> bytes:
    try:
        return unpack_batch(payload).prev
    except UnreadableTable:
        return b""
