"""Decide, commit, and decide again when somebody else was faster. At most a bounded number of times."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from dataclasses import dataclass
from random import Random

import msgpack

from tapete_protocol.events import RoundSettled, RoundVoided
from tapete_protocol.frames import Author
from tapete_server.core.codec import pack_batch, pack_table
from tapete_server.core.commands import (
    AnyCommand,
    CreditBuyIn,
    DeadlinePassed,
    Decision,
    Dice,
    Freeze,
    FromPlayer,
    Refusal,
    Repeat,
    VoidRound,
    Wait,
)
from tapete_server.core.decide import decide
from tapete_server.core.evolve import sealed
from tapete_server.core.state import Table, broken
from tapete_server.ports import Commit, Conflict, Done, Duplicate, Entropy, NoTable, TableStore, TooEarly, TooLate
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.live_table import LiveTable

log = logging.getLogger("tapete.commit")

TRIES_MAX = 8
"""Decisions on ever newer states before `busy`."""
JITTER_MS_MAX = 20
"""Pause before deciding again, times the number of the try."""
SKEW_MS_MAX = 1_000
"""A commit is only good for this long around the time that it was decided at."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The version that the command made, or found when it changed nothing."""

    version: int


Outcome = Accepted | Refusal | Wait


class Committer:
    """Shared by all tables of a node."""

    def __init__(self, store: TableStore, clock: StoreClock, entropy: Entropy, key: bytes, jitter: Random) -> None:
        self._store, self._clock, self._entropy = store, clock, entropy
        self._key = key
        self._jitter = jitter
        self.conflicts = 0
        self.commits = 0

    async def run(self, live: LiveTable, command: AnyCommand) -> Outcome:
        """Raises `StoreAway` when the outcome is unknown; the same command may then be sent again."""
        async with live.lock:
            for attempt in range(TRIES_MAX):
                if live.gone:
                    return Refusal("no_such_table")
                state = live.state
                answer = self._decide(state, command)
                if not isinstance(answer, Decision) or not answer.events:
                    if isinstance(answer, Wait) or not await live.refresh():
                        return self._final(answer, live)
                    continue  # we were behind: what is refused is refused on the newest state only
                outcome = await self._commit(live, state, command, answer)
                if outcome is not None:
                    return outcome
                await live.refresh()
                if attempt:
                    await asyncio.sleep(self._jitter.uniform(0, JITTER_MS_MAX * attempt) / 1000)
            return Refusal("busy")

    @staticmethod
    def _final(answer: Decision | Refusal | Repeat | Wait, live: LiveTable) -> Outcome:
        match answer:
            case Decision():
                return Accepted(live.state.version)
            case Repeat(version):
                return Accepted(version)
            case _:
                return answer

    def _decide(self, state: Table, command: AnyCommand) -> Decision | Refusal | Repeat | Wait:
        dice = Dice(self._key, self._entropy.token_bytes(32))
        now = self._clock.now_ms()
        try:
            answer = decide(state, command, now, dice)
        except Exception:
            if not isinstance(command, DeadlinePassed):
                raise
            log.exception("the house's own command failed; the round is void", extra={"table": state.id})
            return decide(state, VoidRound(state.round, state.nonce, "incident"), now, dice)
        if isinstance(answer, Decision) and (why := broken(answer.table)):
            log.critical("invariant broken", extra={"table": state.id, "why": why})
            return decide(state, Freeze(f"{why} (after version {state.version})"), now, dice)
        return answer

    async def _commit(self, live: LiveTable, state: Table, command: AnyCommand, decision: Decision) -> Outcome | None:
        """None: decide again."""
        now = decision.at
        author = None
        if isinstance(command, FromPlayer):
            author = Author(player=command.player, seq=command.command.seq, digest=command.digest)
        batch, payload = pack_batch(state, decision.events, now, author)
        after = sealed(decision.table, batch, payload)
        earliest = after.earliest_deadline()
        record = await self._record(live, state, decision, payload)
        commit = Commit(
            table=state.id, version=state.version, head=state.head, new_head=after.head, blob=pack_table(after),
            batch=payload, not_before_ms=max(decision.not_before_ms, now - SKEW_MS_MAX),
            not_after_ms=min(decision.not_after_ms or now + SKEW_MS_MAX, now + SKEW_MS_MAX),
            deadline_ms=earliest[1] if earliest else 0, record=record,
            transfer=command.transfer if isinstance(command, CreditBuyIn) else None,
        )  # fmt: skip
        live.expect(payload, after)
        match await self._store.commit(commit):
            case Done(_, time_ms):
                self.commits += 1
                self._clock.learn(time_ms)
                live.receive(payload)
                return Accepted(after.version)
            case Conflict(stored):
                self.conflicts += 1
                self._clock.learn(stored.time_ms)
            case TooEarly(time_ms) | TooLate(time_ms):
                self._clock.learn(time_ms)
            case NoTable(time_ms):
                return Refusal("no_such_table")
            case Duplicate(mark, time_ms):
                return Accepted(state.version) if mark == "credited" else Refusal("buy_in_refused")
        return None

    async def _record(
        self, live: LiveTable, state: Table, decision: Decision, payload: bytes
    ) -> tuple[int, bytes] | None:
        """All that anyone needs to check the round: its batches from the opening to this one."""
        if not any(isinstance(event, RoundSettled | RoundVoided) for event in decision.events):
            return None
        before = live.since_opening()
        if before is None:
            stored = await self._store.batches(live.id, state.opened_version - 1, state.version)
            before = [batch for _, batch in stored]
        record = {
            "schema": 1,
            "table": state.id,
            "round": state.round,
            "settings": state.settings,
            "settings_hash": hashlib.sha256(state.settings.encode()).digest(),
            "batches": [*before, payload],
        }
        packed: bytes = msgpack.packb(record)
        return state.round, packed
