"""Somebody who says what is not so: garbage, other people's commands, other people's names, sums that nobody has.

It knows more than any liar could: the table as the store has it, and every frame that anybody ever sent. What must not come
of it is for `checkers/rights.py` to say.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from tapete_client.transport import Connection, Lost
from tapete_protocol import commands as c
from tapete_protocol.codec import decode_command, decode_frame, encode
from tapete_protocol.frames import Welcome
from tapete_server.core.state import Player, Table
from tests.simulation.loop import Host
from tests.simulation.network import Network, Pipe, SimTransport

PAUSE_S = 0.25
AGAIN_S = 1.0
TRUE_CHANCE = 0.15
LIES_MAX = 40
"""In one visit; a visit ends earlier when the house has enough."""
SEEN_MAX = 40
OVERHEARD_MAX = 40
HUGE = 10**12
ACTIONS = ("hit", "stand", "stand_all", "double", "split")
SPOTS = {"double_exposure": ("main", "main", "sevens"), "punto_banco": ("punto", "banca", "empate")}


class Liar:
    """`look`: the table as it stands, None when there is none."""

    def __init__(
        self, name: str, network: Network, urls: tuple[str, ...], rng: Random, look: Callable[[], Table | None]
    ) -> None:
        self.name, self.host = name, Host(name)
        self._network, self._urls, self._rng, self._look = network, urls, rng, look
        self._transport = SimTransport(network, self.host)
        self._seen: deque[bytes] = deque(maxlen=SEEN_MAX)
        self._overheard: deque[c.Command] = deque(maxlen=OVERHEARD_MAX)
        self._token: str | None = None
        self._me = ""
        self._going_home = False
        self._number = 0
        network.on_said.append(self._overhear)

    def _overhear(self, pipe: Pipe, payload: bytes) -> None:
        """Of what others say all but tokens: whoever has one is the player."""
        if pipe.client is not self.host:
            command = decode_command(payload)
            if not isinstance(command, c.Hello):
                self._overheard.append(command)

    async def live(self, table: str) -> None:
        while True:
            with suppress(Lost):
                await self._visit(await self._transport.connect(self._rng.choice(self._urls)), table)
            await asyncio.sleep(AGAIN_S)

    def go_home(self) -> None:
        """No more lies; a seat that it has it gives back."""
        self._going_home = True
        self._network.cut_all(lambda pipe: pipe.client is self.host)

    async def _visit(self, door: Connection, table: str) -> None:
        listening = asyncio.ensure_future(self._listen(door))
        try:
            if not self._going_home and self._rng.random() < 0.5:
                await door.send(self._lie(table))
            if not self._going_home and self._rng.random() < 0.5:
                await door.send(encode(c.Hello(id=self.number(), name=self._name(), token=self._false_token())))
            await door.send(encode(c.Hello(id=self.number(), name=self.name, token=self._token)))
            await door.send(encode(c.Watch(id=self.number(), table=table)))
            for _ in range(0 if self._going_home else self._rng.randrange(LIES_MAX)):
                await asyncio.sleep(self._rng.expovariate(1 / PAUSE_S))
                await door.send(self._true(table) if self._rng.random() < TRUE_CHANCE else self._lie(table))
            while self._going_home:
                await door.send(self._leave(table))
                await asyncio.sleep(AGAIN_S)
        finally:
            listening.cancel()
            await door.close()

    async def _listen(self, door: Connection) -> None:
        with suppress(Lost):
            while True:
                frame = await door.recv()
                self._seen.append(frame)
                if isinstance(welcome := decode_frame(frame), Welcome):
                    self._token, self._me = welcome.token, welcome.player

    def number(self) -> int:
        self._number += 1
        return self._number

    def _name(self) -> str | None:
        """Somebody else's, if anybody is there."""
        state = self._look()
        return self._rng.choice(state.players).name if state and state.players else None

    def _false_token(self) -> str:
        state = self._look()
        whose = self._rng.choice(state.players).id if state and state.players else "g0"
        end = self._rng.choice(
            ("", ".", f".{self._rng.randbytes(16).hex()}", f".{(self._token or '.').partition('.')[2]}")
        )
        return f"{whose}{end}"

    def _true(self, table: str) -> bytes:
        """Now and then an honest command: who has a seat and chips can do more harm."""
        state = self._look()
        mine = state.player(self._me) if state else None
        if state is not None and mine is not None:
            return encode(c.BuyIn(id=self.number(), command=f"true-{self._number:08d}", table=table, amount=1_000))
        free = [box for box, holder in enumerate(state.boxes, 1) if holder is None] if state else []
        box = self._rng.choice(free or [1])
        return encode(c.TakeBox(id=self.number(), table=table, stint=0, seq=1, box=box))

    def _leave(self, table: str) -> bytes:
        state = self._look()
        mine = state.player(self._me) if state else None
        stint, seq = (mine.stint, mine.seq + 1) if mine else (0, 1)
        return encode(c.Leave(id=self.number(), table=table, stint=stint, seq=seq))

    # --- lies ---

    def _lie(self, table: str) -> bytes:
        lie = self._rng.choices(
            (self._forged, self._copied, self._echoed, self._huge, self._garbage), (8, 4, 1, 2, 0.3)
        )[0]
        return lie(table)

    def _whose(self) -> tuple[Player | None, int]:
        """Somebody at the table, and a box of theirs, or any."""
        state = self._look()
        if state is None or not state.players:
            return None, self._rng.randint(1, 4)
        player = self._rng.choice(state.players)
        boxes = state.boxes_of(player.id)
        return player, self._rng.choice(boxes) if boxes else self._rng.randint(1, 4)

    def _place(self, player: Player | None, table: str) -> dict[str, Any]:
        """Where a command says that it belongs: in the place of the liar, if it has one, of the other, or thereabouts."""
        rng, state = self._rng, self._look()
        if state is not None and (mine := state.player(self._me)) is not None and rng.random() < 0.8:
            player = mine
        stint, seq = (player.stint, player.seq + 1) if player else (0, 1)
        return {
            "id": self.number(),
            "table": table if rng.random() < 0.95 else rng.choice(("nowhere", "felt-2")),
            "stint": stint if rng.random() < 0.8 else max(0, stint + rng.randint(-3, 3)),
            "seq": seq if rng.random() < 0.8 else max(0, seq + rng.randint(-3, 30)),
        }

    def _spot(self) -> str:
        state = self._look()
        return self._rng.choice(SPOTS[state.game] if state else ("none",))

    def _forged(self, table: str) -> bytes:
        """A command for somebody else's box."""
        player, box = self._whose()
        place, rng = self._place(player, table), self._rng
        state = self._look()
        turn = state is not None and state.deadline("turn") > 0
        kinds: list[c.TableCommand] = [
            c.TakeBox(box=box, **place),
            c.FreeBox(box=box, **place),
            c.Leave(**place),
            c.CashOut(amount=rng.choice((1, 100, 10_000)), **place),
            c.Ready(ready=rng.random() < 0.7, **place),
            c.PlaceBets(bets=(c.Bet(box=box, spot=self._spot(), amount=rng.choice((0, 100, 200))),), **place),
        ]
        if state is not None and state.phase == "betting" and state.player(self._me) is not None:
            kinds = kinds[-1:]  # who has a seat of its own can try
        act = c.Act(box=box, hand=rng.choice((0, 0, 0, 1)), action=rng.choice(ACTIONS), **place)  # type: ignore[arg-type]
        return encode(act if turn and rng.random() < 0.7 else rng.choice(kinds))

    def _copied(self, table: str) -> bytes:
        """Word for word what somebody else has said."""
        if not self._overheard:
            return self._garbage(table)
        said: Any = self._rng.choice(self._overheard)
        return encode(msgspec.structs.replace(said, id=self.number()))

    def _echoed(self, table: str) -> bytes:
        """Back to the house what the house has said."""
        return self._rng.choice(self._seen) if self._seen else self._garbage(table)

    def _huge(self, table: str) -> bytes:
        player, box = self._whose()
        place, amount = self._place(player, table), self._rng.choice((HUGE, HUGE + 1, 2**53, 10**6))
        command: Any = self._rng.choice(
            (
                c.CashOut(amount=amount, **place),
                c.PlaceBets(bets=(c.Bet(box=box, spot=self._spot(), amount=amount),), **place),
                c.BuyIn(id=self.number(), command=f"liar-{self._number:08d}", table=table, amount=amount),
                c.TopUp(id=self.number(), command=f"liar-{self._number:08d}"),
            )
        )
        return encode(command)

    def _garbage(self, _: str) -> bytes:
        """Bytes that are no command; the connection does not survive most of them."""
        rng = self._rng
        return rng.choice((rng.randbytes(rng.randrange(1, 60)), b"\x80", msgspec.msgpack.encode({"t": "Hello"})))
