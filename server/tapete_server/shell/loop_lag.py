"""How late the event loop is: what every timer, bet and frame of this node waits on top of its own time."""

from __future__ import annotations

import asyncio

from tapete_server.histogram import Histogram

SAMPLE_MS = 250
"""Between two looks; each is late by as much as the loop is."""
LAG_MS_MAX = 1_000
"""A loop that is later than this serves nobody well."""
LAG_REMEMBERED_MS = 5_000
"""For so long after such a look the node is better left alone."""


class LoopLag:
    """`histogram`: seconds that each look was late."""

    def __init__(self) -> None:
        self.histogram = Histogram()
        self._lagged_at_s: float | None = None

    @property
    def lags(self) -> bool:
        """It was far behind a moment ago."""
        if self._lagged_at_s is None:
            return False
        return asyncio.get_running_loop().time() - self._lagged_at_s < LAG_REMEMBERED_MS / 1000

    async def watch(self) -> None:
        """For ever."""
        loop = asyncio.get_running_loop()
        while True:
            due_s = loop.time() + SAMPLE_MS / 1000
            await asyncio.sleep(SAMPLE_MS / 1000)
            self.note(max(0.0, loop.time() - due_s))

    def note(self, late_s: float) -> None:
        self.histogram.observe(late_s)
        if late_s * 1000 > LAG_MS_MAX:
            self._lagged_at_s = asyncio.get_running_loop().time()
