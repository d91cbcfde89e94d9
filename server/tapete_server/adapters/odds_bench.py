"""Odds worked out by a process of its own: `python -m tapete_odds.apart`, one that nobody has to wait for."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from math import ceil

from tapete_odds import shelf
from tapete_server.ports import CannotWorkOut

TOLD_CHARS_MAX = 500
"""Of what a process says that failed."""
OURS = "TAPETE_"
"""What a node's own settings begin with in the environment: nothing that the process needs, and passwords among them."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class ProcessBench:
    """At most `seconds_max` for one document."""

    def __init__(self, seconds_max: float) -> None:
        self._seconds_max = seconds_max

    @property
    def ready(self) -> bool:
        return shelf.can_work_out()

    async def work_out(self, settings: str) -> bytes:
        """Raises `CannotWorkOut`."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "tapete_odds.apart", str(ceil(self._seconds_max)), env=environment | ONE_THREAD,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
        except OSError as wrong:
            raise CannotWorkOut(f"no process can be started: {wrong}") from wrong
        try:
            async with asyncio.timeout(self._seconds_max):
                odds, told = await process.communicate(settings.encode())
        except TimeoutError as late:
            raise CannotWorkOut(f"it took longer than {self._seconds_max:g} s") from late
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        if process.returncode:
            said = told.decode(errors="replace").strip()[-TOLD_CHARS_MAX:]
            raise CannotWorkOut(f"its process ended with {process.returncode}: {said}")
        return odds
