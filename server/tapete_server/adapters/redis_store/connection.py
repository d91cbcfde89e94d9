"""One connection to the store, as redis-py makes it, with none of its own retries: what is retried is ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import hiredis
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as TooSlow

from tapete_server.adapters.redis_store.limits import StoreLimits

FAILURES = (RedisError, OSError, asyncio.TimeoutError, EOFError)
"""What a connection may die of."""

REFUSALS = frozenset({
    "LOADING", "READONLY", "OOM", "MISCONF", "BUSY", "MASTERDOWN", "NOREPLICAS", "CLUSTERDOWN", "TRYAGAIN", "MOVED",
    "NOAUTH", "WRONGPASS", "NOPERM", "UNKILLABLE",
})  # fmt: skip
"""First words of replies by which a store says that it will not, for now or for us."""

Word = str | bytes | int
Command = tuple[Word, ...]


class ScriptError(RuntimeError):
    """The store refused what we asked as wrong: our own mistake, or somebody else's keys."""


class Line:
    """A connection: once broken or late it is hung up, and never spoken on again. It has patience for `patience_s`, with one
    clock for all that is awaited together: redis-py has one for each reply, and before Python 3.12 a task for each write."""

    def __init__(self, connection: AbstractConnection, patience_s: float) -> None:
        self._connection: Any = connection
        self._patience_s = patience_s

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._patience_s):
                yield
        except TimeoutError:
            raise TooSlow(f"the store did not answer all in {self._patience_s:g} s") from None

    async def open(self) -> None:
        async with self.in_time():
            await self._connection.connect()

    @property
    def is_open(self) -> bool:
        return bool(self._connection.is_connected)

    async def send(self, packed: Sequence[bytes]) -> None:
        """To be waited for `in_time`, as is a reply. redis-py would connect again."""
        if not self.is_open:
            raise ConnectionError("the line was hung up")
        await self._connection.send_packed_command(packed, check_health=False)

    async def reply(self) -> Any:
        """The next reply. Error replies are returned."""
        try:
            return await self._connection.read_response()
        except ResponseError as error:
            return error

    async def ask(self, *commands: Command) -> list[Any]:
        """Their replies, in time; error replies are returned."""
        async with self.in_time():
            await self.send([pack(command) for command in commands])
            return [await self.reply() for _ in commands]

    async def must(self, *command: Word) -> None:
        """An error reply is raised."""
        (reply,) = await self.ask(command)
        if isinstance(reply, ResponseError):
            raise reply

    async def say(self, *commands: Command) -> None:
        """What has no reply, or one that is heard elsewhere."""
        async with self.in_time():
            await self.send([pack(command) for command in commands])

    async def heard(self, within_ms: int) -> Any:
        """The next thing that comes, or None when it stays silent for so long; the line goes on then."""
        return await self._connection.read_response(timeout=within_ms / 1000)

    async def hang_up(self) -> None:
        await self._connection.disconnect(nowait=True)


Connect = Callable[[], Line]


def connector(url: str, limits: StoreLimits) -> Connect:
    """Makes lines that are not open yet. Raises `ValueError` for an address that is none."""
    options: dict[str, Any] = dict(parse_url(url))
    kind: Any = options.pop("connection_class", Connection)
    options.pop("max_connections", None)
    if "path" not in options:
        options.setdefault("socket_keepalive", True)
    timeout_s = limits.socket_timeout_ms / 1000
    options |= {
        "socket_timeout": None,
        "socket_connect_timeout": timeout_s,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
        "driver_info": None,
        "health_check_interval": 0,
        "client_name": "tapete",
    }
    return lambda: Line(kind(**options), timeout_s)


def pack(command: Command) -> bytes:
    """A command as the store reads it."""
    words: tuple[Any, ...] = command
    packed: bytes = hiredis.pack_command(words)
    return packed


async def stop(task: asyncio.Task[None] | None) -> None:
    """Cancel until it has ended: redis-py's time-outs may swallow one before Python 3.11.3."""
    while task is not None and not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.05)


def code_of(error: Exception) -> str:
    """The first word of an error reply; redis-py strips it from those that it knows."""
    return str(getattr(error, "status_code", None) or str(error).partition(" ")[0])
