"""What a terminal keeps between two runs, in a file that only its owner can read: sessions, and whether to be warned."""

from __future__ import annotations

import json
import os
from pathlib import Path


def default_path() -> Path:
    """Under `XDG_STATE_HOME`, or `~/.local/state`."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "tapete" / "sessions.json"


WARNINGS = "warnings"


class Keepsake:
    """A token per address of a node and name asked for; without a name, the last player's. A file that cannot be read counts
    as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def token(self, url: str, name: str | None = None) -> str | None:
        token = self._read().get(_place(url, name))
        return token if isinstance(token, str) else None

    def keep(self, url: str, token: str, name: str | None = None) -> None:
        self._write({_place(url, None): token, _place(url, name): token})

    @property
    def warnings(self) -> bool:
        """Whether this player wants to be asked about very bad decisions; they do until they say otherwise."""
        return self._read().get(WARNINGS) is not False

    @warnings.setter
    def warnings(self, wanted: bool) -> None:
        self._write({WARNINGS: wanted})

    def _write(self, more: dict[str, object]) -> None:
        """Written anew beside the old file and put in its place, so that it is never half there."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump({**self._read(), **more}, file)
        beside.replace(self._path)

    def _read(self) -> dict[str, object]:
        try:
            known = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}


def _place(url: str, name: str | None) -> str:
    return f"{url} {name}" if name else url
