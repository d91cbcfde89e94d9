"""Keys with a time to live, by the store's clock."""

from __future__ import annotations

from typing import Generic, TypeVar

from tests.simulation.store.undo import Undo

Key = TypeVar("Key")
Value = TypeVar("Value")

EVER_MS = 2**62
"""For what has no end yet."""
SWEEP_KEYS_MIN = 1_024
"""Below this many, keys that have ended are left where they are: nobody sees them."""


class Fading(Generic[Key, Value]):
    """Nothing that has ended is ever seen, also not after a roll-back: the clock does not go back."""

    __slots__ = ("_shelf", "_sweep_keys", "_undo")

    def __init__(self, undo: Undo) -> None:
        self._undo = undo
        self._shelf: dict[Key, tuple[Value, int]] = {}
        self._sweep_keys = SWEEP_KEYS_MIN

    def get(self, key: Key) -> Value | None:
        kept = self._shelf.get(key)
        return None if kept is None or kept[1] < self._undo.now_ms else kept[0]

    def put(self, key: Key, value: Value, kept_s: int | None = None) -> None:
        """With a new time to live; without one it stays."""
        until_ms = EVER_MS if kept_s is None else self._undo.now_ms + 1_000 * kept_s
        self._undo.put(self._shelf, key, (value, until_ms))
        if len(self._shelf) > self._sweep_keys:
            self._sweep()

    def expire(self, key: Key, kept_s: int) -> None:
        """A time to live for what is there."""
        value = self.get(key)
        if value is not None:
            self.put(key, value, kept_s)

    def drop(self, key: Key) -> None:
        self._undo.drop(self._shelf, key)

    def _sweep(self) -> None:
        now_ms = self._undo.now_ms
        for key in [key for key, (_, until_ms) in self._shelf.items() if until_ms < now_ms]:
            del self._shelf[key]
        self._sweep_keys = max(SWEEP_KEYS_MIN, 2 * len(self._shelf))
