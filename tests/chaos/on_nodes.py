"""What may happen to a node: it is killed, it stops and wakes up again, it is stopped in order and started anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from tests.chaos.company import Return
from tests.chaos.evening import Scale, evening
from tests.chaos.figures import Figure, Outcome, within
from tests.chaos.light import LightCrowd

Tell = Callable[[str], None]

FREEZE_S = 8.0
"""Longer than a node may be silent before it is taken for dead."""
HERD_TABLES = 2
HERD_BOTS = 8
"""As many as those tables have boxes; everyone else looks on."""
SETTLE_S = 2.0
"""After a fault, before the next one: connections that live for so long are counted as whole again."""


def _returns(name: str, values: list[float]) -> Figure:
    wanted = "2 s in the middle, 5 s at p99"
    return Figure(name, "s", values, wanted, within(median=2.0, p99=5.0))


async def kills(scale: Scale, tell: Tell) -> Outcome:
    outcome = Outcome(
        "Nodes killed", "SIGKILL to one node after the other while everyone plays, and a new one in its place."
    )
    back: list[float] = []
    snapshots = 0
    async with evening(scale) as tonight:
        loop = asyncio.get_running_loop()
        for number in range(scale.times):
            victim = tonight.posts[number % len(tonight.posts)]
            there = tonight.company.at(victim.name)
            killed_at = loop.time()
            victim.node.kill()
            came = await tonight.company.back(there, killed_at)
            back += [one.back_at - killed_at for one in came]
            snapshots += sum(one.snapshots for one in came)
            tell(f"kill {number + 1}: {len(came)} clients are back")
            await victim.start()
            await tonight.rounds()
        outcome.figures.append(_returns("from the kill to the answer of another node, with all that was missed", back))
        outcome.counts["snapshots instead of missed events"] = snapshots
        await tonight.close(outcome)
    outcome.counts["rounds voided!"] = outcome.counts.pop("rounds voided")
    return outcome


async def zombies(scale: Scale, tell: Tell) -> Outcome:
    outcome = Outcome("Zombies", f"SIGSTOP, {FREEZE_S:g} s in which the others go on, SIGCONT.")
    level: list[float] = []
    gap: list[float] = []
    async with evening(scale) as tonight:
        loop = asyncio.get_running_loop()
        for number in range(scale.times):
            victim = tonight.posts[number % len(tonight.posts)]
            others = [watch for watch in tonight.company.watches if watch.session.node != victim.name]
            frozen_at = loop.time()
            victim.node.pause()
            await asyncio.sleep(FREEZE_S)
            gap.append(max((frozen_at + FREEZE_S - watch.batch_at for watch in others), default=0.0))
            woken_at = loop.time()
            victim.node.go_on()
            await tonight.company.heard(woken_at)
            await tonight.company.level()
            level.append(loop.time() - woken_at)
            tell(f"freeze {number + 1}: level again")
            await tonight.rounds()
        outcome.figures.append(Figure("from waking up to where everyone has all again", "s", level))
        outcome.figures.append(Figure("longest silence at a table seen from the other nodes", "s", gap))
        await tonight.close(outcome)
    return outcome


async def rolling(scale: Scale, tell: Tell) -> Outcome:
    outcome = Outcome(
        "Rolling restart", "SIGTERM to each node in turn under load; it drains, ends, and is started anew."
    )
    away: list[float] = []
    drains: list[float] = []
    async with evening(scale) as tonight:
        loop = asyncio.get_running_loop()
        for post in tonight.posts:
            there = tonight.company.at(post.name)
            began = loop.time()
            status = await post.node.stop()
            drains.append(loop.time() - began)
            if status:
                outcome.faults.append(f"node {post.name} ended with {status}: {post.node.stderr()}")
            came = await tonight.company.back(there, began)
            away += [one.back_at - one.lost_at for one in came]
            outcome.faults += [f"sent back to the node that goes: {one}" for one in came if one.node == post.name]
            tell(f"node {post.name}: {len(came)} clients went elsewhere")
            await post.start()
            await asyncio.sleep(SETTLE_S)
        await tonight.rounds()
        outcome.figures.append(
            Figure("from the close to the answer of another node", "s", away, "5 s ever", within(most=5.0))
        )
        outcome.figures.append(Figure("from SIGTERM to the end of the process", "s", drains))
        sheets = await tonight.close(outcome)
    outcome.counts["rounds voided!"] = outcome.counts.pop("rounds voided")
    outcome.counts["forfeits!"] = sum(sheet.timed_out for sheet in sheets)
    return outcome


async def herd(scale: Scale, tell: Tell) -> Outcome:
    outcome = Outcome("Everyone cut at once", "All connections of all clients break in one moment; every node goes on.")
    back: list[float] = []
    bots: list[float] = []
    spent_ms: list[float] = []
    came: list[Return] = []
    few = replace(scale, bots=HERD_BOTS, onlookers=HERD_TABLES, tables=HERD_TABLES)
    async with evening(few, through_wires=True) as tonight:
        ports = [post.to_clients.port for post in tonight.posts]
        loop = asyncio.get_running_loop()
        async with LightCrowd(ports, tonight.tables, scale.herd, scale.seed) as crowd:
            tell(f"{scale.herd} onlookers are there")
            await tonight.rounds()
            for _ in range(scale.times):
                there = [watch for watch in tonight.company.watches if not watch.away]
                cut_at, spent_s = loop.time(), sum(post.cpu_s() for post in tonight.posts)
                cut = sum(post.to_clients.cut() for post in tonight.posts)
                came += (found := await crowd.back(cut_at))
                back += [one.back_at - cut_at for one in found]
                bots += [one.back_at - cut_at for one in await tonight.company.back(there, cut_at)]
                spent_s = sum(post.cpu_s() for post in tonight.posts) - spent_s
                spent_ms.append(1000 * spent_s / cut)
                tell(f"{cut} connections cut, all are back")
                await asyncio.sleep(SETTLE_S)
                await tonight.rounds()
            outcome.counts["batches that did not join!"] = crowd.holes
            outcome.counts |= {f"questions refused with {code}": number for code, number in crowd.refused.items()}
        what = "from the cut to the answer, with all that was missed"
        outcome.figures = [
            Figure(f"onlookers: {what}", "s", back, "5 s ever", within(most=5.0)),
            Figure(f"players: {what}", "s", bots, "5 s ever", within(most=5.0)),
            Figure("processor time of the nodes for each client that comes back", "ms", spent_ms),
        ]
        outcome.counts["missed batches sent"] = sum(one.batches for one in came)
        outcome.counts["snapshots!"] = sum(one.snapshots for one in came)
        await tonight.close(outcome)
    return outcome
