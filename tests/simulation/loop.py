"""An event loop without a world: its clock jumps to the next timer, and each callback belongs to a host.

A host is a machine of the cluster, or a client. What belongs to a host that is frozen waits until it thaws, as after
SIGSTOP; what belongs to one that is dead never runs again, as after kill -9: no `finally`, no farewell.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from typing import Any, TypeVar

Result = TypeVar("Result")
VIRTUAL_S_MAX = 2 * 3_600.0
STEPS_PER_INSTANT_MAX = 200_000
"""Callbacks that may run without any time passing; more, and something turns in circles."""

AWAITS_ON_THE_WAY_OUT_MAX = 20


class StandsStill(AssertionError):
    """Nothing is scheduled any more, and the story is not over: in the world, it would hang for ever."""


class GoesOnForEver(AssertionError):
    """The story has taken more virtual time than any story may, or time has stopped."""


class Handle:
    """A callback that is to run, as `asyncio.TimerHandle` has it, and no heavier than it must be."""

    __slots__ = ("_when", "args", "callback", "context", "dropped")

    def __init__(self, callback: Callable[..., object], args: tuple[Any, ...], context: Context, when: float) -> None:
        self.callback, self.args, self.context, self._when = callback, args, context, when
        self.dropped = False

    def cancel(self) -> None:
        self.dropped = True

    def cancelled(self) -> bool:
        return self.dropped

    def when(self) -> float:
        return self._when


HOST: ContextVar[Host | None] = ContextVar("host", default=None)


class Host:
    """Whose callbacks run, wait, or are gone. `host.run(coroutine)` starts work that belongs to it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dead = False
        self.frozen = False
        self.held: list[Handle] = []
        self.steps = 0
        self.dies_at_step = 0
        """Kill it just before its callback of that number; 0: no."""
        self.on_death: Callable[[], None] = lambda: None
        self.context = copy_context()
        """What comes from outside runs in it."""
        self.context.run(HOST.set, self)

    def kill(self) -> None:
        if not self.dead:
            self.dead = True
            self.held.clear()
            self.on_death()

    def freeze(self) -> None:
        self.frozen = True

    def thaw(self, loop: SimLoop) -> None:
        self.frozen = False
        loop.ready.extend(self.held)
        self.held.clear()


class SimLoop(asyncio.AbstractEventLoop):
    """The few methods of a loop that code without sockets, threads and processes needs."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ready: deque[Handle] = deque()
        self.timers: list[tuple[float, int, Handle]] = []
        self.tasks: list[asyncio.Task[Any]] = []
        self.failure: BaseException | None = None
        """Raised by `run` after the step that set it."""
        self._nobody = copy_context()
        self._number = 0
        self._running = False

    # --- what asyncio asks of a loop ---

    def time(self) -> float:
        return self.now

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return False

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        handle = Handle(callback, args, copy_context() if context is None else context, self.now)
        self.ready.append(handle)
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        handle = Handle(callback, args, copy_context() if context is None else context, when)
        self._number += 1
        heapq.heappush(self.timers, (when, self._number, handle))
        return handle

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Context | None = None, **_: Any
    ) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self, name=name or "task", context=context)
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # tasks of the dead are never finished
        self.tasks.append(task)
        return task

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """An exception that nobody took."""
        if self._running and self.failure is None:
            self.failure = AssertionError(f"{context.get('message')}: {context.get('exception')!r}")

    # --- running ---

    def spawn(self, host: Host | None, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start work that belongs to a host (None: to nobody), and all that comes of it."""
        context = self._nobody if host is None else host.context
        return context.copy().run(self.create_task, work)

    def deliver(self, host: Host, delay_s: float, act: Callable[[], object]) -> None:
        """Something that is on its way to a host arrives there after a while, whatever becomes of who sent it."""
        self.call_later(delay_s, act, context=host.context)

    def outside(self, act: Callable[[], object]) -> None:
        """Soon, as nobody's."""
        self.call_soon(act, context=self._nobody)

    def run(self, story: Coroutine[Any, Any, Result]) -> Result:
        """Until the story is over. Raises what it raises, `StandsStill`, or `GoesOnForEver`."""
        asyncio.events._set_running_loop(self)
        self._running = True
        try:
            main = self.create_task(story)
            while not main.done():
                self._turn()
            result: Result = main.result()
            return result
        finally:
            self._running = False
            asyncio.events._set_running_loop(None)

    def _turn(self) -> None:
        if not self.ready:
            self._pass_time()
        steps, ready = 0, self.ready
        while ready:
            steps += 1
            if steps > STEPS_PER_INSTANT_MAX:
                raise GoesOnForEver(f"time has stopped at {self.now:.3f} s: {ready[0].callback!r}")
            self._step(ready.popleft())
            if self.failure is not None:
                raise self.failure

    def _step(self, handle: Handle) -> None:
        if handle.dropped:
            return
        host = handle.context.get(HOST)
        if host is not None:
            if host.dead:
                return
            if host.frozen:
                host.held.append(handle)
                return
            host.steps += 1
            if host.steps == host.dies_at_step:
                host.kill()
                return
        try:
            handle.context.run(handle.callback, *handle.args)
        except Exception as wrong:  # noqa: BLE001 - it becomes the story's failure
            self.call_exception_handler({"message": f"in {handle.callback!r}", "exception": wrong})

    def _pass_time(self) -> None:
        timers = self.timers
        while timers and timers[0][2].dropped:
            heapq.heappop(timers)
        if not timers:
            raise StandsStill(f"nothing is scheduled any more at {self.now:.3f} s")
        self.now = max(self.now, timers[0][0])
        if self.now > VIRTUAL_S_MAX:
            raise GoesOnForEver(f"{self.now:.0f} virtual seconds")
        while timers and timers[0][0] <= self.now:
            self.ready.append(heapq.heappop(timers)[2])

    def close(self) -> None:
        """End what never finished, as a collector of garbage would; what it says on its way out is of no account."""
        asyncio.events._set_running_loop(self)
        try:
            for task in self.tasks:
                if not task.done():
                    _end(task.get_coro())
        finally:
            asyncio.events._set_running_loop(None)
        self.ready.clear()
        self.timers.clear()
        self.tasks.clear()


def _end(coroutine: Any) -> None:
    for _ in range(AWAITS_ON_THE_WAY_OUT_MAX):
        try:
            coroutine.close()
        except RuntimeError:
            continue  # it awaits something on its way out
        except Exception:  # noqa: BLE001 - whatever it is, nobody is there any more
            return
        return
