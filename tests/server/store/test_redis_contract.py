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

__all__ = ["TestAccounts", "TestCommit", "TestFollowing", "TestOpeningAndClosing", "TestPresence", "TestTransfers"]
