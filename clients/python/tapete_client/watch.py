"""`tapete watch`: a table's events, one sentence a line."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import tapete_client
from tapete_client.errors import ClientError, TableGone, Unreachable
from tapete_client.felt_text import felt_lines
from tapete_client.news import Happened, News, Synced
from tapete_client.past_rounds import past_rounds
from tapete_client.road_board import RoadBoard
from tapete_client.session import Session
from tapete_client.terminal import Room, room_of
from tapete_client.texts import money, system_language, tell, words_of
from tapete_client.texts.prompts import prompts_of
from tapete_client.transport import Transport
from tapete_protocol.events import RoundSettled


def say_line(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command: this is its output


def room_here() -> Room:
    """What this program's terminal has."""
    return room_of(sys.stdout, os.environ)


def board_of(url: str | Sequence[str], table: str, lang: str, room: Callable[[], Room]) -> RoadBoard:
    """The roads of a table; every node of a house has the records of its rounds."""
    node = url if isinstance(url, str) else url[0]
    return RoadBoard(lang, room, lambda rounds: past_rounds(node, table, rounds))


SLOW_S = 1.0
"""After so long without an answer, somebody who waits is told what for."""


@contextmanager
def told_when_slow(url: str | Sequence[str], lang: str, out: Callable[[str], None]) -> Iterator[None]:
    """Says where the house is looked for, if that takes long."""
    line = prompts_of(lang).looking.format(url=url if isinstance(url, str) else ", ".join(url))
    telling = asyncio.get_running_loop().call_later(SLOW_S, out, line)
    try:
        yield
    finally:
        telling.cancel()


def told(failure: ClientError, lang: str) -> str:
    """Why there is no connection any more, or never was one."""
    prompts = prompts_of(lang)
    return (prompts.unreachable if isinstance(failure, Unreachable) else prompts.lost).format(reason=failure)


async def show_tables(session: Session, lang: str, out: Callable[[str], None]) -> bool:
    """The lobby, a line each; returns whether there is a table."""
    prompts, words = prompts_of(lang), words_of(lang)
    tables = await session.lobby()
    out(prompts.tables if tables else prompts.no_tables)
    for one in tables:
        game = words.games.get(one.game, one.game)
        low, high = money(one.minimum, lang), money(one.maximum, lang)
        out(
            prompts.table_line.format(
                table=one.table,
                name=one.name,
                game=game,
                minimum=low,
                maximum=high,
                players=one.players,
                free=one.free_boxes,
            )
        )
    return bool(tables)


async def run(
    url: str | Sequence[str],
    table: str,
    lang: str | None = None,
    *,
    out: Callable[[str], None] = say_line,
    transport: Transport | None = None,
    room: Callable[[], Room] = room_here,
) -> int:
    """Print until the table closes; returns the program's exit code. `lang` is the system's by default."""
    lang = lang or system_language()
    session = tapete_client.connect(url, transport=transport)
    session.on_lost(lambda: out(prompts_of(lang).broken))
    try:
        with told_when_slow(url, lang, out):
            await session.__aenter__()
        return await _follow(session, table, lang, out, board_of(url, table, lang, room))
    except ClientError as failure:
        out(told(failure, lang))
        return 1
    finally:
        await session.close()


async def _follow(session: Session, table: str, lang: str, out: Callable[[str], None], board: RoadBoard) -> int:
    try:
        watched = await session.watch(table)
    except TableGone:
        out(prompts_of(lang).no_such_table.format(table=table))
        await show_tables(session, lang, out)
        return 1
    async for news in watched:
        sentence = tell(news, lang)
        if sentence is not None:
            out(sentence)
        if isinstance(news, Synced):
            for line in felt_lines(news.view, lang):
                out(line)
        await board.hear(news)
        for line in board.new_lines() if _coup_is_over(news) else ():
            out(line)
    out(words_of(lang).closed)
    return 0


def _coup_is_over(news: News) -> bool:
    return isinstance(news, Synced) or (isinstance(news, Happened) and isinstance(news.event, RoundSettled))
