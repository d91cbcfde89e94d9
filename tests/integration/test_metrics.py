"""`/metrics` of real nodes: on an address of its own, in step with what was played, and never in another node's way."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from contextlib import AsyncExitStack

import pytest

from tapete_client import connect
from tests.integration.cluster import house
from tests.integration.play import FAST, bots, witnesses
from tests.integration.raw import Raw
from tests.server.metrics.scrape import Family, read, total

ROUNDS = 20
SPECTATORS = 5


def fetched(url: str, method: str = "GET") -> tuple[int, str, str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=10) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers["Content-Type"], refused.read().decode()


async def scraped(url: str) -> dict[str, Family]:
    status, kind, text = await asyncio.to_thread(fetched, url)
    assert (status, kind) == (200, "text/plain; version=0.0.4; charset=utf-8")
    return read(text)


async def test_the_numbers_are_those_of_the_play() -> None:
    async with house("--metrics", "127.0.0.1:0") as running, AsyncExitStack() as stack:
        node = await running.node()
        url = await node.metrics_url()
        async with asyncio.timeout(20):  # the house is counted when nothing has moved between two looks
            while "tapete_house_difference_minor_units" not in await scraped(url):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        opener = await stack.enter_async_context(connect(node.url, name="Opener"))
        table = await opener.open_table("Numbers", {"game": "double_exposure", "times": FAST})
        seen = await witnesses(stack, node.url, table, SPECTATORS, "Spectator")
        playing, _ = await bots(stack, [node.url] * 2, table, ROUNDS)
        tallies = await asyncio.gather(*playing)
        assert [tally.failure for tally in tallies] == [None] * 2
        async with Raw(node.url) as ana:
            await ana.hello("Ana")
            await ana.ask({"t": "Nonsense"})
            found = await scraped(url)
        settled = total(found, "tapete_rounds_settled_total")
        async with asyncio.timeout(20):
            while len(seen[0].settled) < settled:  # noqa: ASYNC110 - a spectator is told a little later
                await asyncio.sleep(0.01)
        assert len(seen[0].settled) == settled >= ROUNDS
        assert found["tapete_watchers"].samples['{role="spectator"}'] >= SPECTATORS
        assert found["tapete_connections"].samples[""] == SPECTATORS + 4
        assert found["tapete_refusals_total"].samples['{code="unsupported"}'] == 1
        assert found["tapete_table_imbalance_minor_units"].samples[f'{{table="{table}"}}'] == 0
        assert found["tapete_tables_imbalanced"].samples[""] == 0
        assert found["tapete_ready"].samples[""] == 1
        assert found["tapete_house_difference_minor_units"].samples[""] == 0
        for name in (
            "tapete_commits_total", "tapete_commands_total", "tapete_sent_frames_total", "tapete_sent_bytes_total",
        ):  # fmt: skip
            assert total(found, name) > ROUNDS, name
        assert total(found, "tapete_sweeps_total") > 1, "one takes all that came since the last"
        assert found["tapete_store_call_duration_seconds"].samples["_count"] > 1
        async with asyncio.timeout(20):  # the loop is sampled by a clock: a quick machine plays before it strikes twice
            while (again := await scraped(url))["tapete_event_loop_lag_seconds"].samples["_count"] < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        for name, family in found.items():
            for place, value in family.samples.items():
                assert family.kind != "counter" or again[name].samples[place] >= value, "a counter never goes back"


async def test_only_metrics_are_there() -> None:
    async with house("--metrics", "127.0.0.1:0") as running:
        url = await (await running.node()).metrics_url()
        assert (await asyncio.to_thread(fetched, url.replace("/metrics", "/readyz")))[0] == 404
        assert (await asyncio.to_thread(fetched, url, "HEAD"))[0] == 200
        assert (await asyncio.to_thread(fetched, url, "POST"))[0] == 405


async def test_metrics_are_not_on_the_port_of_the_players() -> None:
    async with house() as running:
        node = await running.node()
        assert (await asyncio.to_thread(fetched, f"http://127.0.0.1:{node.port}/metrics"))[0] == 404


async def test_several_nodes_of_one_machine() -> None:
    """By default each finds a free port; an address that the operator gave has to be free; none is none."""
    async with house() as running:
        urls = [await (await running.node()).metrics_url() for _ in range(2)]
        assert len(set(urls)) == 2
        for url in urls:
            assert "tapete_ready" in await scraped(url)
        taken = urls[0].removeprefix("http://").removesuffix("/metrics")
        taken = taken.replace("127.0.0.1", "localhost")  # the same place, and not the default
        with pytest.raises(AssertionError, match=r"cannot listen on .*choose another address with --metrics"):
            await running.node("--metrics", taken)
        with pytest.raises(AssertionError, match="is no HOST:PORT"):
            await running.node("--metrics", "9464")
        quiet = await running.node("--metrics", "")
        assert quiet.process is not None
        assert quiet.process.stdout is not None
        assert b"play from a terminal" in await asyncio.to_thread(quiet.process.stdout.readline)
