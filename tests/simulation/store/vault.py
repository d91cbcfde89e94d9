"""The store of a simulated cluster: the side of the server, one for all nodes.

It does in one synchronous step what a script of the real store does in one, with the same limits and time spans, all by
the clock that it is given. What is kept is plain dicts of values that never change, so that a roll-back is putting the
old values back. A node sees it through a `SimStore`; a checker looks on as an `Observer`, or reads it directly.
"""

from __future__ import annotations

from collections.abc import Callable

from tapete_server.adapters.redis_store import StoreLimits
from tests.simulation.store.journal import Journal
from tests.simulation.store.nodes import Nodes


class Vault(Journal, Nodes):
    def __init__(self, now_ms: Callable[[], int], limits: StoreLimits | None = None) -> None:
        """`now_ms` is the store's own clock, in ms, and never goes back."""
        super().__init__(now_ms, limits or StoreLimits())
        self._names_given = 0

    def roll_back(self, to_ms: int) -> None:
        """All is as it was at that store time; only the clock goes on, and subscriptions stand as they stood.

        Raises `ValueError` for a time to come, and for one more than `UNDO_MS_MAX` ago.
        """
        self.now_ms()
        self._undo.back(to_ms)
        for observer in self.observers:
            observer.rolled_back(to_ms)

    def name(self) -> int:
        """A number that no other connection has."""
        self._names_given += 1
        return self._names_given
