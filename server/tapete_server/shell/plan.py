"""What a command comes to on a state, ready to be committed. Our own mistakes end here: in a void round or a stop."""

from __future__ import annotations

import dataclasses
import logging
from dataclasses import dataclass

from tapete_protocol.commands import Reveal
from tapete_protocol.frames import Author, Batch
from tapete_server.core.codec import pack_batch, pack_table
from tapete_server.core.commands import (
    AnyCommand,
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
from tapete_server.ports import Entropy
from tapete_server.shell.clock import StoreClock

log = logging.getLogger("tapete.commit")


@dataclass(frozen=True, slots=True)
class Plan:
    """`command` is what was decided. `instead_of_players`: the table stops in place of what it was asked."""

    command: AnyCommand
    decision: Decision
    batch: Batch
    payload: bytes
    after: Table
    blob: bytes
    instead_of_players: bool = False


Planned = Plan | Decision | Refusal | Repeat | Wait
"""A decision without events changes nothing."""


def planned(state: Table, command: AnyCommand, decision: Decision) -> Plan:
    author = None
    if isinstance(command, FromPlayer) and not isinstance(command.command, Reveal):
        author = Author(player=command.player, seq=command.command.seq, digest=command.digest)
    batch, payload = pack_batch(state, decision.events, decision.at, author)
    after = sealed(decision.table, batch, payload)
    return Plan(command, decision, batch, payload, after, pack_table(after))


class Planner:
    def __init__(self, clock: StoreClock, entropy: Entropy, key: bytes) -> None:
        self._clock, self._entropy, self._key = clock, entropy, key

    def plan(self, state: Table, command: AnyCommand) -> Planned:
        """An exception changes nothing, and is the asker's to hear of; the house's own clock must go on in any case."""
        try:
            found = self._decided(state, command)
        except Exception:
            if not isinstance(command, DeadlinePassed):
                raise
            log.exception("the house's own command failed; the round is void", extra={"table": state.id})
            return self._without(state, command)
        if isinstance(found, Plan) and (why := broken(found.after)):
            return self._stopped(state, command, why)
        return found

    def _decided(self, state: Table, command: AnyCommand) -> Planned:
        answer = decide(state, command, self._clock.now_ms(), Dice(self._key, self._entropy.token_bytes(32)))
        return planned(state, command, answer) if isinstance(answer, Decision) and answer.events else answer

    def _without(self, state: Table, failed: DeadlinePassed) -> Planned:
        """The round is void; where that does not stop the clock, it would fail again for ever, and the table stops."""
        try:
            void = self._decided(state, VoidRound(state.round, state.nonce, "incident"))
        except Exception:
            log.exception("the round cannot be void either", extra={"table": state.id})
        else:
            if isinstance(void, Plan) and not broken(void.after) and void.after.deadline(failed.name) != failed.at:
                return void
        return self._stopped(state, failed, f"the clock {failed.name} cannot be fired")

    def _stopped(self, state: Table, command: AnyCommand, why: str) -> Planned:
        log.critical("invariant broken: %s", why, extra={"table": state.id, "version": state.version})
        stop = self._decided(state, Freeze(f"{why} (after version {state.version})"))
        if not isinstance(stop, Plan) or isinstance(command, DeadlinePassed):
            return stop
        return dataclasses.replace(stop, instead_of_players=True)
