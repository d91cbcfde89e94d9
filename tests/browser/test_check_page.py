"""The page that checks rounds, in a real browser: of good records and of forged ones, by keyboard, and without a node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, FilePayload

from tests.browser.axe import accessible
from tests.browser.check_page import BUILT, COUPS, FORGED, MISSING, forged, keeper, opened, series, verdict
from tests.browser.visitor import SIZES, visitor

pytestmark = pytest.mark.timeout(600)


def payload(records: Any) -> FilePayload:
    return {"name": "rounds.json", "mimeType": "application/json", "buffer": json.dumps(records).encode()}


async def test_the_link_to_a_round_is_checked_with_the_round_before(browser: Browser) -> None:
    coups = series(COUPS)
    async with keeper(*coups) as (_, address):
        page = await opened(browser, f"{address}/t/mesa/3/check")
        await verdict(page, "proven")
        assert await page.locator("[data-check]").count() == 10
        assert await page.locator('[data-check][data-state="proven"]').count() == 10
        assert await page.locator(".list button").count() == 2
        await page.fill("#link", f"{address}/api/rounds/mesa/1")
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="La ronda 1 de mesa cuadra").wait_for()
        assert page.url.endswith("/t/mesa/1/check")
        rows = page.locator(".drawn tbody tr")
        assert await rows.count() == 11
        first = rows.first
        assert await first.locator("svg").get_attribute("aria-label") == "seis de corazones"
        assert "2.209.181.149 mod 416 = 253" in await first.inner_text()


async def test_a_shoe_is_proven_from_its_opening_when_one_asks_for_it(browser: Browser) -> None:
    async with keeper(*series(COUPS)) as (_, address):
        page = await opened(browser, f"{address}/t/mesa/3/check", language="en")
        await verdict(page, "proven")
        await page.get_by_role("button", name="From the opening of the shoe on").click()
        await page.get_by_text("The shoe is proven from its opening on.").wait_for()
        assert await page.locator(".list button").count() == 3


async def test_who_did_not_reveal_is_named(browser: Browser) -> None:
    (record,) = series(MISSING)
    async with keeper(record) as (_, address):
        page = await opened(browser, f"{address}/t/mesa/{record['round']}/check")
        await verdict(page, "proven")
        assert "ben" in await page.locator(".parts .missing").inner_text()
        assert await page.locator(".limits-told li").count() == 6


async def test_a_forgery_is_said_to_be_one_and_where(browser: Browser) -> None:
    page = await opened(browser, (BUILT / "check.html").as_uri(), language="en")
    await page.set_input_files("#file", payload(forged(FORGED)))
    await verdict(page, "failed")
    line = page.locator('[data-check="cards"]')
    assert await line.get_attribute("data-state") == "failed"
    assert "batches[7].events[3].card" in await line.inner_text()
    assert await page.locator('[data-check="rules"]').get_attribute("data-state") == "idle"


async def test_a_saved_page_checks_a_dropped_file_without_a_node(browser: Browser, tmp_path: Path) -> None:
    async with keeper() as (_, address):
        page = await opened(browser, f"{address}/check.html")
        (tmp_path / "saved.html").write_bytes(await (await page.request.get(f"{address}/check.html")).body())
    saved = await opened(browser, (tmp_path / "saved.html").as_uri())
    await saved.evaluate(
        """text => {
            const moved = new DataTransfer();
            moved.items.add(new File([text], "rounds.json"));
            window.dispatchEvent(new DragEvent("drop", { dataTransfer: moved, cancelable: true }));
        }""",
        json.dumps(series(COUPS)),
    )
    await verdict(saved, "proven")
    assert await saved.locator(".list button").count() == 3


async def test_what_is_no_record_and_what_the_node_does_not_have(browser: Browser) -> None:
    async with keeper() as (_, address):
        page = await opened(browser, f"{address}/t/mesa/9/check", language="en")
        await verdict(page, "noRecord")
        assert "no record of round 9 of mesa" in await page.locator(".verdict").inner_text()
        await page.fill("#link", "https://example.org/t/mesa/9")
        await page.keyboard.press("Enter")
        await verdict(page, "badLink")
        await page.set_input_files("#file", {"name": "a", "mimeType": "text/plain", "buffer": b"not a record"})
        await page.get_by_text("This is no record of a round.").wait_for()


async def test_what_is_saved_can_be_opened_again(browser: Browser) -> None:
    async with keeper(*series(COUPS)) as (_, address):
        page = await opened(browser, f"{address}/t/mesa/2/check", language="en")
        await verdict(page, "proven")
        async with page.expect_download() as downloaded:
            await page.get_by_role("button", name="Save the record").click()
        saved = await (await downloaded.value).path()
        assert json.loads(saved.read_text()) == series(COUPS)[:2]


@pytest.mark.parametrize(("locale", "sizes"), [("es-ES", ("desk", "phone")), ("en-US", ("phone",))])
async def test_everybody_can_use_it(browser: Browser, locale: str, sizes: tuple[str, ...]) -> None:
    """Nothing that axe finds; nothing wider than the screen, at any size; the file and the link by keyboard alone."""
    async with keeper(*series(COUPS)) as (_, address), visitor(browser, address, locale=locale) as one:
        await one.page.goto(f"{address}/t/mesa/1/check")
        await verdict(one.page, "proven")
        assert await one.page.evaluate("document.documentElement.lang") == locale[:2]
        await one.page.locator("summary").click()
        for size in SIZES:
            await one.resized(size)
            if size in sizes:
                await accessible(one, size)
            assert await one.page.evaluate("document.querySelector('.proof .scroll').scrollWidth") <= SIZES[size][0]
        reached = set()
        for _ in range(30):
            await one.page.keyboard.press("Tab")
            reached.add(await one.page.evaluate("document.activeElement.id || document.activeElement.localName"))
        assert {"link", "file", "summary", "button"} <= reached
