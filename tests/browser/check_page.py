"""The page `Check this round` in a real browser, before a real gateway that keeps the published records.

As a command it takes pictures of the page: `python -m tests.browser.check_page FOLDER`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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

BUILT = ROOT / "server" / "tapete_server" / "web"
VERDICT_MS_MAX = 90_000
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
    good, coups = series("double exposure, one missing"), series("punto banco, three coups from the shoe's first one")
    other = series("double exposure, all revealed")
    async with chromium() as browser, keeper(*good, *coups, *other) as (_, address):
        for name, size, language, path, what in (
            ("desk-es", "desk", "es", f"t/mesa/{good[0]['round']}/check", "proven"),
            ("desk-en-shoe", "desk", "en", "t/mesa/2/check", "proven"),
            ("phone-es", "phone", "es", f"t/mesa/{other[0]['round']}/check", "proven"),
            ("no-record", "desk", "es", "t/mesa/999/check", "noRecord"),
        ):
            page = await opened(browser, f"{address}/{path}", size, language)
            await verdict(page, what)
            await _taken(page, folder / f"{name}.png")
        page = await opened(browser, (BUILT / "check.html").as_uri())
        await _taken(page, folder / "saved.png")
        forgery = json.dumps(forged("CardDealt.card is another, and the chain is mended")).encode()
        await page.set_input_files("#file", {"name": "a.json", "mimeType": "application/json", "buffer": forgery})
        await verdict(page, "failed")
        await _taken(page, folder / "forged.png")


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
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(pictures(target))
