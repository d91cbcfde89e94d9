"""An event loop whose clock jumps to the next timer: hours of backoff in no time, the same on every run."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
HOURS_MAX = 10.0


class _Jump(selectors.DefaultSelector):
    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("nothing is scheduled any more: the test waits for ever")
        self.now += max(0.0, timeout)
        assert self.now < HOURS_MAX * 3600, "the test goes on for ever"
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        return self._jump.now


def simulate(story: Coroutine[Any, Any, Result]) -> Result:
    """Run a test's story in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(story)
