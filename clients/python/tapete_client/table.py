"""A table, as a player or a spectator has it in hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from tapete_client.errors import ClientError, Refused, TableGone
from tapete_client.feed import Feed
from tapete_client.mirror import Mirror, OutOfStep
from tapete_client.news import (
    ControlChanged,
    CrowdChanged,
    Happened,
    Missed,
    News,
    PartMissing,
    Reconnected,
    StoreChanged,
    Synced,
)
from tapete_client.part import Given, Part
from tapete_client.standing import Standing
from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.frames import Ack, Advice, Batch, Crowd, Gone, Heartbeat, Place, Snapshot
from tapete_protocol.view import HandView, PlayerView, TableView, TurnView

if TYPE_CHECKING:
    from tapete_client.session import Session

Action = Literal["hit", "stand", "stand_all", "double", "split"]
Bets = Mapping[tuple[int, str], int]
"""(box, spot) to what shall lie there; 0 takes a bet back."""
REACH_S_MAX = 8.0
"""How long a call waits for the batch of its own answer: longer than a resync takes."""


class Table:
    """Made by `Session.join` and `Session.watch`. Iterate over it for `News`; `view` is always the latest state.

    Every command returns the node's `Ack` once the view contains what it did, or raises `Refused`.
    """

    def __init__(self, session: Session, table: str) -> None:
        self.id = table
        self.spectators = 0
        """Spectators, about once a second."""
        self.gone = False
        """The table was closed."""
        self._session = session
        self._mirror = Mirror()
        self._standing = Standing(session.player)
        self._part = Part(table, session.player, session.fresh)
        self._revealing: set[int] = set()
        self._feed: Feed[News] = Feed(session.feed_items_max)
        self._waiting: list[tuple[Callable[[TableView], bool], asyncio.Future[TableView]]] = []
        self._hooks: list[Callable[[bytes], None]] = []
        self._one_at_a_time = asyncio.Lock()
        self._advice: Advice | None = None
        self._failure: BaseException | None = None

    # --- what is on the table ---

    @property
    def view(self) -> TableView:
        """The table as everyone may see it."""
        if self._mirror.view is None:
            raise TableGone(self.id) if self.gone else RuntimeError("the table has not arrived yet")
        return self._mirror.view

    @property
    def version(self) -> int:
        return self._mirror.version

    @property
    def head(self) -> bytes:
        """The hash chain's head after `version`."""
        return self._mirror.head

    @property
    def since(self) -> c.Since | None:
        """What a new connection asks for: all that came after this."""
        return self._mirror.since

    @property
    def adrift(self) -> bool:
        """Batches are missing, and have been asked for; `view` is behind until they come."""
        return self._mirror.adrift

    @property
    def ended(self) -> bool:
        """No more news will come: the table is closed, no longer watched, or the session has failed."""
        return self._failure is not None

    @property
    def settings(self) -> dict[str, Any]:
        """The table's settings document; absent fields have the defaults of the game."""
        document: dict[str, Any] = json.loads(self.view.settings)
        return document

    @property
    def me(self) -> PlayerView | None:
        """This player, while seated or with chips here."""
        return next((one for one in self.view.players if one.player == self._session.player), None)

    @property
    def stack(self) -> int:
        return self.me.stack if self.me else 0

    @property
    def my_boxes(self) -> tuple[int, ...]:
        return tuple(box for box, who in enumerate(self.view.boxes, 1) if who == self._session.player)

    @property
    def free_boxes(self) -> tuple[int, ...]:
        return tuple(box for box, who in enumerate(self.view.boxes, 1) if who is None)

    @property
    def turn(self) -> TurnView | None:
        """The hand that decides now."""
        return self.view.felt.turn

    @property
    def my_turn(self) -> TurnView | None:
        """The hand that decides now, if it is this player's."""
        return self.turn if self.turn and self.turn.owner == self._session.player else None

    @property
    def my_bets(self) -> dict[tuple[int, str], int]:
        """(box, spot) to what this player has laid in the round that takes bets."""
        mine = self.my_boxes
        return {(bet.box, bet.spot): bet.amount for bet in self.view.bets if bet.box in mine}

    def my_part(self, number: int) -> Given | None:
        """The bytes that this player gave to the cards of a round, of the last ones."""
        return self._part.given.get(number)

    def hand(self, turn: TurnView) -> HandView:
        """The cards of the hand that decides."""
        return next(box.hands[turn.hand] for box in self.view.felt.boxes if box.box == turn.box)

    @property
    def control(self) -> bool:
        """False while another connection of this player acts here. The next command takes control back."""
        return self._standing.control

    # --- what a player does ---

    async def take_box(self, box: int | None = None) -> Ack:
        """Sit down at `box`, or at the first free one."""
        if box is None:
            if not self.free_boxes:
                raise Refused("box_taken", "Every box of this table is taken.")
            box = self.free_boxes[0]
        return await self._play(lambda **at: c.TakeBox(box=box, **at))

    async def free_box(self, box: int) -> Ack:
        """Give back a box on which nothing is staked; the last one is `leave`."""
        return await self._play(lambda **at: c.FreeBox(box=box, **at))

    async def buy_in(self, amount: int) -> Ack:
        """Chips from the wallet to the stack."""
        command = self._session.new_command_id()
        ack = await self._session.ask(lambda id_: c.BuyIn(id=id_, command=command, table=self.id, amount=amount))
        await self._reach(ack)
        return ack

    async def cash_out(self, amount: int | None = None) -> Ack:
        """Chips from the stack back to the wallet; all of them by default."""
        chips = self.stack if amount is None else amount
        return await self._play(lambda **at: c.CashOut(amount=chips, **at))

    async def place_bet(self, box: int, spot: str, amount: int) -> Ack:
        """`amount` is what shall lie on the spot: a repeat is harmless, 0 takes the bet back."""
        return await self.place_bets({(box, spot): amount})

    async def place_bets(self, bets: Bets | Iterable[c.Bet]) -> Ack:
        """Several bets, all or nothing. At a table with reveals, this player's part in the cards is seen to."""
        laid = (
            tuple(c.Bet(box=box, spot=spot, amount=amount) for (box, spot), amount in bets.items())
            if isinstance(bets, Mapping)
            else tuple(bets)
        )
        ack = await self._lay(laid)
        if self._part.misbound(self.view):  # the round for which it was made went by without this bet
            ack = await self._lay(laid)
        return ack

    async def _lay(self, laid: tuple[c.Bet, ...]) -> Ack:
        bound = self._part.commitment(self.view)
        return await self._play(lambda **at: c.PlaceBets(bets=laid, commitment=bound, **at))

    async def ready(self, *, ready: bool = True) -> Ack:
        """Do not wait for me."""
        return await self._play(lambda **at: c.Ready(ready=ready, **at))

    async def act(self, action: Action, box: int | None = None, hand: int | None = None) -> Ack:
        """Decide for a hand: by default for the one whose turn it is."""
        if box is None or hand is None:
            turn = self.my_turn
            if turn is None:
                raise Refused("not_your_turn", "None of your hands decides now.")
            box, hand = turn.box, turn.hand
        where, which = box, hand
        return await self._play(lambda **at: c.Act(box=where, hand=which, action=action, **at))

    async def advice(self, *, exact: bool = False) -> Advice:
        """What each legal decision of the hand is worth that this player has to decide now; nobody else is told. `exact`: by
        every card that is seen, where the node can; else by the chart of the table's rules."""
        async with self._one_at_a_time:
            await self._session.ask(lambda id_: c.AskAdvice(id=id_, table=self.id, exact=exact))
            assert self._advice is not None, "advice comes before its answer"
            return self._advice

    async def hit(self, box: int | None = None, hand: int | None = None) -> Ack:
        return await self.act("hit", box, hand)

    async def stand(self, box: int | None = None, hand: int | None = None) -> Ack:
        return await self.act("stand", box, hand)

    async def stand_all(self, box: int | None = None, hand: int | None = None) -> Ack:
        """Stand every remaining hand of this player."""
        return await self.act("stand_all", box, hand)

    async def double(self, box: int | None = None, hand: int | None = None) -> Ack:
        return await self.act("double", box, hand)

    async def split(self, box: int | None = None, hand: int | None = None) -> Ack:
        return await self.act("split", box, hand)

    async def leave(self) -> Ack:
        """Give back all boxes and cash out: at once before the close, else when the round is settled."""
        return await self._play(c.Leave)

    async def unwatch(self) -> None:
        """Stop following the table; its iteration ends."""
        await self._session.unwatch(self)

    # --- what it tells ---

    def __aiter__(self) -> AsyncIterator[News]:
        return self

    async def __anext__(self) -> News:
        """The next piece of news. One reader at a time."""
        await self._feed.wait()
        missed = self._feed.take_missed()
        return Missed(missed) if missed else self._feed.take()

    @property
    def read_so_far(self) -> bool:
        """Whether the iteration has handed out all news that are here."""
        return not len(self._feed)

    async def until(self, condition: Callable[[TableView], bool]) -> TableView:
        """The first view from now on for which `condition` holds, the present one included. It sees every change."""
        if self._failure is not None:
            raise self._failure
        if self._mirror.view is not None and condition(self._mirror.view):
            return self._mirror.view
        future: asyncio.Future[TableView] = asyncio.get_running_loop().create_future()
        entry = (condition, future)
        self._waiting.append(entry)
        try:
            return await future
        finally:
            self._waiting.remove(entry)

    def on_frame(self, hook: Callable[[bytes], None]) -> None:
        """Call `hook` with the very bytes of every batch of this table, in the order of arrival."""
        self._hooks.append(hook)

    # --- called by the session ---

    def take_frame(self, frame: Batch | Snapshot | Place | Advice | Crowd | Gone | Heartbeat, payload: bytes) -> None:
        match frame:
            case Advice():
                self._advice = frame
            case Batch():
                self._take_batch(frame, payload)
            case Snapshot():
                self._take_snapshot(frame)
            case Place():
                if self._standing.place(frame):
                    self._tell(ControlChanged(frame.control))
            case Crowd():
                self.spectators = frame.spectators
                self._tell(CrowdChanged(frame.spectators))
            case Gone():
                self.gone = True
                self.end(None)
            case Heartbeat():
                if self._mirror.behind(frame.v):
                    self._session.resync(self)

    def told(self, news: Reconnected | StoreChanged) -> None:
        """Something happened to the connection."""
        self._tell(news)

    def cannot_read(self) -> None:
        """A batch of this table does not decode: only a snapshot helps."""
        self._mirror.distrust()
        self._session.resync(self)

    def end(self, failure: BaseException | None) -> None:
        """Nothing more will come."""
        if self._failure is not None:
            return
        self._failure = failure or TableGone(self.id)
        self._feed.end(failure)
        for _, future in self._waiting:
            if not future.done():
                future.set_exception(self._failure)

    def _take_snapshot(self, frame: Snapshot) -> None:
        synced = self._mirror.snapshot(frame)
        if synced is not None:
            self._standing.snapshot(synced.view)
            if synced.rewound:
                self._part.rewound(synced.view)
            self._tell(synced)
            if synced.rewound and synced.view.phase == "betting" and self.my_bets and not self.ended:
                self._session.spawn(self._bind_anew())

    async def _bind_anew(self) -> None:
        """The bets lie there still, bound to bytes that may be known by now."""
        with suppress(ClientError):
            await self.place_bets(self.my_bets)

    def _take_batch(self, frame: Batch, payload: bytes) -> None:
        for hook in self._hooks:
            hook(payload)
        told = self._mirror.batch(frame, payload)
        if isinstance(told, OutOfStep):
            self._session.resync(self)
            return
        self._standing.batch(frame)
        for news in told:
            self._tell(news)

    def _tell(self, news: News) -> None:
        self._feed.put(news)
        if isinstance(news, Happened | Synced):
            for condition, future in self._waiting:
                if not future.done() and condition(news.view):
                    future.set_result(news.view)
            self._see_to_part(news)

    def _see_to_part(self, news: Happened | Synced) -> None:
        """Reveal what is due; complain when it is said not to have come."""
        if isinstance(news, Happened) and isinstance(news.event, e.EntropyClosed):
            if given := self._part.missed(news.event):
                self._tell(PartMissing(news.event.round, max(0, news.at - given.sent_at), given.taken))
            return
        given, number = self._part.due(news.view), news.view.round
        if given is not None and number not in self._revealing and not self.ended:
            self._revealing.add(number)
            given.sent_at = given.sent_at or self._session.now()
            self._session.spawn(self._reveal(number, given))

    async def _reveal(self, number: int, given: Given) -> None:
        try:
            await self._session.ask(lambda id_: c.Reveal(id=id_, table=self.id, round=number, entropy=given.entropy))
            given.taken = True
        except ClientError:
            return  # too late, or the session is over; `EntropyClosed` tells
        finally:
            self._revealing.discard(number)

    async def _play(self, build: Callable[..., c.TableCommand]) -> Ack:
        """One command at a time: its number is used again when it was refused, and by a resend."""
        async with self._one_at_a_time:
            stint, seq = self._standing.next()
            try:
                ack = await self._session.ask(lambda id_: build(id=id_, table=self.id, stint=stint, seq=seq))
            except Refused as refused:
                if refused.code == "stale":
                    self._standing.stale(refused.detail)
                raise
            await self._reach(ack)
            self._standing.acked(stint, seq)
            return ack

    async def _reach(self, ack: Ack) -> None:
        """Wait until the view contains the answer's version; a table that is out of step gets there by its resync."""
        if ack.version is None or self.version >= ack.version or self.gone:
            return
        try:
            async with asyncio.timeout(REACH_S_MAX):
                await self.until(lambda _: self.version >= (ack.version or 0))
        except (TimeoutError, TableGone):
            return
