"""The one place where everything is built: store, floor, gateway, and the bots of the practice tables."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import shutil
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from importlib.metadata import version
from pathlib import Path

from tapete_protocol.base import TableId
from tapete_server.adapters.logbook import log_to_stderr
from tapete_server.adapters.odds_bench import ProcessBench
from tapete_server.adapters.redis_store.limits import StoreLimits
from tapete_server.adapters.redis_store.store import RedisStore
from tapete_server.adapters.system import SystemClock, SystemEntropy, cluster_key, jitter
from tapete_server.adapters.valkey import EmbeddedValkey
from tapete_server.config import METRICS_DEFAULT, PORT_MAX, Config
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.gateway.pages import pages
from tapete_server.gateway.runtime import run as run_loop
from tapete_server.gateway.runtime import tune_garbage_collector
from tapete_server.gateway.server import Gateway
from tapete_server.metrics import families as watched
from tapete_server.metrics.door import PATH, MetricsDoor
from tapete_server.metrics.text import written
from tapete_server.ports import StoreAway
from tapete_server.shell.actuary import Actuary
from tapete_server.shell.floor import TheFloor
from tapete_server.shell.house import House
from tapete_server.shell.standing_tables import open_standing

log = logging.getLogger("tapete.app")

PORTS_TRIED_MAX = 20
"""Ports above the wanted one that are tried when another node of the same house holds it."""
KEY_FILE = "cluster.key"
COMPANY_LOOK_S = 2.0
"""Between two looks whether the node with the bots is still there."""
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - the operator's choice; it is off by default


class CannotServe(Exception):
    """Why this node cannot start, or go on, and what to do about it."""


async def open_store(config: Config, stack: contextlib.AsyncExitStack) -> tuple[EmbeddedValkey | None, RedisStore]:
    """The store of the configuration, started if it is the embedded one, and connected. It ends with the stack."""
    embedded = None
    url = config.store
    if not url:
        embedded = await asyncio.to_thread(EmbeddedValkey.ensure, config.data_directory, fsync=config.fsync)
        stack.push_async_callback(asyncio.to_thread, embedded.stop)
        url = embedded.url
    limits = StoreLimits(accounts_per_address_hour_max=config.accounts_per_address_hour_max)
    try:
        store = RedisStore(url, shards=config.shards, limits=limits)
        stack.push_async_callback(store.close)
        await store.start()
    except (StoreAway, ValueError) as wrong:
        raise CannotServe(f"the store at {without_secrets(url)} cannot be used: {wrong}") from wrong
    return embedded, store


def without_secrets(url: str) -> str:
    """A store's address as anyone may read it in a log: no user, no password, no options."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"


def key_path(config: Config) -> Path:
    return Path(config.key_file).expanduser() if config.key_file else config.data_directory / KEY_FILE


Company = Callable[[list[TableId], str], Awaitable[object]]
"""Who comes to the practice tables when the house opens: given their ids and the node's WebSocket address."""


class Node:
    """A running node. `serve` returns after a signal, with everything that it started stopped."""

    def __init__(self, config: Config, company: Company | None = None) -> None:
        self.config = config
        self.place = config.place
        self.company = company if self.place is None or self.place.number == 1 else None
        self.stopping = asyncio.Event()

    async def serve(self) -> None:
        """Raises `CannotServe` when it cannot begin, or a part of it has ended that must not; it is tidied up then, too."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.stopping.set)
        if self.place is not None:
            loop.add_reader(sys.stdin.fileno(), self._heard)
        async with contextlib.AsyncExitStack() as stack:
            try:
                await self._open(stack)
            except StoreAway as away:
                raise CannotServe(f"the store went away at the start: {away}") from away
            log.info("stopping")

    def _heard(self) -> None:
        """A worker holds on to who started it by its standard input: it ends with it."""
        if not os.read(sys.stdin.fileno(), 1):
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            self.stopping.set()

    async def _open(self, stack: contextlib.AsyncExitStack) -> None:
        embedded, store = await open_store(self.config, stack)
        key = await asyncio.to_thread(cluster_key, key_path(self.config))
        name = self.config.node or f"{socket.gethostname()}-{os.getpid()}"
        entropy = SystemEntropy()
        bench = ProcessBench(self.config.odds_s_max)
        odds = Actuary(store, bench, entropy.token_bytes(8).hex(), per_hour_max=self.config.odds_per_hour_max)
        floor = TheFloor(
            store, SystemClock(), entropy, key=key, house=house_of(self.config), node=name, dice=jitter(),
            crew=self.place.crew if self.place else "", actuary=odds,
        )  # fmt: skip
        gateway = Gateway(
            floor, store, incarnation=floor.incarnation, limits=limits_of(self.config), faults=lambda: floor.faults,
            pages=pages(),
            origins=self.config.each("origins"), proxies=self.config.each("proxies"),
        )  # fmt: skip
        stack.push_async_callback(floor.stop)
        await floor.start()
        running = _Running(stack)
        running.must_go_on(floor.run(), "floor")
        if embedded is not None:
            running.must_go_on(embedded.watch(), "valkey")
        standing = await open_standing(floor.openings, bots=self.config.bots) if self.config.tables else []
        port = await self._listen(gateway, embedded)
        numbers = await self._open_metrics(watched.Node(version("tapete"), floor, gateway.hall, store.counts), stack)
        stack.push_async_callback(gateway.drain)
        stack.callback(floor.leave)
        practice = [one.table for one in standing if one.for_bots]
        if self.company is not None and practice:
            running.may_end(self._invite(self.company, floor, practice, port))
        tune_garbage_collector()
        say_where(self.config, port, numbers)
        await running.until(self.stopping)

    async def _open_metrics(self, node: watched.Node, stack: contextlib.AsyncExitStack) -> str:
        """What to say of them at the start. At the default address several nodes of one machine do not get into each other's
        way; any other address is the operator's, and has to be free."""
        address = self.config.metrics_address
        if address is None:
            return ""
        host, port = address
        by_default = self.config.metrics == METRICS_DEFAULT
        several = by_default or self.place is not None
        door = MetricsDoor(lambda: written(watched.families(node)))
        stack.push_async_callback(door.close)
        try:
            await door.start(host, port, ports=PORTS_TRIED_MAX if several else 1)
        except OSError as problem:
            why = f"cannot listen on {self.config.metrics}: {problem.strerror or problem}"
            if not by_default:
                raise CannotServe(f"{why}; choose another address with --metrics, or none") from problem
            return f"no metrics: {why}"
        return f"metrics for Prometheus: http://{f'[{host}]' if ':' in host else host}:{door.port}{PATH}"

    async def _invite(self, company: Company, floor: TheFloor, practice: list[TableId], port: int) -> None:
        """One node of a house has company: this one, as soon as there is no other (or none any more), but its crew."""
        while not await floor.presence.alone(self.place.crew if self.place else ""):  # noqa: ASYNC110 - other nodes do not tell this one when they die
            await asyncio.sleep(COMPANY_LOOK_S)
        await company(practice, f"ws://127.0.0.1:{port}/ws")

    async def _listen(self, gateway: Gateway, embedded: EmbeddedValkey | None) -> int:
        """The wanted port, or for a second node of the same embedded store the next free one."""
        host, wanted = self.config.host, self.config.port
        shared = self.place is not None
        for port in [wanted] if shared else ports_to_try(wanted, embedded):
            try:
                await gateway.start(host, port, shared=shared)
            except OSError as problem:
                if problem.errno != errno.EADDRINUSE or shared:
                    raise cannot_listen(host, port, problem) from problem
                taken = problem
            else:
                return gateway.port
        raise cannot_listen(host, port, taken) from taken


def ports_to_try(wanted: int, embedded: EmbeddedValkey | None) -> Sequence[int]:
    """The wanted port; for another node of a house that is open here already, those above it as well."""
    another = embedded is not None and not embedded.started and wanted
    return range(wanted, min(wanted + PORTS_TRIED_MAX, PORT_MAX + 1)) if another else [wanted]


def cannot_listen(host: str, port: int, problem: OSError) -> CannotServe:
    return CannotServe(
        f"cannot listen on {host}:{port}: {problem.strerror or problem}; choose another port with --port"
    )


class _Running:
    """Tasks of a node. Those that must go on end it when they end."""

    def __init__(self, stack: contextlib.AsyncExitStack) -> None:
        self._vital: list[asyncio.Task[None]] = []
        self._stack = stack

    def must_go_on(self, work: Coroutine[None, None, None], name: str) -> None:
        self._vital.append(self._start(work, name))

    def may_end(self, work: Coroutine[None, None, None]) -> None:
        self._start(work, "company").add_done_callback(_say_why)

    def _start(self, work: Coroutine[None, None, None], name: str) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._stack.push_async_callback(_cancel, task)
        return task

    async def until(self, stopping: asyncio.Event) -> None:
        """Until it is to stop. Raises `CannotServe` when something has ended before."""
        asked = asyncio.get_running_loop().create_task(stopping.wait())
        try:
            done, _ = await asyncio.wait({asked, *self._vital}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            asked.cancel()
        for task in self._vital:
            if task in done:
                raise CannotServe(f"the node's {task.get_name()} has ended by itself") from task.exception()


def _say_why(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (wrong := task.exception()) is not None:
        log.error("the bots of the practice tables have left", exc_info=wrong)


async def _cancel(task: asyncio.Task[None]) -> None:
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=1)


def house_of(config: Config) -> House:
    return House(
        opening_balance=config.opening_balance, top_up=config.top_up, top_up_below=config.top_up_below,
        tables_max=config.tables_max, tables_per_player_max=config.tables_per_player_max,
        refuse_player_edge=config.refuse_player_edge, guest_days=config.guest_days,
    )  # fmt: skip


def limits_of(config: Config) -> GatewayLimits:
    return GatewayLimits(
        connections_max=config.connections_max,
        commands_per_s=float(config.commands_per_s), commands_burst=2 * config.commands_per_s,
        account_commands_per_s=2.0 * config.commands_per_s, account_commands_burst=4 * config.commands_per_s,
    )  # fmt: skip


OPEN = "tapete is open on"


def say_where(config: Config, port: int, *numbers: str) -> None:
    """Where to point a browser, and what to give to friends in the same network."""
    lines = [f"{OPEN} http://127.0.0.1:{port}/"]
    if config.host in EVERYWHERE:
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing: only asks which address would be used
            lines.append(f"for friends in this network: http://{probe.getsockname()[0]}:{port}/")
    started = sys.argv[0] if Path(sys.argv[0]).stem == "tapete" else f"{sys.executable} -m tapete_server"
    program = "tapete" if shutil.which("tapete") else started
    lines += filter(None, numbers)
    lines.append(f"play from a terminal: {program} play --url ws://127.0.0.1:{port}/ws    (Ctrl-C closes the house)")
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stdout.flush()


def run(config: Config, company: Company | None = None) -> None:
    """Until a signal. Raises `CannotServe`, `ValkeyError`, `KeyFileError`."""
    log_to_stderr(config.log_level, config.log_format)
    run_loop(Node(config, company).serve())
