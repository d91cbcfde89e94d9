"""The page itself: its languages, what it remembers, its weight, and whether everybody can use it."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.browser.axe import accessible
from tests.browser.visitor import SIZES, visitor

pytestmark = pytest.mark.timeout(600)

FIRST_VISIT_BYTES_MAX = 150 * 1024


async def test_spanish_and_english(browser: Browser, address: str) -> None:
    async with visitor(browser, address, locale="en-US") as ann:
        await ann.comes_in("Ann")
        await expect(ann.page.locator("h1")).to_contain_text("tables are open")
        await ann.page.get_by_role("button", name="EN, Language: English").click()
        await expect(ann.page.locator("h1")).to_contain_text("mesas abiertas")
        await expect(ann.page.locator("[data-figure=balance]")).to_have_text("1.000,00")
        assert await ann.page.evaluate("document.documentElement.lang") == "es"


async def test_settings_are_there_again_in_a_new_session(browser: Browser, address: str) -> None:
    async with visitor(browser, address) as marta:
        await marta.comes_in("Marta")
        path = await marta.opens("Alcalá", "double_exposure")
        await marta.page.get_by_role("button", name="Ajustes").click()
        await marta.page.get_by_role("button", name="English").click()
        await marta.page.get_by_role("button", name="Calm").click()
        await marta.page.get_by_label("Warn of very bad decisions").uncheck()
        await marta.page.keyboard.press("Escape")
        await marta.spot("main", 1).click()
        await marta.page.locator("[data-chip='2500']").click()
        await marta.on_the_table(1)
        await marta.button("clear").click()  # a stake of somebody who goes is played without her
        await expect(marta.page.locator("[data-bets='0']")).to_be_visible()
        kept = await marta.page.context.storage_state()
    async with visitor(browser, address, storage_state=kept) as again:
        await again.goes_to(path)
        await expect(again.page.locator("[data-chip='2500']")).to_have_attribute("aria-pressed", "true")
        await expect(again.page.locator(".box.mine .who").first).to_contain_text("Marta (you)")
        await again.page.get_by_role("button", name="Settings").click()
        await expect(again.page.get_by_role("button", name="Calm")).to_have_attribute("aria-pressed", "true")
        await expect(again.page.get_by_label("Warn of very bad decisions")).not_to_be_checked()


async def test_the_first_visit_is_light(browser: Browser, address: str) -> None:
    async with visitor(browser, address) as marta:
        session = await marta.page.context.new_cdp_session(marta.page)
        await session.send("Network.enable")
        bytes_in: list[float] = []
        session.on("Network.loadingFinished", lambda event: bytes_in.append(event["encodedDataLength"]))
        await marta.comes_in("Marta")
        await marta.page.locator(".tc").first.wait_for()
        assert len(bytes_in) >= 4
        assert sum(bytes_in) < FIRST_VISIT_BYTES_MAX
        addresses = await marta.page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
        assert all(one.startswith(address) for one in addresses), "nothing comes from anywhere else"


OTHER_RULES = (
    ("El crupier con 17 blando", "pide"), ("Doblar con dos cartas", "todas"), ("Divisiones por casilla", "una"),
    ("Blackjack contra blackjack", "gana"),
)  # fmt: skip
PRINTED = [
    "Blackjack paga 1 a 1", "El crupier pide con 17 blando", "Los empates pierden, pero blackjack contra blackjack gana",
    "Se dobla con dos cartas cualesquiera", "Se dobla también tras dividir", "Las parejas se dividen hasta 2 manos",
]  # fmt: skip


async def test_everybody_can_come_in(browser: Browser, address: str) -> None:
    async with visitor(browser, address, bypass_csp=True, reduced_motion="reduce") as marta:
        await marta.page.goto(address)
        await marta.page.locator(".named").wait_for()
        await accessible(marta, "name", within=".named")
        await marta.comes_in("Marta")
        await marta.page.locator(".tc").first.wait_for()
        await accessible(marta, "lobby")
        await marta.button("open-table").click()
        await marta.page.locator(".dialog.wide").wait_for()
        await accessible(marta, "opening a table", within=".dialog.wide")


DRAWERS = {"double_exposure": ("Rondas anteriores", "Pagos y límites", "Ajustes"), "punto_banco": ("Pagos y límites",)}


@pytest.mark.parametrize("game", DRAWERS)
async def test_everybody_can_use_it(browser: Browser, address: str, game: str) -> None:
    async with visitor(browser, address, bypass_csp=True, reduced_motion="reduce") as marta:
        await marta.comes_in("Marta")
        path = await marta.opens("Alcalá", game)
        await accessible(marta, "empty table")
        await marta.spot("main" if game == "double_exposure" else "banca", 1).click()
        await marta.on_the_table(1)
        await accessible(marta, "betting", within="main, footer")
        await marta.button("deal").click()
        await marta.phase("playing", "settled")
        await accessible(marta, "playing", within="main, footer")
        await marta.plays_out()
        await accessible(marta, "settled", within="main, footer")
        for name in DRAWERS[game]:
            await marta.page.get_by_role("button", name=name).click()
            await marta.page.locator(".drawer").wait_for()
            await accessible(marta, name, within=".drawer")
            await marta.page.keyboard.press("Escape")
        await marta.sees_events("hagan juego")
        async with visitor(browser, address, bypass_csp=True, reduced_motion="reduce") as luz:
            await luz.comes_in(None, path)
            await luz.page.locator(".dock.watch").wait_for()
            await accessible(luz, "spectator", within="footer")
        await marta.page.goto(f"{address}{path}/1")
        await marta.page.locator("[data-action=next]").click()
        await accessible(marta, "replay")


THINGS = ".felt .spot, .felt .ps, .dock button, .top :is(a, button)"
OUTSIDE = """(things) => [...document.querySelectorAll(things)].filter((node) => {
    const { width, left, right, bottom } = node.getBoundingClientRect();
    const inside = left >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
    return width > 0 && !node.closest('.scroll') && !inside;
}).map((node) => node.className)"""


async def test_nothing_sticks_out(browser: Browser, address: str) -> None:
    async with visitor(browser, address) as marta:
        await marta.comes_in("Marta")
        for path in ("/", "/t/blackjack", "/t/punto-banco"):
            await marta.page.goto(address + path)
            await marta.page.locator(".tc, .app.table").first.wait_for()
            for size in SIZES:
                await marta.resized(size)
                assert await marta.page.evaluate(OUTSIDE, THINGS) == [], (path, size)
                assert await marta.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, size)
