"""`websockets` with its documented `broadcast()`, sending the frames of the log; and an echo at `/echo`, for players and as a
bare server. "send N" on standard input sends the next N. The first line of standard output is the port. On uvloop where
`loop` is `uvloop`, as the node is."""

from __future__ import annotations

import asyncio
import struct
import sys
from pathlib import Path

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

SPECTATORS: set[ServerConnection] = set()


def frames_of(log: bytes) -> list[bytes]:
    frames, at = [], 0
    while at < len(log):
        (size,) = struct.unpack_from("<I", log, at)
        frames.append(log[at + 4 : at + 4 + size])
        at += 4 + size
    return frames


async def welcome(connection: ServerConnection) -> None:
    assert connection.request is not None
    if connection.request.path == "/echo":
        async for message in connection:
            await connection.send(message)
    else:
        SPECTATORS.add(connection)
        try:
            await connection.wait_closed()
        finally:
            SPECTATORS.remove(connection)


async def main(log: bytes) -> None:
    frames = iter(frames_of(log))
    told = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(told), sys.stdin)
    async with serve(welcome, "127.0.0.1", 0, compression=None, backlog=4096) as server:
        sys.stdout.write(f"{next(iter(server.sockets)).getsockname()[1]}\n")
        sys.stdout.flush()
        async for line in told:
            for _ in range(int(line.split()[1])):
                broadcast(SPECTATORS, next(frames))


if __name__ == "__main__":
    (uvloop.run if sys.argv[2] == "uvloop" else asyncio.run)(main(Path(sys.argv[1]).read_bytes()))
