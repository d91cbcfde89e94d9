"""C programs of the benchmark, compiled when they are wanted."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCES = Path(__file__).parent / "native"
FLAGS = ("-O2", "-Wall", "-Wextra", "-Werror")


class NoCompiler(Exception):
    """There is no C compiler, and what to do about it."""


def compiler() -> str:
    found = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if found is None:
        raise NoCompiler("The load client is written in C: install a C compiler (on Debian: apt install gcc).")
    return found


def built(name: str) -> Path:
    """The program made from `native/NAME.c`; made anew when a source has changed. Raises `NoCompiler`."""
    program = compiler()
    text = b"".join(source.read_bytes() for source in sorted(SOURCES.iterdir()))
    digest = hashlib.sha256(text + repr((name, program, FLAGS)).encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / "tapete-bench"
    folder.mkdir(exist_ok=True)
    made = folder / f"{name}-{digest}"
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=folder) as aside:
            fresh = Path(aside) / name
            subprocess.run([program, *FLAGS, "-o", str(fresh), str(SOURCES / f"{name}.c")], check=True)
            fresh.rename(made)
    return made
