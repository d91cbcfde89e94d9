"""A sample of a soak before both verifiers, and how much processor time each of them takes for a round."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgpack

from tapete_client import verify
from tests.fairness.evening import evenings
from tests.fairness.soak import ROUNDS_EACH
from tests.fairness.two_verifiers import Said, page_says

Times = dict[str, list[float]]
"""Of each verifier and game, milliseconds of a processor for a round."""


class DisagreementError(AssertionError):
    """A record that one of them does not prove, or both."""


def sample(rounds: int, seed: int, told: Callable[[int, int], None]) -> Times:
    """Raises `DisagreementError`."""
    times: Times = {}
    with tempfile.TemporaryDirectory(prefix="tapete-sample-") as folder:
        games: dict[Path, str] = {}
        done = 0
        for number, evening in enumerate(evenings(seed, ROUNDS_EACH)):
            file = Path(folder, f"{number}.msgpack")
            packed = evening.records[: rounds - done]
            games[file] = _python(packed, times, f"seed {seed}, table {number}")
            file.write_bytes(msgpack.packb([msgpack.unpackb(record) for record in packed]))
            done += len(packed)
            told(done, rounds)
            if done == rounds:
                break
        _page(page_says(games), games, times, rounds)
    return times


def _python(packed: list[bytes], times: Times, where: str) -> str:
    """Returns the game of these records."""
    before: verify.Proof | None = None
    for one in packed:
        record, began = verify.unpack(one), time.process_time()
        try:
            before = verify.verify(record, before)
        except verify.Unproven as wrong:
            raise DisagreementError(f"{where}: the Python verifier says {wrong}") from None
        times.setdefault(f"Python, {before.game}", []).append((time.process_time() - began) * 1000)
    assert before is not None
    return before.game


def _page(said: Mapping[Path, list[Said]], games: Mapping[Path, str], times: Times, rounds: int) -> None:
    for file, verdicts in said.items():
        for one in verdicts:
            if not one.proven:
                raise DisagreementError(f"table {file.stem}: the page's verifier says {one.why}")
            times.setdefault(f"TypeScript, {games[file]}", []).append(one.cpu_ms)
    if sum(map(len, said.values())) != rounds:
        raise DisagreementError("the page's verifier left records out")


def main(rounds: int, seed: int, told: Callable[[int, int], None]) -> int:
    began = time.monotonic()
    try:
        times = sample(rounds, seed, told)
    except DisagreementError as wrong:
        sys.stdout.write(f"NOT PROVEN: {wrong}\n")
        return 1
    for name, took in sorted(times.items()):
        ordered = sorted(took)
        p99 = ordered[len(ordered) * 99 // 100]
        sys.stdout.write(
            f"{name}: {len(took)} verifications, median {statistics.median(ordered):.2f} ms, "
            f"mean {statistics.fmean(ordered):.2f} ms, p99 {p99:.2f} ms of a processor\n"
        )
    sys.stdout.write(f"{rounds} rounds proven by both; seed {seed}, {time.monotonic() - began:.0f} s\n")
    return 0
