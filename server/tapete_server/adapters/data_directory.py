"""The directory that an embedded store keeps its data in: private to its owner, with one lock and one socket."""

from __future__ import annotations

import hashlib
import os
import stat
import statistics
import tempfile
import time
from pathlib import Path

from tapete_server.adapters.valkey_binary import ValkeyError

SOCKET_PATH_BYTES_MAX = 103  # what every system's socket address holds, its closing zero left out (Linux: 107)
FSYNC_SAMPLES = 8
FSYNC_SAMPLE_BYTES = 4096


class DataDirectory:
    """Two spellings of one directory are the same. It must be on a local disk: network file systems break the lock."""

    def __init__(self, path: Path) -> None:
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path = path.resolve(strict=True)
            found = self.path.stat()
        except OSError as error:
            raise ValkeyError(f"cannot use the data directory {path}: {error.strerror}") from error
        if os.geteuid() not in (found.st_uid, 0):
            raise ValkeyError(f"the data directory {path} belongs to another user")
        if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise ValkeyError(
                f"other users may write in the data directory {path}: chmod 700 it, or choose another one"
            )
        self.socket = self.path / "valkey.sock"
        if len(os.fsencode(self.socket)) > SOCKET_PATH_BYTES_MAX:
            self.socket = self._runtime_directory() / "valkey.sock"

    def _runtime_directory(self) -> Path:
        """Where the socket goes when this directory's own path is too long for one.

        It follows from the directory alone, not from TMPDIR or XDG_RUNTIME_DIR, which differ between a login and a
        service: two nodes must meet there. In a place where everybody may write, the name may be somebody's trap.
        """
        name = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        runtime = Path("/tmp") / f"tapete-{os.geteuid()}-{name}"  # noqa: S108 - its owner and mode are checked below
        try:
            runtime.mkdir(mode=0o700)
        except FileExistsError:
            found = runtime.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
                raise ValkeyError(
                    f"{runtime}, where the store's socket belongs, was made by somebody else: remove it,"
                    " or choose a data directory with a shorter path"
                ) from None
        return runtime

    def try_lock(self) -> int | None:
        """A descriptor that holds the lock, or None while somebody else holds one.

        The server inherits it and so holds the lock for as long as it lives, whoever started it.
        """
        import fcntl  # noqa: PLC0415 - Windows has none, and can use this package with a store of its own

        try:
            lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ValkeyError(f"cannot lock the data directory {self.path}: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            if isinstance(error, BlockingIOError):
                return None
            raise ValkeyError(
                f"the file system of {self.path} has no locks ({error.strerror}): use a local disk"
            ) from error
        return lock

    def fsync_ms(self) -> float:
        """How long this disk takes to make a small write safe: the median of a few."""
        try:
            with tempfile.TemporaryFile(dir=self.path) as file:
                return statistics.median(self._time_fsync(file.fileno()) for _ in range(FSYNC_SAMPLES))
        except OSError as error:
            raise ValkeyError(f"cannot write in the data directory {self.path}: {error.strerror}") from error

    def _time_fsync(self, file: int) -> float:
        os.write(file, bytes(FSYNC_SAMPLE_BYTES))
        begun = time.perf_counter()
        os.fsync(file)
        return (time.perf_counter() - begun) * 1000
