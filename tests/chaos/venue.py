"""A house in which every wire is ours: one store, and nodes with a wire to it and a wire to their clients."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tapete_client import Session, connect
from tapete_server.adapters.redis_store import RedisStore
from tapete_server.ports import StoreAway
from tapete_server.shell.audit import Audit, audit
from tests.chaos.relay import Relay
from tests.integration.cluster import NodeProcess
from tests.server.store.servers import Server, binaries

FLAGS = ("--no-tables", "--accounts-per-address-hour-max", "1000000", "--log-level", "warning")


@dataclass
class Post:
    """A node, what it calls itself, and its wires."""

    name: str
    node: NodeProcess
    to_store: Relay
    to_clients: Relay

    @property
    def url(self) -> str:
        """Past the wire to the clients."""
        return self.node.url

    def cpu_s(self) -> float:
        """Processor time of the process so far."""
        assert self.node.process is not None
        fields = Path(f"/proc/{self.node.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def start(self) -> None:
        """Again, too: at the same port."""
        await self.node.start()
        self.to_clients.target = self.node.port


class Venue:
    """`store` is our own look at the store, past all wires."""

    def __init__(self, server: Server, data: Path, stack: AsyncExitStack) -> None:
        self.server = server
        self.data = data
        self.posts: list[Post] = []
        self.store: RedisStore
        self._stack = stack

    async def look(self) -> None:
        self.store = RedisStore(self.server.url)
        await self.store.start()
        self._stack.push_async_callback(self.store.close)

    async def post(self, name: str, wire: type[Relay] = Relay) -> Post:
        """A running node behind wires of its own."""
        to_store = await self._stack.enter_async_context(wire(self.server.socket, self.data / name))
        node = NodeProcess(self.data, *FLAGS, "--store", to_store.url, "--node", name)
        self._stack.callback(node.forget)
        to_clients = await self._stack.enter_async_context(Relay(0))
        made = Post(name, node, to_store, to_clients)
        await made.start()
        self.posts.append(made)
        return made

    async def open(self, url: str, *documents: Mapping[str, object]) -> list[str]:
        """Tables with these settings."""
        async with connect(url, name="Opener") as session:
            return [await session.open_table(f"Chaos {n}", one) for n, one in enumerate(documents)]

    async def audit(self) -> Audit:
        """Asked again by a connection that had not heard yet that the store went back."""
        try:
            return await audit(self.store)
        except StoreAway:
            return await audit(self.store)

    async def restart_store(self) -> None:
        """Killed, and there again with what it had written."""
        self.server.kill()
        await asyncio.to_thread(self.server.start)


@asynccontextmanager
async def venue(**options: str) -> AsyncIterator[Venue]:
    """`options` are those of the store's server."""
    with tempfile.TemporaryDirectory(prefix="tapete-") as directory:
        server = Server(binaries()["valkey"], **options)
        try:
            server.start()
            async with AsyncExitStack() as stack:
                made = Venue(server, Path(directory), stack)
                await made.look()
                yield made
        finally:
            server.close()


async def gone_from(session: Session, node: str) -> None:
    """Wait until the session is at another node."""
    while session.node == node:  # noqa: ASYNC110 - it has no event for that
        await asyncio.sleep(0.01)
