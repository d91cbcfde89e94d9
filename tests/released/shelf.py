"""Where the recordings of released versions stand, one folder for each, and how they are read and written."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]


def versions() -> list[str]:
    return sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and path.name[0].isdigit())


def present_version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def read(version: str, name: str) -> Any:
    return json.loads((FOLDER / version / name).read_text(encoding="utf-8"))


def write(folder: Path, name: str, document: Any) -> None:
    """One value of the document a line, so that a look at it shows something."""
    (folder / name).write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class TableLog:
    """All batches of a table from its opening, and its state as a blob at some of the versions that they led to."""

    key: bytes
    batches: list[bytes]
    blobs: dict[int, bytes]
    head: bytes

    def as_document(self) -> dict[str, Any]:
        return {
            "key": self.key.hex(),
            "head": self.head.hex(),
            "batches": [batch.hex() for batch in self.batches],
            "blobs": {str(version): blob.hex() for version, blob in self.blobs.items()},
        }

    @classmethod
    def of(cls, document: dict[str, Any]) -> TableLog:
        return cls(
            bytes.fromhex(document["key"]),
            [bytes.fromhex(batch) for batch in document["batches"]],
            {int(version): bytes.fromhex(blob) for version, blob in document["blobs"].items()},
            bytes.fromhex(document["head"]),
        )


def table_logs(version: str) -> dict[str, TableLog]:
    return {name: TableLog.of(document) for name, document in read(version, "tables.json").items()}
