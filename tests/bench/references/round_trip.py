"""One round trip to a store, as a server in Python has it: the median of PINGs by redis.asyncio on uvloop, in ms. One after the
other, or one in so many microseconds."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time

import redis.asyncio
import uvloop

TIMES = 1_000


async def main(url: str, every_s: float) -> None:
    store = redis.asyncio.Redis.from_url(url)
    took = []
    for _ in range(TIMES):
        began = time.perf_counter()
        await store.ping()
        took.append((time.perf_counter() - began) * 1000)
        if every_s:
            await asyncio.sleep(began + every_s - time.perf_counter())
    await store.aclose()
    sys.stdout.write(f"{statistics.median(took)}\n")


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], float(sys.argv[2]) / 1_000_000))
