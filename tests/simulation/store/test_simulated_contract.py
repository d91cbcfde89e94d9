"""The contract of a store, on the simulated one."""

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
