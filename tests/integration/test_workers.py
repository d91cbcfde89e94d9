"""`serve --workers`: several nodes on one port, looked after by one process that serves nobody."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tapete_client import connect
from tapete_server.app import PORTS_TRIED_MAX
from tests.integration.cluster import NodeProcess, alive, audited, house, stop_store
from tests.integration.raw import Raw

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="connections are spread over a port by Linux only"),
    pytest.mark.timeout(300),  # of a machine that has much else to do
]
TRIES_MAX = 60
WAIT_S_MAX = 60.0


def workers_of(parent: int) -> list[int]:
    """Its children that are nodes, oldest first."""
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(pid) for pid in found if b"tapete_server" in _command_of(pid)]


def _command_of(pid: str) -> bytes:
    """Nothing, if it has just ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S_MAX):
        while not condition():  # noqa: ASYNC110 - other processes do not tell
            await asyncio.sleep(0.05)


@asynccontextmanager
async def crew(data: Path, *flags: str) -> AsyncIterator[NodeProcess]:
    node = NodeProcess(data, "--workers", "2", "--metrics", "", *flags)
    try:
        await node.start()
        yield node
    finally:
        await node.stop()
        node.forget()
        stop_store(data)


async def names(url: str, wanted: int) -> set[str]:
    """Nodes that answer at this address, until there are so many."""
    found: set[str] = set()
    for _ in range(TRIES_MAX):
        async with Raw(url) as raw:
            found.add((await raw.hello()).node)
        if len(found) == wanted:
            break
    return found


async def test_connections_are_spread_over_the_workers_of_one_house(tmp_path: Path) -> None:
    async with crew(tmp_path, "--node", "green") as node:
        assert await names(node.url, 2) == {"green-1", "green-2"}
        async with connect(node.url, name="Opener") as session:
            table = await session.open_table("Mesa", {"game": "punto_banco"})
        for _ in range(4):
            async with connect(node.url, name="Ana") as session:
                assert (await session.watch(table)).id == table


async def test_a_worker_that_dies_is_started_again_and_its_tables_go_on(tmp_path: Path) -> None:
    async with crew(tmp_path) as node:
        assert node.process is not None
        before = workers_of(node.process.pid)
        async with connect(node.url, name="Opener") as session:
            table = await session.watch(await session.open_table("Mesa", {"game": "punto_banco"}))
            await table.take_box(1)
            await table.buy_in(1_000)
            for pid in before:
                os.kill(pid, signal.SIGKILL)
                await until(lambda pid=pid: pid not in workers_of(node.process.pid))  # type: ignore[misc]
                await until(lambda: len(workers_of(node.process.pid)) == 2)  # type: ignore[union-attr]
            await table.buy_in(1_000)
            assert table.stack == 2_000
        assert not set(before) & set(workers_of(node.process.pid))
    assert (await audited(tmp_path))[0] == 0


async def test_a_signal_ends_all_of_them_and_the_store(tmp_path: Path) -> None:
    async with crew(tmp_path) as node:
        assert node.process is not None
        store, workers = int((tmp_path / "valkey.pid").read_text()), workers_of(node.process.pid)
        assert await node.stop() == 0
        assert not [pid for pid in (store, *workers) if alive(pid)]


async def test_workers_do_not_outlive_who_started_them(tmp_path: Path) -> None:
    async with crew(tmp_path) as node:
        assert node.process is not None
        workers = workers_of(node.process.pid)
        node.kill()
        await until(lambda: not any(map(alive, workers)))


async def test_the_bots_are_there_once_and_come_back_with_their_worker(tmp_path: Path) -> None:
    async with crew(tmp_path, "--bots") as node:
        assert node.process is not None

        async def bots() -> int:
            async with connect(node.url, name="Ana") as session:
                table = await session.watch("practica-punto-banco")
                await table.until(lambda view: len(view.players) >= 2)
                before = table.view.round
                await table.until(lambda view: view.round > before)  # a second pair would have come by then
                return len(table.view.players)

        assert await bots() == 2
        first = workers_of(node.process.pid)[0]
        os.kill(first, signal.SIGKILL)
        await until(lambda: len(workers_of(node.process.pid)) == 2 and first not in workers_of(node.process.pid))  # type: ignore[union-attr]
        async with connect(node.url, name="Ana") as session:
            table = await session.watch("practica-punto-banco")
            before = table.view.round
            await table.until(lambda view: view.round > before + 1)


async def test_a_port_that_somebody_has_is_not_shared_with_them(tmp_path: Path) -> None:
    async with house("--metrics", "") as other:
        taken = await other.node()
        node = NodeProcess(tmp_path, "--workers", "2")
        node.port = taken.port
        with pytest.raises(AssertionError, match="cannot listen on"):
            await node.start()
        node.forget()
        stop_store(tmp_path)


async def test_a_second_crew_of_the_house_takes_the_next_port(tmp_path: Path) -> None:
    async with crew(tmp_path) as node:
        again = NodeProcess(tmp_path, "--workers", "2", "--metrics", "")
        again.port = node.port
        try:
            await again.start()
            assert node.port < again.port < node.port + PORTS_TRIED_MAX, "the next that is free"
            await again.stop()
        finally:
            again.forget()


async def test_each_worker_says_where_its_numbers_are(tmp_path: Path) -> None:
    node = NodeProcess(tmp_path, "--workers", "2")
    try:
        await node.start()
        assert node.process is not None
        assert node.process.stdout is not None
        said = [(await asyncio.to_thread(node.process.stdout.readline)).decode() for _ in range(2)]
        urls = {re.search(r"http://\S+/metrics", line)[0] for line in said}  # type: ignore[index]
        assert len(urls) == 2
        for url in urls:
            with await asyncio.to_thread(urllib.request.urlopen, url) as answer:
                assert answer.status == 200
        await node.stop()
    finally:
        node.forget()
        stop_store(tmp_path)
