"""The one place where everything is built: store, floor, gateway, and the bots of the practice tables."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store.limits import StoreLimits
from tapete_server.adapters.redis_store.store import RedisStore
from tapete_server.adapters.system import SystemClock, SystemEntropy, cluster_key
from tapete_server.adapters.valkey import EmbeddedValkey
from tapete_server.config import Config
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.gateway.runtime import run as run_loop
from tapete_server.gateway.runtime import tune_garbage_collector
from tapete_server.gateway.server import Gateway
from tapete_server.ports import StoreAway
from tapete_server.shell.floor import TheFloor
from tapete_server.shell.house import House
from tapete_server.shell.standing_tables import open_standing

log = logging.getLogger("tapete.app")

PORTS_TRIED_MAX = 20
"""Ports above the wanted one that are tried when another node of the same house holds it."""
KEY_FILE = "cluster.key"


class CannotServe(Exception):
    """Why this node cannot start, and what to do about it."""


async def open_store(config: Config) -> tuple[EmbeddedValkey | None, RedisStore]:
    """The store of the configuration, started if it is the embedded one, and connected."""
    embedded = None
    url = config.store
    if not url:
        embedded = await asyncio.to_thread(EmbeddedValkey.ensure, config.data_directory, fsync=config.fsync)
        url = embedded.url
    limits = StoreLimits(accounts_per_address_hour_max=config.accounts_per_address_hour_max)
    store = RedisStore(url, shards=config.shards, limits=limits)
    try:
        await store.start()
    except StoreAway as away:
        await store.close()
        raise CannotServe(f"the store at {url} cannot be used: {away}") from away
    return embedded, store


Company = Callable[[list[TableId], str], Awaitable[object]]
"""Who comes to the practice tables when the house opens: given their ids and the node's WebSocket address."""


class Node:
    """A running node. `serve` returns after a signal, with everything that it started stopped."""

    def __init__(self, config: Config, company: Company | None = None) -> None:
        self.config = config
        self.company = company
        self.stopping = asyncio.Event()

    async def serve(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.stopping.set)
        config = self.config
        embedded, store = await open_store(config)
        key = cluster_key(Path(config.key_file).expanduser() if config.key_file else config.data_directory / KEY_FILE)
        house = House(
            opening_balance=config.opening_balance, top_up=config.top_up, top_up_below=config.top_up_below,
            tables_max=config.tables_max, refuse_player_edge=config.refuse_player_edge,
        )  # fmt: skip
        entropy = SystemEntropy()
        seed = int.from_bytes(entropy.token_bytes(8), "big")
        name = config.node or socket.gethostname()
        floor = TheFloor(store, SystemClock(), entropy, key=key, house=house, node=name, seed=seed)
        gateway = Gateway(
            floor, store, incarnation=floor.incarnation, limits=limits_of(config), ready=lambda: floor.available,
            origins=[origin.strip() for origin in config.origins.split(",") if origin.strip()],
        )  # fmt: skip
        await floor.start()
        standing = await open_standing(floor.openings, bots=config.bots) if config.tables else []
        port = await self._listen(gateway, embedded)
        say_where(config, port)
        async with contextlib.AsyncExitStack() as running:
            tasks = [loop.create_task(floor.run(), name="floor")]
            if embedded is not None:
                tasks.append(loop.create_task(embedded.watch(), name="valkey"))
            practice = [one.table for one in standing if one.for_bots]
            if self.company is not None and practice and (embedded is None or embedded.started):
                tasks.append(loop.create_task(self._invite(practice, port), name="company"))
            running.push_async_callback(_cancel, tasks)
            tune_garbage_collector()
            await self._until_stopped(tasks)
            log.info("stopping: clients are sent elsewhere")
            await gateway.drain()
        await floor.stop()
        await store.close()
        if embedded is not None:
            await asyncio.to_thread(embedded.stop)

    async def _invite(self, practice: list[TableId], port: int) -> None:
        assert self.company is not None, "checked before"
        await self.company(practice, f"ws://127.0.0.1:{port}/ws")

    async def _listen(self, gateway: Gateway, embedded: EmbeddedValkey | None) -> int:
        """The wanted port, or for a second node of the same embedded store the next free one."""
        config = self.config
        tries = PORTS_TRIED_MAX if embedded is not None and not embedded.started and config.port else 1
        for attempt in range(tries):
            try:
                await gateway.start(config.host, config.port + attempt)
                return gateway.port
            except OSError as taken:
                problem = taken
        raise CannotServe(
            f"cannot listen on {config.host}:{config.port}: {problem.strerror or problem}; choose another with --port"
        )

    async def _until_stopped(self, tasks: list[asyncio.Task[None]]) -> None:
        stopped = asyncio.get_running_loop().create_task(self.stopping.wait())
        done, _ = await asyncio.wait({stopped, *tasks[:1]}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        for task in done - {stopped}:
            task.result()


def limits_of(config: Config) -> GatewayLimits:
    return GatewayLimits(
        connections_max=config.connections_max,
        commands_per_s=float(config.commands_per_s), commands_burst=2 * config.commands_per_s,
        account_commands_per_s=2.0 * config.commands_per_s, account_commands_burst=4 * config.commands_per_s,
    )  # fmt: skip


def say_where(config: Config, port: int) -> None:
    """Where to point a browser, and what to give to friends in the same network."""
    print(f"tapete is open on http://127.0.0.1:{port}/", flush=True)
    if config.host in ("0.0.0.0", "::"):
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing: only asks which address would be used
            print(f"for friends in this network: http://{probe.getsockname()[0]}:{port}/", flush=True)
    print(f"play from a terminal: tapete play --url ws://127.0.0.1:{port}/ws    (Ctrl-C closes the house)", flush=True)


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception):
            log.error("stopped with an error", exc_info=outcome)


def run(config: Config, company: Company | None = None) -> None:
    """Until a signal. Raises `CannotServe`, `ValkeyError`, `KeyFileError`."""
    logging.basicConfig(
        level=config.log_level.upper(), stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    logging.Formatter.converter = time.gmtime
    run_loop(Node(config, company).serve())
