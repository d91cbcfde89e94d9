"""This machine's clock and entropy: the only place that they come from."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from pathlib import Path
from random import Random

from tapete_server.ports import Jitter

KEY_BYTES = 32


class KeyFileError(ValueError):
    """The cluster key cannot be read or made."""


class SystemClock:
    def monotonic(self) -> float:
        return time.monotonic()


class SystemEntropy:
    def token_bytes(self, size: int) -> bytes:
        return secrets.token_bytes(size)


def jitter() -> Jitter:
    return Random(secrets.token_bytes(8))  # noqa: S311 - for pauses only


def cluster_key(path: Path, *, make: bool = True) -> bytes:
    """The cluster key of a file; made on first use, for its owner only. Two nodes that start at once agree on one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if make and not path.exists():
            _make_key(path)
        key = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as wrong:
        raise KeyFileError(f"the cluster key {path}: {wrong}") from wrong
    if len(key) != KEY_BYTES:
        raise KeyFileError(f"the cluster key {path} has {len(key)} bytes and not {KEY_BYTES}")
    return key


def _make_key(path: Path) -> None:
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(fresh)  # never over a key that another node made first
    finally:
        fresh.unlink()
