"""From nothing to a running server on a clean Debian: `python -m tests.clean_debian [--suite bookworm|trixie]`.

Builds a minimal system with Python and pip and nothing else, lays the committed state of this checkout into the empty
home of an ordinary user, and does there what the README says, with a stopwatch. Then come the ways in which it can go
wrong. Needs root and debootstrap; the mirror is the one that apt uses here, and how pip reaches its index is carried
over from this machine.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
SUITES = ("bookworm", "trixie")
PACKAGES = "python3,python3-pip,ca-certificates"
NEEDED = ("debootstrap", "unshare", "chroot", "git", "tar", "cp", "apt-get")
HOME = "/home/player"
COMMAND_S_MAX = 300
HEALTHY_S_MAX = 120
STOP_S_MAX = 30

# What tells pip, uv and TLS on this machine how the package index is reached.
CARRIED_FILES = {
    "/etc/resolv.conf": "/etc/resolv.conf",
    "/etc/hosts": "/etc/hosts",
    "/etc/ssl/certs/ca-certificates.crt": "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pip.conf": "/etc/pip.conf",
    "~/.config/pip/pip.conf": "/etc/xdg/pip/pip.conf",
    "/etc/uv/uv.toml": "/etc/uv/uv.toml",
    "~/.config/uv/uv.toml": "/etc/xdg/uv/uv.toml",
}
CARRIED_VARIABLES = re.compile(
    r"(PIP|UV)_.+|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|.+_proxy", re.IGNORECASE
)


class CannotTryError(Exception):
    """What this machine lacks for the trial."""


def main(args: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.clean_debian", description="Try a start from nothing.")
    parser.add_argument("--suite", choices=SUITES, action="append", help="only this one; may be repeated")
    parser.add_argument("--without-serve", action="store_true", help="leave out the server")
    options = parser.parse_args(args)
    try:
        look_around()
        failures = sum(Trial(suite, serve=not options.without_serve).run() for suite in options.suite or SUITES)
    except CannotTryError as error:
        print(f"clean_debian: {error}", file=sys.stderr)
        return 2
    print(f"{failures} failed" if failures else "all as it should be")
    return min(failures, 1)


def look_around() -> None:
    if sys.platform != "linux" or os.geteuid() != 0:
        raise CannotTryError("building a system needs root on Linux")
    if missing := [tool for tool in NEEDED if not shutil.which(tool)]:
        raise CannotTryError(f"{', '.join(missing)} missing (apt install debootstrap util-linux git)")


def mirror() -> str:
    """The archive that apt on this machine takes its packages from."""
    listed = output("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages")
    for line in listed.splitlines():
        address, _, release = line.partition(" ")
        if release in {*SUITES, "stable", "sid", "testing"}:
            return address
    raise CannotTryError("apt on this machine has no Debian archive to build from (/etc/apt/sources.list.d)")


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Trial:
    def __init__(self, suite: str, *, serve: bool) -> None:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tapete" / "clean-debian"
        self.suite = suite
        self.serve = serve
        self.base = cache / suite
        self.root = cache / f"{suite}-trial"
        self.failures = 0

    def run(self) -> int:
        print(f"Debian {self.suite}", flush=True)
        try:
            self.build()
            self.says_how("no network", "offline", "no network: ", network=False)
            self.starts()
            if self.serve:
                self.serves()
            self.inside("dpkg", "--purge", "--force-depends", "python3-pip", user="root").check_returncode()
            self.says_how("no pip", "pipless", "apt install python3-pip")
        finally:
            shutil.rmtree(self.root, ignore_errors=True)
        return self.failures

    def report(self, what: str, passed: bool, detail: str) -> None:
        self.failures += not passed
        print(f"  {'ok    ' if passed else 'FAILED'} {what:<16} {detail}", flush=True)

    # The system

    def build(self) -> None:
        if not (self.base / "etc" / "complete").exists():
            print("  building the system (once)", flush=True)
            shutil.rmtree(self.base, ignore_errors=True)
            self.base.parent.mkdir(parents=True, exist_ok=True)
            command = [
                "debootstrap",
                "--variant=minbase",
                f"--include={PACKAGES}",
                self.suite,
                str(self.base),
                mirror(),
            ]
            built = subprocess.run(command, check=False, capture_output=True, text=True)
            if built.returncode:
                last = (built.stdout + built.stderr).strip().splitlines()[-1:]
                raise CannotTryError(f"debootstrap of {self.suite} failed: {''.join(last)}")
            (self.base / "etc" / "complete").touch()
        shutil.rmtree(self.root, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", self.base, self.root], check=True)
        for source, target in CARRIED_FILES.items():
            self.carry(Path(source).expanduser(), self.root / target.lstrip("/"))
        self.inside("useradd", "--home-dir", HOME, "--shell", "/bin/bash", "player", user="root").check_returncode()
        self.inside("install", "-d", "-o", "player", "-g", "player", "-m", "700", HOME, user="root").check_returncode()

    def carry(self, source: Path, target: Path) -> None:
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            shutil.copyfile(source, target)

    def lay_checkout(self, name: str) -> str:
        """What is committed, in a directory of the user's own."""
        inside = f"{HOME}/{name}"
        self.inside("mkdir", inside).check_returncode()
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=CHECKOUT, check=True, capture_output=True).stdout
        laid = subprocess.run(self.command("tar", "-x", "-C", inside), input=archive, check=False)
        laid.check_returncode()
        return inside

    def command(self, *command: str, user: str = "player", network: bool = True) -> list[str]:
        """In the system, as its user, with a process tree of its own that ends with its first process."""
        carried = [f"{name}={value}" for name, value in os.environ.items() if CARRIED_VARIABLES.fullmatch(name)]
        home = HOME if user == "player" else "/root"
        return [
            *("unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc"),
            *(() if network else ("--net",)),
            *("chroot", f"--userspec={user}:{user}", str(self.root)),
            *("env", "-i", f"HOME={home}", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", *carried),
            *("sh", "-c", 'cd && "$@"; exit $?', "sh", *command),
        ]

    def inside(self, *command: str, user: str = "player", network: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*command, user=user, network=network),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_S_MAX,
        )

    # The trials

    def starts(self) -> None:
        checkout = self.lay_checkout("tapete")
        for which in ("first", "second"):
            begun = time.monotonic()
            done = self.inside("python3", f"{checkout}/deploy/run.py", "rules", "punto_banco")
            took = f"{time.monotonic() - begun:.1f} s"
            passed = done.returncode == 0 and bool(done.stdout)
            self.report(f"{which} start", passed, took if passed else last_line(done.stderr))

    def says_how(self, what: str, name: str, line: str, *, network: bool = True) -> None:
        """It cannot start, and its last line says why; there is no traceback, and nothing on standard output."""
        run = f"{self.lay_checkout(name)}/deploy/run.py"
        done = self.inside("python3", run, "rules", "punto_banco", network=network)
        passed = done.returncode == 1 and line in last_line(done.stderr) and "Traceback" not in done.stderr
        self.report(what, passed and not done.stdout, last_line(done.stderr))

    def serves(self) -> None:
        for which in ("first", "second"):
            port = free_port()
            begun = time.monotonic()
            with self.server(port) as server:
                healthy = wait_for_health(port, server)
                took = time.monotonic() - begun
                ended = stop(server)
            said = server.stderr.read() if server.stderr else ""
            self.report(f"{which} serve", healthy, f"{took:.1f} s to /healthz" if healthy else last_line(said))
            self.report(f"{which} end", ended, "on SIGTERM" if ended else "it had to be killed")

    @contextmanager
    def server(self, port: int) -> Iterator[subprocess.Popen[str]]:
        command = self.command("python3", f"{HOME}/tapete/deploy/run.py", "serve", "--port", str(port))
        server = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        try:
            yield server
        finally:
            server.kill()
            server.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_health(port: int, server: subprocess.Popen[str]) -> bool:
    give_up = time.monotonic() + HEALTHY_S_MAX
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < give_up and server.poll() is None:
        try:
            with direct.open(f"http://127.0.0.1:{port}/healthz", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    return False


def stop(server: subprocess.Popen[str]) -> bool:
    """Ask the server to end, as a service manager does: not the shell that waits for it, nor what it started itself."""
    shells = children(server.pid)
    for process in [child for shell in shells for child in children(shell)]:
        os.kill(process, signal.SIGTERM)
    try:
        server.wait(STOP_S_MAX)
    except subprocess.TimeoutExpired:
        return False
    return bool(shells)


def children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
