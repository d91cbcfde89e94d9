"""`tapete play`: a player at a terminal, line by line; a script can type as well."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path

import tapete_client
from tapete_client.caution import Caution
from tapete_client.errors import ClientError, Refused, TableGone
from tapete_client.keepsake import Keepsake, default_path
from tapete_client.player import LinePlayer
from tapete_client.session import Session
from tapete_client.table import Table
from tapete_client.terminal import Room
from tapete_client.texts.prompts import Prompts, prompts_of
from tapete_client.texts.scene import money, system_language
from tapete_client.transport import Transport
from tapete_client.typed import typed_lines
from tapete_client.watch import board_of, room_here, say_line, show_tables, told, told_when_slow
from tapete_protocol.codes import message

Out = Callable[[str], None]
FIRST_BUY_IN = 20_000


async def run(
    url: str | Sequence[str],
    table: str | None = None,
    name: str | None = None,
    lang: str | None = None,
    token_file: Path | None = None,
    *,
    lines: AsyncIterator[str] | None = None,
    patient: bool | None = None,
    out: Out = say_line,
    transport: Transport | None = None,
    room: Callable[[], Room] = room_here,
) -> int:
    """Play until the player quits or the input ends; returns the program's exit code.

    `patient`: an order typed before its time waits for it, as a script needs; the default where standard input is no
    terminal.
    """
    lang = lang or system_language()
    prompts = prompts_of(lang)
    keepsake = Keepsake(token_file or default_path())
    lines = typed_lines() if lines is None else lines
    patient = not sys.stdin.isatty() if patient is None else patient
    try:
        with told_when_slow(url, lang, out):
            entered = await _sign_in(url, name, keepsake, transport)
        async with entered as session:
            seat = await _choose(session, table, lines, lang, out)
            if seat is None:
                return 1
            session.on_lost(lambda: out(f"{prompts.broken} {prompts.held}"))
            await _sit(session, seat, prompts, lang, out)
            try:
                board = board_of(url, seat.id, lang, room)
                caution = Caution(seat, None if patient else keepsake, lang, out)
                await LinePlayer(session, seat, lang, out, board, caution=caution, patient=patient).play(lines)
            except asyncio.CancelledError:
                if seat.my_boxes:
                    out(f"\n{prompts.held}")
                raise
            out(prompts.goodbye.format(name=session.name, balance=money(session.balance, lang)))
            return 0
    except Refused as refused:
        out(message(refused.code, lang, refused.detail))
    except ClientError as failure:
        out(told(failure, lang))
    return 1


class _Entered:
    """A session that is open already, to be closed by `async with`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def __aenter__(self) -> Session:
        return self._session

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()


async def _sign_in(
    url: str | Sequence[str], name: str | None, keepsake: Keepsake, transport: Transport | None
) -> _Entered:
    """As the player of the last run (of that name, if one is asked for), if the node still knows them."""
    node = url if isinstance(url, str) else url[0]
    token = keepsake.token(node, name)
    session = tapete_client.connect(url, name, token, transport=transport)
    try:
        await session.__aenter__()
    except Refused as refused:
        if refused.code != "bad_token":
            raise
        session = tapete_client.connect(url, name, transport=transport)
        await session.__aenter__()
    with suppress(OSError):
        keepsake.keep(node, session.token, name)
    return _Entered(session)


async def _choose(session: Session, table: str | None, lines: AsyncIterator[str], lang: str, out: Out) -> Table | None:
    prompts = prompts_of(lang)
    if table is None and session.welcome.tables:
        table = session.welcome.tables[0]
    if table is not None:
        with suppress(TableGone):
            return await session.watch(table)
        out(prompts.no_such_table.format(table=table))
    if not await show_tables(session, lang, out):
        return None
    out(prompts.choose)
    async for line in lines:
        with suppress(TableGone, Refused):
            return await session.watch(line.strip())
        out(prompts.no_such_table.format(table=line.strip()[:40]))
        out(prompts.choose)
    return None


async def _sit(session: Session, table: Table, prompts: Prompts, lang: str, out: Out) -> None:
    """At the first free box, with some chips; somebody who comes back has both."""
    try:
        if not table.my_boxes:
            await table.take_box()
        if table.stack == 0 and session.balance > 0:
            await table.buy_in(min(FIRST_BUY_IN, session.balance))
    except Refused as refused:
        out(message(refused.code, lang, refused.detail))
    if table.my_boxes:
        out(prompts.seated.format(name=session.name, box=table.my_boxes[0]))
    else:
        out(prompts.looking_on)
