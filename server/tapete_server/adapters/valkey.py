"""The embedded store: one Valkey for each data directory, started by whichever node comes first.

A lock says who may start it, and the server itself holds that lock while it lives. So two starts at once give one
server, and the server of a node that was killed is found and used again. It runs in a session of its own: a Ctrl-C
in the terminal of its node does not reach it, and it can be stopped last.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tapete_server.adapters.data_directory import DataDirectory
from tapete_server.adapters.valkey_binary import ValkeyError
from tapete_server.adapters.valkey_process import Fsync, last_words, try_start

__all__ = ["EmbeddedValkey", "Fsync", "ValkeyError"]

START_S_MAX = 30.0  # until a started server answers; loading its data does not count
PROBE_PAUSE_S = 0.02
REPLY_S_MAX = 2.0
STOP_S_MAX = 30.0  # for the last fsync
LEAVING_S_MAX = 0.5  # for our own closed connections to be gone from the server's list
RESTART_PAUSE_S_MIN = 0.05
RESTART_PAUSE_S_MAX = 5.0
STEADY_S_MIN = 30.0  # a server that lived this long was well: the next restart is prompt again

log = logging.getLogger("tapete.valkey")


class EmbeddedValkey:
    """A node's hold on the server of one data directory.

    In an event loop: `await asyncio.to_thread(EmbeddedValkey.ensure, directory)`, a task for `watch()`, and last of all
    `await asyncio.to_thread(embedded.stop)`.
    """

    def __init__(self, directory: Path, fsync: Fsync = "everysec") -> None:
        self.directory = DataDirectory(directory)
        self.fsync: Fsync = fsync
        self.version = ""
        self.fsync_ms = self.directory.fsync_ms()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._one_at_a_time = threading.Lock()
        self._watcher = f"tapete-watch-{os.getpid()}-{id(self):x}"

    @classmethod
    def ensure(cls, directory: Path, fsync: Fsync = "everysec") -> EmbeddedValkey:
        """Join the directory's server, or start it. Blocks for up to `START_S_MAX`, longer while data is loading."""
        if sys.platform == "win32":
            raise ValkeyError(
                "no store can be embedded on Windows: pass the address of one (--store redis://HOST:6379)"
            )
        valkey = cls(directory, fsync)
        valkey._join_or_start()
        return valkey

    @property
    def socket(self) -> Path:
        return self.directory.socket

    @property
    def url(self) -> str:
        """The address as redis-py takes it."""
        return f"unix://{quote(str(self.socket))}"

    @property
    def started(self) -> bool:
        """Whether this node started the server that runs now, and not another one, or one before it."""
        return self._process is not None

    # Starting

    def _join_or_start(self) -> None:
        with self._one_at_a_time:
            process: subprocess.Popen[bytes] | None = None
            give_up = time.monotonic() + START_S_MAX
            while not self._stopping.is_set() and time.monotonic() < give_up:
                answer = self._probe(process)
                if answer == "ready":
                    return
                if answer == "loading":
                    give_up = time.monotonic() + START_S_MAX
                if process is None:
                    process = try_start(self.directory, self.fsync)
                elif process.poll() is not None:
                    raise ValkeyError(f"the embedded Valkey ended at once: {last_words(self.directory)}")
                time.sleep(PROBE_PAUSE_S)
            if process is not None:
                self._end(process)
            raise ValkeyError(
                f"the embedded Valkey in {self.directory.path} does not answer: {last_words(self.directory)}"
            )

    def _probe(self, process: subprocess.Popen[bytes] | None) -> Literal["ready", "loading", "absent"]:
        try:
            with self._connect() as server:
                about = server.info("server")
                if server.info("persistence").get("loading"):  # INFO answers meanwhile, and almost nothing else does
                    return "loading"
                if self.fsync == "always":  # of two nodes that ask for different care, the more careful one has its way
                    server.config_set("appendfsync", "always")
        except redis.exceptions.BusyLoadingError:
            return "loading"
        except (redis.RedisError, OSError):
            return "absent"
        self._joined(process, int(about["process_id"]), str(about.get("valkey_version") or about["redis_version"]))
        return "ready"

    def _joined(self, process: subprocess.Popen[bytes] | None, pid: int, version: str) -> None:
        self.version = version
        if self._process is not None and self._process.pid != pid:
            self._process.wait()  # its place is taken, so it is dead
            self._process = None
        self._process = process or self._process
        log.info(
            "embedded store joined" if process is None else "embedded store started",
            extra={
                "version": version,
                "pid": pid,
                "directory": self.directory.path,
                "fsync": self.fsync,
                "fsync_ms": round(self.fsync_ms, 2),
            },
        )

    def _connect(self) -> redis.Redis:
        return redis.Redis(
            unix_socket_path=str(self.socket),
            single_connection_client=True,
            socket_timeout=REPLY_S_MAX,
            socket_connect_timeout=REPLY_S_MAX,
            retry=Retry(NoBackoff(), 0),
            decode_responses=True,
        )

    # Watching

    async def watch(self) -> None:
        """See to it that there is a server until this task is cancelled, or `stop` is called.

        Every node that uses the server watches it. When it dies, they compete for the lock, one of them starts it
        again and owns it from then on, and the others join.
        """
        pause = RESTART_PAUSE_S_MIN
        while not self._stopping.is_set():
            begun = time.monotonic()
            await self._until_it_dies()
            if self._stopping.is_set():
                return
            pause = RESTART_PAUSE_S_MIN if time.monotonic() - begun > STEADY_S_MIN else pause
            log.warning("embedded store gone", extra={"directory": self.directory.path, "retry_s": round(pause, 2)})
            await asyncio.sleep(pause)
            pause = min(2 * pause, RESTART_PAUSE_S_MAX)
            try:
                await asyncio.to_thread(self._join_or_start)
            except (ValkeyError, redis.RedisError, OSError) as error:
                log.error("embedded store does not come back: %s", error)  # noqa: TRY400 - the message is the whole story

    async def _until_it_dies(self) -> None:
        """A connection that only waits for its own end notices a death at once."""
        try:
            reader, writer = await asyncio.open_unix_connection(self.socket)
        except OSError:
            return
        try:
            writer.write(f"CLIENT SETNAME {self._watcher}\r\n".encode())
            with contextlib.suppress(OSError):
                while await reader.read(1024):
                    pass
        finally:
            writer.close()

    # Stopping

    def stop(self) -> bool:
        """Stop the server if this node started it and no other client is left; whether it did.

        Close this node's own connections first; its watcher does not count. Whoever joins between the look at the
        list and the end sees the server die, and starts it again.
        """
        self._stopping.set()
        with self._one_at_a_time:
            process = self._process
            if process is None or process.poll() is not None:
                return False
            if self._others_are_connected():
                log.info(
                    "embedded store left to other nodes",
                    extra={"pid": process.pid, "directory": self.directory.path},
                )
                self._disown(process)
                return False
            self._process = None
            if self._end(process):
                log.info("embedded store stopped", extra={"directory": self.directory.path})
                return True
            log.error("embedded store still stopping", extra={"pid": process.pid, "after_s": STOP_S_MAX})
            return False

    def _others_are_connected(self) -> bool:
        give_up = time.monotonic() + LEAVING_S_MAX
        try:
            with self._connect() as server:
                mine = str(server.client_id())
                while others := [
                    client
                    for client in server.client_list()
                    if client["id"] != mine and client.get("name") != self._watcher
                ]:
                    if time.monotonic() > give_up:
                        return bool(others)
                    time.sleep(PROBE_PAUSE_S)
        except (redis.RedisError, OSError):
            log.warning("embedded store does not say who is connected", extra={"directory": self.directory.path})
            return True
        return False

    def _end(self, process: subprocess.Popen[bytes]) -> bool:
        """Whether it ended when asked to. It is never forced: what it has not written yet would be lost."""
        process.terminate()
        try:
            process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self._disown(process)
            return False
        return True

    def _disown(self, process: subprocess.Popen[bytes]) -> None:
        """Leave the server to the others, without Python's warning about a child that still runs."""
        process.returncode = 0
        self._process = None
