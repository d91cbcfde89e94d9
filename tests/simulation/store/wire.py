"""What lies between one node and the store: the only place where a simulation delays, loses and breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol


class Cut(Exception):
    """The connection broke."""


class Wire(Protocol):
    """One for each node. Two connections run over it, as in production: one for commands, one for the subscription.

    A method that waits may wait for as long as it likes: for ever is a store that is frozen. The node gives up after
    its own time-outs, and does not cancel a `request` then: should it return in the end, what was sent is carried out
    late, as a store does that thaws. (A node that is closed, and the look for a store that is away, do cancel.)
    """

    on_broken: Callable[[], None]
    """Set by the node's store. To be called when the subscription's connection breaks: from then until the node has
    made a new one, it hears nothing. What `deliver` still has on its way for the old one is ignored."""

    async def request(self) -> None:
        """Commands on their way to the store. Raises `Cut` when they never arrive."""
        ...

    async def reply(self) -> None:
        """Answers on their way back. Raises `Cut` when they are lost: what was asked has been done."""
        ...

    async def listen(self) -> None:
        """A new connection for the subscription: with it a quiet death ends. Raises `Cut` when there is none."""
        ...

    async def ask(self) -> None:
        """There and back on the subscription: to follow a table, or, after a silence, to see whether it lives.

        Raises `Cut` when it has broken. A subscription that died quietly never answers here, and `deliver` drops what
        it is given; the node finds out after `follow_health_ms` and `socket_timeout_ms`.
        """
        ...

    def deliver(self, said: Callable[[], None]) -> None:
        """Call `said` when a batch arrives on the subscription: not before this returns; never, or twice, if need be."""
        ...


class PerfectWire:
    """Nothing is lost, and all takes one turn of the loop."""

    def __init__(self) -> None:
        self.on_broken: Callable[[], None] = lambda: None

    async def request(self) -> None:
        await asyncio.sleep(0)

    async def reply(self) -> None:
        await asyncio.sleep(0)

    async def listen(self) -> None:
        await asyncio.sleep(0)

    async def ask(self) -> None:
        await asyncio.sleep(0)

    def deliver(self, said: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(said)
