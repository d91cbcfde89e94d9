"""No table sits past its deadline: when nodes and store are well, what is due is done soon."""

from __future__ import annotations

from tests.simulation.checkers.checker import Checker

LATE_MS_MAX = 5_000
"""What is overdue longer, with nodes and store well for as long, is forgotten."""


class NoTableSitsStill(Checker):
    def look(self, well_since_ms: int) -> None:
        """Called now and then while all is well."""
        now = self.world.now_ms()
        if now - well_since_ms < LATE_MS_MAX:
            return
        for table, line in self.world.chronicle.lines.items():
            earliest = None if line.closed or line.state.frozen else line.state.earliest_deadline()
            if earliest is not None and now - earliest[1] > LATE_MS_MAX:
                self.broken(f"{table}: {earliest[0]} was due {now - earliest[1]} ms ago")

    def at_rest(self) -> None:
        for table, line in self.world.chronicle.lines.items():
            state = line.state
            if state.phase in ("playing", "closing") or state.staked or state.bets:
                self.broken(f"{table} is in {state.phase} with stakes when everybody has gone")
            if state.outgoing:
                self.broken(f"{table}: cash-outs never arrived: {state.outgoing}")
        if journal := self.world.vault.journal(0):
            self.broken(f"buy-ins were never finished: {journal}")
