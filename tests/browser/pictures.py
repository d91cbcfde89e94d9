"""Pictures of every phase at all five sizes: `python -m tests.browser.pictures DIRECTORY [--readme]`.

A real house, two people who play, and rounds until what is wanted has come: a split, a question, a dealer's blackjack, a tie.
While a phase has its pictures taken, the page hears nothing, so that the phase lasts. With `--readme` only the two of the README
are taken, into `clients/web/pictures`; with `--only double_exposure` or `--only punto_banco` those of one game.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from playwright.async_api import Page, WebSocketRoute

from tapete_client import connect
from tests.browser.chromium import ROOT, chromium
from tests.browser.visitor import SIZES, Visitor, visitor
from tests.integration.cluster import NodeProcess, house

README = ROOT / "clients" / "web" / "pictures"
ROUNDS_MAX = 60
COUPS_README = 16
SIGN_OF_LIFE = b"Heartbeat"
COUPS = 14
TIE_COUPS_MAX = 25
SETTLES_MS = 350
"""For a page to lie still after its size changed."""


class Ear:
    """What a page hears of its node: kept back while `closed`, but for signs of life, and told afterwards, in order."""

    def __init__(self) -> None:
        self.closed = False
        self._kept: list[tuple[WebSocketRoute, str | bytes]] = []

    async def listen(self, page: Page) -> None:
        await page.route_web_socket("**/ws", self._connected)

    def _connected(self, route: WebSocketRoute) -> None:
        node = route.connect_to_server()
        node.on_message(lambda message: self._heard(route, message))

    def _heard(self, route: WebSocketRoute, message: str | bytes) -> None:
        if self.closed and SIGN_OF_LIFE not in message[:16]:
            self._kept.append((route, message))
        else:
            route.send(message)

    def open(self) -> None:
        self.closed = False
        kept, self._kept = self._kept, []
        for route, message in kept:
            route.send(message)


class Album:
    def __init__(self, directory: Path, wanted: set[str]) -> None:
        self.directory, self.wanted = directory, wanted
        self.ears: dict[Page, Ear] = {}
        directory.mkdir(parents=True, exist_ok=True)

    async def hears(self, *visitors: Visitor) -> None:
        """From now on these pages can be kept still. Before they open their first page."""
        for one in visitors:
            self.ears[one.page] = Ear()
            await self.ears[one.page].listen(one.page)

    async def take(self, page: Page, name: str) -> None:
        """At every size, once, with the page as it stands now."""
        if name not in self.wanted:
            return
        self.wanted.discard(name)
        ear = self.ears.get(page, Ear())
        ear.closed = True
        try:
            await self._sizes(page, name)
        finally:
            ear.open()

    async def _sizes(self, page: Page, name: str) -> None:
        for size, (width, height) in SIZES.items():
            await page.set_viewport_size({"width": width, "height": height})
            await page.wait_for_timeout(SETTLES_MS)
            await page.screenshot(path=self.directory / f"{name}-{size}.png")
        await page.set_viewport_size({"width": 1280, "height": 800})
        await page.wait_for_timeout(SETTLES_MS)


async def main(directory: Path, *, readme: bool, games: tuple[str, ...]) -> None:
    async with house() as place, chromium() as browser:
        node = await place.node()
        address = f"http://127.0.0.1:{node.port}"
        async with visitor(browser, address) as marta, visitor(browser, address) as oscar:
            if readme:
                await for_the_readme(marta, oscar)
                return
            album = Album(directory, set(PHASES))
            await album.hears(marta, oscar)
            await arrival(album, marta, oscar)
            if "double_exposure" in games:
                await evening_of_hands(album, marta, oscar)
            if "punto_banco" in games:
                await evening_of_coups(album, node, marta, oscar)
            sys.stdout.write(f"not met: {', '.join(sorted(album.wanted)) or 'nothing'}\n")


GAMES = ("double_exposure", "punto_banco")
PHASES = (
    "name", "lobby", "open-table", "empty", "betting", "playing", "split", "question", "settled", "split-settled",
    "dealer-blackjack", "history", "replay", "payouts", "settings", "coup-betting", "coup-playing", "coup-settled",
    "coup-tie", "coup-history", "coup-replay", "coup-payouts", "spectator", "lost",
)  # fmt: skip


async def arrival(album: Album, marta: Visitor, oscar: Visitor) -> None:
    page = marta.page
    await page.goto(marta.address)
    await page.locator(".named").wait_for()
    await page.locator(".tc").first.wait_for()
    await album.take(page, "name")
    await marta.comes_in("Marta")
    await page.locator(".tc").first.wait_for()
    await marta.button("open-table").click()
    await album.take(page, "open-table")
    await page.keyboard.press("Escape")
    await oscar.comes_in("Óscar")


async def evening_of_hands(album: Album, marta: Visitor, oscar: Visitor) -> None:
    path = await opened(marta, "Alcalá", "double_exposure")
    await oscar.goes_to(path)
    await album.take(marta.page, "empty")
    await hands(album, marta, oscar)
    for button, name in (("Pagos y límites", "payouts"), ("Ajustes", "settings")):
        await panel(album, marta.page, button, name)
        await marta.page.keyboard.press("Escape")
    await past(album, marta.page, "history", "replay")


async def evening_of_coups(album: Album, node: NodeProcess, marta: Visitor, oscar: Visitor) -> None:
    path = await opened(marta, "Recoletos", "punto_banco")
    await oscar.goes_to(path)
    await coups(album, marta, oscar, COUPS)
    await panel(album, marta.page, "Pagos y límites", "coup-payouts")
    await marta.page.keyboard.press("Escape")
    await past(album, marta.page, "coup-history", "coup-replay")
    browser = marta.page.context.browser
    assert browser is not None
    async with visitor(browser, marta.address) as luz:
        await luz.comes_in(None, path)
        await album.take(luz.page, "spectator")
        await asyncio.to_thread(node.kill)
        await luz.page.locator(".banner").wait_for()
        await album.take(luz.page, "lost")


async def opened(one: Visitor, name: str, game: str) -> str:
    """A table with short pauses, for the long way to a split or a tie; its path, at which this visitor is now."""
    times = {"betting_ms": 0, "turn_ms": 60_000, "pause_ms": 3_000, "card_ms": 300}
    settings = {"game": game, "main_max": 50_000, "chips": [100, 500, 1000, 2500, 10_000], "times": times}
    async with connect(one.address.replace("http", "ws") + "/ws", name="Bruno") as session:
        path = f"/t/{await session.open_table(name, settings)}"
    await one.goes_to(path)
    return path


async def panel(album: Album, page: Page, button: str, name: str) -> None:
    await page.get_by_role("button", name=button).click()
    await page.locator(".drawer").wait_for()
    await album.take(page, name)


async def past(album: Album, page: Page, history: str, replay: str) -> None:
    """The list of rounds, and the newest of them in the middle of its replay."""
    await panel(album, page, "Rondas anteriores", history)
    await page.locator(".rounds a.btn").first.click()
    await page.locator("[data-action=next]").wait_for()
    for _ in range(14):
        await page.locator("[data-action=next]").click()
    await album.take(page, replay)


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
        await marta.phase("playing", "settled")
        await round_of(album, marta, oscar)
        if not album.wanted & {"split", "question", "split-settled", "dealer-blackjack"}:
            return


async def lobby(album: Album, marta: Visitor) -> None:
    """As somebody sees it who comes in while a hand is played."""
    browser = marta.page.context.browser
    if "lobby" not in album.wanted or browser is None:
        return
    async with visitor(browser, marta.address) as luz:
        await luz.comes_in("Luz")
        await luz.page.locator(".mini .turn").wait_for()
        await album.take(luz.page, "lobby")


async def round_of(album: Album, marta: Visitor, oscar: Visitor) -> None:
    page = marta.page
    while not await page.locator("[data-phase=settled][data-busy=false], [data-phase=betting]").count():
        if await page.locator(".box.mine .play.active").count():
            await lobby(album, marta)
            await album.take(page, "split" if await page.locator(".box.mine .play").count() > 1 else "playing")
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
        elif await page.locator(".box.mine .play").count() > 1:
            await album.take(page, "split-settled")
        else:
            await album.take(page, "settled")


async def coups(album: Album, marta: Visitor, oscar: Visitor, number: int) -> None:
    """So many coups, and then until one is a tie, or long enough. Pictures are taken of the last ones."""
    for coup in range(number + TIE_COUPS_MAX):
        last = coup >= number - 1
        await marta.phase("betting")
        await bets(marta, 2500 if last else 100, [("punto", None)])
        await bets(oscar, 1000 if last else 100, [("banca", None)])
        if last:
            await bets(marta, 500, [("tie", None)])
            await bets(oscar, 500, [("banca_pair", None)])
        await marta.on_the_table(4 if last else 2)
        if last:
            await album.take(marta.page, "coup-betting")
        await marta.button("deal").click()
        await oscar.button("deal").click()
        await marta.phase("playing", "settled")
        if last and await marta.page.locator(".half.banca .flies").count():
            await album.take(marta.page, "coup-playing")
        await marta.page.locator("[data-phase=settled][data-busy=false], [data-phase=betting]").wait_for()
        if last and await marta.page.locator("[data-phase=settled]").count():
            tie = await marta.page.locator(".ps.empate.won").count()
            await album.take(marta.page, "coup-tie" if tie else "coup-settled")
        if last and not album.wanted & {"coup-tie", "coup-settled", "coup-playing"}:
            return


async def for_the_readme(marta: Visitor, oscar: Visitor) -> None:
    README.mkdir(exist_ok=True)
    await marta.comes_in("Marta")
    path = await opened(marta, "Alcalá", "double_exposure")
    await oscar.comes_in("Óscar", path)
    split = Album(README, {"split"})
    for _ in range(ROUNDS_MAX):
        await marta.phase("betting")
        await bets(marta, 2500, [("main", 3), ("main", 3)])
        await bets(oscar, 1000, [("main", 2), ("sevens", 2)])
        await marta.on_the_table(3)
        await marta.button("deal").click()
        await oscar.button("deal").click()
        await marta.phase("playing", "settled")
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
    path = await opened(marta, "Recoletos", "punto_banco")
    await oscar.goes_to(path)
    await coups(Album(README, set()), marta, oscar, COUPS_README)
    await marta.page.screenshot(path=README / "punto-banco.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Pictures of every phase at all five sizes.")
    parser.add_argument("directory", type=Path, nargs="?", default=README)
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--only", choices=GAMES)
    asked = parser.parse_args()
    asyncio.run(main(asked.directory, readme=asked.readme, games=(asked.only,) if asked.only else GAMES))
