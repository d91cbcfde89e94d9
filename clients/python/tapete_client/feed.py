"""A bounded queue between a table and its reader."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, TypeVar

from tapete_client.policy import FEED_ITEMS_MAX

Item = TypeVar("Item")


class Feed(Generic[Item]):
    """Items in order, for one reader. Past its bound the oldest are dropped, and counted in `missed`."""

    def __init__(self, items_max: int = FEED_ITEMS_MAX) -> None:
        self._items: deque[Item] = deque()
        self._items_max = items_max
        self._stirred = asyncio.Event()
        self._ended = False
        self._failure: BaseException | None = None
        self.missed = 0

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: Item) -> None:
        if self._ended:
            return
        if len(self._items) >= self._items_max:
            self._items.popleft()
            self.missed += 1
        self._items.append(item)
        self._stirred.set()

    def end(self, failure: BaseException | None = None) -> None:
        """No more items come; the reader gets what is left, then the failure, or the end."""
        if not self._ended:
            self._ended, self._failure = True, failure
            self._stirred.set()

    async def wait(self) -> None:
        """Until there is an item or a count of missed ones; raises `StopAsyncIteration` or the failure at the end."""
        while not self._items and not self.missed:
            if self._ended:
                raise self._failure or StopAsyncIteration
            self._stirred.clear()
            await self._stirred.wait()

    def take_missed(self) -> int:
        count, self.missed = self.missed, 0
        return count

    def take(self) -> Item:
        return self._items.popleft()
