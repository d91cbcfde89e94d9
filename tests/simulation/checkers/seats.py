"""No seat is held by nobody: what holds one is a connection that is there, or a clock that gives it back."""

from __future__ import annotations

from tests.simulation.checkers.checker import Checker

ENDED_S_MAX = 5.0
"""A connection that has ended is found out by its own node, at its next look."""
DEAD_S_MAX = 12.0
"""A node that is dead is found out by the others: silent for five seconds, and then looked for each second or two."""


class NoSeatIsHeldByNobody(Checker):
    def watch(self) -> None:
        self._since_s: dict[str, float] = {}
        """When a connection that holds a seat was first missed."""

    def look(self) -> None:
        """Called now and then while all is well."""
        now_s = self.world.loop.now
        for table, line in self.world.chronicle.lines.items():
            for player in line.state.players if not line.closed else ():
                limit_s = self._limit_s(player.via)
                if limit_s is None:
                    self._since_s.pop(player.via, None)
                elif now_s - self._since_s.setdefault(player.via, now_s) > limit_s:
                    self.broken(f"{table}: the seat of {player.id} is held by {player.via}, which is no more")

    def _limit_s(self, via: str) -> float | None:
        """How long a seat may be held by this yet; None: as long as it likes."""
        incarnation = via.partition(".")[0]
        for machine in self.world.machines:
            if machine.floor is not None and machine.hall is not None and machine.floor.incarnation == incarnation:
                return None if via in machine.hall.rooms._by_via else ENDED_S_MAX
        return DEAD_S_MAX if via else None
