"""Starting one server in a data directory, and reading in its log why it did not."""

from __future__ import annotations

import contextlib
import os
import subprocess
from typing import BinaryIO, Literal

from tapete_server.adapters.data_directory import DataDirectory
from tapete_server.adapters.valkey_binary import ValkeyError, find_binary

LOG_BYTES_MAX = 1 << 20  # a longer log is set aside (one of them) at the next start
LOG_TAIL_BYTES = 4096

Fsync = Literal["everysec", "always"]


def try_start(directory: DataDirectory, fsync: Fsync) -> subprocess.Popen[bytes] | None:
    """Start a server, or nothing while somebody's server holds the lock. A socket that is there now is a dead one's."""
    lock = directory.try_lock()
    if lock is None:
        return None
    try:
        directory.socket.unlink(missing_ok=True)
        with open_log(directory) as output:
            return subprocess.Popen(  # noqa: S603
                command(directory, fsync),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=directory.path,
                env=os.environ | {"LC_ALL": "C"},  # it refuses to start in a locale that this machine lacks
                umask=0o077,
                start_new_session=True,
                pass_fds=(lock,),
            )
    except OSError as error:
        raise ValkeyError(f"cannot start the embedded store in {directory.path}: {error}") from error
    finally:
        os.close(lock)


def command(directory: DataDirectory, fsync: Fsync) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(directory.socket),
        "unixsocketperm": "700",
        "dir": "./",
        "pidfile": "valkey.pid",
        "save": "",
        "appendonly": "yes",
        "appendfsync": fsync,
        "maxmemory-policy": "noeviction",
    }
    return [str(find_binary().path), *(word for name, value in options.items() for word in (f"--{name}", value))]


def open_log(directory: DataDirectory) -> BinaryIO:
    log = directory.path / "valkey.log"
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > LOG_BYTES_MAX:
            log.replace(log.with_suffix(".log.1"))
    return os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def last_words(directory: DataDirectory) -> str:
    """The server's last line that is a warning (`#`), or else its last line."""
    log = directory.path / "valkey.log"
    try:
        lines = log.read_bytes()[-LOG_TAIL_BYTES:].decode(errors="replace").splitlines()
    except OSError:
        lines = []
    warnings = [line.partition(" # ")[2] for line in lines if " # " in line]
    return f"{([*lines[-1:], *warnings] or ['it said nothing'])[-1]} ({log})"
