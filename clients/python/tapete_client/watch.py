"""`tapete watch`: a table's events, one sentence a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import tapete_client
from tapete_client.errors import ClientError, TableGone
from tapete_client.felt_text import felt_lines
from tapete_client.news import Synced
from tapete_client.texts import system_language, tell, words_of
from tapete_client.texts.prompts import prompts_of
from tapete_client.transport import Transport


def say_line(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command: this is its output


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
    try:
        async with tapete_client.connect(url, transport=transport) as session:
            watched = await session.watch(table)
            async for news in watched:
                sentence = tell(news, lang)
                if sentence is not None:
                    out(sentence)
                if isinstance(news, Synced):
                    for line in felt_lines(news.view, lang):
                        out(line)
            out(words_of(lang).closed)
            return 0
    except TableGone:
        out(prompts_of(lang).no_such_table.format(table=table))
    except ClientError as failure:
        out(prompts_of(lang).lost.format(reason=failure))
    return 1
