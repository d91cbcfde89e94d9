"""A scripted house in memory: one table, its log of batches, and faults to order. It speaks the protocol's bytes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import structs

from tapete_client.transport import Connection, Lost
from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol import frames as f
from tapete_protocol import view as v
from tapete_protocol.chain import genesis_head, next_head
from tapete_protocol.codec import decode_command, encode
from tapete_protocol.reduce import reduce

TABLE = "green-room"
PLAYER = "p-ana"
SETTINGS = '{"game":"double_exposure"}'
NOW = 1_900_000_000_000


def empty_view() -> v.TableView:
    shoe = v.ShoeView(decks=6, left=312, dealt=0, coup=0, cut_card=0)
    return v.TableView(
        name="Green room", game="double_exposure", settings=SETTINGS, public=True, opener="", phase="betting", round=1,
        commitment=b"", boxes=(None,) * 4, players=(), bets=(), clocks=(), felt=v.Felt(shoe=shoe), recent=(),
    )  # fmt: skip


@dataclass
class House:
    """`refuse`: the next refusals, one for each command that is no Hello or Watch. `mute`: so many commands are taken
    and not answered; the connection is cut instead."""

    view: v.TableView = field(default_factory=empty_view)
    version: int = 1
    head: bytes = field(default_factory=lambda: genesis_head(TABLE))
    log: list[tuple[int, bytes, bytes]] = field(default_factory=list)
    log_since: int = 1
    open: list[Door] = field(default_factory=list)
    heard: list[c.Command] = field(default_factory=list)
    refuse: deque[f.Refused] = field(default_factory=deque)
    mute: int = 0
    down: set[str] = field(default_factory=set)
    dialled: list[str] = field(default_factory=list)
    seq: int = 0
    stint: int = 0
    last: tuple[tuple[object, ...], f.Ack] | None = None
    gone: bool = False
    hello_refused: str = ""
    bad_token: str = ""
    watch_refused: list[str] = field(default_factory=list)
    hidden: int = 0
    lobby: tuple[f.LobbyTable, ...] = ()
    advice: f.Advice | None = None

    # --- the transport ---

    async def connect(self, url: str) -> Connection:
        self.dialled.append(url)
        if url in self.down:
            raise Lost(f"{url} is down")
        door = Door(self)
        self.open.append(door)
        return door

    # --- what happens at the table ---

    def happen(self, *events: e.Event, by: f.Author | None = None) -> bytes:
        """Commit a batch and send it to every connection."""
        payload = self.commit(*events, by=by)
        self.send(payload)
        return payload

    def commit(self, *events: e.Event, by: f.Author | None = None) -> bytes:
        """Commit a batch that nobody is told of."""
        self.version += 1
        batch = f.Batch(table=TABLE, v=self.version, prev=self.head, at=NOW, events=events, by=by)
        payload = encode(batch)
        self.head = next_head(self.head, payload)
        for event in events:
            self.view = reduce(self.view, event)
        self.log.append((self.version, self.head, payload))
        return payload

    def send(self, payload: bytes) -> None:
        for door in self.open:
            if door.watching:
                door.say(payload)

    def cut(self, code: int | None = None) -> None:
        """Break every connection."""
        for door in self.open:
            door.cut(code)
        self.open.clear()

    def snapshot(self, *, rewound: bool = False) -> bytes:
        return encode(f.Snapshot(table=TABLE, v=self.version, head=self.head, at=NOW, view=self.view, rewound=rewound))

    # --- commands ---

    def hear(self, door: Door, command: c.Command) -> None:
        self.heard.append(command)
        match command:
            case c.Hello(id=id_) if self.hello_refused:
                door.tell(f.Refused(id=id_, code=self.hello_refused, message=""))
            case c.Hello(id=id_, token=token) if token and token == self.bad_token:
                door.tell(f.Refused(id=id_, code="bad_token", message=""))
            case c.Hello(id=id_, name=name):
                door.say(encode(self._welcome(id_, name)))
            case c.Watch(id=id_, since=since):
                self._watch(door, id_, since)
            case c.AskAdvice(id=id_) if self.advice is not None:
                door.tell(structs.replace(self.advice, id=id_, v=self.version), f.Ack(id=id_, now=NOW))
            case c.WatchLobby(id=id_):
                door.tell(f.Ack(id=id_, now=NOW), f.Lobby(tables=self.lobby))
            case _:
                self._other(door, command)

    def _welcome(self, id_: int, name: str | None) -> f.Welcome:
        return f.Welcome(
            id=id_, player=PLAYER, name=name or "Ana", token="token-of-ana", balance=100_000, now=NOW, node="n1"
        )

    def _watch(self, door: Door, id_: int, since: c.Since | None) -> None:
        if self.gone or self.watch_refused:
            code = "no_such_table" if self.gone else self.watch_refused.pop(0)
            door.tell(f.Refused(id=id_, code=code, message=""))
            return
        if self.hidden:
            self.hidden -= 1
            door.tell(f.Ack(id=id_, now=NOW, version=self.version))
            return
        door.watching = True
        known = since is not None and (
            since.version >= self.log_since
            and any((version, head) == (since.version, since.head) for version, head, _ in self.log)
        )
        if since is not None and known:
            for version, _, payload in self.log:
                if version > since.version:
                    door.say(payload)
        else:
            door.say(self.snapshot())
        if any(one.player == PLAYER for one in self.view.players):
            door.tell(f.Place(table=TABLE, stint=self.stint, seq=self.seq))
        door.tell(f.Ack(id=id_, now=NOW, version=self.version))

    def _other(self, door: Door, command: c.Command) -> None:
        if self.refuse:
            refused = self.refuse.popleft()
            door.tell(f.Refused(id=command.id, code=refused.code, message="", detail=refused.detail, retry_ms=1))
            return
        ack = self._take(command)
        if self.mute:
            self.mute -= 1
            self.cut()
            return
        door.tell(ack if ack.id == command.id else f.Ack(id=command.id, now=NOW, version=ack.version))

    def _take(self, command: c.Command) -> f.Ack:
        content = _content(command)
        if self.last is not None and self.last[0] == content:
            return self.last[1]
        events = self._events(command)
        if events:
            by = f.Author(player=PLAYER, seq=command.seq, digest=b"") if isinstance(command, c.Placed) else None
            self.seq = by.seq if by else self.seq
            self.happen(*events, by=by)
        ack = f.Ack(id=command.id, now=NOW, version=self.version)
        self.last = (content, ack)
        return ack

    def _events(self, command: c.Command) -> tuple[e.Event, ...]:
        match command:
            case c.TakeBox(box=box):
                self.stint = self.stint or self.version
                return (e.BoxTaken(box=box, player=PLAYER, name="Ana", stint=self.stint, via="n1.1"),)
            case c.BuyIn(amount=amount):
                return (e.ChipsIn(player=PLAYER, amount=amount, transfer="x"),)
            case c.PlaceBets(bets=bets):
                return tuple(e.BetPlaced(box=b.box, player=PLAYER, spot=b.spot, amount=b.amount) for b in bets)
            case c.Ready(ready=ready):
                return (e.PlayerReady(player=PLAYER, ready=ready),)
            case c.Leave():
                mine = [box for box, who in enumerate(self.view.boxes, 1) if who == PLAYER]
                freed = tuple(e.BoxFreed(box=box, player=PLAYER, why="left") for box in mine)
                return (*freed, e.PlayerLeft(player=PLAYER))
            case _:
                return ()


class Door:
    """The node's end of one connection, and the client's."""

    def __init__(self, house: House) -> None:
        self.watching = False
        self._house = house
        self._frames: asyncio.Queue[bytes | Lost] = asyncio.Queue()
        self._lost: Lost | None = None
        self.on_hear: Callable[[c.Command], None] | None = None

    def say(self, payload: bytes) -> None:
        if self._lost is None:
            self._frames.put_nowait(payload)

    def tell(self, *frames: f.Frame) -> None:
        for frame in frames:
            self.say(encode(frame))

    def cut(self, code: int | None = None) -> None:
        if self._lost is None:
            self._lost = Lost("cut", code)
            self._frames.put_nowait(self._lost)

    async def send(self, payload: bytes) -> None:
        if self._lost is not None:
            raise self._lost
        self._house.hear(self, decode_command(payload))
        await asyncio.sleep(0)

    async def recv(self) -> bytes:
        frame = await self._frames.get()
        if isinstance(frame, Lost):
            self._frames.put_nowait(frame)
            raise frame
        return frame

    async def close(self) -> None:
        self.cut()
        if self in self._house.open:
            self._house.open.remove(self)


def _content(command: c.Command) -> tuple[object, ...]:
    return type(command), *(getattr(command, field) for field in command.__struct_fields__ if field != "id")
