"""What a process costs: its processor time, its memory, and where it runs."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

SERVER_CORE, CLIENT_CORE = 0, 1
"""Where there are two: servers on the one, clients and the store on the other."""


def pin(pid: int, core: int) -> None:
    """The process with all its threads; those that it starts later stay there, too."""
    if len(os.sched_getaffinity(0)) < 2:
        return
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(ProcessLookupError):
            os.sched_setaffinity(int(thread.name), {core})


def cpu_ns(pids: Iterable[int]) -> int:
    """Processor time of all threads so far. The kernel's own work for the process (loopback, too) is in it."""
    total = 0
    for pid in pids:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(FileNotFoundError):
                total += int((thread / "schedstat").read_text().split()[0])
    return total


def resident_bytes(pid: int) -> int:
    found = re.search(r"^Rss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024


def kernel_bytes(pid: int) -> int:
    """What the kernel holds for what the process has sent and nobody has read, on all its TCP connections; 0 where `ss`
    is missing."""
    try:
        told = subprocess.run(["ss", "-tmnpH"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0
    mine = re.compile(rf"pid={pid},.*?skmem:\(r(\d+),rb\d+,t(\d+),tb\d+,f\d+,w(\d+)", re.DOTALL)
    sockets = re.split(r"\n(?=\S)", told)
    return sum(int(found[1]) + int(found[3]) for one in sockets if (found := mine.search(one)))
