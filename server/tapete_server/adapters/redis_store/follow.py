"""The one subscription of a node: a channel for each table that it follows."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from redis.exceptions import TimeoutError as TooSlow

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store.connection import FAILURES, Connect, Line, stop
from tapete_server.adapters.redis_store.limits import StoreLimits
from tapete_server.ports import StoreAway

log = logging.getLogger("tapete.store")

Confirmations = list["asyncio.Future[None]"]


class Follower:
    """Subscribes again to everything after a break; a peer that has died is found out by asking it."""

    def __init__(self, connect: Connect, limits: StoreLimits, dice: Random) -> None:
        self._connect, self._limits, self._dice = connect, limits, dice
        self._wanted: dict[bytes, TableId] = {}
        self._unconfirmed: dict[bytes, deque[Confirmations]] = {}
        self._line: Line | None = None
        self._task: asyncio.Task[None] | None = None
        self._broke = False
        self.on_batch: Callable[[TableId, bytes], None] = lambda _table, _batch: None
        self.on_resubscribed: Callable[[], None] = lambda: None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run(), name="tapete subscription")

    async def close(self) -> None:
        await stop(self._task)
        self.give_up("closed")

    def give_up(self, why: str) -> None:
        """Whoever waits for a confirmation waits no longer."""
        for groups in self._unconfirmed.values():
            for future in (future for group in groups for future in group):
                self._fail(future, why)

    @staticmethod
    def _fail(future: asyncio.Future[None], why: str) -> None:
        if not future.done():
            future.set_exception(StoreAway(f"the store is away: {why}"))

    async def follow(self, channel: str, table: TableId) -> None:
        """Returns when the store has confirmed. Raises `StoreAway`, and follows no more, if it does not in time."""
        name = channel.encode()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        timer = loop.call_later(self._limits.call_deadline_ms / 1000, self._fail, future, "no confirmation in time")
        self._wanted[name] = table
        self._unconfirmed.setdefault(name, deque()).append([future])
        try:
            await self._say("SUBSCRIBE", name)
            await future
        except BaseException:
            self._wanted.pop(name, None)
            raise
        finally:
            timer.cancel()

    async def unfollow(self, channel: str) -> None:
        name = channel.encode()
        if self._wanted.pop(name, None) is not None:
            await self._say("UNSUBSCRIBE", name)

    async def _say(self, *words: str | bytes) -> None:
        """Without a connection nothing is said: the next one begins with all that is wanted."""
        if self._line is not None and self._line.is_open:
            with suppress(*FAILURES):  # the listening side finds out as well, and connects again
                await self._line.say(words)

    async def _run(self) -> None:
        pause_ms = self._limits.probe_first_ms
        while True:
            line = self._connect()
            try:
                await line.open()
                pause_ms = self._limits.probe_first_ms
                await self._listen(line)
            except FAILURES as wrong:
                log.info("the subscription broke", extra={"why": str(wrong)})
            except Exception:
                log.exception("the subscription could not be read")
            finally:
                self._line = None
                await line.hang_up()
            self._broke = True
            await asyncio.sleep(self._dice.uniform(0.5, 1) * pause_ms / 1000)
            pause_ms = min(2 * pause_ms, self._limits.probe_interval_ms)

    async def _listen(self, line: Line) -> None:
        missing = await self._subscribe_all(line)
        told = not self._broke
        asked = False
        while True:
            if not told and not missing:
                told = True
                self._tell(self.on_resubscribed)
            late_ms = self._limits.socket_timeout_ms if asked or missing else self._limits.follow_health_ms
            reply = await line.heard(late_ms)
            if reply is not None:
                asked = False
                self._take(reply, missing)
            elif asked or missing:
                raise TooSlow("the store is silent")
            else:
                asked = True
                await line.say(("PING",))

    async def _subscribe_all(self, line: Line) -> set[bytes]:
        """Whoever waits for a confirmation from a connection that has gone waits for this one's."""
        wanted = list(self._wanted)
        self._unconfirmed = {
            name: deque([[future for group in self._unconfirmed.get(name, ()) for future in group]]) for name in wanted
        }
        self._line = line
        size = self._limits.subscribe_channels_max
        for at in range(0, len(wanted), size):
            await line.say(("SUBSCRIBE", *wanted[at : at + size]))
        return set(wanted)

    def _take(self, reply: Any, missing: set[bytes]) -> None:
        match reply:
            case [b"message", channel, payload] if channel in self._wanted:
                self._tell(lambda: self.on_batch(self._wanted[channel], payload))
            case [b"subscribe", channel, _]:
                missing.discard(channel)
                waiting = self._unconfirmed.get(channel)
                for future in waiting.popleft() if waiting else ():
                    if not future.done():
                        future.set_result(None)
                if not waiting:
                    self._unconfirmed.pop(channel, None)
            case _:
                pass  # pong, unsubscribe, or a message of a channel just left

    @staticmethod
    def _tell(said: Callable[[], None]) -> None:
        try:
            said()
        except Exception:
            log.exception("what came over the subscription could not be taken")
