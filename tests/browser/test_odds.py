"""What decisions are worth, at the page: the warning with its figures, the chart, and how one played."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from tests.browser.visitor import Visitor, visitor

pytestmark = pytest.mark.timeout(600)
ROUNDS_MAX = 60


async def a_bad_decision_comes_up(one: Visitor) -> None:
    """Rounds until hitting or standing is very bad and is asked about; the question is open then."""
    page = one.page
    for _ in range(ROUNDS_MAX):
        await one.phase("betting")
        await one.spot("main", 1).click()
        await one.on_the_table(1)
        await one.button("deal").click()
        await page.wait_for_function(
            """() => document.querySelector('[data-phase=settled][data-busy=false]')
                || document.querySelector('[data-action=stand].lit')"""
        )
        for action in ("stand", "hit"):
            if await page.locator(f"[data-action={action}].lit").count():
                await one.button(action).click()
                if await page.locator(".asking").count():
                    return
        await one.plays_out()
    pytest.fail("no decision was ever very bad")


async def test_a_very_bad_decision_is_asked_about_with_what_it_costs(browser: Browser, address: str) -> None:
    async with visitor(browser, address) as marta:
        await marta.comes_in("Marta")
        await marta.opens("Consejo", "double_exposure")
        await a_bad_decision_comes_up(marta)
        asking = marta.page.locator(".asking")
        await expect(asking.locator(".evs li").first).to_be_visible()
        await expect(asking).to_contain_text("de media")
        await asking.locator(".acts button").first.click()
        await expect(asking).to_have_count(0)
        await marta.plays_out()
        await marta.phase("settled", "betting")
        await marta.page.locator("button.tool[aria-expanded]").first.click()
        await marta.page.locator(".rounds details summary").first.click()
        await expect(marta.page.locator(".played").first).to_be_visible()
        assert marta.wrong == []


async def test_the_chart_is_walked_by_keyboard(browser: Browser, address: str) -> None:
    async with visitor(browser, address, locale="en-GB") as ana:
        await ana.comes_in("Ana")
        page = ana.page
        await page.goto(f"{address}/t/blackjack/chart")
        cell = page.locator(".chart button[tabindex='0']")
        await expect(cell).to_have_count(1)
        assert await page.locator(".chart tbody button").count() == 34 * 26
        await expect(page.locator(".edges")).to_contain_text("0.559")
        await cell.focus()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowRight")
        await expect(page.locator(".detail b")).to_have_text(re.compile("hard 6 . dealer hard 5"))
        await expect(page.locator(".detail li.lead")).to_contain_text("Hit")
        assert ana.wrong == []
