"""A real Chromium, and the page as it is built from these sources."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from playwright.async_api import Browser, async_playwright

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
HOW = (
    "the browser tests need Chromium: install it (Debian: apt install chromium), or set TAPETE_CHROMIUM to one, or leave these "
    "tests out with --without-browser"
)


class NoChromiumError(Exception):
    """There is none here, and how to get one."""


def program() -> str:
    """Where Chromium is; on a machine where we may, it is installed first. Raises `NoChromiumError`."""
    found = os.environ.get("TAPETE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        install = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update"], install):
            subprocess.run(command, env=quiet, capture_output=True, check=False)
        found = shutil.which("chromium")
    if found is None:
        raise NoChromiumError(HOW)
    return found


@cache
def prepared() -> str:
    """The page built, with what its tests need, and a Chromium there; one process at a time sees to it, once."""
    with (Path(tempfile.gettempdir()) / f"tapete-page-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for step in (["build"], ["fetch", "tests"]):
            command = [sys.executable, str(ROOT / "deploy" / "web.py"), *step]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return program()


@asynccontextmanager
async def chromium(*flags: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=prepared(), args=["--no-sandbox", *flags])
        try:
            yield browser
        finally:
            await browser.close()
