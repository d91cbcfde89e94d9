"""A copy of the house with one bug in it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tests.simulation.teeth.planted import Bug, Edit

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("server", "protocol", "clients/python")


class NotThere(Exception):
    """Today's code has changed where a bug was to be planted."""


def patched(edits: tuple[Edit, ...]) -> dict[str, str]:
    """File to its text with the bug. Raises `NotThere`."""
    texts: dict[str, str] = {}
    for edit in edits:
        text = texts.get(edit.file) or (ROOT / edit.file).read_text(encoding="utf-8")
        if text.count(edit.old) != 1:
            raise NotThere(f"{edit.file} has {text.count(edit.old)} times:\n{edit.old}")
        texts[edit.file] = text.replace(edit.old, edit.new)
    return texts


def plant(bug: Bug, where: Path) -> dict[str, str]:
    """Copy the packages into `where`, with the bug; returns the environment in which they are the ones that run."""
    for package in PACKAGES:
        leave_out = shutil.ignore_patterns("__pycache__", "node_modules", "static")
        shutil.copytree(ROOT / package, where / package, ignore=leave_out)
    for file, text in patched(bug.edits).items():
        (where / file).write_text(text, encoding="utf-8")
    path = os.pathsep.join(str(where / package) for package in PACKAGES)
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}


def python() -> str:
    return sys.executable
