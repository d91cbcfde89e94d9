"""Records what the present version writes. Run it once for each release, from the root of the checkout."""

from __future__ import annotations

import asyncio
import shutil
import sys
from typing import get_args

from tapete_protocol import events as e
from tapete_protocol import vectors
from tests.released import left_house, settings, shelf
from tests.released.stories import STORIES


def main() -> int:
    folder = shelf.FOLDER / shelf.present_version()
    if folder.exists():
        sys.stderr.write(
            f"{folder.name} is recorded. For a new release raise the version in pyproject.toml; a version that nobody "
            f"runs yet is recorded anew after `rm -r {folder.relative_to(shelf.ROOT)}`.\n"
        )
        return 1
    stories = {story.__name__: story() for story in STORIES}
    missing = set(get_args(e.Event)) - {type(event) for story in stories.values() for event in story.events}
    assert not missing, f"no story tells of {sorted(kind.__name__ for kind in missing)}"
    left = asyncio.run(left_house.recorded())
    folder.mkdir()
    shelf.write(folder, "tables.json", {name: story.recorded().as_document() for name, story in stories.items()})
    shelf.write(folder, "settings.json", settings.recorded())
    shelf.write(folder, "house.json", left)
    for name in ("commands.json", "frames.json", "batches.json"):
        shutil.copy(vectors.FOLDER / name, folder / name)
    size = sum(file.stat().st_size for file in folder.iterdir())
    sys.stdout.write(f"recorded {folder.name}: {len(list(folder.iterdir()))} files, {size // 1024} KiB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
