"""What a seed has in store: how many play what, and which faults there are, and how often."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.simulation.network import Weather
from tests.simulation.storewire import Hit, StoreWeather

HITS: tuple[Hit, ...] = (
    "lost_request", "lost_reply", "late", "kill_before", "kill_after", "freeze_before", "freeze_after", "store",
)  # fmt: skip
BLOWS = (
    "kill", "freeze", "drain", "step_clock", "store_down", "store_frozen", "store_back", "deafen", "hang_up",
    "vanish", "cut_off", "crowd",
)  # fmt: skip
"""What befalls somebody from time to time, besides what befalls commits."""


@dataclass(frozen=True, slots=True)
class Fate:
    """All that is decided before the first frame. Times in seconds of the story."""

    game: str
    settings: str
    nodes: int
    players: int
    spectators: int
    liars: int
    stammerers: int
    twins: int
    """How many of the players say everything twice, and how many play on two devices at once."""
    blow_each_s: float
    blows: dict[str, float]
    """Kind to weight; what is not in it does not happen in this story."""
    sweeps_all: bool
    """Also what says nothing about a hand is done by the clock: lobby, readiness, the house's sum, guests that expire."""
    hit_chance: float
    hits: tuple[Hit, ...]
    weather: Weather
    store_weather: StoreWeather


def some(rng: Random, chance: float, low: float, high: float) -> float:
    """Nothing, or something between."""
    return rng.uniform(low, high) if rng.random() < chance else 0.0


def draw(rng: Random) -> Fate:
    game = rng.choice(("punto_banco", "double_exposure"))
    blows = {blow: rng.uniform(0.2, 1.0) for blow in BLOWS if rng.random() < 0.6} or {"kill": 1.0}
    hits = tuple(hit for hit in HITS if rng.random() < 0.6) or ("lost_reply",)
    return Fate(
        game=game,
        settings=settings_of(game, rng),
        nodes=rng.choice((3, 3, 3, 3, 3, 4)),
        players=rng.choice((2, 2, 2, 2, 3, 4)),
        spectators=rng.choice((0, 0, 1, 1, 2)),
        liars=int(rng.random() < 0.3),
        stammerers=int(rng.random() < 0.3),
        twins=int(rng.random() < 0.3),
        blow_each_s=rng.choice((0.5, 1.0, 2.0)),
        blows=blows,
        sweeps_all=rng.random() < 0.2,
        hit_chance=rng.choice((0.06, 0.1, 0.15)),
        hits=hits,
        weather=Weather(
            slow=some(rng, 0.3, 0, 0.05), cut=some(rng, 0.3, 0, 0.003), silent=some(rng, 0.2, 0, 0.001),
            refuse=some(rng, 0.2, 0, 0.3),
        ),
        store_weather=StoreWeather(
            slow=some(rng, 0.3, 0, 0.02), lost_request=some(rng, 0.3, 0, 0.01), lost_reply=some(rng, 0.3, 0, 0.01),
            late=some(rng, 0.2, 0, 0.005), dropped=some(rng, 0.4, 0, 0.1), twice=some(rng, 0.3, 0, 0.1),
            reordered=some(rng, 0.3, 0, 0.2),
        ),
    )  # fmt: skip


WITH_REVEALS = 0.6
"""Share of the stories at whose table players have a part in the cards."""


def settings_of(game: str, rng: Random) -> str:
    """Quick tables: what takes time in a story is what goes wrong."""
    times: dict[str, Any] = {
        "betting_ms": rng.choice((300, 300, 1_000, 6_000)),
        "turn_ms": rng.choice((500, 500, 2_000, 6_000)),
        "pause_ms": rng.choice((0, 100, 500)),
        "card_ms": rng.choice((0, 0, 40)),
        "hold_ms": rng.choice((1_500, 4_000, 20_000)),
        "idle_ms": rng.choice((10_000, 300_000)),
    }
    document: dict[str, Any] = {"game": game, "times": times}
    chance = Random(json.dumps(document))  # of its own, so that a seed's story is otherwise the same
    if chance.random() < WITH_REVEALS:
        document["reveals"] = True
        times["closing_ms"] = chance.choice((100, 500, 2_000))
    return json.dumps(document, separators=(",", ":"))
