"""The page `Check this round` in a real browser, before a real gateway that keeps the published records.

As a command it takes pictures of the page: `python -m tests.browser.check_page FOLDER`, or the one of the README with `--readme`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import Browser, Page

from tapete_protocol.base import TableId
from tapete_protocol.vectors import FOLDER
from tapete_server.gateway.pages import pages
from tests.browser.chromium import ROOT, chromium
from tests.browser.visitor import SIZES
from tests.server.gateway.door import Door, running

README = ROOT / "clients" / "web" / "pictures"
BUILT = ROOT / "server" / "tapete_server" / "web"
VERDICT_MS_MAX = 90_000
COUPS = "punto banco, three coups from the shoe's first one"
MISSING = "double exposure, one missing"
FORGED = "CardDealt.card is another, and the chain is mended"
RECORDS: dict[str, Any] = json.loads((FOLDER / "records.json").read_text(encoding="utf-8"))


def series(why: str) -> list[dict[str, Any]]:
    """Published records, by what they are there for."""
    (found,) = (one["records"] for one in RECORDS["good"] if one["why"] == why)
    return list(found)


def forged(why: str) -> dict[str, Any]:
    (found,) = (one["record"] for one in RECORDS["bad"] if one["why"] == why)
    return dict(found)


@asynccontextmanager
async def keeper(*records: dict[str, Any]) -> AsyncIterator[tuple[Door, str]]:
    """A gateway with these records, and its address. They are kept as they are: text that is hexadecimal stays text."""
    async with running(pages=pages()) as door:
        for record in records:
            door.records.kept[TableId(record["table"]), record["round"]] = msgspec.msgpack.encode(record)
        yield door, f"http://127.0.0.1:{door.gateway.port}"


async def verdict(page: Page, what: str) -> None:
    await page.locator(f'[data-verdict="{what}"]').wait_for(timeout=VERDICT_MS_MAX)


async def opened(browser: Browser, address: str, size: str = "desk", language: str = "es") -> Page:
    width, height = SIZES[size]
    page = await browser.new_page(viewport={"width": width, "height": height}, locale=language)
    await page.goto(address)
    return page


async def pictures(folder: Path) -> None:
    """Good rounds and forged ones by their links, a round that the node does not have, and the page as it is saved."""
    good, coups = series(MISSING), series(COUPS)
    forgery = forged(FORGED)
    async with chromium() as browser, keeper(*good, *coups) as (_, address), keeper(forgery) as (_, liar):
        for size, language in product(("desk", "phone"), ("es", "en")):
            for name, link, what in (
                ("proven", f"{address}/t/mesa/{good[0]['round']}/check", "proven"),
                ("shoe", f"{address}/t/mesa/2/check", "proven"),
                ("forged", f"{liar}/t/mesa/{forgery['round']}/check", "failed"),
                ("no-record", f"{address}/t/mesa/999/check", "noRecord"),
            ):
                page = await opened(browser, link, size, language)
                await verdict(page, what)
                await _taken(page, folder / f"{name}-{size}-{language}.png")
                await page.close()
            page = await opened(browser, (BUILT / "check.html").as_uri(), size, language)
            await _taken(page, folder / f"saved-{size}-{language}.png")
            await page.close()


async def for_the_readme() -> None:
    (record,) = series(MISSING)
    async with chromium() as browser, keeper(record) as (_, address):
        page = await opened(browser, f"{address}/t/mesa/{record['round']}/check", language="en")
        await verdict(page, "proven")
        await page.evaluate("document.fonts.ready")
        await page.screenshot(path=README / "check.png")


async def _taken(page: Page, file: Path) -> None:
    """What is in sight; and beside it the whole sheet, however long."""
    await page.evaluate("document.fonts.ready")
    await page.screenshot(path=file)
    long = await page.evaluate("document.querySelector('.proof .scroll').scrollHeight")
    size = page.viewport_size
    assert size is not None
    await page.set_viewport_size({"width": size["width"], "height": long + 48})
    await page.screenshot(path=file.with_stem(f"{file.stem}-whole"))
    await page.set_viewport_size({"width": size["width"], "height": size["height"]})
    sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    if sys.argv[1] == "--readme":
        asyncio.run(for_the_readme())
    else:
        target = Path(sys.argv[1])
        target.mkdir(parents=True, exist_ok=True)
        asyncio.run(pictures(target))
