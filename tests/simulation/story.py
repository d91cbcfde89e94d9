"""One seed, one story: a house opens, people play, everything goes wrong, and in the end every chip is where it belongs."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from tapete_protocol.base import TableId
from tests.simulation.blows import Blows
from tests.simulation.checkers.deadlines import NoTableSitsStill
from tests.simulation.checkers.seats import NoSeatIsHeldByNobody
from tests.simulation.fate import Fate, draw
from tests.simulation.liar import Liar
from tests.simulation.machine import Machine
from tests.simulation.network import Weather
from tests.simulation.people import Person
from tests.simulation.stammerer import Stammerer
from tests.simulation.storewire import StoreWeather
from tests.simulation.twin import Twin
from tests.simulation.world import World

TABLE = TableId("felt")
NAMES = ("Ana", "Bea", "Ciro", "Dina", "Eva", "Fito", "Gala", "Hugo")
ROUNDS_MIN = 10
"""Settled rounds without which it is no story."""
HITS_MIN = 5
"""Faults that befell a commit under way, without which it is none either."""
STORM_S_MAX = 600.0
"""A storm that has not brought so much by then ends the story: it is too thin, and that is a failure."""
ABATES_S = 100.0
"""From then on a storm abates, lest nothing ever gets done in it: twice the time between blows at twice this age."""
LOOK_S = 0.2
STORM_LOOK_S = 0.1
OPEN_S_MAX = 60.0
CALM_S_MAX = 90.0
"""Virtual seconds within which, after all faults, every open round is settled, everybody has gone home, and all views
are one."""
STILL_LOOKS = 3
"""Looks in a row at which nothing has moved."""
LAST_LINES = 60
HUMAN_CHANCE = 0.1
"""How often somebody thinks for a while, as people do."""
LOST_CHANCE = 0.4
"""How often somebody does not go home, but is never seen again."""
LOST_S_MAX = 1.5
"""From then until the store forgets, perhaps, that they have gone."""


@dataclass
class Ending:
    """What a story amounted to. `failure`: what was broken, None if nothing."""

    seed: int
    digest: str = ""
    rounds: int = 0
    hits: int = 0
    virtual_s: float = 0.0
    failure: str | None = None
    last: str = ""
    counts: Counter[str] = field(default_factory=Counter)


class Story:
    """`fate` in place of what the seed has in store; `at_least_s`: how long the storm lasts, whatever has happened."""

    def __init__(self, seed: int, fate: Fate | None = None, *, at_least_s: float = 0) -> None:
        self.seed, self._at_least_s = seed, at_least_s
        self.world = World(seed)
        self.fate = fate or draw(self.world.fork())
        self.rng = self.world.fork()
        forgetful = "store_back" in self.fate.blows
        self.blows = Blows(self.world, self.world.fork(), self._arrive, forgetful=forgetful)

    def play(self) -> Ending:
        world, ending = self.world, Ending(self.seed)
        with world:
            try:
                world.loop.run(self._all())
            except AssertionError as broken:
                ending.failure = str(broken) or repr(broken)
            counts = ending.counts = world.trace.counts
            ending.digest, ending.rounds, ending.hits = world.trace.digest, counts["RoundSettled"], world.hits
            ending.virtual_s = world.loop.now
            ending.last = world.trace.last(LAST_LINES)
        return ending

    # --- the three acts ---

    async def _all(self) -> None:
        self._cast()
        await self._until(self._all_floors_open, OPEN_S_MAX, "the nodes do not start")
        await self._open_table()
        for person in self.world.people:
            self._arrive(person)
        for liar in self.world.liars:
            self.world.loop.spawn(liar.host, liar.live(TABLE))
        await self._storm()
        if self.rng.random() < LOST_CHANCE:
            await self._lose_somebody()
        await self._calm()

    def _cast(self) -> None:
        world, fate = self.world, self.fate
        for number in range(fate.nodes):
            machine = Machine(f"node{number}", world, world.fork(), fate, self.blows.hit)
            world.machines.append(machine)
            machine.start()
        urls = tuple(machine.url for machine in world.machines)
        for number, name in enumerate(NAMES[: fate.players + fate.spectators]):
            kind = Stammerer if number < fate.stammerers else Person
            world.people.append(kind(name, world.loop, world.network, urls, world.fork(), number < fate.players))
        for first in world.people[fate.players - fate.twins : fate.players]:
            world.people.append(Twin(first, world.fork()))
        for number in range(fate.liars):
            world.liars.append(Liar(f"Liar{number}", world.network, urls, world.fork(), lambda: world.standing(TABLE)))

    def _all_floors_open(self) -> bool:
        return all(machine.floor is not None for machine in self.world.machines)

    async def _open_table(self) -> None:
        floor = self.world.machines[0].floor
        assert floor is not None, "nothing goes wrong before the first table is open"
        await floor.openings.create(TABLE, "Felt", self.fate.settings, public=True, opener="house")
        self.world.opened_ms = self.world.now_ms()

    def _arrive(self, person: Person) -> None:
        person.arrive(TABLE, "human" if self.rng.random() < HUMAN_CHANCE else "none")

    async def _storm(self) -> None:
        """Blow after blow, until it is a story."""
        world, fate = self.world, self.fate
        world.network.weather = fate.weather
        for machine in world.machines:
            machine.weather(fate.store_weather, fate.hit_chance)
        kinds, weights = list(fate.blows), list(fate.blows.values())
        begun_s = world.loop.now
        until_s = begun_s + max(STORM_S_MAX, self._at_least_s + 1)
        blow_s = begun_s
        while self._is_thin() or world.loop.now - begun_s < self._at_least_s:
            assert world.loop.now < until_s, f"too thin: {world.trace.counts['RoundSettled']} rounds, {world.hits} hits"
            if world.loop.now >= blow_s:
                rarer = max(1.0, (world.loop.now - begun_s) / ABATES_S)
                blow_s = world.loop.now + rarer * self.rng.expovariate(1 / fate.blow_each_s)
                await self.blows.strike(self.rng.choices(kinds, weights)[0])
            await asyncio.sleep(min(STORM_LOOK_S, max(0.0, blow_s - world.loop.now)))

    def _is_thin(self) -> bool:
        return self.world.trace.counts["RoundSettled"] < ROUNDS_MIN or self.world.hits < HITS_MIN

    async def _lose_somebody(self) -> None:
        """A device dies, and a store that forgets what it was told of late has the seat as it was."""
        here = [person for person in self.world.people if person.plays and not person.host.dead]
        if not here:
            return
        person = self.rng.choice(here)
        self.world.say(person.name, "LOST")
        person.lost = True
        person.vanish(silently=self.rng.random() < 0.2)
        await asyncio.sleep(self.rng.uniform(0, LOST_S_MAX))
        if self.blows.forgetful:
            await self.blows.store_back()

    async def _calm(self) -> None:
        """The faults are over: what is open settles, everybody goes home, and nothing is left over."""
        world = self.world
        world.say("story", "CALM")
        for person in world.people:
            if not person.lost:
                person.go_home(TABLE)
        for liar in world.liars:
            liar.go_home()
        world.network.weather = Weather()
        world.network.heal()
        for machine in world.machines:
            machine.weather(StoreWeather(), 0.0)
        await self.blows.mended()
        well_since_ms = world.now_ms()
        deadlines = next(one for one in world.checkers if isinstance(one, NoTableSitsStill))
        seats = next(one for one in world.checkers if isinstance(one, NoSeatIsHeldByNobody))
        until_s, still, before = world.loop.now + CALM_S_MAX, 0, b""
        while still < STILL_LOOKS:
            assert world.loop.now < until_s, f"it does not come to rest: {self._unrest()}"
            await asyncio.sleep(LOOK_S)
            deadlines.look(well_since_ms)
            seats.look()
            still = still + 1 if not self._unrest() and self._head() == before else 0
            before = self._head()
        for checker in world.checkers:
            checker.at_rest()
        await asyncio.sleep(0)

    def _head(self) -> bytes:
        line = self.world.chronicle.lines.get(TABLE)
        return line.state.head if line else b""

    def _unrest(self) -> str:
        """Why nobody can go to bed yet."""
        line = self.world.chronicle.lines.get(TABLE)
        if line is None:
            return ""
        state = line.state
        if state.players:
            return f"{[one.name for one in state.players]} are at the table, which is in {state.phase}"
        if state.outgoing or self.world.vault.journal(0):
            return "money is on its way"
        for person in self.world.people:
            table = person.table
            if person.shut_out or person.lost:
                continue
            if table is None or table.ended or (table.version, table.head) != (state.version, state.head):
                return f"{person.name} is at v{table and table.version} of {state.version}: {person.failure}"
        for machine in self.world.machines:
            live = machine.floor.registry.live(TABLE) if machine.floor else None
            if live is not None and live.state.version != state.version:
                return f"{machine.name} holds v{live.state.version} of {state.version}"
        return ""

    async def _until(self, condition: Callable[[], bool], s_max: float, otherwise: str) -> None:
        until_s = self.world.loop.now + s_max
        while not condition():
            assert self.world.loop.now < until_s, otherwise
            await asyncio.sleep(LOOK_S)


def play(seed: int) -> Ending:
    """The whole story of a seed."""
    return Story(seed).play()
