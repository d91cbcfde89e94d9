"""A whole round of each game: by mouse, by keyboard alone, and by touch."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.browser.tables import calm_table
from tests.browser.visitor import Visitor, visitor

pytestmark = pytest.mark.timeout(600)

OPENING = 100_000
GAMES = {"double_exposure": ("main", 3), "punto_banco": ("punto", None)}


async def settled_right(one: Visitor, staked: int) -> None:
    """The balance has what the round brought: between nothing back and a win of nineteen times everything."""
    await one.phase("settled")
    await expect(one.page.locator("[data-busy=false]")).to_have_count(1)
    await expect(one.page.locator(".res, .num.w, .tagwin, .amt.gone").first).to_be_visible()
    assert OPENING - staked <= await one.balance() <= OPENING + 19 * staked
    assert one.wrong == []


@pytest.mark.parametrize("game", GAMES)
async def test_by_mouse(browser: Browser, address: str, game: str) -> None:
    spot, box = GAMES[game]
    async with visitor(browser, address) as marta:
        await marta.comes_in("Marta")
        await marta.goes_to(await calm_table(address, game))
        await marta.spot(spot, box or 1).click()
        await marta.page.locator("[data-chip='2500']").click()
        await marta.spot(spot, box or 1).click()
        await marta.spot(spot, box or 1).click()
        await marta.staked("51,00")
        await marta.page.locator("main .event").click()  # an empty part of the felt: the chip is put down
        await marta.spot(spot, box or 1).click()  # and now a click takes the last chip back
        await marta.staked("26,00")
        await marta.on_the_table(1)
        assert await marta.balance() == OPENING - 2600
        await marta.button("deal").click()
        await marta.phase("playing", "settled")
        await marta.plays_out()
        await settled_right(marta, 2600)
        await marta.phase("betting")
        await marta.button("rebet").click()
        await marta.staked("26,00")
        await marta.button("clear").click()
        await marta.staked("0,00")


@pytest.mark.parametrize("game", GAMES)
async def test_by_keyboard_alone(browser: Browser, address: str, game: str) -> None:
    spot, box = GAMES[game]
    async with visitor(browser, address) as marta:
        page = marta.page
        await page.goto(address + await calm_table(address, game))
        await page.locator(".named input").wait_for()
        await page.keyboard.type("Marta")
        await page.keyboard.press("Enter")
        await page.locator(".app.table").wait_for()
        here = f"[data-spot={spot}]" + (f"[data-box='{box}']" if box else "")
        for _ in range(60):
            await page.keyboard.press("Tab")
            if await page.evaluate("here => document.activeElement?.matches(here)", here):
                break
        else:
            pytest.fail("the spot cannot be reached with Tab")
        await page.keyboard.press("2")
        await page.keyboard.press("Enter")
        await marta.staked("5,00")
        await page.keyboard.press("Enter")
        await marta.staked("10,00")
        await page.keyboard.press("Delete")
        await marta.staked("5,00")
        await marta.on_the_table(1)
        await page.evaluate("document.activeElement.blur()")
        await page.keyboard.press("Space")
        await marta.phase("playing", "settled")
        while not await page.locator("[data-phase=settled][data-busy=false]").count():
            if await page.locator(".asking").count():
                await page.keyboard.press("Tab")
                await page.keyboard.press("Enter")
            elif await page.locator("[data-action=stand].lit").count():
                await page.keyboard.press("s")
            await page.wait_for_timeout(100)
        await settled_right(marta, 500)


@pytest.mark.parametrize("game", GAMES)
async def test_by_touch(browser: Browser, address: str, game: str) -> None:
    spot, box = GAMES[game]
    async with visitor(browser, address, size="phone", has_touch=True, is_mobile=True) as marta:
        await marta.comes_in("Marta")
        await marta.goes_to(await calm_table(address, game))
        await marta.spot(spot, box or 1).tap()
        await marta.page.locator("[data-chip='500']").tap()
        await marta.spot(spot, box or 1).tap()
        await marta.staked("6,00")
        area = await marta.spot(spot, box or 1).bounding_box()
        assert area is not None
        touch = await marta.page.context.new_cdp_session(marta.page)
        point = {"x": area["x"] + area["width"] / 2, "y": area["y"] + area["height"] / 2}
        await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        await marta.staked("1,00")  # a long press takes the last chip back
        await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await marta.on_the_table(1)
        await marta.button("deal").tap()
        await marta.phase("playing", "settled")
        await marta.plays_out()
        await settled_right(marta, 100)
