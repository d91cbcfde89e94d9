"""Somebody who plays properly, but says everything two or three times, on two connections at once, and old things again."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from tapete_client.transport import Connection, Lost
from tapete_protocol import commands as c
from tapete_protocol.codec import decode_command, encode
from tests.simulation.network import Network, SimTransport
from tests.simulation.people import Person

REPEATED = (c.TakeBox, c.FreeBox, c.Leave, c.CashOut, c.PlaceBets, c.Ready, c.Act, c.BuyIn, c.TopUp)
"""What counts once, however often it is said."""
COPIES = (0, 1, 1, 2)
OLD_CHANCE = 0.2
OLD_MAX = 12
"""Commands that are remembered, to be said once more."""
COPY_ID = 1_000_000
"""Copies are numbered from here: an answer to one of them is nobody's."""
UNSAID_MAX = 8
ECHO_AGAIN_S = 0.4


class Stammerer(Person):
    """A `Person` whose connection repeats itself."""

    _mouth: StammeringTransport | None = None

    def transport(self) -> SimTransport:
        if self._mouth is None or self._mouth.device is not self.host:
            self._mouth = StammeringTransport(self._network, self)
        return self._mouth

    @property
    def token(self) -> str | None:
        return self._token

    @property
    def composed(self) -> bool:
        """On the way home everything is said once."""
        return self.going_home

    def fork(self) -> Random:
        return Random(self._rng.getrandbits(64))


class StammeringTransport(SimTransport):
    def __init__(self, network: Network, person: Stammerer) -> None:
        super().__init__(network, person.host)
        self.device = person.host
        self._person, self._rng = person, person.fork()
        self._old: deque[c.Command] = deque(maxlen=OLD_MAX)
        self._number = COPY_ID
        self._unsaid: deque[c.Command] = deque(maxlen=UNSAID_MAX)
        self._stirred = asyncio.Event()
        self._echo: asyncio.Task[None] | None = None

    async def connect(self, url: str) -> Connection:
        if self._echo is None:
            self._echo = asyncio.ensure_future(self._echoes())
        return StammeringDoor(await super().connect(url), self)

    async def say(self, door: Connection, payload: bytes) -> None:
        await door.send(payload)
        command: Any = decode_command(payload)
        if isinstance(command, REPEATED) and not self._person.composed:
            for _ in range(self._rng.choice(COPIES)):
                await self._again(door, command)
            if self._old and self._rng.random() < OLD_CHANCE:
                await self._again(door, self._rng.choice(self._old))
            if not (isinstance(command, c.TakeBox) and command.stint == 0):  # sitting down anew is no repeat
                self._old.append(command)

    async def _again(self, door: Connection, command: c.Command) -> None:
        copy = self._copy(command)
        if self._rng.random() < 0.5:
            await door.send(encode(copy))
        else:
            self._unsaid.append(copy)
            self._stirred.set()

    def _copy(self, command: Any) -> c.Command:
        self._number += 1
        copied: c.Command = msgspec.structs.replace(command, id=self._number)
        return copied

    # --- the second connection ---

    async def _echoes(self) -> None:
        """Signed in as the same player, at the same table; it only says what was said before."""
        while True:
            await asyncio.sleep(ECHO_AGAIN_S)
            if (token := self._person.token) is not None:
                try:
                    await self._echo_over(await super().connect(self._rng.choice(self._person.urls)), token)
                except Lost:
                    continue

    async def _echo_over(self, door: Connection, token: str) -> None:
        await door.send(encode(c.Hello(id=0, token=token)))
        await door.send(encode(c.Watch(id=1, table=self._person.place)))
        work = [
            asyncio.ensure_future(one) for one in (_read_on(door), self._say_on(door), self._somebody_else_now(token))
        ]
        await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        for task in work:
            task.cancel()
        await door.close()

    async def _somebody_else_now(self, token: str) -> None:
        """The house forgot who this was: the second connection does not stay as a guest who has gone."""
        while self._person.token in {token, None}:  # noqa: ASYNC110 - as often as it would try again
            await asyncio.sleep(ECHO_AGAIN_S)

    async def _say_on(self, door: Connection) -> None:
        """Until the connection is lost."""
        with suppress(Lost):
            while True:
                await self._stirred.wait()
                self._stirred.clear()
                while self._unsaid:
                    await door.send(encode(self._unsaid.popleft()))


async def _read_on(door: Connection) -> None:
    """Until the connection is lost."""
    with suppress(Lost):
        while True:
            await door.recv()


class StammeringDoor:
    def __init__(self, door: Connection, mouth: StammeringTransport) -> None:
        self._door, self._mouth = door, mouth

    async def send(self, payload: bytes) -> None:
        await self._mouth.say(self._door, payload)

    async def recv(self) -> bytes:
        return await self._door.recv()

    async def close(self) -> None:
        await self._door.close()
