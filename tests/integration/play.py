"""Rounds without pauses for integration tests: a house, tables, bots on several nodes, and onlookers that hash what they see."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import AsyncExitStack

import msgpack
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_socket
from websockets.typing import Subprotocol

from tapete_client import Session, connect
from tapete_client.bot import Bot, Tally
from tapete_protocol.codec import encode
from tapete_protocol.commands import Hello, Watch

FAST = {"betting_ms": 0, "closing_ms": 0, "pause_ms": 0, "card_ms": 0, "turn_ms": 20_000}


class Witness:
    """Hashes the very bytes of a table's batches, each version once, and notices a hole."""

    def __init__(self) -> None:
        self.hashes: dict[int, bytes] = {}
        self.settled: set[int] = set()
        self.holes: list[tuple[int, int]] = []
        self._last = 0

    def __call__(self, payload: bytes) -> None:
        batch = msgpack.unpackb(payload)
        if batch["t"] != "Batch":
            return
        version = batch["v"]
        if self._last and version > self._last + 1:
            self.holes.append((self._last, version))
        self._last = max(self._last, version)
        digest = hashlib.sha256(payload).digest()
        assert self.hashes.setdefault(version, digest) == digest, f"version {version} came twice, and not the same"
        self.settled |= {event["round"] for event in batch["events"] if event["t"] == "RoundSettled"}

    def digest(self, first: int, last: int) -> str:
        """Of all batches from `first` to `last`; raises KeyError when one is missing."""
        return hashlib.sha256(b"".join(self.hashes[version] for version in range(first, last + 1))).hexdigest()


async def witnesses(stack: AsyncExitStack, url: str, table: str, count: int, name: str) -> list[Witness]:
    """That many spectators, each a bare WebSocket that hashes what comes and does nothing else."""
    made = []
    for number in range(count):
        connection = await stack.enter_async_context(connect_socket(url, subprotocols=[Subprotocol("tapete.v1")]))
        await connection.send(encode(Hello(id=1, name=f"{name} {number}")))
        await connection.send(encode(Watch(id=2, table=table)))
        witness = Witness()
        reading = asyncio.create_task(_read(connection, witness))
        stack.push_async_callback(_ended, reading)
        made.append(witness)
    return made


async def _read(connection: ClientConnection, witness: Witness) -> None:
    async for payload in connection:
        assert isinstance(payload, bytes)
        witness(payload)


async def _ended(reading: asyncio.Task[None]) -> None:
    reading.cancel()
    await asyncio.wait({reading})
    if not reading.cancelled() and (failure := reading.exception()):
        raise failure


async def bots(
    stack: AsyncExitStack, urls: Sequence[str | Sequence[str]], table: str, rounds: int | None
) -> tuple[list[asyncio.Task[Tally]], list[Witness]]:
    """One bot for each address (or list of addresses), each playing that many rounds at the table, or until it is cancelled."""
    tasks, seen = [], []
    sessions: list[Session] = []
    for number, url in enumerate(urls):
        session = await stack.enter_async_context(connect(url, name=f"Bot {number}"))
        witness = Witness()
        watched = await session.watch(table)
        watched.on_frame(witness)
        seen.append(witness)
        sessions.append(session)
    for number, session in enumerate(sessions):
        tasks.append(asyncio.create_task(Bot(session, table, seed=number, rounds=rounds).run()))
    return tasks, seen


def common_digests(seen: Sequence[Witness]) -> set[str]:
    """One hash for each witness, over the versions that all of them were there for. One element: all saw the same bytes."""
    first = max(min(one.hashes) for one in seen)
    last = min(max(one.hashes) for one in seen)
    return {one.digest(first, last) for one in seen}
