"""What befalls nodes, store, connections and people, when fate has it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from tests.simulation.machine import Machine
from tests.simulation.people import Person
from tests.simulation.storewire import Hit
from tests.simulation.world import World

SHORT_S = (0.02, 0.4)
LONG_S = (0.4, 8.0)
LONG_CHANCE = 0.1
"""How long something is gone: mostly not for long, now and then for longer than anybody waits."""
STEP_S = (-300.0, 300.0)
LITTLE_STEP_S = (-1.5, 1.5)
"""A clock that is wrong by minutes is found out at once; one by a second is the hard one."""
BACK_MS_MAX = 2_000
"""How much a store forgets that was killed: what it had not written yet."""
JUST_MONEY_CHANCE = 0.5
"""How often it is just what was last done to a wallet and after it: no node can tell by a table that something is missing."""
DRAIN_S_MAX = 30.0


class Blows:
    """Every method is one fault; what is to be mended later is mended by itself."""

    def __init__(self, world: World, rng: Random, arrive: Callable[[Person], None], *, forgetful: bool = False) -> None:
        self.world, self._rng, self._arrive = world, rng, arrive
        self.forgetful = forgetful
        """The store may go back in the middle of a commit."""
        self._mending: list[asyncio.Task[None]] = []

    async def strike(self, blow: str) -> None:
        await getattr(self, blow)()

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        self._mending.append(self.world.loop.spawn(None, work))

    async def mended(self) -> None:
        """Everything that was to be mended by itself is."""
        while self._mending:
            await self._mending.pop()

    def _say(self, who: str, what: str, more: str = "") -> None:
        self.world.say(who, what.upper(), more)

    def _while_s(self) -> float:
        return self._rng.uniform(*(LONG_S if self._rng.random() < LONG_CHANCE else SHORT_S))

    def _note_hit(self, machines: list[Machine]) -> None:
        self.world.hits += sum(machine.committing > 0 for machine in machines if machine.up)

    # --- machines ---

    def _some_machine(self) -> Machine | None:
        up = [machine for machine in self.world.machines if machine.up and not machine.host.frozen]
        return self._rng.choice(up) if up else None

    async def kill(self) -> None:
        if (machine := self._some_machine()) is not None:
            self.kill_this(machine)

    def kill_this(self, machine: Machine) -> None:
        silently = self._rng.random() < 0.2
        self._say(machine.name, "kill", "silently" if silently else "")
        self._note_hit([machine])
        machine.kill(silently=silently)
        self._later(self._start(machine, self._while_s()))

    async def _start(self, machine: Machine, after_s: float) -> None:
        await asyncio.sleep(after_s)
        self._say(machine.name, "start")
        machine.start()

    async def freeze(self) -> None:
        if (machine := self._some_machine()) is not None:
            self.freeze_this(machine)

    def freeze_this(self, machine: Machine) -> None:
        frozen_s = self._while_s()
        self._say(machine.name, "freeze", f"{frozen_s:.2f} s")
        self._note_hit([machine])
        machine.host.freeze()
        self._later(self._thaw(machine, frozen_s))

    async def _thaw(self, machine: Machine, after_s: float) -> None:
        host = machine.host
        await asyncio.sleep(after_s)
        self._say(machine.name, "thaw")
        host.thaw(self.world.loop)

    async def drain(self) -> None:
        if (machine := self._some_machine()) is not None:
            self._say(machine.name, "drain")
            self._note_hit([machine])
            self._later(self._roll(machine))

    async def _roll(self, machine: Machine) -> None:
        host = machine.host
        await asyncio.wait([self.world.loop.spawn(host, machine.drain())], timeout=DRAIN_S_MAX)
        if machine.host is host and machine.up:
            machine.kill()
            await self._start(machine, 0.1)

    async def step_clock(self) -> None:
        machine = self._rng.choice(self.world.machines)
        by_s = self._rng.uniform(*self._rng.choice((STEP_S, LITTLE_STEP_S)))
        self._say(machine.name, "clock", f"{by_s:+.1f} s")
        machine.clock.offset_s += by_s

    # --- the store ---

    async def store_down(self) -> None:
        await self._store_down(back_ms=0)

    async def store_back(self) -> None:
        await self._store_down(back_ms=self._forgets_ms())

    def _forgets_ms(self) -> int:
        since_ms = self.world.now_ms() - self.world.money_ms + 1
        just_money = self._rng.random() < JUST_MONEY_CHANCE and since_ms < BACK_MS_MAX
        return since_ms if just_money else self._rng.randrange(BACK_MS_MAX)

    async def _store_down(self, back_ms: int) -> None:
        process = self.world.process
        if not process.up:
            return
        self._note_hit(self.world.machines)
        process.up = False
        self.world.outages.begin(self.world.loop.now)
        process.starts += 1
        process.thawed.set()
        for machine in self.world.machines:
            machine.wire.lose_subscription(quietly=False)
        down_s = self._while_s()
        self._say("store", "down", f"{down_s:.2f} s, forgets {back_ms} ms")
        if back_ms:
            self.world.vault.roll_back(max(self.world.opened_ms, self.world.now_ms() - back_ms))
        self._later(self._store_up(down_s))

    async def _store_up(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        self._say("store", "up")
        self.world.outages.end(self.world.loop.now)
        self.world.vault.started_anew()
        self.world.process.up = True

    async def store_frozen(self) -> None:
        process = self.world.process
        if not process.up or not process.thawed.is_set():
            return
        self._note_hit(self.world.machines)
        frozen_s = self._while_s()
        self._say("store", "freeze", f"{frozen_s:.2f} s")
        process.thawed.clear()
        self.world.outages.begin(self.world.loop.now)
        self._later(self._store_thaws(frozen_s))

    async def _store_thaws(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        self._say("store", "thaw")
        self.world.outages.end(self.world.loop.now)
        self.world.process.thawed.set()

    # --- connections ---

    async def deafen(self) -> None:
        """A subscription that breaks, or dies quietly."""
        if (machine := self._some_machine()) is not None:
            quietly = self._rng.random() < 0.5
            self._say(machine.name, "deafen", "quietly" if quietly else "")
            machine.wire.lose_subscription(quietly=quietly)

    async def hang_up(self) -> None:
        """One connection is cut, or goes silent."""
        if self.world.network.pipes:
            pipe = self._rng.choice(self.world.network.pipes)
            silently = self._rng.random() < 0.4
            self._say(pipe.client.name, "hang_up", "silently" if silently else "")
            if silently:
                pipe.deaf.update(self._rng.choice((("in",), ("out",), ("in", "out"))))
            else:
                pipe.cut()

    async def crowd(self) -> None:
        """All connections at once."""
        self._say("network", "crowd")
        self.world.network.cut_all()

    # --- people ---

    async def vanish(self) -> None:
        """Somebody's device dies; they come back with another one, later."""
        here = [person for person in self.world.people if not person.host.dead]
        if here:
            person = self._rng.choice(here)
            self._say(person.name, "vanish")
            person.vanish(silently=self._rng.random() < 0.5)
            self._later(self._back(person, self._while_s()))

    async def _back(self, person: Person, after_s: float) -> None:
        await asyncio.sleep(after_s)
        self._say(person.name, "back")
        self._arrive(person)

    async def cut_off(self) -> None:
        """Somebody's network flaps: connections are made and cut."""
        here = [person for person in self.world.people if not person.host.dead]
        if here:
            person = self._rng.choice(here)
            self._say(person.name, "cut_off")
            self._later(self._flap(person, self._rng.randrange(2, 6)))

    async def _flap(self, person: Person, times: int) -> None:
        for _ in range(times):
            self.world.network.cut_all(lambda pipe: pipe.client is person.host)
            await asyncio.sleep(self._rng.uniform(0.05, 1.0))

    # --- commits under way ---

    def hit(self, machine: Machine, hit: Hit) -> None:
        """Called by the machine's wire at the very moment."""
        self._say(machine.name, "hit", hit)
        if hit.startswith("kill"):
            self.kill_this(machine)
        elif hit.startswith("freeze"):
            self.freeze_this(machine)
        elif hit == "store":
            forgets = self.forgetful and self._rng.random() < 0.5
            self._later(self._store_down(back_ms=self._forgets_ms() if forgets else 0))
