"""Several processes on one port: a node for each core, and this one, which starts them, looks after them, and serves nobody.

Each worker is a whole node; the system spreads connections over them (SO_REUSEPORT). One that dies is started anew, and the
others serve its tables meanwhile, as nodes do. They end with this process, however it ends: their standard input is a pipe.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import errno
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from tapete_server.adapters.logbook import log_to_stderr
from tapete_server.adapters.system import SystemEntropy, cluster_key
from tapete_server.adapters.valkey import EmbeddedValkey
from tapete_server.app import OPEN, CannotServe, cannot_listen, key_path, ports_to_try, say_where
from tapete_server.config import ENVIRONMENT_PREFIX, Config, as_environment
from tapete_server.gateway.runtime import run as run_loop

log = logging.getLogger("tapete.crew")

START_S_MAX = 60.0
"""Until a worker says that it is open; loading much data takes a while."""
STOP_S_MAX = 45.0
"""A worker that has not drained after that is killed."""
AGAIN_S_MIN, AGAIN_S_MAX = 0.2, 5.0
"""Pauses before a worker that has died is started again: twice as long each time."""
STEADY_S = 30.0
"""One that lived so long was well: the next start is prompt again."""
METRICS = "metrics "
LINES_MAX = 8
"""Of what a worker says at the start."""


class Worker:
    """`number` from 1. `numbers`: where its metrics are, as it says."""

    def __init__(self, number: int, config: Config) -> None:
        self.number, self._config = number, config
        self.numbers = ""
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Returns when it is open. Raises `CannotServe`."""
        others = {name: value for name, value in os.environ.items() if not name.startswith(ENVIRONMENT_PREFIX)}
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tapete_server", "serve", stdin=pipe, stdout=pipe, env=others | as_environment(self._config)
        )  # fmt: skip
        try:
            async with asyncio.timeout(START_S_MAX):
                await self._until_open(self._process)
        except TimeoutError as late:
            await self.stop()
            raise CannotServe(f"worker {self.number} was not open in {START_S_MAX:g} s") from late

    async def _until_open(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        said: list[str] = []
        while not said or not said[-1].startswith("play from"):
            line = (await process.stdout.readline()).decode().strip()
            if not line or len(said) == LINES_MAX:
                raise CannotServe(f"worker {self.number} ended with status {await process.wait()} before it was open")
            said.append(line)
        assert said[0].startswith(OPEN), "a node says first where it is"
        self.numbers = next((line for line in said if line.startswith(METRICS)), "")

    async def over(self) -> int:
        assert self._process is not None
        return await self._process.wait()

    async def stop(self) -> None:
        """SIGTERM, and SIGKILL to one that does not end."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(STOP_S_MAX):
                await process.wait()
        except TimeoutError:
            log.warning("a worker did not end and was killed", extra={"worker": self.number})
            process.kill()
            await process.wait()


class Crew:
    """`serve` returns after a signal, when all workers have ended."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._stopping = asyncio.Event()
        self._workers: list[Worker] = []

    async def serve(self) -> None:
        """Raises `CannotServe`, `ValkeyError`, `KeyFileError`."""
        if not sys.platform.startswith("linux"):
            raise CannotServe(
                "--workers needs Linux, which spreads connections over a port; start nodes on ports of their own"
            )
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stopping.set)
        async with contextlib.AsyncExitStack() as stack:
            embedded = None
            if not self._config.store:
                directory, fsync = self._config.data_directory, self._config.fsync
                embedded = await asyncio.to_thread(EmbeddedValkey.ensure, directory, fsync=fsync)
                stack.push_async_callback(asyncio.to_thread, embedded.stop)
            await asyncio.to_thread(cluster_key, key_path(self._config))
            port = stack.enter_context(
                held(self._config.host, ports_to_try(self._config.port, embedded))
            ).getsockname()[1]
            stack.push_async_callback(self._stop_all)
            await self._start_all(port)
            say_where(self._config, port, *(worker.numbers for worker in self._workers))
            await self._look_after_all()
            log.info("stopping")

    async def _start_all(self, port: int) -> None:
        """The first one before the others: it opens the tables of the house."""
        crew = SystemEntropy().token_bytes(4).hex()
        name = self._config.node or f"{socket.gethostname()}-{os.getpid()}"
        for number in range(1, self._config.workers + 1):
            worker = dataclasses.replace(
                self._config, port=port, workers=1, node=f"{name}-{number}", worker=f"{crew}:{number}"
            )
            self._workers.append(Worker(number, worker))
        first, *others = self._workers
        await first.start()
        await asyncio.gather(*(worker.start() for worker in others))

    async def _look_after_all(self) -> None:
        tasks = [asyncio.create_task(self._look_after(worker)) for worker in self._workers]
        try:
            await self._stopping.wait()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _look_after(self, worker: Worker) -> None:
        loop = asyncio.get_running_loop()
        pause_s = AGAIN_S_MIN
        while True:
            began_s = loop.time()
            status = await worker.over()
            if loop.time() - began_s > STEADY_S:
                pause_s = AGAIN_S_MIN
            log.error("a worker has ended and is started again", extra={"worker": worker.number, "status": status})
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, AGAIN_S_MAX)
            try:
                await worker.start()
            except CannotServe:
                log.exception("a worker could not be started", extra={"worker": worker.number})

    async def _stop_all(self) -> None:
        await asyncio.gather(*(worker.stop() for worker in self._workers))


@contextlib.contextmanager
def held(host: str, ports: Sequence[int]) -> Iterator[socket.socket]:
    """A socket that is bound to the first free one of the ports, and never listens: the port stays ours while workers come
    and go. Raises `CannotServe`."""
    for port in ports:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as holding:
            try:
                _claim(holding, address)
            except OSError as problem:
                if problem.errno != errno.EADDRINUSE or port == ports[-1]:
                    raise cannot_listen(host, port, problem) from problem
                continue
            yield holding
            return


def _claim(holding: socket.socket, address: Any) -> None:
    """Nobody who is not of this crew has the port: a plain bind says so, and only then is it shared."""
    with socket.socket(holding.family, holding.type) as alone:
        alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        alone.bind(address)
        address = alone.getsockname()
    holding.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    holding.bind(address)


def run(config: Config) -> None:
    """Until a signal. Raises `CannotServe`, `ValkeyError`, `KeyFileError`."""
    log_to_stderr(config.log_level, config.log_format)
    run_loop(Crew(config).serve())
