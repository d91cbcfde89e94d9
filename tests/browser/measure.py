"""What the page costs: `python -m tests.browser.measure [--visits 10] [--rounds 8] [--json FILE]`.

Three figures, each in a real Chromium before a real node on this machine:

- *Bytes* of a first visit, as they come over the wire, until the lobby stands.
- *Time to interactive*: from the navigation until the first thing that can be done, the field for a name, has the focus and the
  frame that shows it has been drawn, with nothing cached.
- *Frames* while cards are dealt, turned and paid, on a CPU that Chromium slows down four times, with four boxes in play at Double
  Exposure and all spots at Punto Banco: of the frames that a screen of 60 Hz would have shown, those that came late. The same is
  counted on the same page while nothing moves, because a machine that does other things drops frames as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

from tests.browser.chromium import chromium
from tests.browser.visitor import Visitor, visitor
from tests.integration.cluster import house

THROTTLED = 4
STILL_MS = 2_000
"""How long frames are counted while nothing moves."""
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
FRAMES = """
window.frames_since = () => {
    const stamps = [];
    let going = true;
    const tick = (now) => { if (going) { stamps.push(now); requestAnimationFrame(tick); } };
    requestAnimationFrame(tick);
    return () => { going = false; return stamps; };
};
"""
FRAME_MS = 1_000 / 60


def dropped(stamps: list[float]) -> tuple[int, int]:
    """Frames that a screen of 60 Hz would have had, and how many of them there were not."""
    due = [round((after - before) / FRAME_MS) for before, after in pairwise(stamps)]
    return sum(max(one, 1) for one in due), sum(max(one - 1, 0) for one in due)


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


class Counted:
    """Frames of one kind of stretch: due and dropped."""

    def __init__(self) -> None:
        self.due, self.dropped = 0, 0

    def add(self, stamps: list[float]) -> None:
        due, gone = dropped(stamps)
        self.due, self.dropped = self.due + due, self.dropped + gone

    @property
    def percent(self) -> float:
        return 100 * self.dropped / max(self.due, 1)


async def dealing(browser: Browser, address: str, game: str, rounds: int) -> tuple[Counted, Counted]:
    """Frames while cards and chips move, and while nothing does, with the CPU slowed down."""
    moving, still = Counted(), Counted()
    async with visitor(browser, address) as marta:
        page = marta.page
        await page.add_init_script(FRAMES)
        await marta.comes_in("Marta")
        await marta.opens("Alcalá", game)
        session = await page.context.new_cdp_session(page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
        for _ in range(rounds):
            await marta.phase("betting")
            await _bets(marta, game)
            await page.evaluate("() => { window.stop = window.frames_since(); }")
            await page.wait_for_timeout(STILL_MS)
            still.add(await page.evaluate("() => window.stop()"))
            await page.evaluate(BUSY_FRAMES)
            await marta.button("deal").click()
            await marta.phase("playing", "settled")
            await marta.plays_out()
            for stretch in await page.evaluate("() => window.stretches()"):
                moving.add(stretch)
    return moving, still


BUSY_FRAMES = """
() => {
    const all = [];
    let now = [], going = true;
    const tick = (stamp) => {
        const busy = document.querySelector('.app').dataset.busy === 'true';
        if (busy) now.push(stamp);
        else if (now.length) { all.push(now); now = []; }
        if (going) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    window.stretches = () => { going = false; return now.length ? [...all, now] : all; };
}
"""


async def _bets(marta: Visitor, game: str) -> None:
    """The first time by clicks, then the same again."""
    if await marta.page.locator("[data-action=rebet].lit").count():
        await marta.button("rebet").click()
    else:
        for spot, box in SPOTS[game]:
            await marta.spot(spot, box).first.click()
    await marta.on_the_table(len(SPOTS[game]))


def lines(visits: list[tuple[float, int]], frames: dict[str, tuple[Counted, Counted]]) -> Iterator[str]:
    ms, size = sorted(one for one, _ in visits), max(size for _, size in visits)
    yield f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    yield f"first visit: {size / 1024:.0f} KiB (at most {BYTES_MAX / 1024:.0f})"
    yield (
        f"time to interactive: {statistics.median(ms):.0f} ms in the middle, {ms[0]:.0f} to {ms[-1]:.0f}, of {len(ms)} visits "
        f"(below {INTERACTIVE_MS_MAX})"
    )
    for game, (moving, still) in frames.items():
        yield (
            f"{game}, CPU {THROTTLED} times slower: {moving.percent:.1f} % of {moving.due} frames dropped while dealing "
            f"(below {DROPPED_PERCENT_MAX:.0f} %), {still.percent:.1f} % of {still.due} while nothing moved"
        )


async def measured(visits: int, rounds: int) -> dict[str, Any]:
    """Prints the figures; returns what they come from."""
    async with house() as place, chromium() as browser:
        node = await place.node()
        address = f"http://127.0.0.1:{node.port}"
        arrivals = [await first_visit(browser, address) for _ in range(visits)]
        frames = {game: await dealing(browser, address, game, rounds) for game in SPOTS}
    for line in lines(arrivals, frames):
        sys.stdout.write(line + "\n")
    return {
        "interactive_ms": [round(ms) for ms, _ in arrivals],
        "first_visit_bytes": [size for _, size in arrivals],
        "frames": {game: [vars(one) for one in both] for game, both in frames.items()},
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
