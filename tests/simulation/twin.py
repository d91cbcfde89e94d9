"""Somebody's second device: the same player at the same table, at the same time. Whoever acts has control."""

from __future__ import annotations

import asyncio
from random import Random

from tests.simulation.people import AGAIN_S, Person


class Twin(Person):
    """The second device of `first`: it signs in with the token of the first one, whatever that is at the moment."""

    def __init__(self, first: Person, rng: Random) -> None:
        super().__init__(f"{first.name}'", first._loop, first._network, first.urls, rng, plays=first.plays)
        self._first = first

    @property
    def shut_out(self) -> bool:
        """Nobody knows the first device yet; or the store forgot it, and it is still inside, where that does not show."""
        return self._first._token in {None, self._refused}

    async def credentials(self) -> tuple[str | None, str | None]:
        """No name, but a token: it waits until there is one that the house has not refused."""
        while self.shut_out:  # noqa: ASYNC110 - as often as a person looks
            await asyncio.sleep(AGAIN_S)
        return None, self._first._token
