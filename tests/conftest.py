"""What all tests share: random tests are the same in every run, and take the time that a busy machine needs."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent

# Tests start programs by the hundred. Each would compile all its modules where the caller keeps none beside the sources:
# here they are kept apart, and the sources stay as they are.
sys.dont_write_bytecode = False
sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(TESTS.parent / ".tapete" / "compiled")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("house", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


LONG_ROOMS = ("simulation", "chaos", "browser", "integration", "web", "tidy")
"""Whose tests take longest. They come first: a file that begins late would leave one core without work at the end."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:  # noqa: ARG001 - as the hook has it
    """One more than there are cores: a third of the time, a test waits for a process, a socket or a page."""
    return (os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--without-browser", action="store_true", help="leave out the tests that need Chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {room: place for place, room in enumerate(LONG_ROOMS)}
    items.sort(key=lambda item: places.get(item.path.relative_to(TESTS).parts[0], len(places)))
