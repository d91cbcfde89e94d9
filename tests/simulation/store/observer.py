"""What a checker may see of the store: each change, at the moment when it was made."""

from __future__ import annotations

from typing import Literal

from tapete_protocol.base import PlayerId, TableId
from tapete_server.ports import Commit

Movement = Literal["opening", "top_up", "buy_in", "refund", "cash_out", "burned"]


class Observer:
    """To be subclassed: what is not overridden does nothing.

    Called after the change, inside the store's call. An observer notes what is wrong, and does not raise: whatever is
    raised here is taken for the store's own error, and the node that asked would answer for it.
    """

    def created(self, table: TableId, head: bytes, blob: bytes, batch: bytes, time_ms: int) -> None:
        """A table stands at version 1."""

    def committed(self, table: TableId, commit: Commit, time_ms: int) -> None:
        """It stands at `commit.version + 1`. A commit that is asked again and was done before is not told again."""

    def removed(self, table: TableId, version: int, batch: bytes, bank: int, time_ms: int) -> None:
        """It was closed by this last batch at this version, and the house has its bank (minor units, any sign)."""

    def marked(self, table: TableId, transfer: str, mark: Literal["credited", "refused"], time_ms: int) -> None:
        """A buy-in was decided at the table; `credited` comes right before its `committed`."""

    def moved_money(self, kind: Movement, player: PlayerId, amount: int, reference: str, time_ms: int) -> None:
        """A wallet changed by `amount` (minor units; negative: less). `reference`: transfer, or command, or nothing."""

    def rolled_back(self, to_ms: int) -> None:
        """The store holds what it held at `to_ms`."""
