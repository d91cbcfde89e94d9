"""The fair deal as people meet it: real nodes, a real store, players who do their part unseen, and everybody who looks on.

Whatever travels and whatever is kept is read: no secret of the house and no bytes of a player stand anywhere before their time.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgpack
import pytest
from redis.asyncio import Redis
from websockets.asyncio.client import connect as connect_socket
from websockets.typing import Subprotocol

from tapete_client import connect
from tapete_client.bot import Bot
from tapete_protocol.codec import encode
from tapete_protocol.commands import Hello, Watch, WatchLobby
from tapete_server.adapters.data_directory import DataDirectory
from tapete_server.adapters.redis_store.connection import stop
from tapete_server.shell.loop_lag import LoopLag
from tests.integration.cluster import NodeProcess, house

ROUNDS = 25
TRIES_MAX = 5
STARVED_S = 0.5
"""A machine on which somebody waits so long for a processor may be too late with a reveal, which has two seconds."""
TIMES = {"betting_ms": 0, "closing_ms": 2_000, "pause_ms": 0, "card_ms": 0, "turn_ms": 20_000}
LOOK_S = 0.1


@dataclass
class Reader:
    """Somebody who keeps every byte, with the version of the table that was known then."""

    name: str
    kept: list[tuple[int, bytes]] = field(default_factory=list)
    version: int = 0

    def __call__(self, payload: bytes) -> None:
        frame = msgpack.unpackb(payload)
        if frame["t"] in ("Batch", "Snapshot"):
            self.version = max(self.version, frame["v"])
        self.kept.append((self.version, payload))

    def seen_before(self, version: int, secret: bytes) -> bool:
        return any(known < version and secret in payload for known, payload in self.kept)


@dataclass
class Published:
    """What the log has published, with the version that did: secrets of the house, bytes of the players."""

    secrets: dict[bytes, int] = field(default_factory=dict)
    entropies: dict[bytes, int] = field(default_factory=dict)
    settled: int = 0

    def __call__(self, payload: bytes) -> None:
        frame = msgpack.unpackb(payload)
        if frame["t"] != "Batch":
            return
        for event in frame["events"]:
            if event["t"] in ("RoundSettled", "RoundVoided"):
                self.secrets[event["secret"]] = frame["v"]
                self.settled += event["t"] == "RoundSettled"
            if event["t"] == "EntropyRevealed":
                self.entropies[event["entropy"]] = frame["v"]


async def onlooker(stack: AsyncExitStack, url: str, table: str, *readers: Callable[[bytes], None]) -> None:
    """A spectator of table and lobby that is nothing but a socket."""
    socket = await stack.enter_async_context(connect_socket(url, subprotocols=[Subprotocol("tapete.v1")]))
    for command in (Hello(id=1, name="Zoe"), WatchLobby(id=2), Watch(id=3, table=table)):
        await socket.send(encode(command))

    async def read() -> None:
        async for payload in socket:
            assert isinstance(payload, bytes)
            for reader in readers:
                reader(payload)

    reading = asyncio.create_task(read())
    stack.callback(reading.cancel)


async def look_at_store(data: Path, table: str, reader: Reader) -> None:
    """What the store holds of the table, again and again: its state, and the newest of its batches and records."""
    async with Redis(unix_socket_path=str(DataDirectory(data).socket)) as client:
        (state,) = await client.keys(f"t:*:{table}")
        (batches,) = await client.keys(f"e:*:{table}")
        while True:
            held = [await client.hgetall(state), await client.xrevrange(batches, count=2)]
            held += [await client.xrevrange(key, count=1) for key in await client.keys(f"r:*:{table}")]
            version = int(await client.hget(state, "v") or 0)  # read last: none of it is newer
            reader.kept.append((version, b"".join(_bytes_in(held))))
            await asyncio.sleep(LOOK_S)


def _bytes_in(held: Any) -> list[bytes]:
    if isinstance(held, bytes):
        return [held]
    parts = held.values() if isinstance(held, dict) else held if isinstance(held, list | tuple) else ()
    return [found for part in parts for found in _bytes_in(part)]


async def proven(node: NodeProcess, table: str) -> tuple[int, list[dict[str, Any]]]:
    """What `tapete verify` says of the table's records."""
    address = f"http://127.0.0.1:{node.port}/api/tables/{table}/rounds?last=100"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tapete_server", "verify", "--json", address,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    assert err == b""
    assert process.returncode is not None
    return process.returncode, [json.loads(line) for line in out.splitlines()]


def starved(lag: LoopLag) -> bool:
    """This process has waited so long for a processor."""
    found = lag.histogram
    return any(found.counts[found.bounds.index(STARVED_S) + 1 :])


@pytest.mark.parametrize("game", ["double_exposure", "punto_banco"])
@pytest.mark.timeout(300)
async def test_every_round_is_proven_and_nothing_is_seen_too_early(game: str) -> None:
    given: list[bytes] = []

    def fresh(size: int) -> bytes:
        given.append(secrets.token_bytes(size))
        return given[-1]

    async with house() as running, AsyncExitStack() as stack:
        first, second = await running.node(), await running.node()
        opener = await stack.enter_async_context(connect(first.url, name="Opener"))
        table = await opener.open_table("Fair", {"game": game, "reveals": True, "times": TIMES})
        published, spectator, store = Published(), Reader("a spectator"), Reader("the store")
        await onlooker(stack, second.url, table, published, spectator)
        readers, bots = [spectator, store], []
        for number, node in enumerate((first, second, first)):
            session = await stack.enter_async_context(connect(node.url, name=f"Bot {number}", fresh=fresh))
            reader = Reader(f"player {number}")
            readers.append(reader)
            session.on_frame(reader)
            await session.watch(table)
            bots.append(asyncio.create_task(Bot(session, table, seed=number, rounds=ROUNDS).run()))
        looking = asyncio.create_task(look_at_store(running.data, table, store))
        lag = LoopLag()
        waiting = asyncio.create_task(lag.watch())
        tallies = await asyncio.gather(*bots)
        await stop(looking)
        await stop(waiting)
        assert looking.cancelled(), looking.exception()
        assert [tally.failure for tally in tallies] == [None] * 3
        assert published.settled >= ROUNDS
        status, proofs = await proven(first, table)

        assert status == 0
        assert len(proofs) >= ROUNDS
        assert all(proof["proven"] and proof["reveals"] for proof in proofs)
        dealt = [proof for proof in proofs if proof["cards"]]
        assert sum(proof["commitments"] for proof in dealt) >= ROUNDS
        missing = sum(len(proof["missing"]) for proof in dealt)
        assert missing == 0 or starved(lag), "everybody is here, and reveals in time, where the machine lets them"

        for secret, version in published.secrets.items():
            early = [reader.name for reader in readers if reader.seen_before(version, secret)]
            assert early == [], f"the secret of the round that version {version} ended"
        never = 2**53
        for entropy in given:
            version = published.entropies.get(entropy, never)
            early = [reader.name for reader in readers if reader.seen_before(version, entropy)]
            assert early == [], f"what a player revealed in version {version}"
        assert sum(entropy in published.entropies for entropy in given) >= ROUNDS
        for node in running.nodes:
            log = node.log()
            assert not [secret.hex() for secret in (*published.secrets, *given) if secret.hex() in log]


@pytest.mark.timeout(300)
async def test_a_player_whose_connection_breaks_at_the_close_reveals_the_same_bytes_through_another_node() -> None:
    """Reveals have two seconds, which may not be enough on a machine that has much else to do: some rounds may miss them."""
    async with house() as running, AsyncExitStack() as stack:
        first = await running.node()
        opener = await stack.enter_async_context(connect(first.url, name="Opener"))
        times = {**TIMES, "hold_ms": 60_000}
        name = await opener.open_table("Broken", {"game": "punto_banco", "reveals": True, "times": times})
        other = await opener.join(name, box=1, buy_in=10_000)
        missing: list[object] = [None]
        for number in range(1, TRIES_MAX + 1):
            second = await running.node()
            async with connect([second.url, first.url], name="Ana") as session:
                table = await session.join(name, box=2, buy_in=5_000)
                assert table.view.round == number
                await table.place_bet(2, "punto", 1_000)
                await other.place_bet(1, "punto", 1_000)
                await table.ready()
                second.kill()
                await other.ready()
                await other.until(lambda view: view.round > number)  # noqa: B023
                await table.leave()
            status, proofs = await proven(first, name)
            assert status == 0
            [proof] = [proof for proof in proofs if proof["round"] == number]
            assert proof["commitments"] == 2
            if not (missing := proof["missing"]):
                break
        assert missing == []
