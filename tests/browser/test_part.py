"""A player's part in the cards is given by the page, unseen: both verifiers find it in the record, and the player is told."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tapete_client import verify
from tests.browser.check_page import verdict
from tests.browser.conftest import SALON
from tests.browser.visitor import Visitor, visitor
from tests.fairness.two_verifiers import page_says
from tests.integration.cluster import House, NodeProcess

pytestmark = pytest.mark.timeout(600)

GAMES = {"double_exposure": ("main", 3), "punto_banco": ("punto", None)}
CARDS_MIN = 4
PLAIN_HTTP = "Cross-Origin-Opener-Policy header has been ignored"
"""What a browser says of it."""
ROUNDS_MAX = 5
"""Until a part came in time: this machine may be too busy for the window of the first ones."""


async def bets(one: Visitor, game: str = "double_exposure", box: int | None = None, *, on_the_table: int = 1) -> None:
    """A first bet, as far as the table."""
    spot, usual = GAMES[game]
    await one.phase("betting")
    await one.spot(spot, box or usual).click()
    await one.on_the_table(on_the_table)


DEAL = """() => {
    const deal = document.querySelector("[data-action=deal].lit[aria-pressed=false]");
    deal?.click();
    return deal || document.querySelector(".app").dataset.phase !== "betting";
}"""
"""Pressed, unless the bets are closed without that: for whoever was away, the house goes on."""


async def plays(one: Visitor, *others: Visitor) -> int:
    """From the bet to the end of the round: its number."""
    await one.page.wait_for_function(DEAL)
    await one.phase("playing", "settled")
    number = await one.page.evaluate("document.querySelector('.app').dataset.round")
    await one.plays_out(*others)
    return int(number)


async def record_of(one: Visitor, path: str, number: int) -> dict[str, Any]:
    address = f"/api/rounds{path.removeprefix('/t')}/{number}"
    record: dict[str, Any] = await one.page.evaluate("address => fetch(address).then((got) => got.json())", address)
    return record


async def given(one: Visitor) -> list[dict[str, Any]]:
    """What this browser remembers of its parts in the cards."""
    found: list[dict[str, Any]] = json.loads(await one.page.evaluate("localStorage.getItem('tapete-given')") or "[]")
    return found


def proof_of(record: dict[str, Any]) -> verify.Proof:
    (proven,) = verify.verify_all(verify.records_of(json.dumps(record).encode()))
    assert isinstance(proven, verify.Proof), proven
    return proven


async def taken_in_time(one: Visitor, path: str, number: int) -> verify.Proof | None:
    """The round's proof, with the bytes of this browser in the cards; None where the window was over before."""
    proof = proof_of(await record_of(one, path, number))
    if proof.missing:
        return None
    round_ = (path.removeprefix("/t/"), number)
    (mine,) = [bytes.fromhex(kept["entropy"]) for kept in await given(one) if (kept["table"], kept["round"]) == round_]
    assert mine in proof.entropies
    assert len(proof.entropies) == proof.commitments > 0
    return proof


@pytest.mark.parametrize("game", GAMES)
async def test_it_is_in_the_record_and_both_verifiers_and_the_player_see_it(
    browser: Browser, node: NodeProcess, game: str, tmp_path: Path
) -> None:
    """On plain http under a name of the house, as on a network at home: browsers have no `crypto.subtle` there."""
    address = f"http://{SALON}:{node.port}"
    async with (
        visitor(browser, address) as marta,
        visitor(browser, address) as stranger,
    ):
        await marta.comes_in("Marta")
        assert await marta.page.evaluate("typeof crypto.subtle") == "undefined"
        path = await marta.opens("Alcalá", game)
        for _ in range(ROUNDS_MAX):
            await bets(marta, game)
            number = await plays(marta)
            if await taken_in_time(marta, path, number):
                break
        else:
            pytest.fail("no part came in time")
        file = tmp_path / "round.json"
        file.write_text(json.dumps(await record_of(marta, path, number)))
        (said,) = (await asyncio.to_thread(page_says, [file]))[file]
        assert said.proven, said.why
        await marta.page.get_by_role("button", name="Rondas anteriores").click()
        await marta.page.locator(".rounds a.tool").first.click()
        await verdict(marta.page, "proven")
        mine = marta.page.locator(".parts [data-mine]")
        await expect(mine).to_contain_text("Marta")
        await expect(mine).to_contain_text("Son justo los bytes que dio este navegador")
        await expect(marta.page.locator(".parts .lost")).to_have_count(0)
        assert await marta.page.locator(".drawn tbody tr").count() >= CARDS_MIN
        await stranger.page.goto(f"{address}{path}/{number}/check")
        await verdict(stranger.page, "proven")
        await expect(stranger.page.locator(".parts [data-mine]")).to_have_count(0)
        assert [one for one in (*marta.wrong, *stranger.wrong) if PLAIN_HTTP not in one] == []


async def test_the_same_bytes_after_the_page_was_loaded_anew_and_the_node_was_killed(
    browser: Browser, own_house: House
) -> None:
    """Óscar, at another node, is not ready: nothing is closed while Marta is away."""
    node, other = await own_house.node(), await own_house.node()
    async with (
        visitor(browser, f"http://127.0.0.1:{node.port}") as marta,
        visitor(browser, f"http://127.0.0.1:{other.port}") as oscar,
    ):
        await marta.comes_in("Marta")
        path = await marta.opens("Alcalá", "double_exposure")
        await oscar.comes_in("Óscar", path)
        for _ in range(ROUNDS_MAX):
            await bets(oscar, box=2)
            await bets(marta, on_the_table=2)
            bound = await marta.page.evaluate("Object.values(sessionStorage).join()")
            await marta.page.reload()
            await marta.on_the_table(2)
            await asyncio.to_thread(node.kill)
            await expect(marta.page.locator(".app.stale")).to_be_visible()
            await node.start()
            await expect(marta.page.locator(".app.stale")).to_have_count(0, timeout=90_000)
            await oscar.button("deal").click()
            number = await plays(marta, oscar)
            if proof := await taken_in_time(marta, path, number):
                assert any(one.hex() in bound for one in proof.entropies), "made before the page was loaded anew"
                return
        pytest.fail("no part came in time")


async def test_the_tab_that_bets_reveals_while_the_other_one_is_in_front(browser: Browser, address: str) -> None:
    async with visitor(browser, address) as marta:
        await marta.comes_in("Marta")
        path = await marta.opens("Alcalá", "double_exposure")
        other = Visitor(await marta.page.context.new_page(), address)
        await other.goes_to(path)
        for _ in range(ROUNDS_MAX):
            await bets(marta)
            await other.on_the_table(1)
            await other.page.bring_to_front()
            await marta.page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
            number = await plays(other)
            assert await other.page.evaluate("sessionStorage.length") == 0, "it is bound to nothing"
            if await taken_in_time(marta, path, number):
                break
            await marta.phase("settled", "betting")
        else:
            pytest.fail("no part came in time")
        assert marta.wrong == other.wrong == []
