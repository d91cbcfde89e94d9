"""Finding a node: the urls in turn, with growing pauses, until one signs the player in."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

from tapete_client.errors import Closed, Refused, Unreachable
from tapete_client.policy import ANSWER_S_MAX, STABLE_S_MIN, Patience, advised_ms, backoff_s
from tapete_client.transport import Connection, Lost, Transport
from tapete_protocol import frames
from tapete_protocol.codec import UnknownFrame, WireError, decode_frame, encode
from tapete_protocol.codes import CODES, comes_back
from tapete_protocol.commands import Hello

CLIENT = "tapete-python"


class Dialer:
    """Knows the nodes' urls and who signs in; remembers the token that the first sign-in gave."""

    def __init__(
        self,
        urls: tuple[str, ...],
        transport: Transport,
        rng: random.Random,
        patience: Patience,
        *,
        name: str | None = None,
        token: str | None = None,
    ) -> None:
        self._urls = urls
        self._transport = transport
        self._rng = rng
        self._patience = patience
        self._name = name
        self._token = token
        self._place = 0
        self._flaps = 0

    async def first(self) -> tuple[Connection, frames.Welcome]:
        """Sign in for the first time. Raises `Refused`, `Closed` (with a final code) or `Unreachable`."""
        return await self._dial(self._patience.first_s)

    async def again(self, lost: Lost, lived_s: float) -> tuple[Connection, frames.Welcome]:
        """Sign in after a connection that lived for `lived_s` was lost: after what its close code advises."""
        self._flaps = 0 if lived_s >= STABLE_S_MIN else self._flaps + 1
        self._place += 1
        await asyncio.sleep(backoff_s(self._flaps, self._rng, advised_ms(lost.code)))
        return await self._dial(self._patience.again_s)

    async def _dial(self, patience_s: float) -> tuple[Connection, frames.Welcome]:
        clock = asyncio.get_running_loop().time
        until = clock() + patience_s
        attempt = 0
        while True:
            hint_ms = 0
            try:
                return await self._sign_in(self._urls[self._place % len(self._urls)])
            except Lost as lost:
                if not comes_back(lost.code):
                    raise Closed(lost.reason, lost.code) from lost
                failure: Exception = lost
                hint_ms = advised_ms(lost.code)
            except Refused as refused:
                known = CODES.get(refused.code)
                if known is None or not known.retry:
                    raise
                failure, hint_ms = refused, refused.retry_ms or 0
            self._place += 1
            attempt += 1
            round_done = attempt % len(self._urls) == 0
            wait_s = backoff_s(attempt // len(self._urls), self._rng, hint_ms) if round_done else 0.0
            if clock() + wait_s > until:
                if isinstance(failure, Refused):
                    raise failure
                raise Unreachable(str(failure)) from failure
            await asyncio.sleep(wait_s)

    async def _sign_in(self, url: str) -> tuple[Connection, frames.Welcome]:
        connection = await self._transport.connect(url)
        try:
            async with asyncio.timeout(ANSWER_S_MAX):
                hello = Hello(id=0, name=None if self._token else self._name, token=self._token, client=CLIENT)
                await connection.send(encode(hello))
                welcome = await self._answer(connection)
        except TimeoutError:
            await _hang_up(connection)
            raise Lost(f"{url} does not answer") from None
        except BaseException:
            await _hang_up(connection)
            raise
        self._token = welcome.token
        return connection, welcome

    async def _answer(self, connection: Connection) -> frames.Welcome:
        while True:
            try:
                frame = decode_frame(await connection.recv())
            except UnknownFrame:
                continue
            except WireError as wrong:
                raise Lost(f"the node sent what is no frame: {wrong.reason}") from wrong
            if isinstance(frame, frames.Welcome):
                return frame
            if isinstance(frame, frames.Refused):
                raise Refused.of(frame)


async def _hang_up(connection: Connection) -> None:
    with suppress(Lost):
        await connection.close()
