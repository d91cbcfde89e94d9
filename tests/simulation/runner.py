"""Many seeds on all cores: counted, timed, and stopped at the first failure unless one wants them all."""

from __future__ import annotations

import gc
import logging
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context

from tests.simulation import shortcuts
from tests.simulation.story import Ending, play

CHUNK_SEEDS = 8
"""Stories that a worker plays between two reports."""
CHUNKS_PER_WORKER_MAX = 25
"""After so many a worker is replaced: what the dead leave behind is never collected."""


@dataclass
class Totals:
    """What all stories so far amount to."""

    seeds: int = 0
    rounds: int = 0
    hits: int = 0
    virtual_s: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[Ending] = field(default_factory=list)

    def add(self, ending: Ending) -> None:
        self.seeds += 1
        self.rounds += ending.rounds
        self.hits += ending.hits
        self.virtual_s += ending.virtual_s
        self.counts.update(ending.counts)
        if ending.failure is not None:
            self.failures.append(ending)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Nothing is logged but errors, and rubbish is collected afterwards: that of the stories, not all that was there before."""
    logger = logging.getLogger("tapete")
    before = logger.level, logger.propagate
    logger.setLevel(logging.ERROR)
    logger.propagate = False
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        logger.setLevel(before[0])
        logger.propagate = before[1]
        collect()
        gc.unfreeze()
        gc.enable()


def collect() -> None:
    """What stories that are over have left."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # coroutines of the dead that never began
        gc.collect()


def play_all(seeds: list[int], until_s: float | None = None) -> list[Ending]:
    """In this process, one after the other; `until_s`: `time.monotonic()` after which no further one is begun."""
    shortcuts.take()
    with undisturbed():
        return [play(seed) for seed in seeds if until_s is None or time.monotonic() < until_s]


def run(seeds: Iterator[int], workers: int, *, until_s: float | None = None) -> Iterator[Ending]:
    """Endings as they come. `until_s`: as `play_all` has it."""
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, max_tasks_per_child=CHUNKS_PER_WORKER_MAX) as pool:
        open_: set[Future[list[Ending]]] = set()
        try:
            while True:
                while len(open_) < 2 * workers and (until_s is None or time.monotonic() < until_s):
                    chunk = list(islice(seeds, CHUNK_SEEDS))
                    if not chunk:
                        break
                    open_.add(pool.submit(play_all, chunk, until_s))
                if not open_:
                    return
                done, open_ = wait(open_, return_when=FIRST_COMPLETED)
                for future in done:
                    yield from future.result()
        finally:
            for future in open_:
                future.cancel()
