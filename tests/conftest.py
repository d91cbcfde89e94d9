"""What all tests share: random tests are the same in every run, and take the time that a busy machine needs."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("house", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--without-browser", action="store_true", help="leave out the tests that need Chromium")
