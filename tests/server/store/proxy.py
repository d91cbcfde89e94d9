"""A wire between node and store that can be cut at the worst moment."""

from __future__ import annotations

import asyncio
from pathlib import Path

CHUNK = 1 << 16


class Proxy:
    def __init__(self, target: Path) -> None:
        self._target = target
        self.socket = target.with_name("p")
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.swallow: bytes | None = None
        """The reply to the next request with this in it is lost, and the connection with it."""
        self.swallowed = asyncio.Event()
        self.closed_after_swallow = False
        """Whether nobody gets in after that."""
        self.shut = False
        """New connections are closed at once."""
        self.deaf_subscriptions = False
        """Subscriptions that are there stay open, and nothing comes through any more."""

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._accept, path=str(self.socket))

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.shut:
            writer.close()
            return
        theirs, store = await asyncio.open_unix_connection(str(self._target))
        wire = _Wire(self, writer, store)
        pumps = [asyncio.create_task(wire.up(reader)), asyncio.create_task(wire.down(theirs))]
        self._tasks.update(pumps)
        for pump in pumps:
            pump.add_done_callback(self._tasks.discard)


class _Wire:
    def __init__(self, proxy: Proxy, node: asyncio.StreamWriter, store: asyncio.StreamWriter) -> None:
        self._proxy, self._node, self._store = proxy, node, store
        self._lose_reply = False
        self._deaf = False

    async def up(self, reader: asyncio.StreamReader) -> None:
        try:
            while sent := await reader.read(CHUNK):
                proxy = self._proxy
                if proxy.swallow is not None and proxy.swallow in sent:
                    proxy.swallow, self._lose_reply = None, True
                    proxy.shut = proxy.closed_after_swallow
                if b"SUBSCRIBE" in sent and not proxy.deaf_subscriptions:
                    self._deaf = True
                self._store.write(sent)
        finally:
            self._cut()

    async def down(self, reader: asyncio.StreamReader) -> None:
        try:
            while said := await reader.read(CHUNK):
                if self._lose_reply:
                    self._proxy.swallowed.set()
                    return
                if not (self._deaf and self._proxy.deaf_subscriptions):
                    self._node.write(said)
        except OSError:
            pass
        finally:
            self._cut()

    def _cut(self) -> None:
        self._node.close()
        self._store.close()
