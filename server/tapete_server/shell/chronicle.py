"""The rounds of followed tables, told to the operators: one line for each that this node has settled, and counted.

A line has sums and no card, so that whoever reads logs knows nothing that the felt does not show to all.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from tapete_protocol import events as e
from tapete_protocol.frames import Batch
from tapete_server.core.codec import unpack_batch
from tapete_server.core.state import Table
from tapete_server.shell.counts import Counts
from tapete_server.shell.live_table import LiveTable

log = logging.getLogger("tapete.rounds")


@dataclass(slots=True)
class Round:
    """A round as far as it has come. Amounts in minor units; `opened_at`: store milliseconds."""

    opened_at: int
    stakes: int = 0
    payments: int = 0

    def add(self, box: e.BoxSettled) -> None:
        self.stakes += box.staked
        self.payments += box.returned


class Chronicle:
    """A round at which this node arrived in the middle is read again from the window when it is over; one that began before
    that is told without its sums."""

    def __init__(self, counts: Counts, node: str) -> None:
        self._counts, self._node = counts, node
        self._rounds: WeakKeyDictionary[LiveTable, Round] = WeakKeyDictionary()

    def note(self, live: LiveTable, before: Table | None, batch: Batch) -> None:
        """After each batch of a followed table."""
        for event in batch.events:
            match event:
                case e.BoxSettled() if found := self._rounds.get(live):
                    found.add(event)
                case e.RoundSettled(round=number, result=result):
                    self._over(live, before, batch, number, "round settled", result=result)
                case e.RoundVoided(round=number, why=why):
                    self._over(live, before, batch, number, "round void", why=why, **_given_back(before))
                case e.RoundOpened():
                    self._rounds[live] = Round(batch.at)
                case _ if live.made_last:
                    self._count(live, event)
                case _:
                    pass

    def forget(self, live: LiveTable) -> None:
        """The state jumped: what was between is not known."""
        self._rounds.pop(live, None)

    def _over(
        self, live: LiveTable, before: Table | None, batch: Batch, number: int, message: str, **more: object
    ) -> None:
        found = self._rounds.pop(live, None)
        if not live.made_last:
            return
        if found is None and before is not None:
            found = _again(live.window.since(before.opened_version) or (), number)
        game = live.state.game
        if "why" in more:
            self._counts.rounds_voided[game, str(more["why"])] += 1
        else:
            self._counts.rounds_settled[game] += 1
        sums: dict[str, object] = {}
        if found is not None:
            sums = {"duration_ms": batch.at - found.opened_at, "stakes": found.stakes, "payments": found.payments}
        told = {"table": live.id, "game": game, "round": number, "version": batch.v, "node": self._node}
        log.info(message, extra=told | sums | more)

    def _count(self, live: LiveTable, event: e.Event) -> None:
        match event:
            case e.ClockExtended(clock=clock, by_ms=by_ms):
                kind = clock.partition(":")[0]
                self._counts.clocks_extended[kind] += 1
                log.info("clock extended", extra={"table": live.id, "clock": kind, "by_ms": by_ms})
            case e.TableFrozen():
                self._counts.tables_frozen += 1
            case _:
                pass


def _again(batches: Iterable[bytes], number: int) -> Round | None:
    """A round from its batches; the first of them may have the end of another one in it, and so may the last."""
    found = None
    for batch in map(unpack_batch, batches):
        for event in batch.events:
            match event:
                case e.RoundOpened(round=opened) if opened == number:
                    found = Round(batch.at)
                case e.BoxSettled() if found is not None:
                    found.add(event)
                case e.RoundSettled(round=over) | e.RoundVoided(round=over) if over == number:
                    return found
                case _:
                    pass
    return found


def _given_back(before: Table | None) -> dict[str, object]:
    """All that lay on the felt went back to its owners."""
    if before is None:
        return {}
    laid = sum(bet.amount for bet in before.bets) + sum(stake.amount for stake in before.staked)
    return {"stakes": laid, "payments": laid}
