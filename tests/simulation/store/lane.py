"""All commands of one simulated node to the store, retried, refused and given up as the real one's are.

What lies between a node and Redis in production is `redis_store/coalescer.py`; this is its policy again, over a `Wire`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, ParamSpec, TypeVar

from tapete_server.adapters.redis_store import StoreLimits
from tapete_server.adapters.redis_store.sitting import Sittings, only_on
from tapete_server.ports import StoreAway
from tests.simulation.store.wire import Cut, Wire

log = logging.getLogger("tapete.store")

P = ParamSpec("P")
R = TypeVar("R")

PAUSE_SHARE = 0.75
"""Of the pause between two looks: the middle of the jitter that the real one has."""
EARLY_S = 0.0005
"""A timer this much too early is on time."""


class Request:
    """A step of the vault, and whoever waits for its answer."""

    __slots__ = ("future", "only_on", "sent", "work")

    def __init__(self, future: asyncio.Future[Any], work: Callable[[], Any]) -> None:
        self.future, self.work = future, work
        self.sent = False
        self.only_on = only_on()

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)

    def carry_out(self) -> tuple[Any, Exception | None]:
        """By the store: whether anybody still waits for it or not."""
        try:
            return self.work(), None
        except Exception as error:  # noqa: BLE001 - it is the answer, and raised where it was asked for
            return None, error

    def answer(self, value: Any, error: Exception | None) -> None:
        if error is not None:
            self.fail(error)
        elif not self.future.done():
            self.future.set_result(value)


class Lane:
    def __init__(self, wire: Wire, limits: StoreLimits, greet: Callable[[], Awaitable[int]]) -> None:
        """`greet`: what is asked first over every new line; when the store was last doubted."""
        self._wire, self._limits, self._greet = wire, limits, greet
        self._queue: deque[Request] = deque()
        self._sent: list[Request] = []
        self._waiting = 0
        self._idle: asyncio.Future[None] | None = None
        self._line: object = None
        self._task: asyncio.Task[None] | None = None
        self._left: dict[asyncio.Task[None], None] = {}
        self._late_s = 0.0
        self._doubted = 0
        self._watch: asyncio.TimerHandle | None = None
        self._reason = "not connected yet"
        self.sittings = Sittings()
        self.available = False
        self.on_available: Callable[[bool], None] = lambda _available: None

    async def start(self) -> None:
        """Raises `StoreAway` when the store does not answer."""
        try:
            await self._open()
        except (Cut, TimeoutError) as wrong:
            raise StoreAway(f"the store is away: {wrong}") from wrong
        self.available = True
        self._begin(None)

    def hang_up(self) -> None:
        """Nothing more is asked or answered; what was sent, the store may still carry out."""
        self.available, self._reason, self._line = False, "closed", None
        task, self._task = self._task, None
        if task is not None:
            self._leave(task)
            if not self._sent:
                task.cancel()
        if self._watch is not None:
            self._watch.cancel()

    async def close(self) -> None:
        """Nothing goes on after this, not even what was sent."""
        self.hang_up()
        self._fail([*self._sent, *self._queue])
        self._queue.clear()
        self._sent = []
        left = list(self._left)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)

    async def ask(self, work: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """One step of the store; its answer, or what it raised."""
        if not self.available:
            raise StoreAway(f"the store is away: {self._reason}")
        if self._waiting >= self._limits.queue_commands_max:
            raise StoreAway("too much is waiting for the store")
        loop = asyncio.get_running_loop()
        request = Request(loop.create_future(), lambda: work(*arguments, **named))
        timer = loop.call_later(self._limits.call_deadline_ms / 1000, self._give_up, request)
        self._waiting += 1
        self._queue.append(request)
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)
        try:
            answer: R = await request.future
            return answer
        finally:
            self._waiting -= 1
            timer.cancel()

    def _give_up(self, request: Request) -> None:
        request.fail(StoreAway(f"the store gave no answer in {self._limits.call_deadline_ms / 1000:g} s"))

    # --- one line after the other ---

    def _begin(self, wrong: Exception | None) -> None:
        """A new line, after whatever was wrong with the one before."""
        self._line = object()
        self._task = asyncio.get_running_loop().create_task(self._serve(self._line, wrong), name="tapete store")

    def _leave(self, task: asyncio.Task[None]) -> None:
        self._left[task] = None
        task.add_done_callback(self._left.pop)

    async def _serve(self, line: object, wrong: Exception | None) -> None:
        if wrong is not None:
            await self._recover(wrong)
        while line is self._line:
            batch = self._take()
            if not batch:
                self._idle = asyncio.get_running_loop().create_future()
                await self._idle
                continue
            try:
                answers = await self._exchange(batch)
            except Cut as cut:
                if line is self._line:
                    self._sent = []
                    self._queue.extendleft(reversed(batch))
                    await self._recover(cut)
            else:
                if line is self._line:
                    self._sent = []
                    for request, answer in zip(batch, answers, strict=True):
                        request.answer(*answer)

    def _take(self) -> list[Request]:
        batch: list[Request] = []
        while self._queue and len(batch) < self._limits.batch_commands_max:
            request = self._queue.popleft()
            if (refusal := self.sittings.refusal(request.only_on)) is not None:
                request.fail(refusal)
            if not request.future.done():
                batch.append(request)
        return batch

    async def _exchange(self, batch: list[Request]) -> list[tuple[Any, Exception | None]]:
        """Goes on when it is late, and nobody waits for it any more: the store has what was sent."""
        for request in batch:
            request.sent = True
        self._sent = batch
        loop = asyncio.get_running_loop()
        self._late_s = loop.time() + self._limits.socket_timeout_ms / 1000
        if self._watch is None:
            self._watch = loop.call_at(self._late_s, self._look)
        await self._wire.request()
        answers = [request.carry_out() for request in batch]
        await self._wire.reply()
        return answers

    def _look(self) -> None:
        """Whether the answers are late. One timer for many exchanges."""
        self._watch = None
        loop = asyncio.get_running_loop()
        if not self._sent:
            return
        if loop.time() + EARLY_S < self._late_s:
            self._watch = loop.call_at(self._late_s, self._look)
            return
        assert self._task is not None, "somebody has sent it"
        self._leave(self._task)
        self._queue.extendleft(reversed(self._sent))
        self._sent = []
        self._begin(TimeoutError("no answer in time"))

    # --- away and back ---

    async def _recover(self, wrong: Exception) -> None:
        """Connect again. At once, it was nothing; else the store is away until a probe goes through."""
        if isinstance(wrong, TimeoutError):
            self._away(wrong)
        pause_ms = self._limits.probe_first_ms
        while True:
            try:
                await self._open()
                break
            except (Cut, TimeoutError) as failure:
                self._away(failure)
            await asyncio.sleep(PAUSE_SHARE * pause_ms / 1000)
            pause_ms = min(2 * pause_ms, self._limits.probe_interval_ms)
        if not self.available:
            self.available = True
            log.warning("the store is back")
            self._tell()

    async def _open(self) -> None:
        doubted = await self._greet()
        self.sittings.renewed()
        if doubted != self._doubted:
            self._doubted = doubted
            for request in self._queue:
                request.fail(StoreAway("the store came up anew, and may have forgotten what went before"))

    def _away(self, wrong: Exception) -> None:
        if not self.available:
            return
        self.available, self._reason = False, str(wrong) or type(wrong).__name__
        log.warning("the store is away", extra={"why": self._reason})
        self._fail(request for request in self._queue if not request.sent)
        self._tell()

    def _fail(self, requests: Iterable[Request]) -> None:
        for request in requests:
            request.fail(StoreAway(f"the store is away: {self._reason}"))

    def _tell(self) -> None:
        try:
            self.on_available(self.available)
        except Exception:
            log.exception("the store's coming or going could not be told")
