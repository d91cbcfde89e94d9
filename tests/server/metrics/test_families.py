"""The numbers of a floor on a real store: what they say of money, and that their labels are bounded."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from tapete_protocol import commands as c
from tapete_protocol.frames import Ack
from tapete_server.gateway import Counters, GatewayLimits
from tapete_server.gateway.hall import Hall
from tapete_server.metrics import families as table
from tapete_server.metrics.text import written
from tapete_server.shell import house_sum
from tapete_server.shell.floor import TheFloor
from tests.server.metrics.scrape import Family, read
from tests.server.shell.floors import QUICK, Houses
from tests.server.store.servers import Server, binaries

ALERTS = Path(__file__).parents[3] / "deploy" / "alerts.yml"


@pytest.fixture
async def houses() -> AsyncIterator[Houses]:
    server = Server(binaries()["valkey"])
    try:
        server.start()
        async with Redis.from_url(server.url) as client:
            houses = Houses(server, client)
            yield houses
            await houses.close()
    finally:
        server.close()


def scraped(floor: TheFloor, store: Any) -> dict[str, Family]:
    sink = floor.sink
    hall = Hall(floor, incarnation=floor.incarnation, limits=GatewayLimits(), counters=Counters())
    floor.sink = sink
    return read(written(table.families(table.Node("0", floor, hall, store.counts))).decode())


async def test_the_money_equation_of_each_table(houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await houses.store()
    floor = await houses.floor(store)
    ana = await houses.guest(floor)
    tables = [await houses.table(ana) for _ in range(3)]
    for place in tables:
        await ana.sit(place, 1, 5_000)
        assert isinstance(await ana.bet(place, 1, 1_000), Ack)
    found = scraped(floor, store)
    assert found["tapete_table_imbalance_minor_units"].samples == {f'{{table="{place}"}}': 0 for place in tables}
    assert found["tapete_tables_imbalanced"].samples == {"": 0}
    assert found["tapete_tables_followed"].samples == {"": 3}

    live = ana.live(tables[1])
    live._state = replace(live.state, bank=live.state.bank + 7)
    monkeypatch.setattr(table, "TABLES_LABELLED_MAX", 2)
    found = scraped(floor, store)
    assert found["tapete_tables_imbalanced"].samples == {"": 1}
    first, *others = found["tapete_table_imbalance_minor_units"].samples.items()
    assert dict([first]) == {f'{{table="{tables[1]}"}}': 7}
    assert len(others) == 1, "a bounded number of tables, those at fault first"


async def test_the_house_is_counted_by_one_node(houses: Houses, caplog: pytest.LogCaptureFixture) -> None:
    store = await houses.store()
    floor, other = await houses.floor(store), await houses.floor()
    ana = await houses.guest(floor)
    await ana.sit(await houses.table(ana), 1, 5_000)
    for one in (floor, other):
        await one.presence.beat()
    for one in (floor, other):
        await one.house_sum.look()
    (counting,) = [one for one in (floor, other) if one.house_sum.found is not None]
    found = scraped(counting, store)
    assert found["tapete_house_difference_minor_units"].samples == {"": 0}
    assert found["tapete_house_wallets_minor_units"].samples == {"": 95_000}
    assert found["tapete_house_tables_minor_units"].samples == {"": 5_000}

    (account,) = [key async for key in houses.client.scan_iter("a:*")]
    await houses.client.hincrby(account, "b", 3)
    with caplog.at_level(logging.CRITICAL):
        await counting.house_sum.look()
    assert scraped(counting, store)["tapete_house_difference_minor_units"].samples == {"": 3}
    assert [record.getMessage() for record in caplog.records] == ["the house's sum is wrong"]


async def test_a_house_that_is_too_big_is_not_counted(houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await houses.store()
    floor = await houses.floor(store)
    for _ in range(3):
        await houses.guest(floor)
    monkeypatch.setattr(house_sum, "ACCOUNTS_MAX", 2)
    await floor.house_sum.look()
    assert "tapete_house_difference_minor_units" not in scraped(floor, store)


async def test_a_store_that_is_away_is_timed(houses: Houses) -> None:
    houses.limits = QUICK
    store = await houses.store()
    floor = await houses.floor(store)
    before = scraped(floor, store)
    assert before["tapete_store_available"].samples == {"": 1}
    assert before["tapete_store_away_seconds_total"].samples == {"": 0}
    assert before["tapete_store_call_duration_seconds"].samples["_count"] > 0
    houses.server.freeze()
    try:
        await floor.readiness.look()
        away = scraped(floor, store)
        assert away["tapete_store_available"].samples == {"": 0}
        assert away["tapete_store_calls_failed_total"].samples[""] >= 1
        assert away["tapete_ready"].samples == {"": 0}
    finally:
        houses.server.thaw()


async def test_rounds_and_refusals_are_counted(houses: Houses) -> None:
    store = await houses.store()
    floor = await houses.floor(store)
    ana = await houses.guest(floor)
    place = await houses.table(ana)
    await ana.sit(place, 1, 5_000)
    assert isinstance(await ana.bet(place, 1, 1_000), Ack)
    assert isinstance(await ana.play(c.Ready, place), Ack)
    await floor._fire(place)
    found = scraped(floor, store)
    assert found["tapete_rounds_settled_total"].samples == {'{game="double_exposure"}': 0, '{game="punto_banco"}': 1}
    assert found["tapete_commits_total"].samples[""] >= 4


async def test_alerts_name_metrics_that_there_are(houses: Houses) -> None:
    store = await houses.store()
    floor = await houses.floor(store)
    await floor.house_sum.look()
    found = scraped(floor, store)
    rules = ALERTS.read_text(encoding="utf-8")
    known = {
        name + part for name, family in found.items() for part in (["_bucket"] if family.kind == "histogram" else [""])
    }
    expressions = re.findall(r"^ +expr: (.+)$", rules, re.MULTILINE)
    named = {name for expression in expressions for name in re.findall(r"tapete_\w+", expression)}
    assert len(expressions) == rules.count("- alert: ") == rules.count("summary: ") >= 8
    assert named - known == set()
    assert {"tapete_tables_imbalanced", "tapete_house_difference_minor_units", "tapete_ready"} <= named
    runbook = ALERTS.with_name("README.md").read_text(encoding="utf-8").partition("## When an alert rings")[2]
    assert [alert for alert in re.findall(r"- alert: (\w+)", rules) if alert not in runbook] == []
    labels = {label for expression in expressions for label in re.findall(r"[{,](\w+)!?=", expression)}
    assert labels == {"job", "reason"}
