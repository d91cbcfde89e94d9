"""One Chromium for all these tests, a house for each file of them: a real node, a real store. Each test has pages of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.chromium import chromium
from tests.integration.cluster import House, NodeProcess, house

SALON = "salon.test"
"""A name by which a page finds this machine, as a house in a network at home would be found."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            if config.getoption("--without-browser"):
                item.add_marker(pytest.mark.skip(reason="asked to leave the browser out"))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with chromium(f"--host-resolver-rules=MAP {SALON} 127.0.0.1") as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def node() -> AsyncIterator[NodeProcess]:
    """Shared by the tests of a file: none of them stops it."""
    async with house() as made:
        yield await made.node()


@pytest.fixture
def address(node: NodeProcess) -> str:
    return f"http://127.0.0.1:{node.port}"


@pytest_asyncio.fixture(loop_scope="session")
async def own_house() -> AsyncIterator[House]:
    """For a test that kills nodes."""
    async with house() as made:
        yield made
