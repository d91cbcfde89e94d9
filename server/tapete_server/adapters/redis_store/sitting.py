"""Calls that rest on one another are made over one connection: over the next one, the store may have forgotten the first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tapete_server.ports import StoreAway

ANY = 0


class Sitting:
    """Of some calls: the number of the connection over which they may be made."""

    __slots__ = ("connection", "over")

    def __init__(self, connection: int) -> None:
        self.connection, self.over = connection, False


_sitting: ContextVar[Sitting | None] = ContextVar("sitting", default=None)


class Sittings:
    """Of one node's way to the store. `connection`: its number, from 1."""

    def __init__(self) -> None:
        self.connection = 0

    def renewed(self) -> None:
        """There is a new connection, perhaps to a store that went back."""
        self.connection += 1

    @contextmanager
    def unbroken(self) -> Iterator[None]:
        """What is asked in here is asked over one connection, or fails with `StoreAway`."""
        sitting = Sitting(self.connection)
        token = _sitting.set(sitting)
        try:
            yield
        finally:
            sitting.over = True  # also for whatever was begun in here and goes on, like a timer
            _sitting.reset(token)

    def refusal(self, only_on: int) -> StoreAway | None:
        """Why a call that was made for that connection must not be sent over the present one."""
        if only_on in {ANY, self.connection}:
            return None
        return StoreAway("the store was lost in the middle, and may have forgotten what went before")


def only_on() -> int:
    """The connection over which a call that is made now may be sent, or `ANY`."""
    sitting = _sitting.get()
    return ANY if sitting is None or sitting.over else sitting.connection
