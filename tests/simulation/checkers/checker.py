"""What every checker is: it looks on, and says what must never be."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.world import World


class Checker:
    """One invariant. It hooks itself to what it watches when it is made; `at_rest` is asked when all faults are over and
    every round is settled."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.watch()

    def watch(self) -> None:
        """Hook into chronicle, network, and people."""

    def at_rest(self) -> None:
        """A last look at a cluster where nothing moves."""

    def broken(self, text: str) -> None:
        """The invariant does not hold: the story ends here."""
        self.world.fail(type(self).__name__, text)
