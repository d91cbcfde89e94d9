"""`/readyz` of a real node at a real store: what must make it say no, and that it says yes again by itself."""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from tapete_server.shell.loop_lag import LAG_MS_MAX, LAG_REMEMBERED_MS, SAMPLE_MS
from tapete_server.shell.readiness import LATE, LOOK_MS, LOOK_MS_MAX, REFUSED, SILENT
from tests.integration.cluster import NodeProcess
from tests.server.store.servers import Server, binaries

NOTICED_S_MAX = 5.0
PATIENCE_S = 60.0
"""A busy machine may be slow; that nothing in the node is allowed to take so long is a sum, and stands below."""


class Place:
    """A node of its own user at a store, and the store's administrator."""

    def __init__(self, node: NodeProcess, server: Server, admin: Any) -> None:
        self.node, self.server, self.admin = node, server, admin

    async def readyz(self) -> tuple[int, str]:
        return await asyncio.to_thread(_get, self.node.port)

    async def until(self, status: int, *faults: str) -> None:
        """The node says so, with these faults among its reasons."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                with suppress(OSError):
                    found, body = await self.readyz()
                    if found == status and all(fault in body for fault in faults):
                        return
                await asyncio.sleep(0.05)


def _get(port: int) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    server = Server(binaries()["valkey"])
    try:
        server.start()
        async with Redis.from_url(server.url) as admin:
            await admin.acl_setuser("node", enabled=True, nopass=True, keys=["*"], channels=["*"], categories=["+@all"])
            key = tmp_path / "key"
            key.write_text("5a" * 32)
            node = NodeProcess(tmp_path, "--store", f"unix://node:any@{server.socket}", "--key-file", str(key))
            try:
                await node.start()
                yield Place(node, server, admin)
            finally:
                node.forget()
    finally:
        server.close()


Change = Callable[[Any], Awaitable[Any]]


def acl(*rules: str) -> Change:
    return lambda admin: admin.execute_command("ACL", "SETUSER", "node", *rules)


async def deaf(admin: Any) -> None:
    """It may write, read and speak, and hears nothing any more."""
    await acl("-subscribe")(admin)
    await admin.execute_command("CLIENT", "KILL", "TYPE", "PUBSUB")


CAUSES: dict[str, tuple[Change, Change, str]] = {
    "the store is a read-only replica": (
        lambda admin: admin.execute_command("REPLICAOF", "127.0.0.1", "1"),
        lambda admin: admin.execute_command("REPLICAOF", "NO", "ONE"),
        REFUSED,
    ),
    "writes hang": (
        lambda admin: admin.execute_command("CLIENT", "PAUSE", "60000", "WRITE"),
        lambda admin: admin.execute_command("CLIENT", "UNPAUSE"),
        REFUSED,
    ),
    "writes are forbidden": (acl("-@write"), acl("+@write"), REFUSED),
    "reads are forbidden": (acl("-get"), acl("+get"), REFUSED),
    "speaking is forbidden": (acl("-publish"), acl("+publish"), REFUSED),
    "the channels are forbidden": (acl("resetchannels"), acl("allchannels"), REFUSED),
    "it hears nothing": (deaf, acl("+subscribe"), SILENT),
}


@pytest.mark.parametrize("cause", CAUSES)
async def test_not_ready_while_the_store_does_not_serve(place: Place, cause: str) -> None:
    begin, end, fault = CAUSES[cause]
    await place.until(200)
    await begin(place.admin)
    await place.until(503, fault)
    await end(place.admin)
    await place.until(200)


async def test_not_ready_while_the_store_is_frozen(place: Place) -> None:
    await place.until(200)
    place.server.freeze()
    try:
        await place.until(503)
    finally:
        place.server.thaw()
    await place.until(200)


async def test_not_ready_after_the_loop_stood_still(place: Place) -> None:
    """Every process may be stopped; to the loop it is as if one of its callbacks had taken so long."""
    await place.until(200)
    place.node.pause()
    await asyncio.sleep(2 * LAG_MS_MAX / 1000)  # the test's own doing: it has to last
    place.node.go_on()
    await place.until(503, LATE)
    await place.until(200)


def test_the_times_add_up_to_five_seconds() -> None:
    """From a fault's beginning to the end of the look that finds it, at worst: a look that has just begun well, a pause, and
    another one up to its limit. A lag is seen at the next sample."""
    assert (LOOK_MS[1] + LOOK_MS_MAX) / 1000 < NOTICED_S_MAX
    assert (SAMPLE_MS + LAG_MS_MAX) / 1000 < NOTICED_S_MAX
    assert LOOK_MS[1] < LAG_REMEMBERED_MS, "the next look tells it to the log"
