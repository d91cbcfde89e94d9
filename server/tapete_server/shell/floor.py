"""The floor of the casino: the tables as this node serves them. What the gateway asks for is done here."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine, Mapping
from typing import Any

import msgpack

from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.commands import (
    AskAdvice,
    BuyIn,
    CashOut,
    CloseTable,
    Hello,
    Leave,
    OpenTable,
    Reveal,
    Since,
    TableCommand,
    TopUp,
)
from tapete_protocol.frames import Ack, Advice, Batch, Place, Refused, Welcome
from tapete_server.core.commands import DeadlinePassed, FromPlayer, Refusal, VoidRound, Wait
from tapete_server.core.games import plain
from tapete_server.core.state import Table
from tapete_server.ports import Clock, Entropy, Jitter, Store
from tapete_server.shell import adviser, expiry, house_sum, lobby, presence, readiness, registry, timers, transfers
from tapete_server.shell.actuary import SWEEP_MS, Actuary
from tapete_server.shell.chronicle import Chronicle
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.committer import Accepted, Committer
from tapete_server.shell.floor_port import Actor, Sink
from tapete_server.shell.house import House
from tapete_server.shell.live_table import LiveTable
from tapete_server.shell.loop_lag import LoopLag
from tapete_server.shell.opening import Openings
from tapete_server.shell.reception import Reception
from tapete_server.shell.refusing import refused
from tapete_server.shell.sweeping import for_ever, quietly


class TheFloor:
    """Built once by `app`; `run` keeps its sweeps going until it is cancelled."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        *,
        key: bytes,
        house: House,
        node: str,
        dice: Jitter,
        crew: str = "",
        actuary: Actuary | None = None,
    ) -> None:
        """`crew`: what the incarnations of all workers of one port begin with; hexadecimal. `actuary`: finds odds that are not
        known here; nobody: advice by them is refused."""
        self._store, self._house, self._dice = store, house, dice
        self.incarnation = crew + entropy.token_bytes(6).hex()
        self.node = node
        self.clock = StoreClock(clock)
        self.committer = Committer(store, self.clock, entropy, key, dice)
        self.counts = self.committer.counts
        self.chronicle = Chronicle(self.counts, node)
        self.registry = registry.Registry(store, self.clock, self._changed, self.counts)
        self.timers = timers.Timers(store, self.clock, self._fire, dice)
        self.transfers = transfers.Transfers(store, self.committer, self.registry.visit, self._wallet)
        self.presence = presence.Presence(
            store, self.registry, self.committer, self.clock, node=node, incarnation=self.incarnation
        )
        self.house_sum = house_sum.HouseSum(store, self.presence)
        self.lobby_list = lobby.LobbyList(store, store, self.registry, self.incarnation, actuary)
        self.openings = Openings(store, self.clock, entropy, key, house, opened_by=self.lobby_list.opened_by)
        self.adviser = adviser.Adviser()
        self.actuary = actuary
        self.reception = Reception(store, entropy, key, house)
        self.loop_lag = LoopLag()
        self.readiness = readiness.Readiness(store, self.loop_lag)
        self.expiry = expiry.Expiry(store, self.lobby_list, self.clock, guest_days=house.guest_days)
        self._tasks: set[asyncio.Task[bool]] = set()
        self.available = True

    @property
    def sink(self) -> Sink:
        return self.registry.sink

    @sink.setter
    def sink(self, sink: Sink) -> None:
        self.registry.sink = sink
        self.lobby_list.sink = sink

    @property
    def faults(self) -> tuple[str, ...]:
        """What keeps this node from serving; none: it is ready."""
        found = self.readiness.faults
        return found if self.available else tuple(dict.fromkeys((readiness.REFUSED, *found)))

    async def start(self) -> None:
        """Connect the store's calls to this floor, and learn the store's time. Raises `StoreAway`."""
        self._store.on_batch = self.registry.receive
        self._store.seen = self.registry.seen
        self._store.on_resubscribed = self._resubscribed
        self._store.on_available = self._availability
        await self._store.beat(self.incarnation, self.node)
        await self.presence.beat()
        await self.readiness.look()

    async def run(self) -> None:
        """For ever: each of these may fail, and is done again; it ends with all of them."""
        sweeps = (
            (self.presence.beat, "the heartbeat", presence.BEAT_MS),
            (self.presence.watch, "looking for dead nodes", presence.LAPSE_LOOK_MS),
            (self.timers.sweep, "looking for overdue clocks", timers.SWEEP_MS),
            (self.transfers.sweep, "driving transfers on", transfers.SWEEP_MS),
            (self.registry.rescan, "looking at all tables", registry.RESCAN_MS),
            (self.lobby_list.look, "the lobby", lobby.LOOK_MS),
            (self.readiness.look, "looking whether the store echoes", readiness.LOOK_MS),
            (self.house_sum.look, "counting the house's money", house_sum.LOOK_MS),
            (self.expiry.sweep, "expiring guests", expiry.SWEEP_MS),
        )
        async with asyncio.TaskGroup() as group:
            group.create_task(self.loop_lag.watch())
            for work, what, pause_ms in sweeps:
                group.create_task(for_ever(work, what, pause_ms, self._dice))
            if self.actuary is not None:
                group.create_task(for_ever(self.actuary.sweep, "finding odds", SWEEP_MS, self._dice))

    def leave(self) -> None:
        """This node is about to go: connections that end from now on end because of it."""
        self.presence.leaving = True

    async def stop(self) -> None:
        """This node is going: its players may be taken over at once."""
        self.leave()
        self.timers.stop()
        self.registry.stop()
        self.presence.stop()
        for task in tuple(self._tasks):
            task.cancel()
        await quietly(self._store.retire(self.incarnation), "taking leave")  # else its heartbeat lapses soon

    # --- what the gateway asks for ---

    def now_ms(self) -> int:
        return self.clock.now_ms()

    async def sign_in(self, hello: Hello, address: str) -> Welcome | Refused:
        account = await self.reception.sign_in(hello, address)
        if isinstance(account, Refusal):
            return refused(hello.id, account)
        return Welcome(
            id=hello.id, player=account.player, name=account.name, token=self.reception.token(account.player),
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

    async def play(self, actor: Actor, command: TableCommand | Reveal) -> Ack | Refused:
        live = self.registry.live(command.table)
        if live is None:
            return refused(command.id, Refusal("not_watching", {"table": command.table}))
        if not isinstance(command, Reveal):  # that may come from a connection which only watches
            await self.presence.acts(live, actor.player, actor.via)
        before = live.state.player(actor.player)
        sender = FromPlayer(actor.player, actor.name, actor.via, command, digest_of(command))
        outcome = await self.committer.run(live, sender)
        if isinstance(outcome, Accepted):
            if isinstance(command, Leave | CashOut) and not live.gone:
                await self.transfers.pay_out(live)  # so that the wallet is told before the answer
            after = live.state.player(actor.player)
            if after is not None and (before is None or before.stint != after.stint):
                self.sink.place(actor.via, Place(table=live.id, stint=after.stint, seq=after.seq))
            return Ack(id=command.id, now=self.now_ms(), version=outcome.version, table=live.id)
        assert not isinstance(outcome, Wait), "only clocks wait"
        return refused(command.id, outcome)

    async def advise(self, actor: Actor, command: AskAdvice) -> Advice | Refused:
        live = self.registry.live(TableId(command.table))
        if live is None:
            return refused(command.id, Refusal("not_watching", {"table": command.table}))
        outcome = await self.adviser.advise(live.state, actor.player, command)
        return refused(command.id, outcome) if isinstance(outcome, Refusal) else outcome

    async def odds(self, table: TableId) -> Mapping[str, Any] | None:
        async with self.registry.visit(table) as live:
            return None if live is None else adviser.odds_of(live.state.settings)

    async def buy_in(self, actor: Actor, command: BuyIn) -> Ack | Refused:
        live = self.registry.live(command.table)
        if live is None:
            return refused(command.id, Refusal("not_watching", {"table": command.table}))
        if command.amount == 0:
            return refused(command.id, Refusal("bad_amount", {"amount": 0}))
        transfer = f"{actor.player}~{command.command}"
        outcome = await self.transfers.buy_in(transfer, actor.player, live, command.amount)
        if isinstance(outcome, Refusal):
            return refused(command.id, outcome)
        return Ack(id=command.id, now=self.now_ms(), version=outcome.version or live.state.version, table=live.id)

    async def top_up(self, actor: Actor, command: TopUp) -> Ack | Refused:
        below = self._house.top_up_below - self.lobby_list.chips_of(actor.player)  # chips at tables are money, too
        try:
            account = await self._store.top_up(actor.player, command.command, self._house.top_up, below)
        except LookupError:  # the store went back to before this guest came
            return refused(command.id, Refusal("bad_token"))
        if account == "enough":
            return refused(command.id, Refusal("enough_money", {"below": self._house.top_up_below}))
        self._wallet(actor.player, account.balance)
        return Ack(id=command.id, now=self.now_ms())

    async def open_table(self, actor: Actor, command: OpenTable) -> Ack | Refused:
        answer = await self.openings.open(actor.player, command)
        if isinstance(answer, Refusal):
            return refused(command.id, answer)
        return Ack(id=command.id, now=self.now_ms(), version=1, table=answer)

    async def close_table(self, actor: Actor, command: CloseTable) -> Ack | Refused:
        async with self.registry.visit(TableId(command.table)) as live:
            if live is None:
                return refused(command.id, Refusal("no_such_table"))
            outcome = await self.openings.close(live, actor.player)
        if isinstance(outcome, Refusal):
            return refused(command.id, outcome)
        return Ack(id=command.id, now=self.now_ms(), version=outcome, table=command.table)

    async def lobby(self) -> bytes:
        return self.lobby_list.payload()

    # --- what happens by itself ---

    def _changed(self, live: LiveTable, before: Table | None, batch: Batch | None) -> None:
        """After every batch of a followed table (no batch: it was loaded, or jumped, or went)."""
        states = [state for state in (before, live.state) if state is not None]
        mine = batch is not None and batch.by is not None and self._player_here(states, batch.by.player)
        here = self.presence.players_here(live.state)
        if live.gone or here:
            self.timers.arm(live, mine=mine)
        else:
            self.timers.disarm(live.id)
        if batch is None:
            self.chronicle.forget(live)
        else:
            self.chronicle.note(live, before, batch)
        if before is not None:
            self._tell_control(before, live.state)
        elif players := self.presence.connected(live.id):
            self._spawn(self._remind(live, players), f"telling where everyone stands at {live.id}")
        if live.gone:
            self.presence.forget_table(live.id)
            return
        if live.spoilt is not None:
            self._spawn(self._void(live.id, *live.spoilt), f"voiding what is known at {live.id}")
        if live.state.outgoing and (mine or here or batch is None):
            self._spawn(self._pay_out(live.id), f"paying out at {live.id}")
        for player in self.presence.wrongly_away(live):
            self._spawn(self.presence.still_here(live.id, player), f"marking {player} back")

    def _player_here(self, states: list[Table], player: str) -> bool:
        """Connected here before or after: whoever leaves is at the table only before."""
        found = [state.player(player) for state in states]
        return any(one is not None and self.presence.connected_here(one.via) for one in found)

    def _tell_control(self, before: Table, after: Table) -> None:
        """A player acts through another connection now: the old one becomes a watcher. Both are told, as far as they are ours."""
        for player in after.players:
            was = before.player(player.id)
            if was is None or not player.via or was.via == player.via:
                continue
            for via, control in ((was.via, False), (player.via, True)):
                if self.presence.here(after.id, player.id, via):
                    self.sink.place(via, Place(table=after.id, stint=player.stint, seq=player.seq, control=control))

    async def _fire(self, table: TableId) -> None:
        """Every clock of the table that is due, one after the other."""
        stuck = False
        async with self.registry.visit(table) as live:
            if live is None:
                return
            while not stuck and not live.gone:
                earliest = live.state.earliest_deadline()
                if earliest is None or earliest[1] > self.now_ms():
                    break
                if earliest[0] == "out":
                    await self.transfers.pay_out(live)
                outcome = await self.committer.run(live, DeadlinePassed(*earliest))
                stuck = isinstance(outcome, Refusal) or live.state.earliest_deadline() == earliest
            if live.state.outgoing and not live.gone:
                await self.transfers.pay_out(live)
            if self.presence.players_here(live.state):
                self.timers.arm(live, mine=True, again=stuck)

    async def _remind(self, live: LiveTable, players: list[tuple[PlayerId, str]]) -> None:
        """The state jumped: what is private to its players may have jumped with it."""
        for player, via in players:
            if (found := live.state.player(player)) is not None:
                self.sink.place(via, Place(table=live.id, stint=found.stint, seq=found.seq))
            if (account := await self._store.account(player)) is not None:
                self._wallet(player, account.balance)

    async def _void(self, table: TableId, number: int, nonce: bytes) -> None:
        async with self.registry.visit(table) as live:
            if live is not None and not live.gone:
                await self.committer.run(live, VoidRound(number, nonce, "rewound"))

    async def _pay_out(self, table: TableId) -> None:
        async with self.registry.visit(table) as live:
            if live is not None and not live.gone:
                await self.transfers.pay_out(live)

    def _wallet(self, player: PlayerId, balance: int) -> None:
        self.sink.wallet(player, balance)

    def _resubscribed(self) -> None:
        self.presence.store_came_back()
        self._spawn(self.registry.rescan(), "looking at all tables")

    def _availability(self, available: bool) -> None:  # noqa: FBT001 - as the port has it
        if available != self.available:
            self.available = available
            self.sink.store_state(available)
            if available:
                self._spawn(self.registry.rescan(), "looking at all tables")

    def _spawn(self, work: Coroutine[Any, Any, None], what: str) -> None:
        task = asyncio.get_running_loop().create_task(quietly(work, what))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # of one that was cancelled before it began


def digest_of(command: TableCommand | Reveal) -> bytes:
    """What a command asks for, without the number that its connection gave it."""
    content = {name: value for name, value in plain(command).items() if name != "id"}
    return hashlib.sha256(msgpack.packb(content)).digest()[:16]
