"""The floor of the casino: the tables as this node serves them. What the gateway asks for is done here."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Coroutine
from random import Random
from typing import Any

import msgpack

from tapete_protocol import codes
from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.commands import BuyIn, CloseTable, Hello, OpenTable, Since, TableCommand, TakeBox, TopUp
from tapete_protocol.frames import Ack, Batch, Place, Refused, Welcome
from tapete_protocol.names import player_name
from tapete_server.core.commands import DeadlinePassed, FromPlayer, Refusal, Wait
from tapete_server.core.games import plain
from tapete_server.core.state import Table
from tapete_server.ports import Clock, Entropy, Store, StoreAway
from tapete_server.shell import tokens
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.committer import Accepted, Committer
from tapete_server.shell.floor_port import Actor, Sink
from tapete_server.shell.house import House
from tapete_server.shell.live_table import LiveTable
from tapete_server.shell.lobby import LobbyList
from tapete_server.shell.opening import Openings
from tapete_server.shell.presence import Presence
from tapete_server.shell.registry import Registry
from tapete_server.shell.timers import Timers
from tapete_server.shell.transfers import Transfers

log = logging.getLogger("tapete.floor")

RETRY_MS = {"busy": 50, "in_flight": 100, "unavailable": 500, "too_many_accounts": 60_000}
"""What a client is told to wait before it asks the same again."""


class TheFloor:
    """Built once by `app`; `run` keeps its sweeps going until it is cancelled."""

    def __init__(
        self, store: Store, clock: Clock, entropy: Entropy, *, key: bytes, house: House, node: str, seed: int
    ) -> None:
        dice = Random(seed)  # jitter only: never a card, a nonce or a token
        self._store, self._entropy, self._key, self._house = store, entropy, key, house
        self.incarnation = entropy.token_bytes(6).hex()
        self.node = node
        self.clock = StoreClock(clock)
        self.committer = Committer(store, self.clock, entropy, key, dice)
        self.registry = Registry(store, self.clock, self._changed)
        self.timers = Timers(store, self.clock, self._fire, dice)
        self.transfers = Transfers(store, self.committer, self.registry.visit, self._wallet, dice)
        self.presence = Presence(store, self.registry, self.committer, self.clock, node, self.incarnation, dice)
        self.lobby_list = LobbyList(store, store, self.registry, self.incarnation)
        self.openings = Openings(store, self.clock, entropy, key, house)
        self._tasks: set[asyncio.Task[None]] = set()
        self.available = True

    @property
    def sink(self) -> Sink:
        return self.registry.sink

    @sink.setter
    def sink(self, sink: Sink) -> None:
        self.registry.sink = sink
        self.lobby_list.sink = sink

    async def start(self) -> None:
        """Connect the store's calls to this floor, and learn the store's time. Raises `StoreAway`."""
        self._store.on_batch = self.registry.receive
        self._store.on_resubscribed = lambda: self._spawn(self.registry.rescan())
        self._store.on_available = self._availability
        self.clock.learn(await self._store.now_ms())
        await self._store.beat(self.incarnation, self.node)

    async def run(self) -> None:
        """For ever: heartbeats, deadlines, left-over transfers, dead nodes, the lobby."""
        async with asyncio.TaskGroup() as sweeps:
            sweeps.create_task(self.presence.beat_for_ever())
            sweeps.create_task(self.presence.watch_for_ever())
            sweeps.create_task(self.timers.sweep())
            sweeps.create_task(self.transfers.sweep())
            sweeps.create_task(self.registry.rescan_for_ever())
            sweeps.create_task(self.lobby_list.look_for_ever())

    async def stop(self) -> None:
        """This node is going: its players may be taken over at once."""
        self.timers.stop()
        try:
            await self._store.retire(self.incarnation)
        except StoreAway:
            pass  # its heartbeat lapses soon

    # --- what the gateway asks for ---

    def now_ms(self) -> int:
        return self.clock.now_ms()

    async def sign_in(self, hello: Hello, address: str) -> Welcome | Refused:
        if hello.token is not None:
            player = tokens.verify(self._key, hello.token)
            account = await self._store.account(player) if player else None
            if account is None:
                return _refused(hello.id, Refusal("bad_token"))
        else:
            player = PlayerId("g" + self._entropy.token_bytes(8).hex())
            name = f"Guest {player[-4:]}" if hello.name is None else player_name(hello.name)
            if name is None:
                return _refused(hello.id, Refusal("bad_name", {"name": hello.name}))
            opened = await self._store.open_account(player, name, self._house.opening_balance, address)
            if opened == "too_many":
                return _refused(hello.id, Refusal("too_many_accounts"))
            account = opened
        return Welcome(
            id=hello.id, player=account.player, name=account.name, token=tokens.sign(self._key, account.player),
            balance=account.balance, now=self.now_ms(), node=self.node, tables=self.lobby_list.places(account.player),
        )  # fmt: skip

    async def follow(self, table: TableId) -> bool:
        return await self.registry.follow(table) is not None

    def unfollow(self, table: TableId) -> None:
        self.registry.unfollow(table)

    def catch_up(self, table: TableId, since: Since | None) -> list[bytes]:
        live = self.registry.live(table)
        return live.catch_up(since) if live else []

    def version(self, table: TableId) -> int:
        live = self.registry.live(table)
        return live.state.version if live else 0

    def place_of(self, table: TableId, player: PlayerId) -> Place | None:
        live = self.registry.live(table)
        found = live.state.player(player) if live else None
        return Place(table=table, stint=found.stint, seq=found.seq) if found else None

    def holds_box(self, table: TableId, player: PlayerId) -> bool:
        live = self.registry.live(table)
        return live is not None and player in live.state.boxes

    async def arrived(self, actor: Actor, table: TableId) -> None:
        await self.presence.back(table, actor.player, actor.via)

    async def left(self, actor: Actor, tables: list[TableId]) -> None:
        for table in tables:
            await self.presence.away(table, actor.player, actor.via)

    async def play(self, actor: Actor, command: TableCommand) -> Ack | Refused:
        live = self.registry.live(command.table)
        if live is None:
            return _refused(command.id, Refusal("not_watching", {"table": command.table}))
        if isinstance(command, TakeBox):
            await self.presence.serve_table(live.id)
        before = live.state.player(actor.player)
        sender = FromPlayer(actor.player, actor.name, actor.via, command, digest_of(command))
        outcome = await self.committer.run(live, sender)
        if isinstance(outcome, Accepted):
            after = live.state.player(actor.player)
            if after is not None and (before is None or before.stint != after.stint):
                self.sink.place(actor.via, Place(table=live.id, stint=after.stint, seq=after.seq))
            return Ack(id=command.id, now=self.now_ms(), version=outcome.version, table=live.id)
        assert not isinstance(outcome, Wait), "only clocks wait"
        return _refused(command.id, outcome)

    async def buy_in(self, actor: Actor, command: BuyIn) -> Ack | Refused:
        live = self.registry.live(command.table)
        if live is None:
            return _refused(command.id, Refusal("not_watching", {"table": command.table}))
        if command.amount == 0:
            return _refused(command.id, Refusal("bad_amount", {"amount": 0}))
        transfer = f"{actor.player}~{command.command}"
        outcome = await self.transfers.buy_in(transfer, actor.player, live.id, command.amount)
        if isinstance(outcome, Refusal):
            return _refused(command.id, outcome)
        return Ack(id=command.id, now=self.now_ms(), version=outcome.version or live.state.version, table=live.id)

    async def top_up(self, actor: Actor, command: TopUp) -> Ack | Refused:
        account = await self._store.top_up(actor.player, command.command, self._house.top_up, self._house.top_up_below)
        if account == "enough":
            return _refused(command.id, Refusal("enough_money", {"below": self._house.top_up_below}))
        self._wallet(actor.player, account.balance)
        return Ack(id=command.id, now=self.now_ms())

    async def open_table(self, actor: Actor, command: OpenTable) -> Ack | Refused:
        answer = await self.openings.open(actor.player, command)
        if isinstance(answer, Refusal):
            return _refused(command.id, answer)
        return Ack(id=command.id, now=self.now_ms(), version=1, table=answer)

    async def close_table(self, actor: Actor, command: CloseTable) -> Ack | Refused:
        async with self.registry.visit(TableId(command.table)) as live:
            if live is None:
                return _refused(command.id, Refusal("no_such_table"))
            outcome = await self.openings.close(live, actor.player)
        if isinstance(outcome, Refusal):
            return _refused(command.id, outcome)
        return Ack(id=command.id, now=self.now_ms(), version=outcome, table=command.table)

    async def lobby(self) -> bytes:
        return self.lobby_list.payload()

    # --- what happens by itself ---

    def _changed(self, live: LiveTable, before: Table | None, batch: Batch | None) -> None:
        """After every batch of a followed table (no batch: it was loaded, or jumped)."""
        mine = batch is not None and batch.by is not None and self._player_here(live, batch.by.player)
        if live.gone or self._players_here(live):
            self.timers.arm(live, mine=mine)
        if before is not None:
            self._tell_control(before, live.state)
        if live.state.outgoing and not live.gone and (mine or self._players_here(live)):
            self._spawn(self._pay_out(live.id))

    def _player_here(self, live: LiveTable, player: str) -> bool:
        found = live.state.player(player)
        return found is not None and self.presence.connected_here(found.via)

    def _players_here(self, live: LiveTable) -> bool:
        return any(self.presence.connected_here(player.via) for player in live.state.players)

    def _tell_control(self, before: Table, after: Table) -> None:
        """A player acts through another connection now: the old one, if it is ours, becomes a watcher and is told."""
        for player in after.players:
            was = before.player(player.id)
            if was is not None and player.via and was.via != player.via and self.presence.connected_here(was.via):
                place = Place(table=after.id, stint=player.stint, seq=player.seq, control=False)
                self.sink.place(was.via, place)

    async def _fire(self, table: TableId) -> None:
        """Every clock of the table that is due, one after the other."""
        async with self.registry.visit(table) as live:
            while live is not None and not live.gone:
                earliest = live.state.earliest_deadline()
                if earliest is None or earliest[1] > self.now_ms():
                    break
                if earliest[0] == "out":
                    await self.transfers.pay_out(live)
                outcome = await self.committer.run(live, DeadlinePassed(*earliest))
                if isinstance(outcome, Refusal) or live.state.earliest_deadline() == earliest:
                    break
            if live is not None and self._players_here(live):
                self.timers.arm(live, mine=True)

    async def _pay_out(self, table: TableId) -> None:
        async with self.registry.visit(table) as live:
            if live is not None and not live.gone:
                await self.transfers.pay_out(live)

    def _wallet(self, player: PlayerId, balance: int) -> None:
        self.sink.wallet(player, balance)

    def _availability(self, available: bool) -> None:
        if available != self.available:
            self.available = available
            self.sink.store_state(available)
            if available:
                self._spawn(self.registry.rescan())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except StoreAway:
        pass  # sweeps go on with it when the store is back
    except Exception:
        log.exception("background work failed")


def digest_of(command: TableCommand) -> bytes:
    """What a command asks for, without the number that its connection gave it."""
    content = {name: value for name, value in plain(command).items() if name != "id"}
    return hashlib.sha256(msgpack.packb(content)).digest()[:16]


def _refused(id: int, refusal: Refusal) -> Refused:
    detail = dict(refusal.detail)
    message, retry_ms = codes.message(refusal.code, "en", detail), RETRY_MS.get(refusal.code)
    return Refused(id=id, code=refusal.code, message=message, detail=detail, retry_ms=retry_ms)
