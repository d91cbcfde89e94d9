"""Somebody at the page: what a person does there, and what a person sees."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Page, expect

WAIT_MS_MAX = 30_000
AT_REST_MS = 400
"""A card flies and turns in less, and its total is there with it."""
READINGS_MAX = 20
SIZES = {"desk": (1280, 800), "large": (1920, 1080), "tablet": (768, 1024), "phone": (360, 640), "lying": (640, 360)}
TABLE = ".app.table"
expect.set_options(timeout=WAIT_MS_MAX)
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
NO_CLOCK = {"es": "sin reloj", "en": "no clock"}


class Visitor:
    """One page of one person. `wrong` holds what the page complained of: it is to stay empty."""

    def __init__(self, page: Page, address: str, language: str = "es") -> None:
        self.page = page
        self.address = address
        self.language = language
        self.wrong: list[str] = []
        page.set_default_timeout(WAIT_MS_MAX)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)

    async def comes_in(self, name: str | None, path: str = "/") -> None:
        """Opens the page for the first time; without a name, only to watch."""
        await self.page.goto(self.address + path)
        if name is None:
            await self.page.locator(".named .acts button").nth(1).click()
        else:
            await self.page.locator(".named input").fill(name)
            await self.page.keyboard.press("Enter")
        await expect(self.page.locator(".named")).to_have_count(0)

    async def opens(self, name: str, game: str, *, clocked: bool = False, rules: Sequence[tuple[str, str]] = ()) -> str:
        """Opens a table with its rules, and is at it; returns its path. Without a clock everybody has to be ready. `rules`
        of the house: what is asked, and what is answered; by keyboard alone."""
        page = self.page
        await page.locator("[data-action=open-table]").click()
        dialog = page.locator(".dialog.wide")
        await dialog.locator("input").first.fill(name)
        if game == "punto_banco":
            await dialog.get_by_role("button", name="Punto Banco").click()
        if not clocked:
            await dialog.get_by_role("button", name=NO_CLOCK[self.language]).click()
        if rules:
            await self.button("house-rules").focus()
            await page.keyboard.press("Enter")
        for asked, answered in rules:
            await dialog.get_by_role("group", name=asked, exact=True).get_by_text(answered, exact=True).focus()
            await page.keyboard.press("Enter")
        await dialog.locator("button[type=submit]").click()
        await page.locator(TABLE).wait_for()
        return re.sub(r"^https?://[^/]+", "", page.url)

    async def goes_to(self, path: str) -> None:
        await self.page.goto(self.address + path)
        await self.page.locator(TABLE).wait_for()

    async def resized(self, size: str) -> None:
        """The window has another size, and what it shows has been drawn so."""
        width, height = SIZES[size]
        await self.page.set_viewport_size({"width": width, "height": height})
        await self.page.evaluate(DRAWN)

    def spot(self, spot: str, box: int | None = None) -> Any:
        at = f"[data-box='{box}']" if box else ""
        return self.page.locator(f"button{at}[data-spot={spot}]")

    def button(self, action: str) -> Any:
        return self.page.locator(f"[data-action={action}]")

    async def phase(self, *phases: str) -> None:
        await self.page.locator(",".join(f"[data-phase={phase}]" for phase in phases)).first.wait_for()

    async def balance(self) -> int:
        """In minor units, as it is read on the page."""
        text = await self.page.locator("[data-figure=balance]").inner_text()
        return int(re.sub(r"\D", "", text))

    async def staked(self, amount: str) -> None:
        await expect(self.page.locator("[data-figure=staked]")).to_have_text(amount)

    async def on_the_table(self, bets: int) -> None:
        """So many bets of this round have been taken by the table itself."""
        await self.page.wait_for_function("n => Number(document.querySelector('.app')?.dataset.bets) >= n", arg=bets)

    async def seen(self) -> dict[str, Any]:
        """What everybody at the table sees alike: cards by place, totals, results; once nothing of it moves any more."""
        now = await self._shown()
        for _ in range(READINGS_MAX):
            before, now = now, await self._shown(AT_REST_MS)
            if now == before:
                return now
        raise AssertionError(f"not at rest after {READINGS_MAX} readings: {now}")

    async def _shown(self, after_ms: int = 0) -> dict[str, Any]:
        await self.page.wait_for_timeout(after_ms)
        shown: dict[str, Any] = await self.page.evaluate(
            """() => ({
                cards: [...document.querySelectorAll('.felt svg.face')].map((card) => card.getAttribute('aria-label')),
                totals: [...document.querySelectorAll('.felt .total, .felt .num')].map((total) => total.innerText.trim()),
                results: [...document.querySelectorAll('.felt .res, .felt .tagwin')].map((result) => result.innerText.trim()),
                phase: document.querySelector('.app').dataset.phase,
                round: document.querySelector('.app').dataset.round,
            })"""
        )
        return shown

    async def plays_out(self, *others: Visitor) -> None:
        """Stands on everything, whoever's turn it is, until the round is settled and shown."""
        everyone = (self, *others)
        while True:
            await self.page.wait_for_function(
                """() => ['settled', 'betting'].includes(document.querySelector('.app').dataset.phase)
                    || document.querySelector('.asking') || document.querySelector('.play.active')"""
            )
            if await self.page.locator("[data-phase=settled][data-busy=false], [data-phase=betting]").count():
                return
            for one in everyone:
                await one.stands()

    async def stands(self) -> None:
        """One decision, if it is this visitor's turn; a warning is answered with yes."""
        if await self.page.locator(".asking").count():
            await self.page.locator(".asking .acts button").nth(1).click()
        elif await self.page.locator("[data-action=stand].lit").count():
            await self.button("stand").click()
        else:
            await self.page.wait_for_timeout(50)

    async def sees_events(self, text: str) -> None:
        await expect(self.page.locator("[role=log]")).to_contain_text(text)


@asynccontextmanager
async def visitor(browser: Browser, address: str, *, size: str = "desk", **options: Any) -> AsyncIterator[Visitor]:
    width, height = SIZES[size]
    locale = options.pop("locale", "es-ES")
    context = await browser.new_context(viewport={"width": width, "height": height}, locale=locale, **options)
    try:
        yield Visitor(await context.new_page(), address, locale[:2])
    finally:
        await context.close()
