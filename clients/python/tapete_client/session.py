"""A signed-in player: one connection at a time to one of several nodes, kept up as long as there is one."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from types import TracebackType
from typing import Any, Self

from tapete_client.dial import Dialer
from tapete_client.errors import ClientError, Closed, NoAnswer, Refused, TableGone
from tapete_client.feed import Feed
from tapete_client.keeper import Keeper
from tapete_client.line import Build, Line
from tapete_client.news import Reconnected, StoreChanged
from tapete_client.policy import RESYNC_S_MIN, WATCHES_MAX
from tapete_client.resync import Resync
from tapete_client.table import Table
from tapete_protocol import commands as c
from tapete_protocol import frames as f
from tapete_protocol.codec import UnknownEvent, UnknownFrame, WireError, decode_frame

Tables = tuple[f.LobbyTable, ...]


class Session:
    """Made by `connect`. After a lost connection it signs in again, catches up with its tables and sends the command in
    flight again; nothing of that is the caller's business, except as `News`."""

    def __init__(
        self,
        dialer: Dialer,
        rng: random.Random,
        feed_items_max: int,
        fresh: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.feed_items_max = feed_items_max
        self.fresh = fresh
        """Makes random bytes that nobody can guess, for this player's part in the cards."""
        self.balance = 0
        """The wallet, in minor units; chips at tables are not in it."""
        self.store_available = True
        """Whether commands can be taken at the moment."""
        self._rng = rng
        self._keeper = Keeper(self, dialer, rng)
        self._resync = Resync(self._keeper, rng)
        self._welcome: f.Welcome | None = None
        self._offset_ms = 0.0
        self._tables: dict[str, Table] = {}
        self._lobbies: list[Feed[Tables]] = []
        self._hooks: list[Callable[[bytes], None]] = []
        self._lost_hooks: list[Callable[[], None]] = []
        self._wallet_told = asyncio.Event()

    # --- who and where ---

    @property
    def welcome(self) -> f.Welcome:
        """What the node said at the last sign-in."""
        if self._welcome is None:
            raise RuntimeError("use `async with connect(...) as session`")
        return self._welcome

    @property
    def player(self) -> str:
        return self.welcome.player

    @property
    def name(self) -> str:
        return self.welcome.name

    @property
    def token(self) -> str:
        """Keep it: it resumes this player on any node of the store."""
        return self.welcome.token

    @property
    def node(self) -> str:
        return self.welcome.node

    def now(self) -> int:
        """The store's time in milliseconds, estimated from the last answer."""
        return round(asyncio.get_running_loop().time() * 1000 + self._offset_ms)

    # --- tables ---

    async def watch(self, table: str) -> Table:
        """Follow a table; returns when its first view is there. Raises `TableGone` or `Refused`."""
        known = self._tables.get(table)
        if known is not None and not known.ended:
            return known
        fresh = self._tables[table] = Table(self, table)
        try:
            await self._first_view(fresh)
        except BaseException as failure:
            self._tables.pop(table, None)
            if isinstance(failure, Refused) and _no_table(failure):
                raise TableGone(table) from failure
            raise
        return fresh

    async def _first_view(self, table: Table) -> None:
        """Ask until it is there: an answer without a view behind it does not help anybody."""
        for _ in range(WATCHES_MAX):
            await self.ask(lambda id_: c.Watch(id=id_, table=table.id))
            with suppress(TimeoutError):
                async with asyncio.timeout(RESYNC_S_MIN):
                    await table.until(lambda _: True)
                    return
        raise NoAnswer(f"the node does not show the table {table.id}")

    async def join(self, table: str, box: int | None = None, buy_in: int = 0) -> Table:
        """Watch, sit down (at the first free box by default, nowhere new if seated already), buy chips for `buy_in`."""
        joined = await self.watch(table)
        if box not in joined.my_boxes and (box is not None or not joined.my_boxes):
            await joined.take_box(box)
        if buy_in:
            await joined.buy_in(buy_in)
        return joined

    async def unwatch(self, table: Table) -> None:
        if self._tables.pop(table.id, None) is not None:
            table.end(None)
            await self.ask(lambda id_: c.Unwatch(id=id_, table=table.id))

    async def open_table(self, name: str, settings: Mapping[str, Any] | str, *, public: bool = True) -> str:
        """Open a table and return its id. `settings` is the document, or its JSON text; it names the game."""
        text = settings if isinstance(settings, str) else json.dumps(settings)
        command = self.new_command_id()
        ack = await self.ask(lambda id_: c.OpenTable(id=id_, command=command, name=name, settings=text, public=public))
        assert ack.table is not None, "the answer to OpenTable names the table"
        return ack.table

    async def close_table(self, table: str) -> f.Ack:
        """Close a table that this player opened and where nobody has chips."""
        return await self.ask(lambda id_: c.CloseTable(id=id_, table=table))

    async def lobby(self) -> Tables:
        """The public tables as they are now."""
        async with self._lobby_feed() as feed:
            await feed.wait()
            return feed.take()

    async def tables(self) -> AsyncGenerator[Tables, None]:
        """The public tables, now and whenever the list changes. A slow reader gets the latest."""
        async with self._lobby_feed() as feed:
            while True:
                await feed.wait()
                feed.take_missed()
                yield feed.take()

    async def top_up(self) -> f.Ack:
        """More play money, for a player who has less than the house's `top_up_below`, chips at tables included."""
        command = self.new_command_id()
        return await self.ask(lambda id_: c.TopUp(id=id_, command=command))

    async def balance_other_than(self, balance: int) -> int:
        """The balance, once it is not `balance` (any more): chips that were cashed out arrive a moment later."""
        while self.balance == balance:
            await self._wallet_told.wait()
        return self.balance

    # --- the connection ---

    async def __aenter__(self) -> Self:
        await self._keeper.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection. Boxes are held for a while; `Table.leave` gives them back at once."""
        await self._keeper.close()

    async def ask(self, build: Build) -> f.Ack:
        """Send any command of the protocol, through lost connections and refusals that pass; `Refused` otherwise."""
        ack = await self._keeper.ask(build)
        self._hear_time(ack.now)
        return ack

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this beside everything else, until the session closes."""
        self._keeper.spawn(work)

    def new_command_id(self) -> str:
        return f"{self._rng.getrandbits(120):030x}"

    def on_frame(self, hook: Callable[[bytes], None]) -> None:
        """Call `hook` with the very bytes of every frame received after the sign-in."""
        self._hooks.append(hook)

    def on_lost(self, hook: Callable[[], None]) -> None:
        """Call `hook` whenever the connection breaks and another one is looked for; `Reconnected` is told when it is there."""
        self._lost_hooks.append(hook)

    def resync(self, table: Table) -> None:
        """`table` is out of step: ask for what it misses."""
        self._resync.wanted(table)

    # --- called by the keeper ---

    def lost(self) -> None:
        for hook in self._lost_hooks:
            hook()

    async def signed_in(self, line: Line, welcome: f.Welcome) -> None:
        if self._welcome is not None and welcome.player != self._welcome.player:
            raise Closed("the nodes no longer know this player")
        self._welcome, self.balance = welcome, welcome.balance
        self._hear_time(welcome.now)
        for table in [one for one in self._tables.values() if not one.ended]:
            table.told(Reconnected(welcome.node))
            await self._resync.over(line, table)
        if self._lobbies:
            await line.start(lambda id_: c.WatchLobby(id=id_))

    def failed(self, failure: ClientError) -> None:
        for table in self._tables.values():
            table.end(failure)
        for feed in self._lobbies:
            feed.end(failure)

    def receive(self, line: Line, payload: bytes) -> None:
        for hook in self._hooks:
            hook(payload)
        try:
            self._take(line, decode_frame(payload), payload)
        except UnknownFrame:
            return  # a newer node's; nothing that this release needs
        except UnknownEvent as unknown:
            table = self._tables.get(unknown.table)
            if table is not None and not table.ended:
                table.cannot_read()
        except WireError:
            line.give_up()

    def _take(self, line: Line, frame: f.Frame, payload: bytes) -> None:
        match frame:
            case f.Ack() | f.Refused() as answer:
                line.settle(answer)
            case f.Batch() | f.Snapshot() | f.Place() | f.Advice() | f.Crowd() | f.Gone() | f.Heartbeat():
                self._to_table(frame, payload)
            case f.Wallet(balance=balance) | f.Welcome(balance=balance):
                self.balance = balance
                self._wallet_told.set()
                self._wallet_told.clear()
            case f.Lobby(tables=tables):
                for feed in self._lobbies:
                    feed.put(tables)
            case f.StoreState(available=available):
                self.store_available = available
                for table in self._tables.values():
                    table.told(StoreChanged(available))

    def _to_table(
        self, frame: f.Batch | f.Snapshot | f.Place | f.Advice | f.Crowd | f.Gone | f.Heartbeat, payload: bytes
    ) -> None:
        if isinstance(frame, f.Heartbeat):
            self._hear_time(frame.now)
        table = self._tables.get(frame.table)
        if table is not None and not table.ended:
            table.take_frame(frame, payload)

    def _hear_time(self, now: int) -> None:
        self._offset_ms = now - asyncio.get_running_loop().time() * 1000

    @asynccontextmanager
    async def _lobby_feed(self) -> AsyncIterator[Feed[Tables]]:
        feed: Feed[Tables] = Feed(1)
        self._lobbies.append(feed)
        try:
            await self.ask(lambda id_: c.WatchLobby(id=id_))
            yield feed
        finally:
            self._lobbies.remove(feed)
            if not self._lobbies and self._keeper.failure is None:
                self._keeper.spawn(self._leave_lobby())

    async def _leave_lobby(self) -> None:
        try:
            await self.ask(lambda id_: c.WatchLobby(id=id_, on=bool(self._lobbies)))
        except ClientError:
            return


def _no_table(refused: Refused) -> bool:
    """Also when what was asked for cannot be the id of a table."""
    return refused.code == "no_such_table" or (
        refused.code == "malformed_command" and refused.detail.get("field") == "table"
    )
