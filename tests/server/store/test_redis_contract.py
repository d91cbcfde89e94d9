"""The contract of a store, on real servers."""

from __future__ import annotations

from tests.server.store.contract import (
    TestAccounts,
    TestCommit,
    TestFollowing,
    TestOpeningAndClosing,
    TestPresence,
    TestTransfers,
)
from tests.server.store.contract_bounds import (
    TestBounds,
    TestDrivers,
    TestEcho,
    TestLifeSpans,
    TestSilence,
)

__all__ = [
    "TestAccounts", "TestBounds", "TestCommit", "TestDrivers", "TestEcho", "TestFollowing", "TestLifeSpans",
    "TestOpeningAndClosing", "TestPresence", "TestSilence", "TestTransfers",
]  # fmt: skip
