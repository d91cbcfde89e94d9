"""What the page costs: `python -m tests.browser.measure [--visits 10] [--rounds 8] [--json FILE]`.

Three figures, each in a real Chromium before a real node on this machine:

- *Bytes* of a first visit, as they come over the wire, until the lobby stands.
- *Time to interactive*: from the navigation until the first thing that can be done, the field for a name, has the focus and the
  frame that shows it has been drawn, with nothing cached.
- *Frames* from the close of the bets to the result, with four boxes in play at Double Exposure and all spots at Punto Banco: of
  those in which something had to move, the ones that Chromium's compositor calls dropped, on a main thread that is slowed down
  four times; and on one that is not, because a machine that does other things drops frames as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

from tests.browser.chromium import chromium
from tests.browser.visitor import Visitor, visitor
from tests.integration.cluster import house

THROTTLED = 4
UNASKED = """localStorage.tapete ??= JSON.stringify({ language: 'es', warnings: false });"""
TRACED = ["disabled-by-default-devtools.timeline.frame"]
BYTES_MAX, INTERACTIVE_MS_MAX, DROPPED_PERCENT_MAX = 150 * 1024, 1_000, 5.0
SPOTS: dict[str, Sequence[tuple[str, int | None]]] = {
    "double_exposure": [("main", 1), ("main", 2), ("main", 3), ("main", 4), ("sevens", 1), ("blackjack", 4)],
    "punto_banco": [("punto", None), ("banca", None), ("tie", None), ("punto_pair", None), ("banca_pair", None)],
}

FIRST_THING = """
addEventListener('DOMContentLoaded', () => {
    const look = () => {
        const field = document.querySelector('.named input');
        if (!field || document.activeElement !== field) return requestAnimationFrame(look);
        requestAnimationFrame(() => setTimeout(() => { window.interactive = performance.now(); }));
    };
    look();
});
"""


def frames_in(trace: bytes) -> tuple[int, int]:
    """Frames that were shown, or dropped, while something moved."""
    reports = [
        event["args"]["frame_reporter"]
        for event in json.loads(trace)["traceEvents"]
        if event["name"] == "PipelineReporter" and event["ph"] == "b"
    ]
    shown = sum(report["state"].startswith("STATE_PRESENTED") for report in reports)
    return shown, sum(report["state"] == "STATE_DROPPED" and report["affects_smoothness"] for report in reports)


async def first_visit(browser: Browser, address: str) -> tuple[float, int]:
    """Milliseconds until something can be done, and all bytes until the lobby stands."""
    async with visitor(browser, address) as one:
        session = await one.page.context.new_cdp_session(one.page)
        await session.send("Network.enable")
        came: list[float] = []
        session.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"]))
        await one.page.add_init_script(FIRST_THING)
        await one.page.goto(address)
        await one.page.wait_for_function("window.interactive !== undefined")
        ms: float = await one.page.evaluate("window.interactive")
        await one.page.keyboard.type("Marta")
        await one.page.keyboard.press("Enter")
        await one.page.locator(".tc").first.wait_for()
        return ms, int(sum(came))


async def dealing(browser: Browser, address: str, game: str, rounds: int, rate: int) -> tuple[int, int]:
    """Frames shown and dropped in so many rounds, with the main thread slowed down so many times."""
    shown, dropped = 0, 0
    async with visitor(browser, address) as marta:
        page = marta.page
        await page.add_init_script(UNASKED)
        await marta.comes_in("Marta")
        await marta.opens("Alcalá", game)
        session = await page.context.new_cdp_session(page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
        for _ in range(rounds):
            await marta.phase("betting")
            await _bets(marta, game)
            await browser.start_tracing(page=page, categories=TRACED)
            await marta.button("deal").click()
            await marta.phase("playing", "settled")
            await marta.plays_out()
            more = frames_in(await browser.stop_tracing())
            shown, dropped = shown + more[0], dropped + more[1]
    return shown, dropped


async def _bets(marta: Visitor, game: str) -> None:
    """The first time by clicks, then the same again."""
    if await marta.page.locator("[data-action=rebet].lit").count():
        await marta.button("rebet").click()
    else:
        for spot, box in SPOTS[game]:
            await marta.spot(spot, box).first.click()
    await marta.on_the_table(len(SPOTS[game]))


def lines(visits: list[tuple[float, int]], frames: dict[str, dict[int, tuple[int, int]]]) -> Iterator[str]:
    ms, size = sorted(one for one, _ in visits), max(size for _, size in visits)
    yield f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    yield f"first visit: {size / 1024:.0f} KiB (at most {BYTES_MAX / 1024:.0f})"
    yield (
        f"time to interactive: {statistics.median(ms):.0f} ms in the middle, {ms[0]:.0f} to {ms[-1]:.0f}, of {len(ms)} visits "
        f"(below {INTERACTIVE_MS_MAX})"
    )
    for game, rates in frames.items():
        for rate, (shown, dropped) in rates.items():
            percent = 100 * dropped / max(shown + dropped, 1)
            limit = f" (below {DROPPED_PERCENT_MAX:.0f} %)" if rate == THROTTLED else ""
            yield f"{game}, CPU {rate} times slower: {percent:.1f} % of {shown + dropped} frames dropped{limit}"


async def measured(visits: int, rounds: int) -> dict[str, Any]:
    """Prints the figures; returns what they come from."""
    async with house() as place, chromium() as browser:
        node = await place.node()
        address = f"http://127.0.0.1:{node.port}"
        arrivals = [await first_visit(browser, address) for _ in range(visits)]
        frames = {
            game: {rate: await dealing(browser, address, game, rounds, rate) for rate in (THROTTLED, 1)}
            for game in SPOTS
        }
    for line in lines(arrivals, frames):
        sys.stdout.write(line + "\n")
    return {
        "interactive_ms": [round(ms) for ms, _ in arrivals],
        "first_visit_bytes": [size for _, size in arrivals],
        "frames": frames,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Bytes of a first visit, time to interactive, frames while dealing.")
    parser.add_argument("--visits", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    figures = asyncio.run(measured(asked.visits, asked.rounds))
    if asked.json:
        asked.json.write_text(json.dumps(figures, indent=1))
