"""A house and a browser for each test: a real node, a real store, a real Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser

from tests.browser.chromium import chromium
from tests.integration.cluster import House, NodeProcess, house


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--without-browser"):
        for item in items:
            if "tests/browser" in item.path.as_posix():
                item.add_marker(pytest.mark.skip(reason="asked to leave the browser out"))


@pytest.fixture
async def place() -> AsyncIterator[House]:
    async with house() as made:
        yield made


@pytest.fixture
async def node(place: House) -> NodeProcess:
    return await place.node()


@pytest.fixture
def address(node: NodeProcess) -> str:
    return f"http://127.0.0.1:{node.port}"


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as made:
        yield made
