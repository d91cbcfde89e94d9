"""What may happen to the store: it is killed and comes back; it comes back without the end of what it had written."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Self

from tapete_server.adapters.redis_store import RedisStore
from tapete_server.shell.audit import audit
from tests.chaos.company import wait_for
from tests.chaos.evening import Evening, Scale, evening
from tests.chaos.figures import Figure, Outcome, within
from tests.server.store.servers import Server, binaries

Tell = Callable[[str], None]

OUTAGE_S = 4.0
"""Every other time the store stays away so long."""
LOST_S_MAX = 3.0
"""As far back as a store may come back: more than `everysec` can lose."""
SAMPLE_S = 0.05
BACK_S_MAX = 60.0
CHANGERS = 4


async def kills(scale: Scale, tell: Tell) -> Outcome:
    outcome = Outcome(
        "Store killed",
        f"SIGKILL to the store in the middle of play; it is there again at once, or after {OUTAGE_S:g} s.",
    )
    told: list[float] = []
    played: list[float] = []
    async with evening(scale) as tonight:
        loop = asyncio.get_running_loop()
        for number in range(scale.times):
            tonight.house.server.kill()
            await asyncio.sleep(OUTAGE_S * (number % 2))
            await asyncio.to_thread(tonight.house.server.start)
            back_at = loop.time()
            await wait_for(lambda: not _silent_tables(tonight, back_at), BACK_S_MAX)  # noqa: B023
            told += [
                watch.store_back_at - back_at for watch in tonight.company.watches if watch.store_back_at > back_at
            ]
            played += [first - back_at for first in _first_batches(tonight)]
            tell(f"kill {number + 1}: play goes on at {len(tonight.tables)} tables")
            await tonight.rounds()
        outcome.figures = [
            Figure("from where the store answers to where a client is told so", "s", told),
            Figure("from there to the next batch of each table", "s", played, "3 s ever", within(most=3.0)),
        ]
        outcome.counts["rewound!"] = sum(watch.rewinds for watch in tonight.company.watches)
        await tonight.close(outcome)
    return outcome


def _first_batches(tonight: Evening) -> list[float]:
    """When each table was first heard of again: seen right after all of them were."""
    seen: dict[str, float] = {}
    for watch in tonight.company.watches:
        assert watch.table is not None
        seen[watch.table.id] = max(seen.get(watch.table.id, 0.0), watch.batch_at)
    return list(seen.values())


def _silent_tables(tonight: Evening, since: float) -> set[str]:
    heard = {watch.table.id for watch in tonight.company.watches if watch.table and watch.batch_at > since}
    return set(tonight.tables) - heard


async def forgetful(scale: Scale, tell: Tell) -> Outcome:
    """The log is cut at random places: while everyone plays, and in copies of it that are only counted."""
    outcome = Outcome(
        "Store that forgets",
        f"SIGKILL to the store, and up to {LOST_S_MAX:g} s of its log are gone when it comes back, in the middle of a record or "
        "not; nodes go on with what they know. Then the whole log cut anywhere, loaded and counted.",
    )
    dice = Random(scale.seed)
    again: list[float] = []
    lost_bytes: list[float] = []
    async with evening(scale) as tonight:
        [till] = await tonight.house.open(tonight.posts[0].url, {"game": "punto_banco"})
        await tonight.company.change([post.url for post in tonight.posts], till, CHANGERS)
        async with _Sizes(tonight.house.server) as sizes:
            for number in range(scale.times):
                await tonight.rounds()
                lost = dice.randint(0, sizes.written())
                lost_bytes.append(float(lost))
                back_at = await _lose(tonight, lost)
                await wait_for(lambda: not _silent_tables(tonight, back_at), BACK_S_MAX)  # noqa: B023
                again += [first - back_at for first in _first_batches(tonight)]
                tell(f"forgotten {number + 1}: {lost:,} bytes")
                await tonight.rounds()
        await tonight.balance(outcome)
        outcome.counts["tables seen rewound, by all clients"] = sum(watch.rewinds for watch in tonight.company.watches)
        tonight.house.server.kill()
        outcome.faults += await _counted_anywhere(tonight.house.server, scale.offsets, dice, tell)
    outcome.figures = [
        Figure("lost of the log each time", "bytes", lost_bytes),
        Figure("from where the store answers to the next batch of each table", "s", again),
    ]
    outcome.counts["places at which the log was cut and counted"] = scale.offsets
    return outcome


async def _lose(tonight: Evening, lost_bytes: int) -> float:
    server = tonight.house.server
    server.kill()
    os.truncate(server.log(), server.log_bytes() - lost_bytes)
    await asyncio.to_thread(server.start)
    return asyncio.get_running_loop().time()


class _Sizes:
    """How long the log was of late."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._seen: deque[int] = deque(maxlen=round(LOST_S_MAX / SAMPLE_S))
        self._looking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._looking = asyncio.create_task(self._look())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._looking is not None
        self._looking.cancel()
        await asyncio.wait({self._looking})

    async def _look(self) -> None:
        while True:
            self._seen.append(self._server.log_bytes())
            await asyncio.sleep(SAMPLE_S)

    def written(self) -> int:
        """Bytes written in the last seconds; no more than that since it was last cut."""
        return max(0, self._server.log_bytes() - min(self._seen))


async def _counted_anywhere(server: Server, offsets: int, dice: Random, tell: Tell) -> list[str]:
    whole = server.log_bytes()
    cuts = [dice.randint(1, whole) for _ in range(offsets)]
    wrong = []
    for at in cuts:
        found = await _counted(server.log(), at)
        wrong += [f"{found} when the log is cut at {at}"] if found else []
    tell(f"{offsets} cuts of {whole:,} bytes counted")
    return wrong


async def _counted(log: Path, at: int) -> str:
    """What is wrong in a store that has loaded that much of the log."""
    copy = Server(binaries()["valkey"])
    try:
        shutil.copytree(log.parent, copy.folder / log.parent.name)
        os.truncate(copy.log(), at)
        await asyncio.to_thread(copy.start)
        store = RedisStore(copy.url)
        await store.start()
        found = await audit(store)
        await store.close()
    finally:
        copy.close()
    return "; ".join(found.faults) or (f"{found.difference} too many" if found.difference else "")
