"""A store that is far away: a socket in front of the real one, through which everything takes its time, in order."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.chaos.relay import Relay


@asynccontextmanager
async def far_away(store: Path, door: Path, delay_s: float) -> AsyncIterator[str]:
    """The address of `store` seen from so many seconds away, each way."""
    async with Relay(store, door) as relay:
        relay.delay_s = delay_s
        yield relay.url
