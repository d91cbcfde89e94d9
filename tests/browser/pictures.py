"""Pictures of every phase at all five sizes: `python -m tests.browser.pictures DIRECTORY [--readme]`.

A real house, two people who play, and rounds until what is wanted has come: a split, a question, a dealer's blackjack. With
`--readme` only the two of the README are taken, into `clients/web/pictures`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import Page

from tests.browser.chromium import ROOT, chromium
from tests.browser.visitor import SIZES, Visitor, visitor
from tests.integration.cluster import NodeProcess, house

README = ROOT / "clients" / "web" / "pictures"
ROUNDS_MAX = 60
COUPS_README = 16
SETTLES_MS = 350
"""For a page to lie still after its size changed."""


class Album:
    def __init__(self, directory: Path, wanted: set[str]) -> None:
        self.directory, self.wanted = directory, wanted
        directory.mkdir(parents=True, exist_ok=True)

    async def take(self, page: Page, name: str) -> None:
        """At every size, once."""
        if name not in self.wanted:
            return
        self.wanted.discard(name)
        for size, (width, height) in SIZES.items():
            await page.set_viewport_size({"width": width, "height": height})
            await page.wait_for_timeout(SETTLES_MS)
            await page.screenshot(path=self.directory / f"{name}-{size}.png")
        await page.set_viewport_size({"width": 1280, "height": 800})
        await page.wait_for_timeout(SETTLES_MS)


async def main(directory: Path, *, readme: bool) -> None:
    async with house() as place, chromium() as browser:
        node = await place.node()
        address = f"http://127.0.0.1:{node.port}"
        async with visitor(browser, address) as marta, visitor(browser, address) as oscar:
            if readme:
                await for_the_readme(marta, oscar)
            else:
                await everything(Album(directory, set(PHASES)), node, marta, oscar)


PHASES = (
    "name", "lobby", "open-table", "empty", "betting", "playing", "split", "question", "settled", "split-settled",
    "dealer-blackjack", "spectator", "lost", "history", "replay", "payouts", "settings",
    "coup-betting", "coup-playing", "coup-settled",
)  # fmt: skip


async def everything(album: Album, node: NodeProcess, marta: Visitor, oscar: Visitor) -> None:
    page = marta.page
    await page.goto(marta.address)
    await page.locator(".named").wait_for()
    await album.take(page, "name")
    await marta.comes_in("Marta")
    await page.locator(".tc").first.wait_for()
    await album.take(page, "lobby")
    await marta.button("open-table").click()
    await album.take(page, "open-table")
    await page.keyboard.press("Escape")
    path = await marta.opens("Alcalá", "double_exposure")
    await oscar.comes_in("Óscar", path)
    await album.take(page, "empty")
    await hands(album, marta, oscar)
    await panels(album, page)
    await oscar.goes_to(path)
    await page.goto(marta.address)
    path = await marta.opens("Recoletos", "punto_banco")
    await oscar.goes_to(path)
    await coups(album, marta, oscar, 14)
    async with visitor(page.context.browser, marta.address) as luz:  # type: ignore[arg-type]
        await luz.comes_in(None, path)
        await album.take(luz.page, "spectator")
        await asyncio.to_thread(node.kill)
        await page.locator(".banner").wait_for()
        await album.take(page, "lost")


async def bets(one: Visitor, chip: int, places: list[tuple[str, int | None]]) -> None:
    if not await one.page.locator(".tray").count():
        spot, box = places[0]
        await one.spot(spot, box).click()
        await one.page.locator(".tray").wait_for()
        await one.on_the_table(1)
    await one.page.locator(f"[data-chip='{chip}']").click()
    for spot, box in places:
        await one.spot(spot, box).click()


async def hands(album: Album, marta: Visitor, oscar: Visitor) -> None:
    """Rounds of Double Exposure until there is a picture of everything, or long enough."""
    page = marta.page
    for number in range(ROUNDS_MAX):
        await marta.phase("betting")
        await bets(marta, 2500, [("main", 3), ("main", 3)])
        await bets(marta, 500, [("blackjack", 3), ("sevens", 3)])
        await marta.on_the_table(3)
        await bets(oscar, 1000, [("main", 2), ("sevens", 2)])
        await marta.on_the_table(5)
        if number:
            await album.take(page, "betting")
        await marta.button("deal").click()
        await oscar.button("deal").click()
        await round_of(album, marta, oscar)
        if not album.wanted & {"split", "question", "split-settled", "dealer-blackjack"}:
            return


async def round_of(album: Album, marta: Visitor, oscar: Visitor) -> None:
    page = marta.page
    while not await page.locator("[data-phase=settled][data-busy=false], [data-phase=betting]").count():
        if await page.locator(".box.mine .play.active").count():
            await album.take(page, "split" if await page.locator(".box.mine .play").count() > 2 else "playing")
        for one in (marta, oscar):
            if await one.page.locator(".asking").count():
                await album.take(one.page, "question")
                await one.page.locator(".asking .acts button").nth(1).click()
            elif await one.page.locator("[data-action=split].lit").count():
                await one.button("split").click()
            else:
                await one.stands()
    if await page.locator("[data-phase=settled]").count():
        await page.wait_for_timeout(SETTLES_MS)
        if await page.locator(".dealer .total", has_text="Blackjack").count():
            await album.take(page, "dealer-blackjack")
        elif await page.locator(".box.mine .play").count() > 2:
            await album.take(page, "split-settled")
        else:
            await album.take(page, "settled")


async def panels(album: Album, page: Page) -> None:
    for button, name in (("Pagos y límites", "payouts"), ("Ajustes", "settings"), ("Rondas anteriores", "history")):
        await page.get_by_role("button", name=button).click()
        await page.locator(".drawer").wait_for()
        await album.take(page, name)
        if name != "history":
            await page.keyboard.press("Escape")
    await page.locator(".rounds a.btn").first.click()
    await page.locator("[data-action=next]").wait_for()
    for _ in range(14):
        await page.locator("[data-action=next]").click()
    await album.take(page, "replay")


async def coups(album: Album, marta: Visitor, oscar: Visitor, number: int) -> None:
    take: Callable[[str], Awaitable[None]] = lambda name: album.take(marta.page, name)  # noqa: E731 - short for these lines
    for coup in range(number):
        last = coup == number - 1
        await marta.phase("betting")
        await bets(marta, 2500 if last else 100, [("punto", None)])
        await bets(oscar, 1000 if last else 100, [("banca", None)])
        if last:
            await bets(marta, 500, [("tie", None)])
            await bets(oscar, 500, [("banca_pair", None)])
        await marta.on_the_table(4 if last else 2)
        if last:
            await take("coup-betting")
        await marta.button("deal").click()
        await oscar.button("deal").click()
        await marta.phase("playing", "settled")
        if last:
            await take("coup-playing")
        await marta.page.locator("[data-phase=settled][data-busy=false]").wait_for()
        if last:
            await marta.page.wait_for_timeout(SETTLES_MS)
            await take("coup-settled")


async def for_the_readme(marta: Visitor, oscar: Visitor) -> None:
    README.mkdir(exist_ok=True)
    await marta.comes_in("Marta")
    path = await marta.opens("Alcalá", "double_exposure")
    await oscar.comes_in("Óscar", path)
    split = Album(README, {"split"})
    for _ in range(ROUNDS_MAX):
        await marta.phase("betting")
        await bets(marta, 2500, [("main", 3), ("main", 3)])
        await bets(oscar, 1000, [("main", 2), ("sevens", 2)])
        await marta.on_the_table(3)
        await marta.button("deal").click()
        await oscar.button("deal").click()
        while not await marta.page.locator("[data-phase=settled][data-busy=false], [data-phase=betting]").count():
            if (
                await marta.page.locator(".box.mine .play").count() > 1
                and await marta.page.locator(".box.mine .active").count()
            ):
                await marta.page.screenshot(path=README / "double-exposure.png")
                split.wanted.clear()
            for one in (marta, oscar):
                if await one.page.locator("[data-action=split].lit").count():
                    await one.button("split").click()
                else:
                    await one.stands()
        if not split.wanted:
            break
    await marta.page.goto(marta.address)
    path = await marta.opens("Recoletos", "punto_banco")
    await oscar.goes_to(path)
    await coups(Album(README, set()), marta, oscar, COUPS_README)
    await marta.page.screenshot(path=README / "punto-banco.png")


if __name__ == "__main__":
    arguments = [one for one in sys.argv[1:] if one != "--readme"]
    asyncio.run(main(Path(arguments[0]) if arguments else README, readme="--readme" in sys.argv))
