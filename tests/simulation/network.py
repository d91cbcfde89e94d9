"""Connections between clients and nodes: whole frames, in order, with delay; cut, or silent for ever, when fate says so."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from tapete_client.transport import OPEN_S_MAX, Connection, Lost
from tapete_protocol.codes import CloseCode
from tapete_server.gateway.line import Line, LineGone
from tests.simulation.loop import Host, SimLoop

_PING = 0x89
UNREAD_FRAMES_MAX = 8
"""As the gateway bounds what it has received and not taken yet."""


@dataclass
class Weather:
    """How the network is at the moment. Chances are for each frame, or each connect."""

    delay_s: tuple[float, float] = (0.0005, 0.004)
    slow: float = 0.0
    slow_s: float = 0.5
    cut: float = 0.0
    silent: float = 0.0
    """A connection that becomes half-open: one way, or both, nothing arrives any more, and nobody is told."""
    refuse: float = 0.0


@dataclass
class Network:
    """`address -> node`. Everything that happens on it is drawn from one source of chance."""

    loop: SimLoop
    rng: Random
    weather: Weather = field(default_factory=Weather)
    nodes: dict[str, Address] = field(default_factory=dict)
    pipes: list[Pipe] = field(default_factory=list)
    ghosts: list[Pipe] = field(default_factory=list)
    """Connections that are gone, of which not both ends were told."""
    on_sent: list[Callable[[Pipe, bytes], None]] = field(default_factory=list)
    """Told of each frame that a node sends, when it sends it."""
    on_said: list[Callable[[Pipe, bytes], None]] = field(default_factory=list)
    """Told of each frame that a client sends."""

    def delay_s(self) -> float:
        weather = self.weather
        delay_s = self.rng.uniform(*weather.delay_s)
        if weather.slow and self.rng.random() < weather.slow:
            delay_s += self.rng.uniform(0, weather.slow_s)
        return delay_s

    def cut_all(self, chosen: Callable[[Pipe], bool] = lambda _: True) -> None:
        for pipe in [one for one in self.pipes if chosen(one)]:
            pipe.cut()

    def heal(self) -> None:
        """What has been half-open is over, and everybody is told."""
        for pipe in [one for one in self.pipes if one.deaf]:
            pipe.deaf.clear()
            pipe.cut()
        for pipe in self.ghosts:
            pipe.deaf.clear()
            pipe.tell_ends()
        self.ghosts.clear()


class Pipe:
    """One connection. `client`: who made it; `url`: which node it is to."""

    def __init__(self, network: Network, client: Host, node: Host, url: str) -> None:
        self.network, self.client, self.node, self.url = network, client, node, url
        self.door = Door(self)
        self.line = SimLine(self)
        self.down = False
        self.deaf: set[str] = set()
        """Directions in which nothing arrives: `in` to the node, `out` to the client."""
        self._free_at = {"in": 0.0, "out": 0.0}
        network.pipes.append(self)

    def carry(self, way: str, act: Callable[[], None]) -> None:
        """Something on its way, after all that was sent before it."""
        network, weather = self.network, self.network.weather
        if self.down:
            return
        if weather.cut and network.rng.random() < weather.cut:
            self.cut()
            return
        if weather.silent and network.rng.random() < weather.silent:
            self.deaf.update(network.rng.choice((("in",), ("out",), ("in", "out"))))
        self._deliver(way, act)

    def cut(self, code: int | None = None) -> None:
        """Both ends are told, each after a while, unless they are deaf."""
        if self.down:
            return
        self.tell_ends(code)
        self.down = True
        self.network.pipes.remove(self)
        if self.deaf:
            self.network.ghosts.append(self)

    def tell_ends(self, code: int | None = None) -> None:
        """That it is over; whoever is deaf does not hear it."""
        self._deliver("out", lambda: self.door.end(Lost("cut", code)))
        self._deliver("in", self.line.end)

    def _deliver(self, way: str, act: Callable[[], None]) -> None:
        if way not in self.deaf:
            loop = self.network.loop
            at = self._free_at[way] = max(loop.time() + self.network.delay_s(), self._free_at[way])
            loop.deliver(self.node if way == "in" else self.client, at - loop.time(), act)


class Door:
    """The client's end."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self._frames: deque[bytes] = deque()
        self._lost: Lost | None = None
        self._stirred = asyncio.Event()

    async def send(self, payload: bytes) -> None:
        if self._lost is not None:
            raise self._lost
        for told in self.pipe.network.on_said:
            told(self.pipe, payload)
        self.pipe.carry("in", lambda: self.pipe.line.hear(payload))

    async def recv(self) -> bytes:
        while not self._frames:
            if self._lost is not None:
                raise self._lost
            self._stirred.clear()
            await self._stirred.wait()
        return self._frames.popleft()

    async def close(self) -> None:
        self.end(Lost("closed by this side"))
        self.pipe.cut()

    def hear(self, payload: bytes) -> None:
        if self._lost is None:
            self._frames.append(payload)
            self._stirred.set()

    def end(self, lost: Lost) -> None:
        if self._lost is None:
            self._lost = lost
            self._stirred.set()


class SimLine:
    """The node's end: what the gateway takes for a connection."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.loop: asyncio.AbstractEventLoop = pipe.network.loop
        self.cork: list[bytes] = []
        self.cork_bytes = 0
        self.heard_s = self.loop.time()
        self.heard_bytes = 0
        self.stuck_since_s: float | None = None
        self.stuck_bytes = 0
        self.on_unstuck: Callable[[Line], None] | None = None
        self.close_code: int | None = None
        self._frames: deque[bytes] = deque()
        self._over = False
        self._stirred = asyncio.Event()

    @property
    def is_open(self) -> bool:
        return not self._over and self.close_code is None

    @property
    def is_unread(self) -> bool:
        return len(self._frames) > UNREAD_FRAMES_MAX

    def hear(self, payload: bytes) -> None:
        if not self._over:
            self.heard_s = self.loop.time()
            self.heard_bytes += len(payload)
            self._frames.append(payload)
            self._stirred.set()

    def pong(self) -> None:
        self.heard_s = self.loop.time()

    async def take(self) -> bytes | str:
        while not self._frames:
            if self._over or self.close_code is not None:
                raise LineGone
            self._stirred.clear()
            await self._stirred.wait()
        return self._frames.popleft()

    def write(self, frames: bytes) -> bool:
        if not self.is_open:
            return False
        for first, payload in parse(frames):
            if first == _PING:
                self.pipe.carry("out", lambda: self.pipe.carry("in", self.pong))
                continue
            for told in self.pipe.network.on_sent:
                told(self.pipe, payload)
            self.pipe.carry("out", lambda payload=payload: self.pipe.door.hear(payload))  # type: ignore[misc]
        return True

    def shut(self, code: CloseCode, grace_s: float) -> None:
        if self.close_code is None:
            self.close_code = int(code)
            self._stirred.set()
            self.pipe.carry("out", lambda: self.pipe.cut(int(code)))
            self.loop.call_later(grace_s, self.cut)

    def cut(self) -> None:
        self.end()
        self.pipe.cut()

    def end(self) -> None:
        self._over = True
        self.cork.clear()
        self.on_unstuck = None
        self._stirred.set()

    async def unstuck(self) -> None:
        """It never is stuck: slow readers are tried on real sockets."""


def parse(frames: bytes) -> Iterator[tuple[int, bytes]]:
    """First byte and payload of each frame of a server's bytes. (RFC 6455, section 5.2)"""
    at = 0
    while at < len(frames):
        first, size = frames[at], frames[at + 1]
        at += 2
        if size >= 126:
            width = 2 if size == 126 else 8
            size = int.from_bytes(frames[at : at + width], "big")
            at += width
        yield first, frames[at : at + size]
        at += size


@dataclass(frozen=True, slots=True)
class Address:
    """Where a node listens: `accept` is called there for each connection."""

    host: Host
    accept: Callable[[SimLine], None]


class SimTransport:
    """The SDK's way to the nodes, for one client."""

    def __init__(self, network: Network, client: Host) -> None:
        self._network, self._client = network, client

    async def connect(self, url: str) -> Connection:
        network = self._network
        await asyncio.sleep(network.delay_s())
        address = network.nodes.get(url)
        refused = network.weather.refuse and network.rng.random() < network.weather.refuse
        if address is None or address.host.dead or refused:
            raise Lost(f"{url} cannot be reached")
        pipe = Pipe(network, self._client, address.host, url)
        accepted = asyncio.Event()

        def accept() -> None:
            address.accept(pipe.line)
            pipe.carry("out", accepted.set)

        pipe.carry("in", accept)
        try:
            async with asyncio.timeout(OPEN_S_MAX):
                await accepted.wait()
        except TimeoutError:
            pipe.cut()
            raise Lost(f"{url} does not answer") from None
        except BaseException:
            pipe.cut()
            raise
        return pipe.door
