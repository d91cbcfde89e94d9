"""All commands of a node to the store: while one pipeline is under way, the next one collects.

A command whose reply was lost is asked again on a new connection, until its deadline: every script and command of this
package may be asked twice, unless the store is doubted since. A store that is known to be away refuses at once, until a
probe finds it again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any

from redis.exceptions import NoScriptError, ResponseError
from redis.exceptions import TimeoutError as TooSlow

from tapete_server.adapters.redis_store.connection import (
    FAILURES,
    REFUSALS,
    Command,
    Connect,
    Line,
    ScriptError,
    Word,
    code_of,
    pack,
    stop,
)
from tapete_server.adapters.redis_store.counts import Counts
from tapete_server.adapters.redis_store.keys import PROBE
from tapete_server.adapters.redis_store.limits import StoreLimits
from tapete_server.adapters.redis_store.scripts import Script
from tapete_server.adapters.redis_store.sitting import Sittings, only_on
from tapete_server.ports import StoreAway

log = logging.getLogger("tapete.store")


class Request:
    """Commands that belong together, and whoever waits. `whole`: with the script's text, for a store that forgot it.
    `only_on`: the number of the connection over which it may be sent."""

    __slots__ = ("count", "future", "only_on", "packed", "replies", "sent", "timer", "whole")

    def __init__(self, packed: bytes, count: int, whole: Callable[[], bytes] | None) -> None:
        self.packed, self.count, self.whole = packed, count, whole
        self.future: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()
        self.replies: list[Any] = []
        self.sent = False
        self.timer: asyncio.TimerHandle | None = None
        self.only_on = only_on()

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class Coalescer:
    def __init__(self, connect: Connect, limits: StoreLimits, dice: Random) -> None:
        self._connect, self._limits, self._dice = connect, limits, dice
        self.greet: Callable[[Line], Awaitable[int]] | None = None
        """What is asked first over every new connection; when the store was last doubted."""
        self._doubted = 0
        self._queue: deque[Request] = deque()
        self._waiting = 0
        self._wake = asyncio.Event()
        self._line: Line | None = None
        self._task: asyncio.Task[None] | None = None
        self._reason = "not connected yet"
        self.sittings = Sittings()
        self.counts = Counts(lambda: asyncio.get_running_loop().time())
        self.available = False
        self.on_available: Callable[[bool], None] = lambda _available: None

    async def start(self) -> None:
        """Raises `StoreAway` when the store does not answer or takes no writes."""
        try:
            await self._open()
        except FAILURES as wrong:
            raise StoreAway(f"the store is away: {wrong}") from wrong
        self.available = True
        self._task = asyncio.get_running_loop().create_task(self._run(), name="tapete store")

    async def close(self) -> None:
        self.available, self._reason = False, "closed"
        await stop(self._task)
        self._fail(list(self._queue))
        self._queue.clear()
        await self._drop()

    async def call(self, *command: Word) -> Any:
        """One command; its reply."""
        return (await self._ask(Request(pack(command), 1, None)))[0]

    async def calls(self, commands: Sequence[Command]) -> list[Any]:
        """Several in one go, not as a transaction; their replies."""
        if not commands:
            return []
        packed = b"".join([pack(command) for command in commands])
        return await self._ask(Request(packed, len(commands), None))

    async def run(self, script: Script, keys: Sequence[str], *arguments: Word) -> Any:
        """A script by its hash, or by its text when the store does not know it."""
        rest = (len(keys), *keys, *arguments)
        packed = pack(("EVALSHA", script.sha, *rest))
        return (await self._ask(Request(packed, 1, lambda: pack(("EVAL", script.body, *rest)))))[0]

    async def _ask(self, request: Request) -> list[Any]:
        """Counted, with how long it took."""
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        try:
            replies = await self._answered(request)
        except StoreAway:
            self.counts.failed += 1
            raise
        self.counts.latency.observe(loop.time() - begun_s)
        return replies

    async def _answered(self, request: Request) -> list[Any]:
        if not self.available:
            raise StoreAway(f"the store is away: {self._reason}")
        if self._waiting + request.count > self._limits.queue_commands_max:
            raise StoreAway("too much is waiting for the store")
        deadline_s = self._limits.call_deadline_ms / 1000
        late = StoreAway(f"the store gave no answer in {deadline_s:g} s")
        request.timer = asyncio.get_running_loop().call_later(deadline_s, request.fail, late)
        self._waiting += request.count
        self._queue.append(request)
        self._wake.set()
        try:
            return await request.future
        finally:
            self._waiting -= request.count
            request.timer.cancel()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            batch = self._take()
            if not batch:
                self._wake.clear()
                continue
            try:
                refused = await self._exchange(batch)
            except Exception as wrong:
                if not isinstance(wrong, FAILURES):
                    log.exception("the store's replies could not be read")
                self._queue.extendleft(reversed(batch))
                await self._recover(wrong)
            else:
                if refused is not None:
                    await self._recover(refused)

    def _take(self) -> list[Request]:
        batch: list[Request] = []
        commands = 0
        while self._queue:
            request = self._queue[0]
            if (refusal := self.sittings.refusal(request.only_on)) is not None:
                request.fail(refusal)
            if request.future.done():
                self._queue.popleft()
                continue
            if batch and commands + request.count > self._limits.batch_commands_max:
                break
            commands += request.count
            batch.append(self._queue.popleft())
        return batch

    async def _exchange(self, batch: list[Request]) -> Exception | None:
        """Send a pipeline and hand out its replies. Returns the error by which the store refused, if it did."""
        line = self._line
        assert line is not None, "there is a line whenever the store is not being looked for"
        refused = None
        unknown: list[Request] = []
        for request in batch:
            request.sent, request.replies = True, []
        async with line.in_time():
            await line.send([request.packed for request in batch])
            for request in batch:
                for _ in range(request.count):
                    request.replies.append(await line.reply())
                refused = self._answer(request, unknown) or refused
        self._queue.extendleft(reversed(unknown))
        return refused

    @staticmethod
    def _answer(request: Request, unknown: list[Request]) -> Exception | None:
        error = next((reply for reply in request.replies if isinstance(reply, ResponseError)), None)
        if error is None:
            if not request.future.done():
                request.future.set_result(request.replies)
        elif isinstance(error, NoScriptError) and request.whole is not None:
            request.packed, request.whole = request.whole(), None
            unknown.append(request)
        elif code_of(error) in REFUSALS:
            request.fail(StoreAway(f"the store refuses: {code_of(error)} {error}"))
            return error
        else:
            request.fail(ScriptError(str(error)))
        return None

    async def _recover(self, wrong: BaseException) -> None:
        """Connect again. At once, it was nothing; else the store is away until a probe, a real write, goes through."""
        await self._drop()
        if isinstance(wrong, TooSlow | ResponseError):
            self._away(wrong)
        pause_ms = self._limits.probe_first_ms
        while True:
            try:
                await self._open()
                break
            except FAILURES as failure:
                await self._drop()
                self._away(failure)
            await asyncio.sleep(self._dice.uniform(0.5, 1) * pause_ms / 1000)
            pause_ms = min(2 * pause_ms, self._limits.probe_interval_ms)
        if not self.available:
            self.available = True
            self.counts.came_back()
            log.warning("the store is back")
            self._tell()

    async def _open(self) -> None:
        self._line = self._connect()
        try:
            await self._line.open()
            await self._line.must("SET", PROBE, "1", "EX", 60)
            doubted = await self.greet(self._line) if self.greet is not None else 0
        except BaseException:
            await self._drop()
            raise
        self.sittings.renewed()
        if doubted != self._doubted:  # nothing that rests on what the store may have forgotten is asked of it again
            self._doubted = doubted
            for request in self._queue:
                request.fail(StoreAway("the store came up anew, and may have forgotten what went before"))

    async def _drop(self) -> None:
        """Never use a line again on which anything was late: a reply to something else may still come."""
        if self._line is not None:
            line, self._line = self._line, None
            await line.hang_up()

    def _away(self, wrong: BaseException) -> None:
        if not self.available:
            return
        self.available, self._reason = False, str(wrong) or type(wrong).__name__
        self.counts.went()
        log.warning("the store is away", extra={"why": self._reason})
        self._fail([request for request in self._queue if not request.sent])
        self._tell()

    def _fail(self, requests: list[Request]) -> None:
        for request in requests:
            request.fail(StoreAway(f"the store is away: {self._reason}"))

    def _tell(self) -> None:
        try:
            self.on_available(self.available)
        except Exception:
            log.exception("the store's coming or going could not be told")
