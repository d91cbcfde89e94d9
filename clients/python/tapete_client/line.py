"""One connection to a node: frames out with a number each, and the answer to each number."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from tapete_client.policy import ANSWER_S_MAX, SILENCE_S_MAX
from tapete_client.transport import Connection, Lost
from tapete_protocol.codec import encode
from tapete_protocol.commands import Command
from tapete_protocol.frames import Ack, Refused

Build = Callable[[int], Command]
"""A command, given the number that it has on this connection."""
Answer = Ack | Refused


class Line:
    """A connection with its open questions. Once broken, all of them end in `Lost`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._open: dict[int, asyncio.Future[Answer]] = {}
        self._last_id = 0
        self._watchdog: asyncio.Timeout | None = None
        self._gone = asyncio.Event()

    async def read(self, take: Callable[[bytes], None]) -> Lost:
        """Hand every frame to `take` until the connection is gone; returns why it is."""
        try:
            async with asyncio.timeout(SILENCE_S_MAX) as self._watchdog:
                while True:
                    take(await self._connection.recv())
                    self._watchdog.reschedule(asyncio.get_running_loop().time() + SILENCE_S_MAX)
        except TimeoutError:
            return Lost("the node fell silent")
        except Lost as lost:
            return lost

    async def start(self, build: Build) -> asyncio.Future[Answer]:
        """Send a command; the future gets its answer. A failing send shows as a broken line soon after."""
        self._last_id += 1
        number = self._last_id
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open[number] = future
        future.add_done_callback(lambda _: self._open.pop(number, None))
        if self._gone.is_set():
            future.set_exception(Lost("the connection is gone"))
        else:
            with suppress(Lost):
                await self._connection.send(encode(build(number)))
        return future

    async def ask(self, build: Build) -> Answer:
        """Send a command and wait for its answer; `Lost` when the line breaks, or is given up for want of one."""
        future = await self.start(build)
        try:
            async with asyncio.timeout(ANSWER_S_MAX):
                return await future
        except TimeoutError:
            self.give_up()
            await self._gone.wait()
            raise Lost("no answer") from None

    def settle(self, answer: Answer) -> None:
        """An answer arrived."""
        future = self._open.get(answer.id)
        if future is not None and not future.done():
            future.set_result(answer)

    def give_up(self) -> None:
        """Treat the connection as broken, now."""
        if self._watchdog is not None and not self._watchdog.expired():
            with suppress(RuntimeError):
                self._watchdog.reschedule(asyncio.get_running_loop().time())

    async def end(self, lost: Lost) -> None:
        """Close the connection and end all open questions with `lost`."""
        self._gone.set()
        for future in list(self._open.values()):
            if not future.done():
                future.set_exception(lost)
                future.exception()
        with suppress(Lost):
            await self._connection.close()
