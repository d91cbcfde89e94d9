"""What bets cost that nobody has worked out yet: found in the house, or worked out by one node for all of them.

The lobby tells which settings its tables have whose odds are not known. Looks at the store are cheap and made by every node; work
is done by one node of the house at a time, one document after the other, and no more often than its operator allows.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict, deque
from collections.abc import Mapping

from tapete_odds import shelf
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_server.ports import CannotWorkOut, OddsBench, OddsStore, StoreAway

log = logging.getLogger("tapete.odds")

SWEEP_MS = (1_500, 2_500)
LOOKED_FOR_MAX = 32
"""Documents that one sweep asks the store for; the next one asks for those that follow."""
CLAIM_RENEWED_MS = 10_000
GIVEN_UP_MS = 3_600_000
"""Until settings are tried again whose odds could not be worked out."""
GIVEN_UP_MAX = 1_024
HOUR_S = 3_600.0

Wanted = Mapping[str, DoubleExposureSettings]
"""By the hash of what odds depend on."""


class Actuary:
    """`by`: a name for this node that no other has. `wanted` is replaced as tables come and go."""

    def __init__(self, store: OddsStore, bench: OddsBench, by: str, *, per_hour_max: int) -> None:
        self._store, self._bench, self._by, self._per_hour_max = store, bench, by, per_hour_max
        self.wanted: Wanted = {}
        self.worked_out = 0
        self._cursor = ""
        self._begun_s: deque[float] = deque()
        self._given_up: OrderedDict[str, float] = OrderedDict()
        self._unkept: dict[str, bytes] = {}
        """At most one: what the store was not there for."""
        self._told = False

    async def sweep(self) -> None:
        """Once: take what the house has, and work out one that it has not."""
        await self._keep_what_is_unkept()
        missing = [name for name in self._next() if not await self._found(name)]
        if missing and self._may_work():
            await self._in_turn(missing)

    async def _found(self, name: str) -> bool:
        """Whether the house has these odds: then they are known here from now on."""
        odds = await self._store.kept_odds(name)
        if odds is None:
            return False
        try:
            shelf.lay(shelf.unpacked(odds, name))
        except ValueError as wrong:
            log.warning(
                "odds that the store has cannot be read, and are worked out anew: %s", wrong, extra={"odds": name}
            )
            return False
        return True

    def _next(self) -> list[str]:
        """The wanted ones that are not known yet, round and round."""
        names = sorted(name for name in self.wanted if not shelf.is_laid(name))
        later = [name for name in names if name > self._cursor]
        chosen = [*later, *names[: len(names) - len(later)]][:LOOKED_FOR_MAX]
        self._cursor = chosen[-1] if chosen else ""
        return chosen

    def _may_work(self) -> bool:
        if not self._per_hour_max:
            return False
        if not self._bench.ready:
            if not self._told:
                log.warning("a table's odds are not known, and cannot be worked out here: pip install 'tapete[odds]'")
            self._told = True
            return False
        now_s = asyncio.get_running_loop().time()
        while self._begun_s and self._begun_s[0] <= now_s - HOUR_S:
            self._begun_s.popleft()
        return len(self._begun_s) < self._per_hour_max

    async def _in_turn(self, missing: list[str]) -> None:
        """The first that was not given up lately, if no other node of the house is at work."""
        now_s = asyncio.get_running_loop().time()
        name = next((name for name in missing if self._given_up.get(name, 0.0) <= now_s), None)
        if name is None or not await self._store.claim_odds(self._by):
            return
        self._begun_s.append(now_s)
        if not await self._found(name):  # another node may have been at these until now
            await self._work_out(name, self.wanted[name])
        await self._store.leave_odds(self._by)  # where that fails, or this node ends, the claim lapses

    async def _work_out(self, name: str, settings: DoubleExposureSettings) -> None:
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        try:
            odds = await self._worked_out(json.dumps(settings.to_plain()))
            shelf.lay(shelf.unpacked(odds, name))
        except (CannotWorkOut, ValueError) as wrong:
            self._give_up(name, loop.time() + GIVEN_UP_MS / 1000)
            log.error("odds could not be worked out: %s", wrong, extra={"odds": name})  # noqa: TRY400 - its trace says nothing
            return
        self.worked_out += 1
        self._unkept[name] = odds
        log.info("odds worked out", extra={"odds": name, "seconds": round(loop.time() - begun_s, 1)})
        await self._keep_what_is_unkept()

    async def _worked_out(self, settings: str) -> bytes:
        """Claimed again and again meanwhile, also from a store that has just come back."""
        work = asyncio.ensure_future(self._bench.work_out(settings))
        try:
            while not (await asyncio.wait([work], timeout=CLAIM_RENEWED_MS / 1000))[0]:
                try:
                    await self._store.claim_odds(self._by)
                except StoreAway:
                    continue
            return work.result()
        finally:
            work.cancel()
            await asyncio.wait([work])

    async def _keep_what_is_unkept(self) -> None:
        for name, odds in tuple(self._unkept.items()):
            await self._store.keep_odds(name, odds)
            del self._unkept[name]

    def _give_up(self, name: str, until_s: float) -> None:
        self._given_up[name] = until_s
        self._given_up.move_to_end(name)
        while len(self._given_up) > GIVEN_UP_MAX:
            self._given_up.popitem(last=False)
