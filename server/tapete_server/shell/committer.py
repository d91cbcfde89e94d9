"""Decide, commit, and decide again when somebody else was faster. At most a bounded number of times."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from tapete_protocol.events import RoundSettled, RoundVoided
from tapete_server.core.commands import AnyCommand, CreditBuyIn, Decision, Refusal, Repeat, VoidRound, Wait
from tapete_server.core.records import pack_record
from tapete_server.core.state import Table
from tapete_server.ports import (
    Commit,
    Conflict,
    Done,
    Duplicate,
    Entropy,
    Jitter,
    NoTable,
    TableStore,
    TooEarly,
    TooLate,
)
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.counts import Counts
from tapete_server.shell.live_table import LiveTable
from tapete_server.shell.plan import Plan, Planner
from tapete_server.shell.window import leading_up

log = logging.getLogger("tapete.commit")

TRIES_MAX = 8
"""Decisions on ever newer states before `busy`."""
JITTER_MS_MAX = 20
"""Pause before deciding again, times the number of the try."""
SKEW_MS_MAX = 1_000
"""A commit is only good for this long around the time that it was decided at."""
AGAIN = ("conflict", "stale", "too_early", "too_late", "no_table")
"""Why a command is decided again."""
KEPT_BATCHES_MIN = 1_024
"""Batches that stay in the stream when a round is over, with all of that round."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The version that the command made, or found when it changed nothing."""

    version: int


@dataclass(frozen=True, slots=True)
class Again:
    """Decide again, after a pause. `why`, as it is counted."""

    why: str
    pause_ms: float = 0


Outcome = Accepted | Refusal | Wait


class Committer:
    """Shared by all tables of a node."""

    def __init__(self, store: TableStore, clock: StoreClock, entropy: Entropy, key: bytes, dice: Jitter) -> None:
        self.counts = Counts()
        self._store, self._clock, self._dice = store, clock, dice
        self._planner = Planner(clock, entropy, key)

    async def run(self, live: LiveTable, command: AnyCommand) -> Outcome:
        """Raises `StoreAway` when the outcome is unknown; the same command may then be sent again."""
        async with live.lock:
            for attempt in range(TRIES_MAX):
                if live.sound != self._store.doubted:
                    await live.heed()
                outcome = await self._void_spoilt(live) or await self._try(live, command)
                if not isinstance(outcome, Again):
                    return outcome
                self.counts.retries[outcome.why] += 1
                jitter_ms = self._dice.uniform(0, JITTER_MS_MAX * attempt)
                await asyncio.sleep((outcome.pause_ms + jitter_ms) / 1000)
            return Refusal("busy")

    async def _try(self, live: LiveTable, command: AnyCommand) -> Outcome | Again:
        if live.gone:
            return Refusal("no_such_table", {"table": live.id})
        state = live.state
        plan = self._planner.plan(state, command)
        if isinstance(plan, Plan):
            outcome = await self._commit(live, state, plan)
            if isinstance(outcome, Accepted) and plan.instead_of_players:
                return Refusal("table_frozen", {"incident": live.state.frozen})
            return outcome
        if isinstance(plan, Wait):
            return plan
        await live.refresh()
        if not live.stands_at(state):
            return Again("stale")  # what is refused is refused on the newest state only
        return _final(plan, state)

    async def _void_spoilt(self, live: LiveTable) -> Again | None:
        """The store went back, and the round that it has open is known: nothing happens in it any more."""
        while live.spoilt is not None and not live.gone:
            number, nonce = live.spoilt
            outcome = await self._try(live, VoidRound(number, nonce, "rewound"))
            if isinstance(outcome, Again):
                return outcome
            live.spoilt = None
        return None

    async def _commit(self, live: LiveTable, state: Table, plan: Plan) -> Accepted | Refusal | Again:
        commit = await self._compose(live, state, plan)
        if commit is None:
            await live.refresh()
            return Again("stale")
        live.expect(plan.payload, plan.batch, plan.after)
        match await self._store.commit(commit):
            case Done(_, time_ms):
                self.counts.commits += 1
                self._clock.learn(time_ms)
                live.receive(plan.payload)
                if not live.has(plan.after.version, plan.after.head):
                    await live.refresh()
                return Accepted(plan.after.version)
            case Conflict(stored):
                self.counts.conflicts += 1
                self._clock.learn(stored.time_ms)
                await live.refresh()
                return Again("conflict")
            case TooEarly(time_ms):
                self._clock.learn(time_ms)
                return Again("too_early", min(SKEW_MS_MAX, max(0, commit.not_before_ms - time_ms)))
            case TooLate(time_ms):
                self._clock.learn(time_ms)
                return Again("too_late")
            case NoTable():
                await live.refresh()
                return Again("no_table")
            case Duplicate(mark, _):
                return Accepted(state.version) if mark == "credited" else Refusal("buy_in_refused")

    async def _compose(self, live: LiveTable, state: Table, plan: Plan) -> Commit | None:
        """None: the store has gone back behind this state meanwhile."""
        now, after = plan.decision.at, plan.after
        earliest = after.earliest_deadline()
        over = any(isinstance(event, RoundSettled | RoundVoided) for event in plan.decision.events)
        record = await self._record(live, state, plan.payload) if over else None
        if over and record is None:
            return None
        return Commit(
            table=state.id, version=state.version, head=state.head, new_head=after.head, blob=plan.blob,
            batch=plan.payload, not_before_ms=max(plan.decision.not_before_ms, now - SKEW_MS_MAX),
            not_after_ms=min(plan.decision.not_after_ms or now + SKEW_MS_MAX, now + SKEW_MS_MAX),
            deadline_ms=earliest[1] if earliest else 0,
            record=(state.round, record) if record is not None else None,
            transfer=plan.command.transfer if isinstance(plan.command, CreditBuyIn) else None,
            trim_before=max(0, min(state.opened_version, state.version - KEPT_BATCHES_MIN)) if over else 0,
        )  # fmt: skip

    async def _record(self, live: LiveTable, state: Table, payload: bytes) -> bytes | None:
        """All that anyone needs to check the round: its batches from the opening to this one. None: the store has others."""
        before = live.since_opening()
        if before is None:
            stored = await self._store.batches(live.id, state.opened_version - 1, state.version)
            before = [batch for _, _, batch in leading_up(stored, state.version, state.head)][::-1]
            if len(before) <= state.version - state.opened_version:
                return None
        return pack_record(state, [*before, payload])


def _final(answer: Decision | Refusal | Repeat, state: Table) -> Accepted | Refusal:
    match answer:
        case Decision():
            return Accepted(state.version)
        case Repeat(version):
            return Accepted(version)
        case _:
            return answer
