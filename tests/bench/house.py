"""The real server for the benchmark: a Valkey of its own, nodes as `tapete serve` starts them, tables, each on its core."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from tapete_client import connect
from tests.bench.crowd import Crowd, tables_file
from tests.bench.processor import CLIENT_CORE, SERVER_CORE, pin
from tests.integration.cluster import NodeProcess
from tests.server.store.servers import Server, binaries

FLAGS = (
    "--no-tables", "--accounts-per-address-hour-max", "1000000", "--opening-balance", "1000000000000", "--log-level", "warning",
    "--tables-per-player-max", "10000", "--tables-max", "10000", "--metrics", "",
)  # fmt: skip
SETTINGS = {
    "game": "punto_banco",
    "times": {"betting_ms": 0, "closing_ms": 0, "card_ms": 0, "pause_ms": 0},
}
"""No clock waits: players set the pace."""
OPENING_MAX = 16
"""Tables that are opened at the same time."""


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


class BenchHouse:
    """One store, and as many nodes as are asked for."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self._server = Server(binaries()["valkey"], appendfsync="everysec")
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tapete-")))
        self.nodes: list[NodeProcess] = []
        self._lists = 0

    async def open(self, nodes: int = 1) -> BenchHouse:
        self._stack.callback(self._server.close)
        await asyncio.to_thread(self._server.start)
        pin(self.store_pid, CLIENT_CORE)
        for _ in range(nodes):
            await self.add_node()
        return self

    async def add_node(self, *flags: str) -> NodeProcess:
        made = NodeProcess(self.folder, *FLAGS, "--store", self._server.url, "--node", f"n{len(self.nodes)}", *flags)
        self._stack.callback(made.forget)
        await made.start()
        assert made.process is not None
        if "--workers" not in flags:
            pin(made.process.pid, SERVER_CORE)
        self.nodes.append(made)
        return made

    @property
    def store_pid(self) -> int:
        return self._server.pid

    @property
    def store_url(self) -> str:
        return self._server.url

    @property
    def pids(self) -> list[int]:
        """Of all nodes, and of all workers of those that have some."""
        nodes = [node.process.pid for node in self.nodes if node.process is not None]
        return [*nodes, *(int(pid) for node in nodes for pid in _children(node))]

    @property
    def ports(self) -> list[int]:
        return [node.port for node in self.nodes]

    async def tables(self, count: int) -> list[str]:
        gate = asyncio.Semaphore(OPENING_MAX)
        async with connect(self.nodes[0].url, name="Opener") as session:

            async def one(number: int) -> str:
                async with gate:
                    return await session.open_table(f"Bench {number}", SETTINGS)

            return await asyncio.gather(*map(one, range(count)))

    def _list(self, tables: Sequence[str]) -> str:
        self._lists += 1
        return tables_file(self.folder, str(self._lists), tables)

    async def spectators(self, count: int, tables: Sequence[str], *options: str) -> Crowd:
        return await Crowd("watch", count, self.ports, self._list(tables), *options).start(self._stack)

    async def players(self, tables: Sequence[str], seats: int = 1, *options: str) -> Crowd:
        """`seats` at each of the tables."""
        words = (self._list(tables), f"seats={seats}", *options)
        return await Crowd("play", seats * len(tables), self.ports, *words).start(self._stack)
