"""One round trip to a store, as a server in Python has it: the median of PINGs by redis.asyncio on uvloop, in ms. One after the
other, or one in so many microseconds."""

from __future__ import annotations

import statistics
import sys
import time

import redis.asyncio
import uvloop

TIMES = 1_000


async def main(url: str, every_s: float) -> None:
    store = redis.asyncio.Redis.from_url(url)
    took = []
    due = time.perf_counter()
    for _ in range(TIMES):
        due += every_s
        time.sleep(max(0.0, due - time.perf_counter()))  # noqa: ASYNC251 - nothing else runs on this loop, whose own timers go by whole milliseconds
        began = time.perf_counter()
        await store.ping()
        took.append((time.perf_counter() - began) * 1000)
    await store.aclose()
    sys.stdout.write(f"{statistics.median(took)}\n")


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], float(sys.argv[2]) / 1_000_000))
