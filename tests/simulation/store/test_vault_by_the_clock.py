"""What takes days on the real store: life spans that hang on one another."""

from __future__ import annotations

import pytest

from tapete_server.adapters.redis_store import StoreLimits
from tapete_server.ports import Transfer
from tests.server.store.contract import ANA, T
from tests.simulation.store.vault import Vault

LIMITS = StoreLimits()


class Clock:
    ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def vault(clock: Clock) -> Vault:
    return Vault(clock)


def test_a_late_repeat_meets_the_end_of_a_buy_in_before_it_meets_no_mark(vault: Vault, clock: Clock) -> None:
    """However late its driver tidied up, or a second debit could stand against a mark that says `credited`."""
    vault.open_account(ANA, "Ana", 100)
    vault.start_transfer("ana~1", ANA, T, 60)
    vault.refuse_transfer(T, "ana~1")
    vault.finish_transfer(ANA, "ana~1", "refunded")
    clock.ms += 1_000 * LIMITS.finished_s - 1
    vault.expire_mark(T, "ana~1")
    vault.forget_transfer(ANA, "ana~1")
    clock.ms += 1_000 * LIMITS.mark_s
    assert vault.mark_of(T, "ana~1") == "refused"
    clock.ms += 1
    assert vault.mark_of(T, "ana~1") is None
    again = vault.start_transfer("ana~1", ANA, T, 60)
    assert isinstance(again, Transfer)
    assert again.status == "refunded"


def test_an_hours_quota_is_over_with_the_hour(vault: Vault, clock: Clock) -> None:
    vault.limits = StoreLimits(accounts_per_address_hour_max=1)
    hour = vault.hour()
    assert vault.quota("192.0.2.1", hour, ANA)
    assert not vault.quota("192.0.2.1", hour, T)  # type: ignore[arg-type]
    clock.ms += 3_600_000
    assert vault.hour() == hour + 1
    assert vault.quota("192.0.2.1", vault.hour(), T)  # type: ignore[arg-type]


def test_heartbeats_end_to_the_millisecond(vault: Vault, clock: Clock) -> None:
    vault.beat("one", "node")
    clock.ms += LIMITS.beats_kept_ms
    assert list(vault.alive()) == ["one"]
    vault.beat("two", "node")
    assert list(vault.alive()) == ["two"], "a beat sweeps what is as old as that"


def test_a_crowd_is_good_for_a_while(vault: Vault, clock: Clock) -> None:
    vault.crowd("one", {T: 3})
    clock.ms += 1_000 * LIMITS.crowd_s
    assert vault.crowds(["one"]) == [{T: 3}]
    clock.ms += 1
    assert vault.crowds(["one"]) == [{}]
