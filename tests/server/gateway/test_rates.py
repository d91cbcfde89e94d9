"""Token buckets."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tapete_server.gateway.rates import Accounts, Bucket, Rate, full, take

RATE = Rate(per_s=10, burst=3)


def test_a_burst_then_one_at_a_time() -> None:
    bucket = full(RATE, 100.0)
    for _ in range(3):
        bucket, wait_ms = take(bucket, RATE, 100.0)
        assert wait_ms == 0
    bucket, wait_ms = take(bucket, RATE, 100.0)
    assert wait_ms == 100
    _, wait_ms = take(bucket, RATE, 100.101)
    assert wait_ms == 0


def test_a_clock_that_steps_back_gives_nothing() -> None:
    assert take(Bucket(0, 100.0), RATE, 50.0)[1] > 0


@settings(deadline=None)
@given(st.lists(st.floats(min_value=0, max_value=2), max_size=80))
def test_never_more_than_burst_and_rate_allow(pauses: list[float]) -> None:
    now, bucket, granted = 0.0, full(RATE, 0.0), 0
    for pause in pauses:
        now += pause
        bucket, wait_ms = take(bucket, RATE, now)
        granted += wait_ms == 0
    assert granted <= RATE.burst + now * RATE.per_s + 1e-6


@settings(deadline=None)
@given(st.floats(min_value=0, max_value=0.99), st.floats(min_value=0.1, max_value=100))
def test_who_waits_as_told_is_let_in(tokens: float, per_s: float) -> None:
    rate = Rate(per_s, 5)
    bucket, wait_ms = take(Bucket(tokens, 10.0), rate, 10.0)
    assert wait_ms > 0
    assert take(bucket, rate, 10.0 + wait_ms / 1000 + 1e-6)[1] == 0


def test_accounts_are_forgotten_when_full_again_and_not_before() -> None:
    accounts = Accounts(RATE)
    for _ in range(3):
        assert accounts.take("ada", 1.0) == 0
    assert accounts.take("ada", 1.0) > 0
    assert accounts.take("bob", 1.0) == 0
    accounts.forget_full(1.1)
    assert len(accounts) == 1
    accounts.forget_full(2.0)
    assert len(accounts) == 0
