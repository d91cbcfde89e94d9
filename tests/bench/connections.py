"""Connections that do nothing, that do not read, that come back all at once; and a node that starts."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack

from tests.bench.crowd import BadDelivery
from tests.bench.figures import Figure, Goal, Outcome, Ratio
from tests.bench.house import BenchHouse
from tests.bench.processor import cpu_ns, kernel_bytes, resident_bytes
from tests.bench.scale import Scale, Told
from tests.bench.sides import House, Pace

IDLE_S = 5.0
KB = 1024
STALLED_RECEIVE_BYTES = 4_096


async def idle(scale: Scale, told: Told) -> Outcome:
    """Memory and processor time of spectators at a table where nothing happens."""
    count = scale.spectators * 4
    outcome = Outcome("idle", f"{count:,} spectators of a table where nothing happens.")
    async with AsyncExitStack() as stack:
        house = await BenchHouse(stack).open()
        (table,) = await house.tables(1)
        await house.spectators(max(1, count // 10), [table])
        (pid,) = house.pids
        each = []
        for number in range(3):
            before = resident_bytes(pid)
            await house.spectators(count, [table])
            each.append((resident_bytes(pid) - before) / count / KB)
            told(f"{count} more are there, {number + 1}")
        began_ns, began_s = cpu_ns([pid]), time.monotonic()
        await asyncio.sleep(IDLE_S * min(1, scale.rounds))
        spent_ms = (cpu_ns([pid]) - began_ns) / 1e6 / (time.monotonic() - began_s)
    there = 3 * count + max(1, count // 10)
    outcome.figures += [
        Figure("memory of a spectator", "kB", {"tapete": each}),
        Figure(f"processor time in a second with {there:,} of them", "ms", {"tapete": [spent_ms]}),
    ]
    outcome.ratios.append(Ratio("memory of an idle spectator", each, Goal(16, 12, most=True), "kB"))
    return outcome


async def stalled(scale: Scale, told: Told) -> Outcome:
    """What spectators cost who stop to read while much happens; until they are cut off."""
    outcome = Outcome("stalled", f"{scale.stalled} spectators stop reading, beside {scale.stalled} who read on.")
    worst = []
    async with AsyncExitStack() as stack:
        house = await BenchHouse(stack).open()
        (table,) = await house.tables(1)
        (pid,) = house.pids
        reading = await house.spectators(scale.stalled, [table])
        side = House("tapete", house.pids, await house.players([table], 4), reading)
        pace = Pace(16, 8, scale.bursts)
        await side.play(pace)
        for number in range(min(3, scale.rounds)):
            slow = await house.spectators(scale.stalled, [table], f"receive={STALLED_RECEIVE_BYTES}")
            await side.play(pace)
            before = resident_bytes(pid) + kernel_bytes(pid)
            slow.may_lose = True
            await slow.say(f"stall {scale.stalled}")
            most = 0
            for _ in range(6):
                await side.play(pace)
                most = max(most, resident_bytes(pid) + kernel_bytes(pid) - before)
            worst.append(most / scale.stalled / KB)
            told(f"round {number + 1}")
    outcome.figures.append(Figure("memory of a stalled spectator, node and kernel, at most", "kB", {"tapete": worst}))
    outcome.ratios.append(Ratio("memory that a stalled spectator can cost", worst, Goal(200, 200, most=True), "kB"))
    return outcome


async def herd(scale: Scale, told: Told) -> Outcome:
    """All connections are cut at once, and come back at once, with what they have."""
    outcome = Outcome(
        "herd", f"{scale.herd:,} spectators are cut and come back in the same moment, each to resume where it was."
    )
    last, cost = [], []
    async with AsyncExitStack() as stack:
        house = await BenchHouse(stack).open()
        (table,) = await house.tables(1)
        crowd = await house.spectators(scale.herd, [table])
        side = House("tapete", house.pids, await house.players([table], 1), crowd)
        for number in range(scale.rounds):
            await side.play(Pace(scale.every_ms, 1, 24))
            snapshots = (await crowd.look(mark=True)).snapshots
            began_ns = cpu_ns(house.pids)
            await crowd.say("drop")
            await crowd.until(lambda look: look.live == scale.herd)
            cost.append((cpu_ns(house.pids) - began_ns) / 1e6 / scale.herd)
            back = await crowd.look(mark=True)
            if back.snapshots != snapshots:
                raise BadDelivery("who came back with all batches got a snapshot")
            assert back.returns is not None
            last.append(back.returns.at(1.0) / 1e6)
            told(f"round {number + 1}")
    outcome.figures += [
        Figure("until the last one is back", "s", {"tapete": last}),
        Figure("processor time for each that comes back", "ms", {"tapete": cost}),
    ]
    return outcome


async def start_up(scale: Scale, told: Told) -> Outcome:
    """From the command to the line that says where, on a store that runs; and the processor time of it."""
    outcome = Outcome("start-up", "`tapete serve` on a store that runs already, until it says where it is open.")
    took, cost = [], []
    async with AsyncExitStack() as stack:
        house = await BenchHouse(stack).open()
        for number in range(scale.starts):
            began_s = time.monotonic()
            node = await house.add_node()
            took.append(time.monotonic() - began_s)
            assert node.process is not None
            cost.append(cpu_ns([node.process.pid]) / 1e9)
            await node.stop()
            told(f"start {number + 1}")
    outcome.figures.append(Figure("start of a node", "s", {"until it is open": took, "processor time": cost}))
    return outcome
