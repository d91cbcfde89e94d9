"""What Chromium says of a stretch of time: frames, and what the page's main thread computed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Browser, Page

CATEGORIES = ["disabled-by-default-devtools.timeline.frame", "toplevel"]
FRAME_MS = 1_000 / 60
THROTTLED = 4
"""How many times slower a CPU the figures are about."""
TASKS = {"RunTask", "ThreadControllerImpl::RunTask"}


@dataclass(slots=True)
class Stretch:
    """`shown` and `dropped` frames; `lost`: those that tasks of the main thread would take on the slower CPU by the time that
    they compute, of `due`; `computed_ms` by that thread, whatever else the machine did."""

    shown: int = 0
    dropped: int = 0
    lost: int = 0
    due: int = 0
    computed_ms: float = 0.0

    def add(self, more: Stretch) -> None:
        self.shown, self.dropped = self.shown + more.shown, self.dropped + more.dropped
        self.lost, self.due = self.lost + more.lost, self.due + more.due
        self.computed_ms += more.computed_ms

    @property
    def dropped_percent(self) -> float:
        return 100 * self.dropped / max(self.shown + self.dropped, 1)

    @property
    def lost_percent(self) -> float:
        return 100 * self.lost / max(self.due, 1)


@asynccontextmanager
async def traced(browser: Browser, page: Page) -> AsyncIterator[Stretch]:
    """What is in the stretch is known when the block is left."""
    await browser.start_tracing(page=page, categories=CATEGORIES)
    stretch = Stretch()
    yield stretch
    stretch.add(stretch_of(json.loads(await browser.stop_tracing())["traceEvents"]))


def stretch_of(events: list[Mapping[str, Any]]) -> Stretch:
    reports = [
        one["args"]["frame_reporter"] for one in events if one["name"] == "PipelineReporter" and one["ph"] == "b"
    ]
    threads = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one["name"] == "thread_name"}
    main = [
        one
        for one in events
        if one["ph"] == "X" and one["name"] in TASKS and threads.get((one["pid"], one["tid"])) == "CrRendererMain"
    ]
    times_ms = [one.get("tdur", 0) / 1_000 for one in main]
    span_ms = (max(one["ts"] for one in main) - min(one["ts"] for one in main)) / 1_000 if main else 0
    return Stretch(
        shown=sum(report["state"].startswith("STATE_PRESENTED") for report in reports),
        dropped=sum(report["state"] == "STATE_DROPPED" and report["affects_smoothness"] for report in reports),
        lost=sum(int(THROTTLED * one // FRAME_MS) for one in times_ms),
        due=round(span_ms / FRAME_MS),
        computed_ms=sum(times_ms),
    )
