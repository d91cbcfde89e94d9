"""What every part of the store is built on."""

from __future__ import annotations

from tapete_server.adapters.redis_store.coalescer import Coalescer
from tapete_server.adapters.redis_store.era import Era
from tapete_server.adapters.redis_store.keys import Keys
from tapete_server.adapters.redis_store.limits import StoreLimits

WHOLE_MAX = 2**53 - 1


class Part:
    """Commands go through `_lane`; names of keys come from `_keys`."""

    _lane: Coalescer
    _keys: Keys
    _era: Era
    _limits: StoreLimits


def whole(amount: int) -> int:
    """An amount that is moved: at least 1, and whole in every language that it passes through."""
    if type(amount) is not int or not 0 < amount <= WHOLE_MAX:
        raise ValueError(f"{amount!r} is no amount to move")
    return amount
