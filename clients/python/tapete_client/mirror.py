"""A table as this client knows it: the view, kept up to date batch by batch, and the check that no batch is missing or
forged. No network in here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tapete_client.news import Happened, Synced
from tapete_protocol.chain import HEAD_BYTES, next_head
from tapete_protocol.commands import Since
from tapete_protocol.frames import Batch, Snapshot
from tapete_protocol.reduce import reduce
from tapete_protocol.view import TableView


@dataclass(frozen=True, slots=True)
class OutOfStep:
    """The batch does not join what is here. `gap`: batches are missing; `fork`: the heads differ, so only a snapshot
    helps."""

    why: Literal["gap", "fork"]


class Mirror:
    """`version` and `head` of the last batch in `view`; no view until the first snapshot."""

    def __init__(self) -> None:
        self.view: TableView | None = None
        self.version = 0
        self.head = b""
        self.at = 0
        self.adrift = False
        """Something is missing; cleared by the next thing that joins."""
        self._suspect = False

    @property
    def since(self) -> Since | None:
        """What to ask for after an absence: all that follows this. None: a snapshot."""
        return None if self.view is None or self._suspect else Since(version=self.version, head=self.head)

    def distrust(self) -> None:
        """Take nothing but a snapshot from now on."""
        self._suspect = self.adrift = True

    def behind(self, version: int) -> bool:
        """The node is at `version`, and all before it should be here. Returns whether it is not."""
        if self.view is not None and version > self.version:
            self.adrift = True
        return self.adrift

    def snapshot(self, frame: Snapshot) -> Synced | None:
        """The table anew. None for one that was overtaken by batches: a version falls only when the store went back."""
        overtaken = self.view is not None and not self._suspect and frame.v < self.version
        if overtaken and not frame.rewound:
            return None
        self.view, self.version, self.head, self.at = frame.view, frame.v, frame.head, frame.at
        self._suspect = self.adrift = False
        return Synced(frame.v, frame.at, frame.view, frame.rewound)

    def batch(self, frame: Batch, payload: bytes) -> tuple[Happened, ...] | OutOfStep:
        """What the batch says; nothing for one that is known already, or that nobody can judge before the snapshot."""
        if self.view is None or self._suspect:
            return ()
        head = next_head(frame.prev, payload) if len(frame.prev) == HEAD_BYTES else b""
        if frame.v < self.version or (frame.v == self.version and head == self.head):
            return ()
        if frame.v > self.version + 1:
            self.adrift = True
            return OutOfStep("gap")
        if frame.v == self.version or frame.prev != self.head:
            self.distrust()
            return OutOfStep("fork")
        self.version, self.head, self.at, self.adrift = frame.v, head, frame.at, False
        return self._apply(self.view, frame)

    def _apply(self, view: TableView, frame: Batch) -> tuple[Happened, ...]:
        told = []
        for event in frame.events:
            before, view = view, reduce(view, event)
            told.append(Happened(frame.v, frame.at, event, before, view))
        self.view = view
        return tuple(told)
