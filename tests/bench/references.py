"""What tapete is measured against, in the same run: each a small server that sends the frames of a recorded log."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from tests.bench.child import Child
from tests.bench.native import built
from tests.bench.processor import SERVER_CORE, pin

FOLDER = Path(__file__).parent / "references"
WEB = Path(__file__).parents[2] / "deploy" / "web.py"
WS, BROADCAST, LIMIT = "Node ws", "broadcast()", "C limit"


class NotHere(Exception):
    """This reference cannot be measured here, and why."""


def node() -> str:
    """The machine's Node, or that of the wheel the page is built with."""
    found = subprocess.run([sys.executable, str(WEB), "node"], capture_output=True, text=True, check=False)
    if found.returncode:
        raise NotHere(found.stderr.strip())
    return found.stdout.strip()


def ws_server() -> Path:
    """`ws.mjs` beside the locked version of `ws`, which npm fetches once, checked against its hash."""
    text = b"".join((FOLDER / name).read_bytes() for name in ("ws.mjs", "package-lock.json"))
    folder = Path(tempfile.gettempdir()) / "tapete-bench" / f"ws-{hashlib.sha256(text).hexdigest()[:16]}"
    if not (folder / "node_modules" / "ws").is_dir():
        npm = shutil.which("npm")
        if npm is None:
            raise NotHere("npm is needed to fetch `ws`: install it")
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("ws.mjs", "package.json", "package-lock.json", ".npmrc"):
            shutil.copy(FOLDER / name, folder)
        done = subprocess.run([npm, "ci"], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotHere(f"npm could not fetch `ws`: {done.stderr.strip()[-300:]}")
    return folder / "ws.mjs"


def command(name: str, log: Path) -> list[str]:
    """Raises `NotHere`, `NoCompiler`."""
    if name == WS:
        return [node(), str(ws_server()), str(log)]
    if name == LIMIT:
        return [str(built("writer")), str(log)]
    return [sys.executable, str(FOLDER / "broadcast.py"), str(log), name.partition(", ")[2] or "asyncio"]


class Reference(Child):
    """A running one. `send`: so many frames of the log, to every connection."""

    def __init__(self, name: str, log: Path) -> None:
        self.name, self._command = name, command(name, log)
        self.port = 0

    async def start(self, stack: AsyncExitStack) -> Reference:
        await self.launch(self._command, SERVER_CORE, stack)
        self.port = int(await self.read())
        pin(self.pid, SERVER_CORE)  # also the threads that it has begun by now
        return self

    def send(self, frames: int) -> None:
        self.write(f"send {frames}")
