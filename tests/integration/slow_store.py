"""A store that is far away: a socket in front of the real one, through which everything takes its time, in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

CHUNK_BYTES = 64 * 1024


@asynccontextmanager
async def far_away(store: Path, door: Path, delay_s: float) -> AsyncIterator[str]:
    """The address of `store` seen from so many seconds away, each way."""
    lines: set[asyncio.Task[None]] = set()

    async def line(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_unix_connection(store)
        both = {
            asyncio.create_task(_carry(reader, there_writer, delay_s)),
            asyncio.create_task(_carry(there_reader, writer, delay_s)),
        }
        lines.update(both)
        await asyncio.wait(both)

    server = await asyncio.start_unix_server(line, door)
    try:
        yield f"unix://{door}"
    finally:
        server.close()
        for task in lines:
            task.cancel()
        await asyncio.gather(*lines, return_exceptions=True)
        await server.wait_closed()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay_s: float) -> None:
    loop = asyncio.get_running_loop()
    under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def take() -> None:
        while chunk := await reader.read(CHUNK_BYTES):
            under_way.put_nowait((loop.time() + delay_s, chunk))
        under_way.put_nowait((0.0, b""))

    taking = asyncio.create_task(take())
    try:
        with suppress(OSError):
            while (parcel := await under_way.get())[1]:
                await asyncio.sleep(max(0.0, parcel[0] - loop.time()))
                writer.write(parcel[1])
                await writer.drain()
    finally:
        taking.cancel()
        await asyncio.wait({taking})
        writer.close()
