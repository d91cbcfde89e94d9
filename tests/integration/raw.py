"""A client that is nothing but a socket: it sends whatever a test wants to send, and keeps every frame that comes."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tapete_protocol.codec import decode_frame
from tapete_protocol.frames import Ack, Frame, Place, Refused, Snapshot, Welcome
from tapete_protocol.limits import SUBPROTOCOL

ANSWER_S_MAX = 10.0
Answer = Ack | Refused | Welcome
Kind = TypeVar("Kind", bound=Frame)


@dataclass(frozen=True)
class Sight:
    """What one can see of a table and of its player: equal before and after, nothing has happened."""

    version: int
    head: bytes
    view: Any
    balance: int


class Raw:
    """One connection. `places`: the last `Place` of each table; `frames`: what came and nobody asked for."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.frames: list[Frame] = []
        self.places: dict[str, Place] = {}
        self.player = self.token = ""
        self._ids = itertools.count(1)
        self._socket: ClientConnection | None = None
        self._commands = itertools.count(1)

    @property
    def socket(self) -> ClientConnection:
        assert self._socket is not None, "connected"
        return self._socket

    async def __aenter__(self) -> Self:
        self._socket = await connect(
            self.url,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            max_size=1 << 20,
            max_queue=None,
            ping_interval=None,
            close_timeout=2,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.socket.close()

    # --- frames ---

    async def send(self, command: dict[str, Any]) -> int:
        """Off it goes, with a number of its own unless it brings one."""
        numbered = {"id": next(self._ids), **command}
        await self.socket.send(msgpack.packb(numbered, use_bin_type=True))
        return int(numbered["id"])

    async def recv(self) -> Frame:
        async with asyncio.timeout(ANSWER_S_MAX):
            payload = await self.socket.recv()
        assert isinstance(payload, bytes), "a node sends binary frames only"
        frame = decode_frame(payload)
        if isinstance(frame, Place):
            self.places[frame.table] = frame
        return frame

    async def answer(self, number: int) -> Answer:
        while True:
            frame = await self.recv()
            if isinstance(frame, Ack | Refused | Welcome) and frame.id == number:
                return frame
            self.frames.append(frame)

    async def ask(self, command: dict[str, Any]) -> Answer:
        return await self.answer(await self.send(command))

    async def done(self, command: dict[str, Any]) -> Ack:
        """The command must be taken."""
        answer = await self.ask(command)
        assert isinstance(answer, Ack), answer
        return answer

    async def until(self, kind: type[Kind], wanted: Callable[[Kind], bool] = lambda _: True) -> Kind:
        """The first such frame, among those that came already or from the socket."""
        while True:
            for at, frame in enumerate(self.frames):
                if isinstance(frame, kind) and wanted(frame):
                    del self.frames[: at + 1]
                    return frame
            self.frames.append(await self.recv())

    async def closed(self) -> int:
        """The code with which the node closes this connection."""
        with suppress(ConnectionClosed):
            while True:
                await self.recv()
        code = self.socket.close_code
        assert code is not None
        return code

    # --- what everybody needs ---

    async def hello(self, name: str = "Ana", token: str | None = None) -> Welcome:
        """Again, while the node has not heard yet that its store is back."""
        hello = {"t": "Hello", "name": name} if token is None else {"t": "Hello", "token": token}
        async with asyncio.timeout(60):
            while isinstance(answer := await self.ask(hello), Refused) and answer.code == "unavailable":  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        assert isinstance(answer, Welcome), answer
        self.player, self.token = answer.player, answer.token
        return answer

    def command_id(self) -> str:
        return f"command-{next(self._commands):08}"

    async def watch(self, table: str) -> Snapshot:
        """The table as it is now; asking again shows it again."""
        self.frames = [frame for frame in self.frames if not isinstance(frame, Snapshot)]
        await self.done({"t": "Watch", "table": table})
        return next(one for one in reversed(self.frames) if isinstance(one, Snapshot) and one.table == table)

    async def balance(self, token: str) -> int:
        """As a new connection of that player is told."""
        async with Raw(self.url) as again:
            return (await again.hello(token=token)).balance

    def placed(self, kind: str, table: str, **fields: Any) -> dict[str, Any]:
        """A command at a table with the next sequence there."""
        place = self.places.get(table)
        stint, seq = (place.stint, place.seq + 1) if place is not None else (0, 1)
        return {"t": kind, "table": table, "stint": stint, "seq": seq, **fields}

    async def act(self, kind: str, table: str, **fields: Any) -> Ack:
        """A command at a table that must be taken; the sequence moves on."""
        command = self.placed(kind, table, **fields)
        ack = await self.done(command)
        place = self.places.get(table)
        if place is not None and place.seq < command["seq"]:
            self.places[table] = Place(table=table, stint=place.stint, seq=command["seq"])
        return ack

    async def sync(self, table: str) -> None:
        """Watch, and learn one's place there anew."""
        await self.done({"t": "Watch", "table": table})

    async def sit(self, table: str, box: int, chips: int = 0) -> None:
        await self.watch(table)
        await self.act("TakeBox", table, box=box)
        if chips:
            await self.buy_in(table, chips)

    async def buy_in(self, table: str, amount: int) -> None:
        await self.done({"t": "BuyIn", "command": self.command_id(), "table": table, "amount": amount})

    async def open_table(self, settings: str, name: str = "Mesa", *, public: bool = False) -> str:
        command = {"t": "OpenTable", "command": self.command_id(), "name": name, "settings": settings, "public": public}
        table = (await self.done(command)).table
        assert table is not None
        return table
