"""What may happen to a wire: it is slow, swallows everything for a while, or breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from tests.chaos.evening import Evening, Scale, evening
from tests.chaos.figures import Figure, Outcome
from tests.chaos.relay import Relay

Tell = Callable[[str], None]

SLOW_S = 0.08
"""Each way."""
FAULT_S = 4.0
CUTS = 8
CUT_PAUSE_S = 0.4


@dataclass(frozen=True, slots=True)
class Fault:
    """`does` is done to these wires; returns when it is over."""

    name: str
    to_store: bool
    all_nodes: bool
    does: Callable[[Sequence[Relay]], Awaitable[None]]


async def slow(wires: Sequence[Relay]) -> None:
    for wire in wires:
        wire.delay_s = SLOW_S
    await asyncio.sleep(FAULT_S)
    for wire in wires:
        wire.delay_s = 0.0


async def held(wires: Sequence[Relay]) -> None:
    for wire in wires:
        wire.hold()
    await asyncio.sleep(FAULT_S)
    for wire in wires:
        wire.let_go()


async def cut(wires: Sequence[Relay]) -> None:
    for _ in range(CUTS):
        for wire in wires:
            wire.cut()
        await asyncio.sleep(CUT_PAUSE_S)


FAULTS = (
    Fault(f"the store is {2 * SLOW_S * 1000:.0f} ms away from one node", True, False, slow),
    Fault(f"one node's wire to the store swallows everything for {FAULT_S:g} s", True, False, held),
    Fault(f"all nodes' wires to the store swallow everything for {FAULT_S:g} s", True, True, held),
    Fault(f"one node's wire to the store breaks {CUTS} times", True, False, cut),
    Fault(f"all nodes' wires to the store break {CUTS} times", True, True, cut),
    Fault(f"clients are {2 * SLOW_S * 1000:.0f} ms away from one node", False, False, slow),
    Fault(f"the wires to one node's clients swallow everything for {FAULT_S:g} s", False, False, held),
    Fault(f"the wires to one node's clients break {CUTS} times", False, False, cut),
)


async def wires(scale: Scale, tell: Tell) -> Outcome:
    outcome = Outcome("Wires", "Between nodes and store, and between clients and nodes.")
    async with evening(scale, through_wires=True) as tonight:
        for number, fault in enumerate(FAULTS):
            posts = tonight.posts if fault.all_nodes else [tonight.posts[number % len(tonight.posts)]]
            took = await _suffer(
                tonight, fault, [post.to_store if fault.to_store else post.to_clients for post in posts]
            )
            outcome.figures.append(Figure(f"{fault.name}: until a client hears of its table", "s", took))
            tell(fault.name)
        outcome.counts["rewound!"] = sum(watch.rewinds for watch in tonight.company.watches)
        await tonight.close(outcome)
    return outcome


async def _suffer(tonight: Evening, fault: Fault, chosen: Sequence[Relay]) -> list[float]:
    """How long it takes each client afterwards until it hears of its table; then all are level, and rounds go on."""
    await fault.does(chosen)
    heard = await tonight.company.heard(asyncio.get_running_loop().time())
    await tonight.company.level()
    await tonight.rounds()
    return heard
