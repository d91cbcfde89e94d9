"""What the page costs: `python -m tests.browser.measure [--visits 3] [--rounds 2] [--json FILE]`; about two minutes.

Three figures, each in a real Chromium before a real node on this machine:

- *Bytes* of a first visit, as they come over the wire, until the lobby stands.
- *Time to interactive*: from the navigation until the first thing that can be done, the field for a name, has the focus and the
  frame that shows it has been drawn, with nothing cached; and what the page's main thread computed until then.
- *Frames* from the close of the bets to the result, with four boxes in play at Double Exposure and all spots at Punto Banco: of
  those in which something had to move, the ones that Chromium's compositor calls dropped, on a main thread that is slowed down
  four times; and on one that is not, because a machine that does other things drops frames as well. Beside them how long the main
  thread would be busy on such a CPU for more than a frame at a time, by what its tasks compute: a click waits so long, what flies
  does not, because the compositor moves it.
  Nobody looks on meanwhile: the page itself decides for its player, and says when all is shown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

from tests.browser.chromium import chromium
from tests.browser.tables import table_with
from tests.browser.trace import THROTTLED, Stretch, traced
from tests.browser.visitor import Visitor, visitor
from tests.integration.cluster import house

UNASKED = """localStorage.tapete ??= JSON.stringify({ language: 'es', warnings: false });"""
BEGUN = time.monotonic()
PAUSE_MS = 500
LIES_STILL_MS = 400
RUN_S_MAX = 600
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


PLAYED_OUT = """
() => new Promise((done) => {
    const app = document.querySelector('.app');
    let begun = false;
    const look = () => {
        const { phase, busy } = app.dataset;
        begun ||= phase !== 'betting';
        if (begun && (phase === 'betting' || (phase === 'settled' && busy === 'false'))) {
            watch.disconnect();
            done();
        } else document.querySelector('[data-action=stand].lit')?.click();
    };
    const watch = new MutationObserver(look);
    watch.observe(app, { subtree: true, attributes: true, attributeFilter: ['class', 'data-phase', 'data-busy'] });
    document.querySelector('[data-action=deal]').click();
})
"""


def say(line: str) -> None:
    """How far it is, and after how many seconds; the figures go elsewhere."""
    sys.stderr.write(f"{time.monotonic() - BEGUN:4.0f} s: {line}\n")
    sys.stderr.flush()


async def first_visit(browser: Browser, address: str) -> tuple[float, float, int]:
    """Milliseconds until something can be done, what was computed until then, and all bytes until the lobby stands."""
    async with visitor(browser, address) as one:
        session = await one.page.context.new_cdp_session(one.page)
        await session.send("Network.enable")
        came: list[float] = []
        session.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"]))
        await one.page.add_init_script(FIRST_THING)
        async with traced(browser, one.page) as until_then:
            await one.page.goto(address)
            await one.page.wait_for_function("window.interactive !== undefined")
        ms: float = await one.page.evaluate("window.interactive")
        await one.page.keyboard.type("Marta")
        await one.page.keyboard.press("Enter")
        await one.page.locator(".tc").first.wait_for()
        return ms, until_then.computed_ms, int(sum(came))


async def dealing(browser: Browser, address: str, game: str, rounds: int, rate: int) -> Stretch:
    """Frames shown and dropped in so many rounds, with the main thread slowed down so many times."""
    total = Stretch()
    async with visitor(browser, address) as marta:
        page = marta.page
        await page.add_init_script(UNASKED)
        await marta.comes_in("Marta")
        await marta.goes_to(await quick_table(address, game))
        session = await page.context.new_cdp_session(page)
        for number in range(rounds):
            await marta.phase("betting")
            await _bets(marta, game)
            await page.mouse.move(0, 0)  # a last frame that the polling of the test has no part in
            await page.wait_for_timeout(LIES_STILL_MS)
            await session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
            async with traced(browser, page) as stretch:
                await page.evaluate(PLAYED_OUT)
            total.add(stretch)
            await session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
            say(f"{game}, CPU {rate} times slower: round {number + 1} of {rounds}")
    return total


async def quick_table(address: str, game: str) -> str:
    """The path of a table without a clock for bets, and with a short pause after each round."""
    times = {"betting_ms": 0, "turn_ms": 60_000, "pause_ms": PAUSE_MS, "card_ms": 0}
    return await table_with(address, game, times)


async def _bets(marta: Visitor, game: str) -> None:
    """The first time by clicks, then the same again."""
    if await marta.page.locator("[data-action=rebet].lit").count():
        await marta.button("rebet").click()
    else:
        for spot, box in SPOTS[game]:
            await marta.spot(spot, box).first.click()
    await marta.on_the_table(len(SPOTS[game]))


def lines(visits: list[tuple[float, float, int]], frames: dict[str, dict[int, Stretch]]) -> Iterator[str]:
    ms, size = sorted(one for one, _, _ in visits), max(size for _, _, size in visits)
    yield f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    yield f"first visit: {size / 1024:.0f} KiB (at most {BYTES_MAX / 1024:.0f})"
    yield (
        f"time to interactive: {statistics.median(ms):.0f} ms in the middle, {ms[0]:.0f} to {ms[-1]:.0f}, of {len(ms)} visits "
        f"(below {INTERACTIVE_MS_MAX}); of that computed by the page: {statistics.median(one for _, one, _ in visits):.0f} ms"
    )
    for game, rates in frames.items():
        for rate, seen in rates.items():
            limit = f" (below {DROPPED_PERCENT_MAX:.0f} %)" if rate == THROTTLED else ""
            frames_seen = f"{seen.dropped_percent:.1f} % of {seen.shown + seen.dropped} frames dropped"
            yield f"{game}, CPU {rate} times slower: {frames_seen}{limit}"
        work = rates[1]
        yield f"{game}, main thread busy for more than a frame, so much slower: {work.lost_percent:.1f} % of the time"


async def measured(visits: int, rounds: int) -> dict[str, Any]:
    """Prints the figures; returns what they come from."""
    async with house() as place, chromium() as browser:
        node = await place.node()
        address = f"http://127.0.0.1:{node.port}"
        arrivals = []
        for number in range(visits):
            arrivals.append(await first_visit(browser, address))
            say(f"visit {number + 1} of {visits}")
        frames = {
            game: {rate: await dealing(browser, address, game, rounds, rate) for rate in (THROTTLED, 1)}
            for game in SPOTS
        }
    for line in lines(arrivals, frames):
        sys.stdout.write(line + "\n")
    return {
        "interactive_ms": [round(ms) for ms, _, _ in arrivals],
        "interactive_computed_ms": [round(one) for _, one, _ in arrivals],
        "first_visit_bytes": [size for _, _, size in arrivals],
        "frames": {game: {rate: asdict(seen) for rate, seen in rates.items()} for game, rates in frames.items()},
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Bytes of a first visit, time to interactive, frames while dealing.")
    parser.add_argument("--visits", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    figures = asyncio.run(asyncio.wait_for(measured(asked.visits, asked.rounds), RUN_S_MAX))
    if asked.json:
        asked.json.write_text(json.dumps(figures, indent=1))
