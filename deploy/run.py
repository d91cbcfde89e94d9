#!/usr/bin/env python3
"""Set up tapete and run it, with nothing but Python 3 and pip (or uv): the standard library only.

The first start makes `.venv` from the hash-locked files beside this one and stamps it, last of all, with a digest of
what it was made from; later starts compare the stamp and hand over at once. This file must parse on Python 3.6, to say
there in one line what is missing. Nothing here prints on standard output but the help: it belongs to what is run.
"""

import contextlib
import errno
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from typing import Dict, Iterator, List, Mapping, Sequence

HELP = """\
usage: python3 deploy/run.py WORD [ARGUMENT ...]

  serve [OPTION ...]   start a table server (serve --help lists its options)
  test [OPTION ...]    run the tests; options go to pytest
  WORD [ARGUMENT ...]  anything else is a command of tapete, such as
                       python3 deploy/run.py replay < hands.jsonl

The first start sets up .venv in this checkout: it takes some seconds and needs the network. Later ones start at once.
To start over, delete .venv and .tapete.
"""

PYTHON_MIN = (3, 11)  # what tapete runs on
PYTHON_WITH_UV_MIN = (3, 8)  # what pip can get uv for
FETCH_RETRIES = "2"  # pip's tries again at a network that is not there
FETCH_TIMEOUT_S = "20"

NEEDED, THIS = ".".join(map(str, PYTHON_MIN)), ".".join(map(str, sys.version_info[:3]))
TOO_OLD = f"Python {NEEDED} or newer is needed, and this is {THIS}"

WINDOWS = os.name == "nt"
EXE, BIN = (".exe", "Scripts") if WINDOWS else ("", "bin")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORKSHOP = os.path.join(ROOT, ".tapete")  # the lock, the log of the last set-up, uv where the machine has none
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, BIN, "python" + EXE)
TAPETE = os.path.join(VENV, BIN, "tapete" + EXE)
STAMP = os.path.join(VENV, "tapete-stamp")
MADE = os.path.join(VENV, "tapete-made")  # this file made it, so this file may make it again
LOG = os.path.join(WORKSHOP, "setup.log")
LOCKED = {
    kind: os.path.join(ROOT, "deploy", "requirements-" + kind + ".txt") for kind in ("uv", "run", "odds", "dev", "node")
}
KINDS = ("run", "odds", "dev")  # of an environment, each with all that the one before it has
ODDS_WORDS = ("odds", "simulate")
WEB = os.path.join(ROOT, "deploy", "web.py")  # builds the page that a node serves
WEB_SOURCES = (os.path.join(ROOT, "clients", "web"), os.path.join(ROOT, "protocol", "ts"))
NOT_WEB_SOURCES = ("node_modules", "tests", "pictures")
BAR_CELLS = 20

# Variables with which a user points Python, pip or uv somewhere else than this checkout's own environment.
MISLEADING = (
    *("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX"),
    *("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"),
    *("UV_PYTHON", "UV_SYSTEM_PYTHON", "UV_BREAK_SYSTEM_PACKAGES", "UV_TARGET", "UV_PREFIX", "UV_REQUIRE_HASHES"),
)

NO_SPACE = "no space is left on the disk: free some, then start again"
READ_ONLY = f"{ROOT} is read-only here: copy the checkout to a directory of your own and start it there"
NOT_ALLOWED = f"no permission to write in {ROOT}: use a checkout of your own, or start as the user who made .venv"

NO_NETWORK = "no network: the package index cannot be reached, and the first start needs it"
NO_NETWORK_FOR_PAGE = (
    "no network: npm cannot reach its registry, and the page is built with packages from there "
    "(TAPETE_WEB=skip starts without the page)"
)
NOT_TRUSTED = (
    "the package index shows a certificate that is not trusted here: SSL_CERT_FILE can name the right authorities"
)
NOT_AS_LOCKED = "a package is not the one that was locked (its hash differs): nothing of it was installed"

# What pip and uv say, most telling first, and what it means to the person who waits.
MEANINGS = (
    (
        r"No module named '?pip\b",
        "pip is missing: install it (Debian: apt install python3-pip) or uv, then start again",
    ),
    (r"No space left on device|os error 28\b|Disk quota exceeded", NO_SPACE),
    (r"Read-only file system|os error 30\b", READ_ONLY),
    (r"DO NOT MATCH THE HASHES|[Hh]ash mismatch", NOT_AS_LOCKED),
    (r"CERTIFICATE_VERIFY_FAILED|invalid peer certificate|UnknownIssuer", NOT_TRUSTED),
    (r"dns error|[Nn]ame resolution|Name or service not known|NewConnectionError|ProxyError", NO_NETWORK),
    (r"Connection refused|Network is unreachable|[Tt]imed out|ConnectTimeout|tcp connect|error sending", NO_NETWORK),
    (r"Permission denied|os error 13\b", NOT_ALLOWED),
    (r"EINTEGRITY", NOT_AS_LOCKED),
    (r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH", NO_NETWORK_FOR_PAGE),
    (r"No matching distribution found for uv", "pip finds no uv for this machine: install uv, then start again"),
)


class SetupError(Exception):
    """Why tapete cannot start here, in one line for the person who started it."""


def say(text: str) -> None:
    print("tapete: " + text, file=sys.stderr, flush=True)


class Bar:
    """How far a set-up is: a bar on a terminal, a line for each step elsewhere."""

    def __init__(self, steps: int) -> None:
        self.done, self.steps = -1, steps
        self.live = sys.stderr.isatty()

    def step(self, text: str) -> None:
        self.done += 1
        if not self.live:
            return say(text)
        full = min(BAR_CELLS, self.done * BAR_CELLS // self.steps)
        drawn = "#" * full + "-" * (BAR_CELLS - full)
        print(f"\r\033[Ktapete: [{drawn}] {text}", end="", file=sys.stderr, flush=True)
        return None

    def clear(self) -> None:
        if self.live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def main(args: Sequence[str]) -> int:
    if not args or args[0] in ("-h", "--help", "help"):
        print(HELP, end="")
        return 0
    try:
        return run(args[0], list(args[1:]))
    except SetupError as error:
        say(str(error))
    except OSError as error:
        say(meaning_of_error(error))
    except KeyboardInterrupt:
        say("interrupted")
        return 130
    return 1


def run(word: str, args: List[str]) -> int:
    if word == "test":
        prepare("dev")
        os.chdir(ROOT)
        return become([PYTHON, "-m", "pytest", *args])
    prepare("odds" if word in ODDS_WORDS else "run")
    return become([TAPETE, word, *args])


def become(command: List[str]) -> int:
    """Hand this process over, with its standard streams, its signals and its exit code."""
    if WINDOWS:
        return subprocess.call(command)
    os.execve(command[0], command, os.environ)  # noqa: S606 - no shell is what we want


# Is it set up?


def digest() -> str:
    """What an environment is made from. The path is part of it: an environment cannot be moved."""
    total = hashlib.sha256(ROOT.encode("utf-8", "surrogateescape"))
    for path in [os.path.join(ROOT, "pyproject.toml"), *(LOCKED[kind] for kind in KINDS), *web_sources()]:
        with open(path, "rb") as file:
            total.update(hashlib.sha256(file.read()).digest())
    return total.hexdigest()


def web_sources() -> List[str]:
    """What the page is made from, in an order that does not change: with another page, the environment is an old one."""
    found = []
    for source in WEB_SOURCES:
        for where, folders, names in os.walk(source):
            folders[:] = [name for name in folders if name not in NOT_WEB_SOURCES]
            found += [os.path.join(where, name) for name in names]
    return sorted(found)


def stamp() -> List[str]:
    """The digest and the kind (one of KINDS) of a complete environment; nothing if it is not known to be complete."""
    try:
        with open(STAMP, encoding="ascii") as file:
            words = file.read().split()
    except (OSError, ValueError):
        return []
    return words if len(words) == 2 and os.path.isfile(PYTHON) and os.path.isfile(TAPETE) else []


def is_ready(kind: str) -> bool:
    return stamp() in [[digest(), enough] for enough in KINDS[KINDS.index(kind) :]]


def prepare(kind: str) -> None:
    """A complete environment of this kind. One process makes it; others that come meanwhile wait for it."""
    if is_ready(kind):
        return
    os.makedirs(WORKSHOP, exist_ok=True)
    with locked(os.path.join(WORKSHOP, "lock")) as lock:
        if not is_ready(kind):
            Setup(lock).make(kind)


@contextlib.contextmanager
def locked(path: str) -> Iterator[int]:
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not try_lock(lock):
            say("another set-up is at work: waiting for it")
            while not try_lock(lock):
                time.sleep(0.1)
        yield lock
    finally:
        os.close(lock)


def try_lock(lock: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - each system has only one of the two

            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        raise
    return True


# Setting up


class Setup:
    """One set-up, under the lock. The tools inherit the lock: if this process is killed, it is free when they end."""

    def __init__(self, lock: int) -> None:
        self.lock = lock
        self.env = environment(os.environ)
        self.bar = Bar(steps=6)
        with open(LOG, "w", encoding="utf-8"):
            pass

    def make(self, kind: str) -> None:
        before, started = stamp(), time.monotonic()
        if before and before[1] in KINDS[KINDS.index(kind) :]:
            kind = before[1]
        say("setting up .venv: the first time takes some seconds" if not before else "bringing .venv up to date")
        try:
            self.make_all(kind, before)
        finally:
            self.bar.clear()
        say(f"ready after {time.monotonic() - started:.0f} s")

    def make_all(self, kind: str, before: List[str]) -> None:
        self.bar.step("looking for uv")
        uv = self.find_uv()
        remove(STAMP)
        if not before:
            if os.path.exists(MADE):
                remove(VENV)
            elif os.path.lexists(VENV):
                say(f"there is a .venv of somebody else's: it is now {put_aside(VENV)}")
            self.make_venv(uv)
            with open(MADE, "w", encoding="ascii"):
                pass
        self.bar.step(f"installing what is locked in deploy/requirements-{kind}.txt")
        self.tool([uv, "pip", "sync", "--python", PYTHON, "--require-hashes", LOCKED[kind]])
        self.make_page(uv)
        self.bar.step("installing tapete")
        self.tool([uv, "pip", "install", "--python", PYTHON, "--no-deps", "--no-build-isolation", "--editable", "."])
        with open(STAMP + ".new", "w", encoding="ascii") as file:
            file.write(f"{digest()} {kind}\n")
        os.replace(STAMP + ".new", STAMP)

    def make_page(self, uv: str) -> None:
        """The page that a node serves. Node comes with pip where the machine has none."""
        if self.env.get("TAPETE_WEB") == "skip":
            return
        try:
            self.tool([PYTHON, WEB, "node"])
        except SetupError:
            self.bar.step("fetching Node, which builds the page")
            install = [uv, "pip", "install", "--python", PYTHON, "--no-deps", "--require-hashes", "-r", LOCKED["node"]]
            self.tool(install)
        self.bar.step("fetching what the page is built with")
        self.tool([PYTHON, WEB, "fetch"])
        self.bar.step("building the page")
        self.tool([PYTHON, WEB, "build"])

    def find_uv(self) -> str:
        own = os.path.join(WORKSHOP, "uv", "bin", "uv" + EXE)
        for uv in (shutil.which("uv"), own):
            if uv and self.works(uv):
                return uv
        if sys.version_info < PYTHON_WITH_UV_MIN:
            raise SetupError(f"{TOO_OLD}: install a newer one, or uv")
        say("fetching uv, which fetches the rest")
        new = os.path.join(WORKSHOP, "uv.new")
        remove(new)
        # --target leaves the system's packages alone, so Debian's protection of them does not object.
        pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        patience = ["--retries", FETCH_RETRIES, "--timeout", FETCH_TIMEOUT_S]
        self.tool([*pip, *patience, "--only-binary", ":all:", "--require-hashes", "--target", new, "-r", LOCKED["uv"]])
        remove(os.path.dirname(os.path.dirname(own)))
        os.replace(new, os.path.dirname(os.path.dirname(own)))
        if not self.works(own):
            raise SetupError("the uv that pip fetched does not run on this machine: install uv, then start again")
        return own

    def works(self, uv: str) -> bool:
        try:
            self.tool([uv, "--version"])
        except (OSError, SetupError):
            return False
        return True

    def make_venv(self, uv: str) -> None:
        if sys.version_info >= PYTHON_MIN:
            self.tool([uv, "venv", "--python", sys.executable, VENV])
            return
        say(f"{TOO_OLD}: looking for a newer one")
        try:
            self.tool([uv, "venv", "--python", ">=" + NEEDED, VENV])
        except SetupError as error:
            raise SetupError(f"{TOO_OLD}, and no newer one could be had: {error}") from error

    def tool(self, command: List[str]) -> None:
        """Run a tool in the checkout. What it says goes to the log; a failure becomes one line."""
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.env,
            cwd=ROOT,
            check=False,
            pass_fds=() if WINDOWS else (self.lock,),
        )
        output = done.stdout.decode("utf-8", "replace")
        with contextlib.suppress(OSError), open(LOG, "a", encoding="utf-8") as log:
            log.write("$ " + " ".join(command) + "\n" + output)
        if done.returncode:
            raise SetupError(meaning_of_output(output, os.path.basename(command[0]), done.returncode))


def environment(given: Mapping[str, str]) -> Dict[str, str]:
    """The variables that the tools get: the user's, without what would lead them astray. An empty HOME is none."""
    env = {name: value for name, value in given.items() if name not in MISLEADING}
    env.update(PIP_USER="0", PIP_REQUIRE_VIRTUALENV="0")  # over what a pip.conf says: --target goes with neither
    if not env.get("HOME"):
        env.pop("HOME", None)
    if "UV_CACHE_DIR" not in env and not may_write(
        env.get("XDG_CACHE_HOME") or os.path.join(env.get("HOME", ""), ".cache")
    ):
        env["UV_CACHE_DIR"] = os.path.join(WORKSHOP, "cache")
    return env


def may_write(path: str) -> bool:
    """Whether this user may write there, or make it where it is not there yet. A relative path is none to write to."""
    while path and not os.path.exists(path):
        path = os.path.dirname(path)
    return os.path.isabs(path) and os.access(path, os.W_OK | os.X_OK)


def put_aside(path: str) -> str:
    """Give it a name that is free, and return that."""
    number = 1
    while os.path.lexists(f"{path}.kept-{number}"):
        number += 1
    os.rename(path, f"{path}.kept-{number}")
    return os.path.basename(f"{path}.kept-{number}")


def remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


# What went wrong, in one line


def meaning_of_error(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return NO_SPACE
    if error.errno == errno.EROFS:
        return READ_ONLY
    if error.errno in (errno.EACCES, errno.EPERM):
        return NOT_ALLOWED
    return f"{error.filename or ROOT}: {error.strerror or error}"


def meaning_of_output(output: str, tool: str, code: int) -> str:
    for pattern, meaning in MEANINGS:
        if re.search(pattern, output):
            return meaning
    return f"{tool} failed ({last_words(output) or code}); all that it said is in {LOG}"


def last_words(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if re.match(r"error|cause", line, re.IGNORECASE)]
    return (telling or lines or [""])[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
