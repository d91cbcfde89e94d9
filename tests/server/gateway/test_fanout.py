"""Nothing twice, nothing left out, nothing out of order: on every connection, whatever happens in between."""

from __future__ import annotations

import asyncio
import random
from typing import Any, cast

import pytest

from tapete_protocol.commands import Ping, Ready, TakeBox, Watch
from tapete_server.gateway import Counters, GatewayLimits
from tapete_server.gateway.fanout import Audience, Outbox, Sweeper
from tapete_server.gateway.fanout import Watch as Watching
from tapete_server.gateway.line import Line
from tests.server.gateway.door import Client, running, until


class Wire:
    """The node's end of a connection, without a socket: what was written, and something to happen on a write."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.cork: list[bytes] = []
        self.cork_bytes = self.stuck_bytes = self.queued_bytes = 0
        self.stuck_since_s: float | None = None
        self.is_open = True
        self.writes: list[bytes] = []
        self.then: Any = None

    def write(self, frames: bytes) -> bool:
        self.writes.append(frames)
        if self.then is not None:
            self.then()
        return True

    def cut(self) -> None:
        self.is_open = False

    @property
    def told(self) -> list[str]:
        return b"".join(self.writes).decode().split(";")[:-1]


class Hall:
    """An audience whose frames are their own numbers; `S` and a number is a snapshot, `P` and one a private frame."""

    def __init__(self, **limits: Any) -> None:
        self.limits = GatewayLimits(
            **{"sweep_slice_lines": 3, "backlog_bytes_max": 10**6, "sweep_wait_s": 0.0} | limits
        )
        self.counters = Counters()
        self.outbox = Outbox(self.limits, self.counters)
        self.sweeper = Sweeper(asyncio.get_running_loop(), self.outbox)
        self.audience = Audience(self.outbox, self.sweeper, lambda: [b"S%d;" % self.audience.newest])
        self.since: dict[Watching, int] = {}

    def join(self, *, player: bool = False) -> tuple[Wire, Watching]:
        wire = Wire()
        watch = self.audience.join(cast("Line", wire), player=player)
        self.since[watch] = watch.sent
        return wire, watch

    def tell(self) -> None:
        self.audience.tell(b"%d;" % (self.audience.newest + 1))

    def private(self, watch: Watching) -> None:
        newest = self.audience.newest
        self.audience.settle(watch)
        self.outbox.push(watch.line, b"P%d;" % newest)

    async def quiet(self) -> None:
        await until(lambda: not self.audience.unswept and not self.outbox._corked)

    def check(self, wire: Wire, watch: Watching, *, until_end: bool) -> None:
        at = self.since[watch]
        for word in wire.told:
            number = int(word.lstrip("PS"))
            if word.startswith("S"):
                assert number >= at
                at = number
            elif word.startswith("P"):
                assert number <= at, f"a private frame of {number} came at {at}"
            else:
                assert number == at + 1, f"{number} came after {at}"
                at = number
        assert not until_end or at == self.audience.newest


async def test_players_get_one_write_in_a_turn_and_before_spectators() -> None:
    hall = Hall()
    order: list[str] = []
    spectator, _ = hall.join()
    player, watch = hall.join(player=True)
    spectator.then, player.then = lambda: order.append("spectator"), lambda: order.append("player")
    hall.tell()
    hall.tell()
    hall.private(watch)
    await hall.quiet()
    assert player.writes == [b"1;2;P2;"]
    assert spectator.writes == [b"1;2;"]
    assert order == ["player", "spectator"]


async def test_a_sweep_gives_way_after_each_slice_and_joins_what_comes_meanwhile() -> None:
    hall = Hall(sweep_slice_lines=2)
    wires = [hall.join()[0] for _ in range(6)]
    hall.tell()
    await asyncio.sleep(0)
    assert [len(wire.writes) for wire in wires] == [1, 1, 0, 0, 0, 0]
    hall.tell()
    hall.tell()
    await hall.quiet()
    assert [wire.writes for wire in wires] == [[b"1;", b"2;3;"]] * 2 + [[b"1;2;3;"]] * 4


async def test_a_burst_goes_out_in_one_write_and_to_players_at_once() -> None:
    hall = Hall(sweep_wait_s=0.5)
    (wire, _), (player, _) = hall.join(), hall.join(player=True)
    for _ in range(8):
        hall.tell()
        await asyncio.sleep(0)
    assert player.writes == [b"%d;" % number for number in range(1, 9)]
    assert not wire.writes
    await hall.quiet()
    assert wire.writes == [b"1;2;3;4;5;6;7;8;"]


async def test_slices_are_small_while_somebody_waits_for_an_answer() -> None:
    hall = Hall(sweep_slice_lines=4, sweep_slice_lines_busy=1)
    wires = [hall.join()[0] for _ in range(8)]
    hall.tell()
    hall.outbox.commands_underway = 1
    await asyncio.sleep(0)
    assert sum(len(wire.writes) for wire in wires) == 1
    hall.outbox.commands_underway = 0
    await asyncio.sleep(0)
    assert sum(len(wire.writes) for wire in wires) == 5


async def test_whoever_asks_is_counted_until_the_answer() -> None:
    async with running() as door, door.client() as client:
        outbox = door.gateway.hall._house.outbox
        await client.ask(Watch, table="felt")
        assert outbox.commands_underway == 0
        door.floor.gate.clear()
        await client.send(TakeBox, table="felt", stint=0, seq=1, box=1)
        await until(lambda: outbox.commands_underway == 1)
        door.floor.gate.set()
        await client.until("Ack")
        await until(lambda: outbox.commands_underway == 0)


async def test_several_audiences_take_turns() -> None:
    hall, other = Hall(), Hall()
    other.audience._sweeper = hall.sweeper
    wires = [hall.join()[0] for _ in range(30)]
    wire, _ = other.join()
    hall.tell()
    other.tell()
    while not wire.writes:  # noqa: ASYNC110 - turns of the loop are what is counted
        await asyncio.sleep(0)
    assert sum(len(wire.writes) for wire in wires) <= 6


async def test_what_is_told_while_a_spectator_becomes_a_player_reaches_it() -> None:
    hall = Hall(joined_bytes_max=1)
    wire, watch = hall.join()
    hall.private(watch)
    wire.then = lambda: hall.tell() if hall.audience.newest < 3 else None
    hall.tell()
    hall.audience.seat(watch, player=True)
    await hall.quiet()
    wire.then = None
    hall.tell()
    await hall.quiet()
    hall.check(wire, watch, until_end=True)


class Story:
    """Random things that happen to the connections of a hall; a write may set off another frame for all."""

    def __init__(self, seed: int) -> None:
        self.dice = dice = random.Random(seed)
        self.hall = Hall(
            sweep_slice_lines=dice.randint(1, 4),
            joined_bytes_max=dice.choice([8, 40, 10_000]),
            sweep_wait_s=dice.choice([0.0, 0.0005]),
        )
        self.here: list[tuple[Wire, Watching]] = []
        self.gone: list[tuple[Wire, Watching]] = []
        for _ in range(dice.randint(1, 12)):
            self.come(Wire())

    def reenter(self) -> None:
        if self.dice.random() < 0.3 and self.hall.audience.newest < 400:
            self.hall.tell()

    def tell(self, _: Wire) -> None:
        self.hall.tell()

    def come(self, _: Wire) -> None:
        wire, watch = self.hall.join(player=self.dice.random() < 0.3)
        wire.then = self.reenter
        self.here.append((wire, watch))

    def go(self, wire: Wire) -> None:
        if len(self.here) > 1:
            self.hall.audience.leave(self.watch_of(wire))
            self.gone.append((wire, self.watch_of(wire)))
            self.here.remove(self.gone[-1])

    def ask(self, wire: Wire) -> None:
        if wire.stuck_since_s is None:
            self.hall.private(self.watch_of(wire))

    def move(self, wire: Wire) -> None:
        self.hall.audience.seat(self.watch_of(wire), player=self.dice.random() < 0.5)

    def stick(self, wire: Wire) -> None:
        if wire.stuck_since_s is None:
            self.hall.outbox.flush(cast("Line", wire))
            wire.stuck_since_s = 1.0
        else:
            wire.stuck_since_s = None
            self.hall.audience.settle(self.watch_of(wire))

    def watch_of(self, wire: Wire) -> Watching:
        return next(watch for one, watch in self.here if one is wire)

    async def run(self, steps: int) -> None:
        acts = [self.tell, self.come, self.go, self.ask, self.move, self.stick]
        for _ in range(steps):
            if self.dice.random() < 0.3:
                await asyncio.sleep(0)
            else:
                self.dice.choices(acts, [6, 1, 1, 2, 2, 2])[0](self.dice.choice(self.here)[0])
        for wire, watch in self.here:
            wire.then, wire.stuck_since_s = None, None
            self.hall.audience.settle(watch)
        await self.hall.quiet()


@pytest.mark.parametrize("seed", range(60))
async def test_any_story_keeps_every_connection_in_order(seed: int) -> None:
    story = Story(seed)
    await story.run(250)
    assert story.hall.audience.newest > 50
    for wire, watch in story.here:
        story.hall.check(wire, watch, until_end=True)
    for wire, watch in story.gone:
        story.hall.check(wire, watch, until_end=False)


async def test_a_stuck_connection_gets_what_it_must_and_then_one_snapshot() -> None:
    hall = Hall()
    wire, watch = hall.join()
    wire.stuck_since_s = 1.0
    hall.tell()
    hall.audience.tell(b"must;", must=True)
    hall.tell()
    await hall.quiet()
    assert wire.writes == [b"must;"]
    assert hall.counters.laggards == 1
    wire.stuck_since_s = None
    hall.audience.settle(watch)
    await hall.quiet()
    assert wire.writes == [b"must;", b"S3;"]


async def test_private_frames_to_a_stuck_connection_are_bounded() -> None:
    hall = Hall(backlog_bytes_max=100)
    wire, watch = hall.join()
    wire.stuck_since_s = 1.0
    open_after = []
    for _ in range(40):
        hall.private(watch)
        open_after.append(wire.is_open)
    assert open_after == [True] * 33 + [False] * 7
    assert hall.counters.slow_cut == 1


async def test_a_connection_that_fails_to_be_written_to_harms_nobody() -> None:
    hall = Hall()
    (broken, _), (other, _), (player, _) = hall.join(), hall.join(), hall.join(player=True)

    def fail() -> None:
        raise RuntimeError("broken on purpose")

    broken.then = player.then = fail
    hall.tell()
    await hall.quiet()
    assert other.writes == [b"1;"]
    assert [broken.is_open, player.is_open] == [False, False]


async def test_real_connections_with_bursts_in_the_middle_of_sweeps() -> None:
    async with running(limits=GatewayLimits(sweep_slice_lines=2)) as door:
        dice = random.Random(5)

        async def spectator(stack: Client) -> list[int]:
            seen = []
            while (frame := await stack.frame()).get("v") != 301 or frame["t"] != "Batch":
                if frame["t"] in ("Batch", "Snapshot"):
                    seen.append(frame["v"])
            return [*seen, 301]

        async with door.client() as player, door.client() as one, door.client() as two, door.client() as three:
            for client in (player, one, two, three):
                await client.ask(Watch, table="felt")
            await player.ask(TakeBox, table="felt", stint=0, seq=1, box=1)
            readers = [asyncio.create_task(spectator(client)) for client in (one, two, three)]
            while door.floor.tables["felt"].version < 290:
                for _ in range(dice.randint(1, 4)):
                    door.floor.commit("felt")
                await asyncio.sleep(0)
            answer = await player.ask(Ready, table="felt", stint=0, seq=2)
            assert player.seen[-2] == {"t": "Batch", "table": "felt", "v": answer["version"], "pad": b""}
            await player.ask(Ping)
            while door.floor.commit("felt") < 301:
                pass
            for reader in readers:
                seen = await reader
                assert seen == list(range(seen[0], 302))
