"""Work that is done again and again: it may fail, and is tried again; nothing but its end as a task ends it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from tapete_server.ports import Jitter, StoreAway

log = logging.getLogger("tapete.sweep")


async def quietly(work: Awaitable[object], what: str) -> bool:
    """Whether it was done. A store that is away is no news; anything else is logged, and goes no further."""
    try:
        await work
    except StoreAway:
        return False
    except Exception:
        log.exception("failed: %s", what)
        return False
    return True


async def for_ever(work: Callable[[], Awaitable[object]], what: str, pause_ms: tuple[int, int], dice: Jitter) -> None:
    """Between two turns a pause of at least and at most so long."""
    while True:
        await quietly(work(), what)
        await asyncio.sleep(dice.uniform(*pause_ms) / 1000)
