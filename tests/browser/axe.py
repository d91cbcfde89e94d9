"""Whether everybody can use what a visitor sees, as far as axe can tell."""

from __future__ import annotations

from pathlib import Path

from tests.browser.visitor import Visitor

AXE = Path(__file__).parents[2] / "clients" / "web" / "node_modules" / "axe-core" / "axe.min.js"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


async def accessible(one: Visitor, where: str, *, within: str = "html") -> None:
    """Nothing that axe can find against WCAG 2.2 AA in that part of the page. The visitor's context has to pass over the page's
    content policy."""
    if not await one.page.evaluate("'axe' in window"):
        await one.page.evaluate(AXE.read_text())
    found = await one.page.evaluate("([part, levels]) => axe.run(part, { runOnly: levels })", [within, LEVELS])
    told = [f"{fault['id']}: {[node['target'] for node in fault['nodes']][:4]}" for fault in found["violations"]]
    assert told == [], where
