"""`python -m tests.simulation --seeds N`: stories of a whole cluster, each decided by its seed; or one of them, told."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field

from tests.simulation.runner import Totals, play_all, run
from tests.simulation.story import Ending

BAR_COLUMNS = 30
LINE_EACH_S = 60.0
SHOWN = (
    "RoundSettled", "RoundVoided", "commit", "ClockExtended", "PlayerTimedOut", "KILL", "FREEZE", "DRAIN", "CLOCK", "DOWN",
    "HIT", "VANISH", "HANG_UP", "CUT_OFF", "DEAFEN", "CROWD",
)  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="how many stories (default 200)")
    parser.add_argument(
        "--from", dest="first", type=int, default=1, metavar="SEED", help="the first of them (default 1)"
    )
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one for each core)"
    )
    parser.add_argument("--seconds", type=float, help="begin no further story after so long")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first failure")
    parser.add_argument("--replay", type=int, metavar="SEED", help="play this one and tell its last events")
    wanted = parser.parse_args(argv)
    return replay(wanted.replay) if wanted.replay is not None else many(wanted)


def replay(seed: int) -> int:
    (ending,) = play_all([seed])
    tell(ending)
    return 1 if ending.failure else 0


def many(wanted: argparse.Namespace) -> int:
    totals, bar, began_s = Totals(), Bar(wanted.seeds), time.monotonic()
    until_s = None if wanted.seconds is None else began_s + wanted.seconds
    seeds = iter(range(wanted.first, wanted.first + wanted.seeds))
    for ending in run(seeds, wanted.workers, until_s=until_s):
        totals.add(ending)
        if ending.failure is not None:
            clear()
            tell(ending)
            if not wanted.keep_going:
                break
        bar.show(totals)
    clear()
    say(summary(totals, time.monotonic() - began_s))
    return 1 if totals.failures else 0


def tell(ending: Ending) -> None:
    """All that somebody needs who wants to know why."""
    how = f"FAILED\n{ending.failure}" if ending.failure else "well"
    say(
        f"seed {ending.seed} at commit {commit()}, after {ending.virtual_s:.1f} virtual seconds: {how}\n\n{ending.last}"
    )
    say(f"\nagain: python -m tests.simulation --replay {ending.seed}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def commit() -> str:
    git = shutil.which("git")
    if git is None:
        return "unknown"
    asked = subprocess.run([git, "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "unknown"


@dataclass
class Bar:
    """How far it is: a bar on a terminal, a line now and then elsewhere."""

    of: int
    began_s: float = field(default_factory=time.monotonic)
    said_s: float = field(default_factory=time.monotonic)

    def show(self, totals: Totals) -> None:
        now_s, terminal = time.monotonic(), sys.stderr.isatty()
        if not terminal and now_s - self.said_s < LINE_EACH_S:
            return
        self.said_s = now_s
        rate = totals.seeds / max(now_s - self.began_s, 1e-9)
        left_s = (self.of - totals.seeds) / max(rate, 1e-9)
        done = "=" * (BAR_COLUMNS * totals.seeds // self.of)
        line = f"[{done:<{BAR_COLUMNS}}] {totals.seeds}/{self.of} seeds, {rate:.1f}/s, {left_s:.0f} s left, "
        line += f"{totals.rounds} rounds, {len(totals.failures)} failed"
        sys.stderr.write(f"\r{line} " if terminal else f"{line}\n")
        sys.stderr.flush()


def clear() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")


def summary(totals: Totals, seconds: float) -> str:
    failed = ", ".join(str(ending.seed) for ending in totals.failures)
    counts = ", ".join(f"{name} {totals.counts[name]}" for name in SHOWN if totals.counts[name])
    return (
        f"{totals.seeds} seeds in {seconds:.0f} s ({totals.seeds / max(seconds, 1e-9):.1f}/s): {totals.rounds} rounds settled, "
        f"{totals.hits} commits hit, {totals.virtual_s / 3600:.1f} virtual hours\n{counts}\n"
        f"{'FAILED: ' + failed if failed else 'every invariant held'}"
    )


if __name__ == "__main__":
    sys.exit(main())
