"""Several people at one table see the same; whoever comes late or back is shown what is; nothing is lost with a node."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Browser, expect

from tests.browser.axe import accessible
from tests.browser.tables import calm_table
from tests.browser.visitor import visitor
from tests.integration.cluster import House

pytestmark = pytest.mark.timeout(600)


async def test_two_players_and_a_spectator_see_the_same(browser: Browser, address: str) -> None:
    async with (
        visitor(browser, address) as marta,
        visitor(browser, address, size="tablet") as oscar,
        visitor(browser, address, size="phone", locale="es-MX") as luz,
    ):
        await marta.comes_in("Marta")
        path = await calm_table(address, "double_exposure")
        await marta.goes_to(path)
        await oscar.comes_in("Óscar", path)
        await luz.comes_in(None, path)
        await expect(luz.page.locator(".dock.watch")).to_be_visible()
        await expect(luz.page.locator("[data-action=hit]")).to_have_count(0)
        await marta.spot("main", 3).click()
        await marta.spot("sevens", 3).click()
        await oscar.spot("main", 2).click()
        await marta.on_the_table(3)
        await marta.button("deal").click()
        await expect(marta.page.locator(".event")).to_contain_text("Óscar")
        await oscar.on_the_table(3)
        await oscar.button("deal").click()
        await marta.phase("playing", "settled")
        await marta.plays_out(oscar)
        for one in (oscar, luz):
            await one.page.locator("[data-phase=settled][data-busy=false]").wait_for()
        seen = [await one.seen() for one in (marta, oscar)]
        assert seen[0] == seen[1]
        assert (await luz.seen())["round"] == seen[0]["round"]
        assert set((await luz.seen())["cards"]) <= set(seen[0]["cards"])
        assert await marta.page.locator(".crowd").inner_text() != ""
        async with visitor(browser, address) as late:
            await late.comes_in(None, path)
            assert (await late.seen())["cards"] in (seen[0]["cards"], [])
        assert marta.wrong == oscar.wrong == luz.wrong == []


async def test_a_node_that_is_killed_in_mid_hand(browser: Browser, own_house: House) -> None:
    node = await own_house.node()
    async with visitor(browser, f"http://127.0.0.1:{node.port}", bypass_csp=True) as marta:
        await marta.comes_in("Marta")
        await marta.goes_to(await calm_table(marta.address, "double_exposure"))
        hand = marta.page.locator(".play.active")
        while True:
            await marta.phase("betting")
            await marta.spot("main", 3).click()
            await marta.on_the_table(1)
            await marta.button("deal").click()
            await marta.page.locator(".play.active, [data-phase=settled][data-busy=false]").first.wait_for()
            if await hand.count():
                break
        before = await marta.seen()
        await asyncio.to_thread(node.kill)
        banner = marta.page.locator(".banner")
        await expect(banner).to_contain_text("Sin conexión")
        await expect(marta.page.locator(".app.stale")).to_be_visible()
        await expect(marta.page.locator("[data-action=stand].lit")).to_have_count(0)
        assert await marta.seen() == before, "greyed, and not wrong"
        await accessible(marta, "lost")
        await node.start()
        await expect(marta.page.locator(".app.stale")).to_have_count(0, timeout=90_000)
        await expect(banner).not_to_contain_text("Sin conexión")
        assert (await marta.seen())["cards"] == before["cards"]
        await marta.plays_out()
        errors = [text for text in marta.wrong if not re.search(r"WebSocket|ERR_CONNECTION", text)]
        assert errors == []


async def test_a_background_tab_is_right_at_once(browser: Browser, address: str) -> None:
    async with visitor(browser, address) as marta, visitor(browser, address) as ana:
        await marta.comes_in("Marta")
        path = await calm_table(address, "punto_banco")
        await marta.goes_to(path)
        await ana.comes_in(None, path)
        await ana.page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
        await marta.spot("punto").click()
        await marta.on_the_table(1)
        await marta.button("deal").click()
        await marta.page.locator("[data-phase=settled][data-busy=false]").wait_for()
        await ana.phase("settled", "betting")
        await ana.page.evaluate("Object.defineProperty(document, 'hidden', { value: false, configurable: true })")
        await ana.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        assert (await ana.seen())["cards"] == (await marta.seen())["cards"]
        assert await ana.page.locator("[data-busy=false]").count() == 1
