"""A machine of the cluster, and the node on it: the floor and the hall of production, again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from tapete_server.gateway.counters import Counters
from tapete_server.gateway.hall import Hall
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.ports import Commit, Committed, StoreAway
from tapete_server.shell.floor import TheFloor
from tapete_server.shell.house import House
from tests.simulation.loop import Host, SimLoop
from tests.simulation.network import Address, SimLine
from tests.simulation.store.sim_store import SimStore
from tests.simulation.storewire import Hit, StoreWeather, StoreWire

if TYPE_CHECKING:
    from tests.simulation.fate import Fate
    from tests.simulation.world import World

CREDIT_TIMES = 4
"""How much oftener a commit is hit that credits a buy-in: between two steps that are one."""
RESTART_S = 0.25
"""Between two attempts of a supervisor to start a node whose store is away."""
ADDRESS = "192.0.2.1"


class StepClock:
    """A machine's own clock, which can be wrong from one moment to the next."""

    def __init__(self, loop: SimLoop, offset_s: float) -> None:
        self._loop, self.offset_s = loop, offset_s

    def monotonic(self) -> float:
        return self._loop.now + self.offset_s


class Dice:
    """Entropy that a seed decides."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def token_bytes(self, size: int) -> bytes:
        return self._rng.randbytes(size)


class Watched(SimStore):
    """A node's store, whose commits may be hit. `choose`: what befalls this one, None: nothing."""

    def __init__(self, machine: Machine, wire: StoreWire, choose: Callable[[Commit], Hit | None]) -> None:
        super().__init__(machine.world.vault, wire)
        self._machine, self._wire, self._choose = machine, wire, choose

    async def commit(self, commit: Commit) -> Committed:
        self._machine.committing += 1
        try:
            if (hit := self._choose(commit)) is not None:
                self._machine.world.hits += hit in QUIET_HITS
                self._machine.world.say(self._machine.name, "hits", f"{hit} v{commit.version + 1}")
                self._wire.befall(hit)
            return await super().commit(commit)
        finally:
            self._machine.committing -= 1


QUIET_HITS = ("lost_request", "lost_reply", "late")
"""Those that nothing else counts."""


async def _idle() -> None:
    """In place of a sweep."""


class Machine:
    """`runs` counts the processes. `committing`: commits under way."""

    def __init__(
        self, name: str, world: World, rng: Random, fate: Fate, on_hit: Callable[[Machine, Hit], None]
    ) -> None:
        self.name, self.world, self.url = name, world, f"sim://{name}"
        self.runs = self.committing = 0
        self.clock = StepClock(world.loop, rng.uniform(0, 10_000))
        self._weather, self._sweeps_all = StoreWeather(), fate.sweeps_all
        self._hit_chance, self._hits = 0.0, fate.hits
        self.counters = Counters()
        self.floor: TheFloor | None = None
        self.hall: Hall | None = None
        self.store: Watched | None = None
        self._rng, self._on_hit = rng, on_hit
        self.host = Host(name)
        self.host.dead = True
        self.wire = self._new_wire()

    @property
    def up(self) -> bool:
        return not self.host.dead

    def _new_wire(self) -> StoreWire:
        wire = StoreWire(self.world.loop, self._fork(), self.host, self.world.process, self._weather)
        wire.on_hit = lambda hit: self._on_hit(self, hit)
        return wire

    def _fork(self) -> Random:
        return Random(self._rng.getrandbits(64))

    def start(self) -> None:
        """A new process."""
        assert self.host.dead, "one process at a time"
        self.runs += 1
        self.host, self.committing = Host(f"{self.name}.{self.runs}"), 0
        self.wire = self._new_wire()
        self.world.loop.spawn(self.host, self._main())

    async def _main(self) -> None:
        host = self.host
        while True:
            store = self.store = Watched(self, self.wire, self._choose)
            try:
                await store.start()
                floor = TheFloor(
                    store, self.clock, Dice(self._fork()), key=self.world.key, house=House(), node=self.name,
                    dice=self._fork(),
                )  # fmt: skip
                hall = Hall(floor, incarnation=floor.incarnation, limits=GatewayLimits(), counters=self.counters)
                await floor.start()
                self._spare(floor)
                break
            except StoreAway:
                await store.close()
                await asyncio.sleep(RESTART_S)
        self.floor, self.hall = floor, hall
        hall.open()
        self.world.network.nodes[self.url] = Address(host, lambda line: self._accept(host, hall, line))
        await floor.run()

    def _spare(self, floor: TheFloor) -> None:
        """What a story is not about need not be done in every one."""
        if not self._sweeps_all:
            for sweep in (floor.lobby_list, floor.readiness, floor.house_sum):
                sweep.look = _idle  # type: ignore[method-assign]
            floor.expiry.sweep = _idle  # type: ignore[method-assign]

    def _accept(self, host: Host, hall: Hall, line: SimLine) -> None:
        self.world.loop.spawn(host, hall.receive(line, ADDRESS))

    def _choose(self, commit: Commit) -> Hit | None:
        times = 1 if commit.transfer is None else CREDIT_TIMES
        if not self._hit_chance or self._rng.random() >= times * self._hit_chance:
            return None
        return self._rng.choice(self._hits)

    # --- what happens to it ---

    def kill(self, *, silently: bool = False) -> None:
        """kill -9; or the power: then nobody is told that its connections are gone."""
        self.host.kill()
        if self.store is not None:
            self.store.die()
        self.world.network.nodes.pop(self.url, None)
        self.floor = self.hall = self.store = None
        for pipe in [one for one in self.world.network.pipes if one.node is self.host]:
            if silently:
                pipe.deaf.add("out")
            pipe.cut()

    async def drain(self) -> None:
        """What `app` does on SIGTERM."""
        floor, hall, store = self.floor, self.hall, self.store
        self.world.network.nodes.pop(self.url, None)
        if floor is not None and hall is not None and store is not None:
            floor.leave()
            await hall.empty()
            hall.close()
            await floor.stop()
            await store.close()

    def weather(self, weather: StoreWeather, hit_chance: float) -> None:
        """How the way to the store is from now on, and how often a commit is hit."""
        self._hit_chance = hit_chance
        self._weather = self.wire.weather = weather
