"""Odds worked out in a process apart: what it is asked, how it fails, that it ends. That it comes to the right figures is
seen by `python -m tests.odds.by_itself`, which takes longer."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tapete_odds import apart, shelf
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.settings import SettingsError
from tapete_server.adapters.odds_bench import ProcessBench
from tapete_server.ports import CannotWorkOut

SETTINGS = json.dumps(DoubleExposureSettings(decks=7).to_plain())


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.subprocess.Process]:
    """Every process that is started from here on."""
    processes: list[asyncio.subprocess.Process] = []
    really = asyncio.create_subprocess_exec

    async def start(*command: Any, **options: Any) -> asyncio.subprocess.Process:
        processes.append(await really(*command, **options))
        return processes[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    return processes


async def test_what_is_no_table_is_told() -> None:
    with pytest.raises(CannotWorkOut, match=r"ended with 1: .*decks"):
        await ProcessBench(60).work_out('{"game": "double_exposure", "decks": 99}')


async def test_late_or_not_wanted_any_more_it_is_stopped(started: list[asyncio.subprocess.Process]) -> None:
    with pytest.raises(CannotWorkOut, match=r"longer than 0\.01 s"):
        await ProcessBench(0.01).work_out(SETTINGS)
    work = asyncio.ensure_future(ProcessBench(60).work_out(SETTINGS))
    while len(started) < 2:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0)
    work.cancel()
    await asyncio.wait([work])
    async with asyncio.timeout(30):
        assert [await process.wait() for process in started] == [-9, -9]


def test_settings_that_need_no_work_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_step_back", lambda _: None)
    with pytest.raises(SettingsError, match="counted in a moment"):
        apart.main(["60"], '{"game": "punto_banco"}')
    with pytest.raises(ValueError, match="at most"):
        apart.main(["60"], " " * 20_000)


async def test_nothing_of_the_nodes_settings_goes_along(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nenv | grep -E '^(TAPETE|OMP)_' >&2\nexit 3\n")
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("TAPETE_STORE", "redis://:hidden@nowhere")
    with pytest.raises(CannotWorkOut) as told:
        await ProcessBench(60).work_out(SETTINGS)
    assert str(told.value) == "its process ended with 3: OMP_NUM_THREADS=1"


class TestPacked:
    WHOLE: ClassVar[dict[str, Any]] = shelf.odds_of(DoubleExposureSettings())
    NAME = WHOLE["hash"]

    def test_there_and_back(self) -> None:
        assert shelf.unpacked(shelf.packed(self.WHOLE), self.NAME) == self.WHOLE

    @pytest.mark.parametrize(
        "odds",
        [
            b"", b"no zlib", shelf.packed(WHOLE)[:-3], shelf.packed({**WHOLE, "hash": "other"}),
            shelf.packed({"hash": NAME}), shelf.packed({**WHOLE, "strategy": {}}),
            shelf.packed({**WHOLE, "more": "0" * shelf.UNPACKED_BYTES_MAX}),
            b"0" * (shelf.PACKED_BYTES_MAX + 1),
        ],
    )  # fmt: skip
    def test_anything_else_is_refused(self, odds: bytes) -> None:
        with pytest.raises(ValueError, match="odds"):
            shelf.unpacked(odds, self.NAME)


def test_what_was_asked_for_longest_ago_makes_room() -> None:
    names = [f"laid-{number}" for number in range(shelf.SHELF_DOCUMENTS_MAX + 1)]
    for name in names:
        shelf.lay({"hash": name, "strategy": {}})
    assert not shelf.is_laid(names[0])
    assert all(shelf.is_laid(name) for name in names[1:])
