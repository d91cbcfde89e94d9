"""Real nodes as OS processes, for tests: started on free ports, killed, paused, stopped; nothing else is touched."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

START_S_MAX = 30.0
STOP_S_MAX = 30.0


class NodeProcess:
    """One `tapete serve`. `url` is its WebSocket address."""

    def __init__(self, data: Path, *flags: str) -> None:
        self.data = data
        self.flags = flags
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None
        descriptor, log = tempfile.mkstemp(prefix="tapete-node-")
        os.close(descriptor)
        self._log = Path(log)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    async def start(self) -> None:
        await asyncio.to_thread(self._spawn)
        try:
            line = await asyncio.wait_for(asyncio.to_thread(self._first_line), START_S_MAX)
        except TimeoutError:
            self.kill()
            raise
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, f"the node did not start: {line!r} {self.stderr()}"
        self.port = int(found[1])

    def _spawn(self) -> None:
        command = [
            sys.executable, "-m", "tapete_server", "serve", "--data", str(self.data), "--port", str(self.port), "--no-bots",
            "--commands-per-s", "5000", "--odds-per-hour-max", "0", *self.flags,
        ]  # fmt: skip
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TAPETE_")}
        with self._log.open("ab") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=environment)

    def _first_line(self) -> str:
        assert self.process is not None
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode()

    async def metrics_url(self) -> str:
        """As the start says it, on the second line. Once for each start, and before anything else reads what it says."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = (await asyncio.to_thread(self.process.stdout.readline)).decode().strip()
        found = re.search(r"metrics for Prometheus: (http://\S+/metrics)$", line)
        assert found, line
        return found[1]

    def stderr(self) -> str:
        return self._log.read_text()[-4000:]

    def log(self) -> str:
        """All that it has said on standard error since the first start."""
        return self._log.read_text()

    def forget(self) -> None:
        """After the last stop: its log goes."""
        self.kill()
        self._log.unlink(missing_ok=True)

    def kill(self) -> None:
        """SIGKILL: nothing is said to anybody."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            self._gone()

    def pause(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    async def stop(self) -> int:
        """SIGTERM; the exit status."""
        if self.process is None or self.process.poll() is not None:
            return 0
        self.process.terminate()
        try:
            status = await asyncio.to_thread(self.process.wait, STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        self._gone()
        return status

    def _gone(self) -> None:
        assert self.process is not None
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


class House:
    """Nodes that share one embedded store in `data`. The store's server is stopped at the end, whoever started it."""

    def __init__(self, data: Path, *flags: str) -> None:
        self.data = data
        self.flags = flags
        self.nodes: list[NodeProcess] = []

    async def node(self, *flags: str) -> NodeProcess:
        made = NodeProcess(self.data, *self.flags, *flags)
        self.nodes.append(made)
        await made.start()
        return made

    def valkey_pid(self) -> int:
        return int((self.data / "valkey.pid").read_text())

    async def stop_store(self) -> None:
        """SIGTERM to the embedded server, and wait until it has written everything and is gone."""
        pid = self.valkey_pid()
        os.kill(pid, signal.SIGTERM)
        async with asyncio.timeout(STOP_S_MAX):
            while alive(pid):  # noqa: ASYNC110 - it is no child of ours
                await asyncio.sleep(0.02)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for node in self.nodes:
            node.forget()
        stop_store(self.data)


def alive(pid: int) -> bool:
    """Whether that process still runs (one that only waits to be collected does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def stop_store(data: Path) -> None:
    """The embedded server of this data directory, if it runs; it is known by the pid file that it wrote there."""
    try:
        pid = int((data / "valkey.pid").read_text())
        if str(data) in Path(f"/proc/{pid}/cmdline").read_text() or str(data) in str(
            Path(f"/proc/{pid}/cwd").readlink()
        ):
            os.kill(pid, signal.SIGKILL)
    except (OSError, ValueError):
        return


async def audited(data: Path) -> tuple[int, str]:
    """Exit status and output of `tapete audit`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tapete_server", "audit", "--json", "--data", str(data),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode() + err.decode()


@asynccontextmanager
async def house(*flags: str) -> AsyncIterator[House]:
    with tempfile.TemporaryDirectory(prefix="tapete-") as directory:
        async with House(Path(directory), *flags) as made:
            yield made
