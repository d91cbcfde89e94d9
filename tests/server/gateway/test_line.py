"""What `websockets` does not promise and the fan-out needs, held against the installed version."""

from __future__ import annotations

import asyncio
import socket

import pytest
from msgspec.msgpack import encode
from websockets.frames import Frame, Opcode
from websockets.protocol import CLIENT, OPEN, Protocol

from tapete_protocol.commands import Watch
from tapete_server.gateway.line import Line, frame_bytes, ping_bytes
from tests.server.gateway.door import running, until


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 200_000])
def test_a_frame_is_what_a_client_reads(size: int) -> None:
    payload = bytes(index % 251 for index in range(size))
    reader = Protocol(CLIENT, state=OPEN, max_size=None)
    reader.receive_data(frame_bytes(payload) + ping_bytes() + frame_bytes(b"after"))
    first, ping, second = reader.events_received()
    assert isinstance(first, Frame)
    assert isinstance(ping, Frame)
    assert isinstance(second, Frame)
    assert (first.opcode, bytes(first.data), first.fin) == (Opcode.BINARY, payload, True)
    assert (ping.opcode, bytes(second.data)) == (Opcode.PING, b"after")


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_a_frame_is_the_frame_of_the_library(size: int) -> None:
    assert frame_bytes(b"x" * size) == Frame(Opcode.BINARY, b"x" * size).serialize(mask=False)


async def test_a_line_has_what_we_lean_on() -> None:
    async with running() as door, door.client() as client:
        (line,) = door.lines()
        assert line.is_open
        assert line.queued_bytes == 0
        assert not line.is_unread
        assert line.protocol.extensions == []
        assert line.request is not None
        assert (dict(line.request.headers), line.response) == ({}, None)
        raw = line.transport.get_extra_info("socket")
        assert raw.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * door.gateway.limits.send_buffer_bytes
        assert line.transport.get_write_buffer_limits() == (8192, door.gateway.limits.write_high_bytes)
        heard_s = line.heard_s
        line.write(ping_bytes())
        line.write(frame_bytes(b"\x81\xa1t\xa1x"))
        assert await client.frame() == {"t": "x"}
        await until(lambda: line.heard_s > heard_s)
        await client.socket.close()
        await until(lambda: not line.is_open)
        assert not line.write(frame_bytes(b"late"))


async def test_pause_and_resume_reach_the_line() -> None:
    async with running() as door, door.client() as client:
        (line,) = door.lines()
        woken: list[Line] = []
        line.on_unstuck = woken.append
        client.socket.transport.pause_reading()
        while line.stuck_since_s is None:
            line.write(frame_bytes(b"\x81\xa1t" + b"\xda\x40\x00" + b"x" * 0x4000))
            await asyncio.sleep(0)
        waiting = asyncio.create_task(line.unstuck())
        client.socket.transport.resume_reading()
        reading = asyncio.create_task(client.closed())
        await until(lambda: bool(woken) and line.stuck_since_s is None)
        await waiting
        line.cut()
        assert await reading == 1006


async def test_what_is_written_while_the_peer_does_not_read_comes_whole_and_in_order() -> None:
    """Straight to the system or by way of the transport: pongs and a close frame of the library's own go between."""
    async with running() as door, door.client() as client:
        (line,) = door.lines()
        client.socket.transport.pause_reading()
        straight = 0
        for number in range(60):
            straight += not line.queued_bytes
            line.write(frame_bytes(encode({"t": "x", "n": number, "pad": "x" * 2_048})))
            if number % 7 == 0:
                line.protocol.send_ping(bytes([number]))
                line.send_data()
        assert 0 < straight < 60
        client.socket.transport.resume_reading()
        assert [(await client.frame())["n"] for _ in range(60)] == list(range(60))


async def test_a_closing_connection_is_not_written_to() -> None:
    """From that moment on its descriptor may be somebody else's."""
    async with running() as door, door.client() as client:
        (line,) = door.lines()
        assert line._descriptor is not None
        line.cut()
        assert not line.write(b"late")
        assert await client.closed() == 1006


async def test_a_client_that_breaks_the_websocket_itself_is_closed_by_the_library() -> None:
    async with running() as door, door.client() as client:
        client.socket.transport.write(b"\xff\xff\xff\xff")
        assert await client.closed() == 1002
        await until(lambda: door.counters.connections == 0)


async def test_cut_and_shut_are_harmless_when_it_is_over() -> None:
    from tapete_protocol.codes import CloseCode

    async with running() as door, door.client() as client:
        await client.ask(Watch, table="felt")
        (line,) = door.lines()
        line.shut(CloseCode.GOING_AWAY, 0.2)
        line.shut(CloseCode.IDLE, 0.2)
        assert await client.closed() == CloseCode.GOING_AWAY
        await until(lambda: not door.lines())
        line.cut()
        line.shut(CloseCode.IDLE, 0.2)
