"""Catching up with tables: after each reconnection, and when what arrives does not join what is here."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from tapete_client.errors import ClientError, Refused
from tapete_client.keeper import Keeper
from tapete_client.line import Answer, Line
from tapete_client.policy import RESYNC_S_MIN, RETRIED, backoff_s
from tapete_client.transport import Lost
from tapete_protocol.commands import Watch
from tapete_protocol.frames import Ack

if TYPE_CHECKING:
    from tapete_client.table import Table


class Resync:
    """Watches tables again, each at most once in five seconds apart from reconnections."""

    def __init__(self, keeper: Keeper, rng: random.Random) -> None:
        self._keeper = keeper
        self._rng = rng
        self._due: dict[str, float] = {}

    def wanted(self, table: Table) -> None:
        """The table is out of step. Asks at once, or when the five seconds since the last time are over."""
        now = asyncio.get_running_loop().time()
        last = self._due.get(table.id)
        if last is not None and last > now:
            return
        due = now if last is None else max(now, last + RESYNC_S_MIN)
        self._due[table.id] = due
        self._keeper.spawn(self._ask_for(table, due - now))

    async def over(self, line: Line, table: Table) -> None:
        """Ask over a new connection, before anything else is asked there."""
        since = table.since
        question = await line.start(lambda id_: Watch(id=id_, table=table.id, since=since))
        self._keeper.spawn(self._see_to(question, table))

    async def _see_to(self, question: asyncio.Future[Answer], table: Table) -> None:
        try:
            answer = await question
        except Lost:
            return  # the next connection asks again
        if isinstance(answer, Ack):
            return
        if answer.code in RETRIED:
            await self._ask_for(table, backoff_s(0, self._rng, answer.retry_ms), always=True)
        else:
            _cannot_follow(table, Refused.of(answer))

    async def _ask_for(self, table: Table, wait_s: float, *, always: bool = False) -> None:
        await asyncio.sleep(wait_s)
        if table.ended or not (always or table.adrift):
            return
        try:
            await self._keeper.ask(lambda id_: Watch(id=id_, table=table.id, since=table.since))
        except Refused as refused:
            _cannot_follow(table, refused)
        except ClientError:
            return  # the session has ended, or the next connection asks again


def _cannot_follow(table: Table, refused: Refused) -> None:
    table.gone = refused.code == "no_such_table"
    table.end(None if table.gone else refused)
