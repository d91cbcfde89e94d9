"""Keeps a session connected, one connection after the other, and sees that every command gets its answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from functools import partial
from typing import Any, Protocol

from tapete_client.dial import Dialer
from tapete_client.errors import ClientError, Closed, NoAnswer, Refused
from tapete_client.line import Build, Line
from tapete_client.policy import RESENDS_MAX, RETRIED, RETRIES_MAX, backoff_s
from tapete_client.transport import Lost
from tapete_protocol import frames
from tapete_protocol.codes import comes_back


class Household(Protocol):
    """Whom the keeper works for."""

    async def signed_in(self, line: Line, welcome: frames.Welcome) -> None:
        """A connection is there. What is sent on `line` now goes before any other command."""
        ...

    def receive(self, line: Line, payload: bytes) -> None: ...

    def lost(self) -> None:
        """The connection is gone; another one is looked for."""
        ...

    def failed(self, failure: ClientError) -> None:
        """The session is over."""
        ...


class Keeper:
    """`up` while a signed-in connection is there, or once the session has failed for good."""

    def __init__(self, household: Household, dialer: Dialer, rng: random.Random) -> None:
        self.failure: ClientError | None = None
        self._household = household
        self._dialer = dialer
        self._rng = rng
        self._line: Line | None = None
        self._up = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """The first connection; from then on it is kept up in the background."""
        connection, welcome = await self._dialer.first()
        line = Line(connection)
        await self._serve(line, welcome)
        self.spawn(self._run(line))

    async def close(self) -> None:
        self.fail(Closed("closed by this side"))
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._line is not None:
            await self._line.end(Lost("closed by this side"))

    async def ask(self, build: Build) -> frames.Ack:
        """Send a command until it has its answer: again over the next connection when one breaks (the same command: it
        counts once), again after a while when the node could not take it."""
        retries = resends = 0
        while True:
            line = await self._ready()
            try:
                answer = await line.ask(build)
            except Lost as lost:
                resends += 1
                if resends > RESENDS_MAX:
                    raise NoAnswer(f"{resends} connections broke before the answer came") from lost
                continue
            if isinstance(answer, frames.Ack):
                return answer
            if answer.code not in RETRIED or retries >= RETRIES_MAX:
                raise Refused.of(answer)
            await asyncio.sleep(backoff_s(retries, self._rng, answer.retry_ms))
            retries += 1

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this beside everything else, until the session closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def fail(self, failure: ClientError) -> None:
        """Everything ends with this, except what has failed before."""
        if self.failure is None:
            self.failure = failure
            self._up.set()
            self._household.failed(failure)

    async def _ready(self) -> Line:
        await self._up.wait()
        if self.failure is not None:
            raise self.failure
        assert self._line is not None, "there is a line while the session is up"
        return self._line

    async def _run(self, line: Line) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while True:
                began = clock()
                lost = await line.read(partial(self._household.receive, line))
                self._up.clear()
                if not comes_back(lost.code):
                    self.fail(Closed(lost.reason, lost.code))
                await line.end(lost)
                if self.failure is not None:
                    return
                self._household.lost()
                connection, welcome = await self._dialer.again(lost, clock() - began)
                line = Line(connection)
                await self._serve(line, welcome)
        except ClientError as failure:
            self.fail(failure)

    async def _serve(self, line: Line, welcome: frames.Welcome) -> None:
        self._line = line
        await self._household.signed_in(line, welcome)
        self._up.set()
