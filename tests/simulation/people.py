"""Who plays and who watches in a story: SDK sessions and bots of production. (Others are in `stammerer`, `twin` and `liar`.)"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random

from tapete_client import ClientError, Refused, Session, Table, connect
from tapete_client.bot import Bot, Pauses
from tapete_client.policy import Patience
from tests.simulation.loop import Host, SimLoop
from tests.simulation.network import Network, SimTransport

AGAIN_S = 0.5
FOR_THE_WHOLE_STORY = Patience(first_s=600, again_s=600)


class Person:
    """Somebody with one device after the other. `token` is what a browser would have kept."""

    def __init__(  # noqa: PLR0917 - as the story casts them
        self, name: str, loop: SimLoop, network: Network, urls: tuple[str, ...], rng: Random, plays: bool
    ) -> None:
        self.name, self.plays, self.urls = name, plays, urls
        self.place = ""
        """The table that this is all about."""
        self.table: Table | None = None
        self.failure: str | None = None
        self.visits = 0
        self.given: list[bytes] = []
        """Bytes for this player's part in the cards, of each round the last."""
        self.host = Host(name)
        self.host.dead = True
        self._loop, self._network, self._rng = loop, network, rng
        self._token: str | None = None
        self._refused: str | None = None
        """The last token that the house no longer knew."""
        self.going_home = False
        self.lost = False
        """Their device died, and they do not come back: what they left is for the house to tidy up."""
        self._bot: asyncio.Task[object] | None = None

    def arrive(self, table: str, pauses: Pauses) -> None:
        """Open the page, on a device of one's own."""
        if not self.host.dead or self.lost:
            return
        self.visits += 1
        self.place = table
        self.host = Host(f"{self.name}.{self.visits}")
        self._loop.spawn(self.host, self._visit(table, pauses))

    def transport(self) -> SimTransport:
        """How this device reaches the nodes."""
        return SimTransport(self._network, self.host)

    @property
    def shut_out(self) -> bool:
        """There is no way in any more, and nobody is to wait for this one."""
        return False

    async def credentials(self) -> tuple[str | None, str | None]:
        """Name and token: one of them."""
        return (None, self._token) if self._token else (self.name, None)

    async def _visit(self, table: str, pauses: Pauses) -> None:
        """Again from the front door, when the house no longer knows who this is, or what the table is."""
        rng = Random(self._rng.getrandbits(64))
        chance = Random(f"{self.name} {self.visits} {rng.getstate()[1][:4]}")

        def fresh(size: int) -> bytes:
            self.given.append(chance.randbytes(size))
            return self.given[-1]

        first = rng.randrange(len(self.urls))
        urls = self.urls[first:] + self.urls[:first]
        while True:
            name, token = await self.credentials()
            try:
                async with connect(
                    urls, name, token, transport=self.transport(), rng=rng, patience=FOR_THE_WHOLE_STORY, fresh=fresh
                ) as session:
                    self._token = session.token
                    await self._stay(session, table, pauses)
            except ClientError as failure:
                self.failure = f"{type(failure).__name__}: {failure}"
                self._token = None
                if "bad_token" in self.failure:
                    self._refused = token
            self.table = self._bot = None
            await asyncio.sleep(AGAIN_S)

    async def _stay(self, session: Session, table: str, pauses: Pauses) -> None:
        self.table = await session.watch(table)
        if self.going_home:
            self._loop.spawn(self.host, self._leave())
        elif self.plays:
            self._bot = asyncio.ensure_future(self._play(session, table, pauses))
            await asyncio.wait([self._bot])
            if not self._bot.cancelled():
                self._bot.result()
        async for _ in self.table:
            pass

    async def _play(self, session: Session, table: str, pauses: Pauses) -> None:
        """A bot of the SDK. It stops when it loses heart (a seat taken by somebody else, say), and begins again."""
        while not self.going_home:
            tally = await Bot(session, table, self._rng.getrandbits(32), pauses).run()
            self.failure = tally.failure
            if self.failure and self.failure.startswith("bad_token"):
                raise Refused("bad_token", self.failure)
            await asyncio.sleep(AGAIN_S)

    def vanish(self, *, silently: bool) -> None:
        """The battery, or the tab: nothing is said."""
        self.host.kill()
        self.table = self._bot = None
        for pipe in [one for one in self._network.pipes if one.client is self.host]:
            if silently:
                pipe.deaf.add("in")
            pipe.cut()

    def go_home(self, table: str) -> None:
        """Leave the table, and look on until the story ends."""
        self.going_home = True
        if self.host.dead:
            self.arrive(table, "none")
        elif self.table is not None:
            self._loop.spawn(self.host, self._leave())

    async def _leave(self) -> None:
        if self._bot is not None:
            self._bot.cancel()
        while (table := self.table) is not None:  # what is seen now may be old, and a box taken a moment ago
            if not table.ended and table.me is not None:
                with suppress(ClientError):
                    await table.leave()
            await asyncio.sleep(AGAIN_S)
