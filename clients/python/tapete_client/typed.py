"""Lines from standard input, for a program that does other things meanwhile: a terminal, a pipe or a file."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable

_HandOver = Callable[[str | None], None]
READ_BYTES = 4_096
LINES_MAX = 1_000


async def typed_lines() -> AsyncIterator[str]:
    """Each line as it is typed; ends with the input. Read by a thread of its own, since files cannot be polled."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    room = threading.Semaphore(LINES_MAX)

    def hand_over(line: str | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(lines.put_nowait, line)

    threading.Thread(target=_read, args=(sys.stdin.fileno(), hand_over, room), daemon=True, name="typed lines").start()
    while (line := await lines.get()) is not None:
        room.release()
        yield line


def _read(descriptor: int, hand_over: _HandOver, room: threading.Semaphore) -> None:
    decode = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    try:
        while chunk := os.read(descriptor, READ_BYTES):
            *whole, rest = (rest + decode.decode(chunk)).split("\n")
            for line in whole:
                room.acquire()
                hand_over(line)
        if rest:
            hand_over(rest)
        hand_over(None)
    except (OSError, RuntimeError):
        return  # the program is over
