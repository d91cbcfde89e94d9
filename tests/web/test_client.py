"""The page's own tests, run by Node: the wire against the shared vectors, the reducer against real rounds, the types."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web import recorded

ROOT = Path(__file__).parents[2]
WEB = [sys.executable, str(ROOT / "deploy" / "web.py")]
ROUNDS = int(os.environ.get("TAPETE_ROUNDS", "60"))
"""Random rounds of each game. TAPETE_ROUNDS=1000 takes two minutes."""

pytestmark = pytest.mark.timeout(1_200)


def run(*arguments: str, **variables: str) -> str:
    done = subprocess.run(
        [*WEB, *arguments], env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    return done.stdout


def test_the_scripts_do_what_their_tests_say() -> None:
    assert "failed" not in run("test")


def test_the_types_hold_in_scripts_and_components() -> None:
    assert "0 errors and 0 warnings" in run("check")


@pytest.mark.parametrize("game", ["double_exposure", "punto_banco"])
def test_the_reducer_is_the_servers(game: str, tmp_path: Path) -> None:
    log = tmp_path / "rounds"
    batches = recorded.write(game, ROUNDS, log, seed=7)
    assert batches > 5 * ROUNDS
    least = str(ROUNDS * 9 // 10)
    said = run("test", "tests/rounds.test.ts", TAPETE_ROUNDS_LOG=str(log), TAPETE_ROUNDS_MIN=least)
    assert "1 passed" in said
