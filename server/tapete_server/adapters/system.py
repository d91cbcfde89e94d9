"""This machine's clock and entropy: the only place that they come from."""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path

KEY_BYTES = 32


class KeyFileError(ValueError):
    """The cluster key cannot be read or made."""


class SystemClock:
    def monotonic(self) -> float:
        return time.monotonic()


class SystemEntropy:
    def token_bytes(self, size: int) -> bytes:
        return secrets.token_bytes(size)


def cluster_key(path: Path) -> bytes:
    """The cluster key of a file; made on first use, readable by its owner only. Two nodes that start at once agree on one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            fresh = path.with_name(f"{path.name}.{os.getpid()}")
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_hex(KEY_BYTES) + "\n")
            try:
                os.link(fresh, path)  # never over a key that another node made first
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        key = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as wrong:
        raise KeyFileError(f"the cluster key {path}: {wrong}") from wrong
    if len(key) != KEY_BYTES:
        raise KeyFileError(f"the cluster key {path} has {len(key)} bytes and not {KEY_BYTES}")
    return key
