"""`tapete watch`: a table's events, one sentence a line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import tapete_client
from tapete_client.errors import ClientError, TableGone, Unreachable
from tapete_client.felt_text import felt_lines
from tapete_client.news import Synced
from tapete_client.session import Session
from tapete_client.texts import money, system_language, tell, words_of
from tapete_client.texts.prompts import prompts_of
from tapete_client.transport import Transport


def say_line(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command: this is its output


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
) -> int:
    """Print until the table closes; returns the program's exit code. `lang` is the system's by default."""
    lang = lang or system_language()
    session = tapete_client.connect(url, transport=transport)
    session.on_lost(lambda: out(prompts_of(lang).broken))
    try:
        with told_when_slow(url, lang, out):
            await session.__aenter__()
        return await _follow(session, table, lang, out)
    except ClientError as failure:
        out(told(failure, lang))
        return 1
    finally:
        await session.close()


async def _follow(session: Session, table: str, lang: str, out: Callable[[str], None]) -> int:
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
    out(words_of(lang).closed)
    return 0
