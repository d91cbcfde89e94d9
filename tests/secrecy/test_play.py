"""Real play, everything that may go wrong on the way, at the most talkative log level: nothing that nobody may be told is in
what the nodes say in their logs or over HTTP."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgpack
import pytest
from redis.asyncio import Redis

from tapete_client import connect
from tapete_protocol.base import TableId
from tapete_protocol.events import BoxSettled, RoundOpened
from tapete_server.adapters.redis_store import RedisStore
from tapete_server.core.codec import unpack_batch, unpack_table
from tapete_server.core.state import Table
from tapete_server.shell import tokens
from tests.integration.cluster import NodeProcess
from tests.integration.play import FAST, bots
from tests.integration.raw import Raw
from tests.secrecy.search import Secrets, card_leaks
from tests.server.store.servers import Server, binaries

KEY = bytes(range(77, 109))
PASSWORD = "correct-horse-battery-staple"
ROUNDS = 30
RECORDS = 100
SETTLED = re.compile(r"round settled table=(\S+) .*round=(\d+)(?:.*stakes=(\d+) payments=(\d+))?")
GAMES = ("double_exposure", "punto_banco")


@pytest.fixture
async def locked_store() -> AsyncIterator[Server]:
    """A store that wants a password."""
    server = Server(binaries()["valkey"])
    try:
        server.start()
        async with Redis.from_url(server.url) as client:
            await client.config_set("requirepass", PASSWORD)
        yield server
    finally:
        server.close()


class House:
    """Two talkative nodes at a store with a password, and who sits there."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.store_url = f"unix://:{PASSWORD}@{server.socket}"
        key = folder / "key"
        key.write_text(KEY.hex())
        flags = ("--store", self.store_url, "--key-file", str(key), "--log-level", "debug", "--bots")
        self.nodes = [NodeProcess(folder, *flags, "--log-format", form) for form in ("text", "json")]
        self.settled: dict[tuple[str, int], tuple[int, int]] = {}
        """Stakes and payments of each round, from its record."""
        self.secrets = Secrets()
        self.secrets.add("cluster key", KEY)
        self.secrets.add("the store's password", PASSWORD)
        self.answers: list[bytes] = []

    async def get(self, path: str) -> bytes:
        """From both nodes; the last answer."""
        for node in self.nodes:
            self.answers.append(await asyncio.to_thread(_get, node.port, path))
        return self.answers[-1]

    async def scrape(self) -> None:
        """Their numbers, from the addresses that they said: not even a secret that is public by now is in them."""
        for node in self.nodes:
            url = urlsplit(await node.metrics_url())
            assert url.port is not None
            said = await asyncio.to_thread(_get, url.port, url.path)
            assert b"tapete_commits_total" in said
            assert self.secrets.leaks(said) == []
            assert card_leaks(said.decode()) == []

    async def play(self, game: str, stack: AsyncExitStack) -> str:
        """Rounds of a game on both nodes at once."""
        urls = [node.url for node in self.nodes]
        opener = await stack.enter_async_context(connect(urls[0], name="Opener"))
        table = await opener.open_table(game, {"game": game, "times": FAST})
        playing, _ = await bots(stack, [*urls, urls[0]], table, ROUNDS)
        tallies = await asyncio.gather(*playing)
        assert [tally.failure for tally in tallies] == [None] * 3
        return table

    async def misbehave(self) -> None:
        """What a healthy client never sends; some of it has a secret in it."""
        url = self.nodes[0].url
        async with Raw(url) as ana:
            await ana.hello("Ana")
            await ana.ask({"t": "Watch", "table": "no-such-table"})
            await ana.ask({"t": "OpenTable", "command": "command-1", "name": "x", "settings": '{"game":"mus"}'})
            await ana.ask({"t": "PlaceBets", "table": "blackjack", "stint": 1, "seq": 1, "bets": []})
            await ana.ask({"t": "Nonsense", "token": ana.token})
        async with Raw(url) as again:
            await again.hello(token=ana.token)
        async with Raw(url) as forger:
            await forger.ask({"t": "Hello", "token": ana.token[:-1] + "x"})
        for frame in (b"\xc1", msgpack.packb({"t": "Hello", "id": 1, "token": ana.token})[:-1], ana.token):
            async with Raw(url) as breaker:
                await breaker.socket.send(frame)
                assert await breaker.closed() == 4500

    async def tables(self) -> dict[TableId, Table]:
        """As they stand; tokens of all players and secrets of all rounds are known from then on."""
        store = RedisStore(self.store_url)
        await store.start()
        try:
            async for account in store.accounts():
                self.secrets.add(f"token of {account.name}", tokens.sign(KEY, account.player))
            found = {}
            for listed in await store.listed():
                stored = await store.read(listed.table)
                assert stored is not None
                found[listed.table] = unpack_table(stored.blob)
                for _, record in await store.records(listed.table, RECORDS):
                    self._know_round(listed.table, record)
            return found
        finally:
            await store.close()

    def _know_round(self, table: TableId, record: bytes) -> None:
        """A settled round's secret is public; a log has no use for it all the same."""
        unpacked = msgpack.unpackb(record)
        events = [event for payload in unpacked["batches"] for event in unpack_batch(payload).events]
        opening = next(
            n for n, one in enumerate(events) if isinstance(one, RoundOpened) and one.round == unpacked["round"]
        )
        paid = [event for event in events[opening:] if isinstance(event, BoxSettled)]
        sums = sum(box.staked for box in paid), sum(box.returned for box in paid)
        self.settled[table, unpacked["round"]] = sums
        for event in events:
            if isinstance(event, RoundOpened):
                self.secrets.add_round(KEY, table, event.round, event.nonce)


def _get(port: int, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    said = answer.read()
    connection.close()
    return "\n".join(f"{name}: {value}" for name, value in answer.getheaders()).encode() + b"\n\n" + said


@pytest.fixture
async def house(locked_store: Server, tmp_path: Path) -> AsyncIterator[House]:
    made = House(locked_store, tmp_path)
    try:
        for node in made.nodes:
            await node.start()
        yield made
    finally:
        for node in made.nodes:
            node.forget()


async def test_nobody_is_told_a_secret(house: House) -> None:
    async with AsyncExitStack() as stack:
        tables = [await house.play(game, stack) for game in GAMES]
        await house.misbehave()
        await _bots_have_come(house)
        for path in ("/", "/healthz", "/readyz", "/api/tables", "/nothing", "/api/rounds/blackjack/1"):
            await house.get(path)
        for table in tables:
            told = json.loads((await house.get(f"/api/tables/{table}/rounds?last={RECORDS}")).partition(b"\n\n")[2])
            assert len(told) >= ROUNDS
        open_rounds = await house.tables()
        await house.scrape()
    over_http = Secrets()
    over_http.add("cluster key", KEY)
    over_http.add("the store's password", PASSWORD)
    for table, state in open_rounds.items():
        over_http.add_round(KEY, table, state.round, state.nonce)
        house.secrets.add_round(KEY, table, state.round, state.nonce)
    assert [leak for answer in house.answers for leak in over_http.leaks(answer)] == []
    for node in house.nodes:
        await node.stop()
        log = node.log()
        assert log.count("connection over") > 1
        assert "websockets.client" not in log, "no library is that talkative"
        assert house.secrets.leaks(log) == []
        assert card_leaks(log) == []

    _each_round_is_told_once(house, tables)
    assert "refused via=" in house.nodes[0].log()


def _each_round_is_told_once(house: House, tables: list[str]) -> None:
    """By the node that settled it, with its sums, also where it came in the middle."""
    text, lines = house.nodes[0].log(), house.nodes[1].log().splitlines()
    told = [found.groups() for found in re.finditer(SETTLED, text)]
    rows = [row for row in map(json.loads, lines) if row["message"] == "round settled"]
    told += [(row["table"], row["round"], row.get("stakes"), row.get("payments")) for row in rows]
    places = sorted((table, int(number)) for table, number, _, _ in told if table in tables)
    assert places == sorted(place for place in house.settled if place[0] in tables)
    with_sums = {(table, int(number)): (int(stakes), int(paid)) for table, number, stakes, paid in told if stakes}
    assert {place: house.settled[place] for place in places}.items() <= with_sums.items()
    assert len(with_sums) == len(told) >= 2 * ROUNDS
    assert len({row["node"] for row in rows}) == 1


async def _bots_have_come(house: House) -> None:
    """Those of the practice tables, which are clients inside a node: what a client logs is in its log."""

    def players(lobby: bytes) -> dict[str, Any]:
        return {row["table"]: row["players"] for row in json.loads(lobby.partition(b"\n\n")[2])}

    async with asyncio.timeout(60):
        while players(await house.get("/api/tables")).get("practica-blackjack", 0) < 2:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.1)
