"""A program beside the benchmark: lines in, lines out, on a core of its own, and killed at the end."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import AsyncExitStack

from tests.bench.processor import pin


class Child:
    """There from `launch` until the stack ends."""

    _process: Process | None = None

    async def launch(self, command: Sequence[str], core: int, stack: AsyncExitStack) -> None:
        self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
        stack.push_async_callback(self._stop)
        pin(self.pid, core)

    async def _stop(self) -> None:
        process = self.process
        if process.returncode is None:
            process.kill()
        await process.wait()

    @property
    def process(self) -> Process:
        assert self._process is not None, "it was launched"
        return self._process

    @property
    def pid(self) -> int:
        return self.process.pid

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())

    async def read(self) -> bytes:
        """A line; nothing when it has ended."""
        assert self.process.stdout is not None
        return await self.process.stdout.readline()
