"""deploy/run.py without a network: a small checkout, and an uv that only pretends."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / "deploy" / "run.py"

# Makes an environment in which `python` and `tapete` say what they were called with, and counts how often it did.
UV = """\
#!/bin/sh
case "$1 $2" in
"--version "*) exit 0 ;;
"venv "*)
    echo made >>made
    mkdir -p .venv/bin
    for name in python tapete; do
        printf '#!/bin/sh\\ncase "$1" in */web.py) echo $2 >>page; [ "$2" != "$LACKS" ]; exit ;; esac\\n' >.venv/bin/$name
        printf 'echo %s "$@"\\ncat\\nexit "${EXIT:-0}"\\n' $name >>.venv/bin/$name
        chmod +x .venv/bin/$name
    done ;;
"pip sync")
    for file; do :; done; echo "${file##*/}" >>synced
    [ -z "$GATE" ] || for _ in $(seq 600); do [ ! -e "$GATE" ] || break; sleep 0.1; done ;;
esac
[ -z "$SAYS" ] || [ "$1" != pip ] || { echo "$SAYS" >&2; exit 2; }
echo "on standard output"
"""


def _hear_interrupts() -> None:
    """Who is started in the background, as this may be, would not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Checkout:
    def __init__(self, path: Path, tools: Path) -> None:
        self.path = path
        self.tools = tools

    def begin(self, *args: str, python: str = sys.executable, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [python, self.path / "deploy" / "run.py", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PATH": f"{self.tools}:/usr/bin:/bin", "HOME": str(self.path), **variables},
            start_new_session=True,
            preexec_fn=_hear_interrupts,  # noqa: PLW1509 - nobody has threads here
        )

    def run(self, *args: str, text: str = "", python: str = sys.executable, **variables: str) -> tuple[int, str, str]:
        with self.begin(*args, python=python, **variables) as process:
            out, said = process.communicate(text, timeout=60)
        return process.returncode, out, said

    def lines(self, name: str) -> list[str]:
        file = self.path / name
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    path, tools = tmp_path / "a check out", tmp_path / "tools"
    (path / "deploy").mkdir(parents=True)
    tools.mkdir()
    shutil.copy(RUN, path / "deploy")
    for name in (
        "pyproject.toml",
        "deploy/requirements-uv.txt",
        "deploy/requirements-run.txt",
        "deploy/requirements-odds.txt",
        "deploy/requirements-dev.txt",
    ):
        (path / name).write_text(f"# {name}\n")
    (tools / "uv").write_text(UV)
    (tools / "uv").chmod(0o755)
    return Checkout(path, tools)


class TestSource:
    def test_parses_on_an_old_python(self) -> None:
        ast.parse(RUN.read_text(encoding="utf-8"), feature_version=(3, 6))

    def test_imports_the_standard_library_only(self) -> None:
        tree = ast.parse(RUN.read_text(encoding="utf-8"))
        imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert imported <= set(sys.stdlib_module_names)


class TestHelp:
    @pytest.mark.parametrize("args", [(), ("-h",), ("--help",), ("help",)])
    def test_says_what_there_is_and_sets_nothing_up(self, checkout: Checkout, args: tuple[str, ...]) -> None:
        code, out, said = checkout.run(*args)
        assert (code, said) == (0, "")
        assert all(word in out for word in ("serve", "test", "WORD"))
        assert not (checkout.path / ".venv").exists()
        assert not (checkout.path / ".tapete").exists()


class TestHandOver:
    def test_a_word_gets_the_streams_and_nothing_else_is_on_them(self, checkout: Checkout) -> None:
        code, out, said = checkout.run("replay", "--all", "two words", text="hands\n")
        assert (code, out) == (0, "tapete replay --all two words\nhands\n")
        assert said.splitlines()[0] == "tapete: setting up .venv: the first time takes some seconds"
        assert checkout.run("replay", text="hands\n") == (0, "tapete replay\nhands\n", "")

    def test_the_exit_code_is_passed_on(self, checkout: Checkout) -> None:
        assert checkout.run("audit", EXIT="7")[0] == 7

    def test_test_is_pytest(self, checkout: Checkout) -> None:
        assert checkout.run("test", "-k", "shoe")[:2] == (0, "python -m pytest -k shoe\n")
        assert checkout.lines("synced") == ["requirements-dev.txt"]

    def test_a_signal_reaches_the_command(self, checkout: Checkout) -> None:
        checkout.run("replay")
        with checkout.begin("serve") as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "tapete serve\n"
            process.send_signal(signal.SIGTERM)
            assert process.wait(10) == -signal.SIGTERM


class TestStamp:
    def test_the_second_start_sets_nothing_up(self, checkout: Checkout) -> None:
        checkout.run("replay")
        checkout.run("replay")
        assert checkout.lines("synced") == ["requirements-run.txt"]

    def test_the_tests_add_to_what_runs_and_it_still_runs(self, checkout: Checkout) -> None:
        for word in ("replay", "test", "replay", "test"):
            checkout.run(word)
        assert checkout.lines("synced") == ["requirements-run.txt", "requirements-dev.txt"]
        assert checkout.lines("made") == ["made"]

    @pytest.mark.parametrize("name", ["pyproject.toml", "deploy/requirements-run.txt", "deploy/requirements-dev.txt"])
    def test_changed_inputs_bring_it_up_to_date(self, checkout: Checkout, name: str) -> None:
        checkout.run("test")
        (checkout.path / name).write_text("# changed\n")
        said = checkout.run("replay")[2]
        assert said.startswith("tapete: bringing .venv up to date")
        assert checkout.lines("synced") == ["requirements-dev.txt", "requirements-dev.txt"]
        assert checkout.lines("made") == ["made"]

    def test_a_moved_checkout_is_set_up_again(self, checkout: Checkout) -> None:
        checkout.run("replay")
        moved = Checkout(checkout.path.rename(checkout.path.with_name("moved")), checkout.tools)
        moved.run("replay")
        assert len(moved.lines("synced")) == 2

    @pytest.mark.parametrize("lost", ["bin/python", "bin/tapete", "tapete-stamp"])
    def test_what_is_not_whole_is_made_again(self, checkout: Checkout, lost: str) -> None:
        checkout.run("replay")
        (checkout.path / ".venv" / lost).unlink()
        (checkout.path / ".venv" / "leftover").touch()
        assert checkout.run("replay")[:2] == (0, "tapete replay\n")
        assert checkout.lines("made") == ["made", "made"]
        assert not (checkout.path / ".venv" / "leftover").exists()

    def test_an_environment_of_somebody_else_is_put_aside(self, checkout: Checkout) -> None:
        theirs = checkout.path / ".venv" / "theirs"
        theirs.parent.mkdir()
        theirs.touch()
        status, out, said = checkout.run("replay")
        assert (status, out) == (0, "tapete replay\n")
        assert ".venv.kept-1" in said
        assert (checkout.path / ".venv.kept-1" / "theirs").exists()

    def test_a_failed_set_up_is_made_again(self, checkout: Checkout) -> None:
        assert checkout.run("replay", SAYS="error: something new")[0] == 1
        assert checkout.run("replay")[:2] == (0, "tapete replay\n")
        assert checkout.lines("made") == ["made", "made"]

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    def test_an_interrupted_set_up_is_made_again(self, checkout: Checkout, number: signal.Signals) -> None:
        gate = checkout.path / "gate"
        with checkout.begin("replay", GATE=str(gate)) as process:
            wait_until(lambda: checkout.lines("synced"))
            process.send_signal(number)
            process.wait(timeout=30)
            gate.touch()
            process.communicate(timeout=30)
        assert process.returncode == (130 if number == signal.SIGINT else -number)
        assert checkout.run("replay")[:2] == (0, "tapete replay\n")
        assert checkout.lines("made") == ["made", "made"]

    def test_two_at_once_set_it_up_once(self, checkout: Checkout) -> None:
        gate = checkout.path / "gate"
        with checkout.begin("replay", GATE=str(gate)) as first:
            wait_until(lambda: checkout.lines("synced"))
            with checkout.begin("audit") as second:
                assert second.stderr is not None
                assert second.stderr.readline() == "tapete: another set-up is at work: waiting for it\n"
                gate.touch()
                assert second.communicate(timeout=60) == ("tapete audit\n", "")
            assert second.returncode == 0
            assert first.communicate(timeout=30)[0] == "tapete replay\n"
        assert checkout.lines("made") == ["made"]


def wait_until(condition: Callable[[], object]) -> None:
    give_up = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < give_up, "it never came true"
        time.sleep(0.01)


class TestTrouble:
    """One line that says what is wrong, and no traceback."""

    @pytest.mark.parametrize(
        ("says", "line"),
        [
            ("error: Failed to fetch\n  Caused by: dns error", "no network: "),
            ("error: Request failed\n  Caused by: tcp connect error: Connection refused", "no network: "),
            ("error: Failed to copy\n  Caused by: No space left on device (os error 28)", "no space is left"),
            ("error: Failed to write\n  Caused by: Permission denied (os error 13)", "no permission to write in "),
            ("error: Failed to write\n  Caused by: Read-only file system (os error 30)", "is read-only here"),
            ("error: Hash mismatch for `redis==8.1.0`", "a package is not the one that was locked"),
            ("error: invalid peer certificate: UnknownIssuer", "a certificate that is not trusted here"),
            ("error: something\n  Caused by: nobody knows\nhint: no", "uv failed (Caused by: nobody knows); all "),
        ],
    )  # fmt: skip
    def test_of_a_tool(self, checkout: Checkout, says: str, line: str) -> None:
        code, out, said = checkout.run("replay", SAYS=says)
        assert (code, out) == (1, "")
        assert line in said.splitlines()[-1]
        assert "Traceback" not in said

    def test_what_the_tool_said_is_kept(self, checkout: Checkout) -> None:
        checkout.run("replay", SAYS="error: nobody knows")
        assert "error: nobody knows" in checkout.lines(".tapete/setup.log")

    def test_without_pip_and_uv(self, checkout: Checkout) -> None:
        (checkout.tools / "uv").unlink()
        code, out, said = checkout.run("replay", python=str(python_that("exit 1", checkout, "No module named pip")))
        assert (code, out) == (1, "")
        assert said.splitlines()[-1] == (
            "tapete: pip is missing: install it (Debian: apt install python3-pip) or uv, then start again"
        )

    def test_a_fetched_uv_is_used_and_kept(self, checkout: Checkout) -> None:
        (checkout.tools / "uv").rename(checkout.tools / "uv-to-fetch")
        fetch = f'mkdir -p "$target/bin" && cp "{checkout.tools}/uv-to-fetch" "$target/bin/uv"; echo fetched >>fetched'
        for _ in range(2):
            assert checkout.run("replay", python=str(python_that(fetch, checkout)))[:2] == (0, "tapete replay\n")
            shutil.rmtree(checkout.path / ".venv")
        assert checkout.lines("fetched") == ["fetched"]

    def test_a_python_that_is_too_old(self, checkout: Checkout) -> None:
        (checkout.tools / "uv").unlink()
        old = "import sys; sys.version_info = (3, 6, 15, 'final', 0)"
        code, said = run_as(checkout, old)
        assert code == 1
        assert said[-1] == "tapete: Python 3.11 or newer is needed, and this is 3.6.15: install a newer one, or uv"

    def test_an_older_python_with_no_newer_one_to_be_had(self, checkout: Checkout) -> None:
        uv = checkout.tools / "uv"
        uv.write_text(UV.replace('"venv "*)', '"venv "*) echo "cause: dns error"; exit 2'))
        code, said = run_as(checkout, "import sys; sys.version_info = (3, 9, 2, 'final', 0)")
        assert code == 1
        assert said[-2] == "tapete: Python 3.11 or newer is needed, and this is 3.9.2: looking for a newer one"
        assert said[-1].startswith(
            "tapete: Python 3.11 or newer is needed, and this is 3.9.2, and no newer one could be had: no network"
        )

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_no_permission_here(self, checkout: Checkout) -> None:
        checkout.path.chmod(0o555)
        code, out, said = checkout.run("replay")
        checkout.path.chmod(0o755)
        assert (code, out) == (1, "")
        assert said.startswith("tapete: no permission to write in ")

    @pytest.mark.parametrize(
        ("number", "line"),
        [("EACCES", "no permission"), ("EROFS", "is read-only"), ("ENOSPC", "no space"), ("EIO", "Input/output error")],
    )
    def test_of_the_system(self, checkout: Checkout, number: str, line: str) -> None:
        failing = (
            "import errno, os\n"
            f"def makedirs(path, exist_ok): raise OSError(errno.{number}, os.strerror(errno.{number}), path)\n"
            "os.makedirs = makedirs"
        )
        code, said = run_as(checkout, failing)
        assert code == 1
        assert len(said) == 1
        assert line in said[0]


class TestEnvironment:
    @pytest.fixture
    def variables(self, checkout: Checkout) -> Callable[..., Mapping[str, str]]:
        def given(**variables: str) -> dict[str, str]:
            (checkout.tools / "uv").write_text(UV + "env >seen\n")
            checkout.run("replay", **variables)
            return dict(line.split("=", 1) for line in checkout.lines("seen") if "=" in line)

        return given

    def test_what_leads_astray_is_left_out(self, variables: Callable[..., Mapping[str, str]]) -> None:
        seen = variables(VIRTUAL_ENV="/elsewhere", UV_SYSTEM_PYTHON="1", PYTHONPATH="/elsewhere", SSL_CERT_FILE="/ca")
        assert not {"VIRTUAL_ENV", "UV_SYSTEM_PYTHON", "PYTHONPATH"} & set(seen)
        assert seen["SSL_CERT_FILE"] == "/ca"

    @pytest.mark.parametrize("home", ["", "/dev/null"])
    def test_without_a_home_the_cache_is_in_the_checkout(
        self, checkout: Checkout, variables: Callable[..., Mapping[str, str]], home: str
    ) -> None:
        seen = variables(HOME=home)
        assert seen.get("HOME", "") == home
        assert seen["UV_CACHE_DIR"] == str(checkout.path / ".tapete" / "cache")

    def test_with_a_home_it_is_there(self, variables: Callable[..., Mapping[str, str]]) -> None:
        assert "UV_CACHE_DIR" not in variables()


def python_that(line: str, checkout: Checkout, says: str = "") -> Path:
    """This Python, but for `python -m pip install ... --target DIRECTORY ...`: that prints and runs a line of shell."""
    path = checkout.tools / "python"
    hook = checkout.tools / "hook.py"
    hook.write_text(f"import sys\nsys.executable = {str(checkout.tools / 'pip')!r}\n")
    fake = checkout.tools / "pip"
    fake.write_text(
        f'#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = --target ] && target="$2"; shift; done\necho \'{says}\'\n{line}\n'
    )
    path.write_text(f'#!/bin/sh\nscript="$1"; shift\nexec "{sys.executable}" -c \'{LAUNCH}\' "{hook}" "$script" "$@"\n')
    for file in (fake, path):
        file.chmod(0o755)
    return path


LAUNCH = (
    "import runpy, sys; exec(open(sys.argv[1]).read()); del sys.argv[:2];"
    ' runpy.run_path(sys.argv[0], run_name="__main__")'
)


def run_as(checkout: Checkout, before: str) -> tuple[int, list[str]]:
    """`run.py replay` in a Python in which some lines ran before; its exit code and what it said."""
    hook = checkout.tools / "hook.py"
    hook.write_text(before)
    script = checkout.path / "deploy" / "run.py"
    done = subprocess.run(
        [sys.executable, "-c", LAUNCH, hook, script, "replay"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": f"{checkout.tools}:/usr/bin:/bin", "HOME": str(checkout.path)},
    )
    assert done.stdout == ""
    return done.returncode, done.stderr.splitlines()


class TestThePage:
    def test_it_is_built_before_tapete_is_installed(self, checkout: Checkout) -> None:
        assert checkout.run("serve")[0] == 0
        assert checkout.lines("page") == ["node", "fetch", "build"]
        assert checkout.lines("synced") == ["requirements-run.txt"]

    def test_node_is_fetched_where_there_is_none(self, checkout: Checkout) -> None:
        _, _, said = checkout.run("serve", LACKS="node")
        assert "fetching Node, which builds the page" in said
        assert checkout.lines("page") == ["node", "fetch", "build"]

    def test_it_can_be_left_out(self, checkout: Checkout) -> None:
        assert checkout.run("serve", TAPETE_WEB="skip")[0] == 0
        assert checkout.lines("page") == []

    def test_a_changed_page_is_built_again(self, checkout: Checkout) -> None:
        source = checkout.path / "clients" / "web" / "src" / "main.ts"
        source.parent.mkdir(parents=True)
        source.write_text("one")
        checkout.run("serve")
        checkout.run("serve")
        assert checkout.lines("page") == ["node", "fetch", "build"]
        source.write_text("two")
        checkout.run("serve")
        assert checkout.lines("page") == ["node", "fetch", "build"] * 2
