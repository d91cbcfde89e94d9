"""A store that goes back in time holds what it held then, all of it, and nothing that came after."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from tapete_server.adapters.redis_store import ScriptError, StoreLimits
from tapete_server.ports import Account, Conflict, Done, Totals
from tests.server.store.contract import ANA, T, head, step
from tests.simulation.store.fading import SWEEP_KEYS_MIN, Fading
from tests.simulation.store.moves import TABLES, Moves
from tests.simulation.store.observer import Observer
from tests.simulation.store.sim_store import SimStore
from tests.simulation.store.undo import UNDO_MS_MAX, Undo
from tests.simulation.store.vault import Vault
from tests.simulation.store.wire import PerfectWire

LIMITS = StoreLimits(records_max=4, stream_batches_max=6, ledger_rows_max=3, beats_kept_ms=400, remembered_s=1)
STEPS = 1_200


class Clock:
    def __init__(self) -> None:
        self.ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def vault(clock: Clock) -> Vault:
    return Vault(clock, LIMITS)


def picture(vault: Vault) -> dict[str, Any]:
    """All that is kept; of what fades, what is still seen; without subscriptions, which stand as they stand."""
    seen: dict[str, Any] = {}
    for name, shelf in vars(vault).items():
        if isinstance(shelf, Fading):
            seen[name] = {key: kept for key, kept in shelf._shelf.items() if shelf.get(key) is not None}
        elif isinstance(shelf, dict) and name != "_ears":
            seen[name] = shelf
    return deepcopy(seen)


def test_a_picture_shows_everything(vault: Vault) -> None:
    others = {"_clock_ms", "_undo", "_ears", "_names_given", "_run", "limits", "observers"}
    assert set(picture(vault)) | others == set(vars(vault))


class TestRollBack:
    def test_a_table_is_what_it_was_and_goes_on_from_there(self, vault: Vault, clock: Clock) -> None:
        vault.create(T, head(1), b"blob 1", b"batch 1", True, 0)
        clock.ms += 100
        vault.commit(step(2, deadline_ms=5, record=(1, b"record")))
        kept_ms = clock.ms
        clock.ms += 100
        vault.commit(step(3, record=(2, b"record"), transfer="ana~1", trim_before=3))
        clock.ms += 100
        vault.roll_back(kept_ms)
        assert vault.heads([T]) == {T: (2, head(2))}
        assert vault.batches(T, 0, 0) == [(1, b"batch 1"), (2, b"batch 2 ")]
        assert vault.records(T, 9) == [(1, b"record")]
        assert vault.due(9) == [(T, 5)]
        assert vault.mark_of(T, "ana~1") is None
        assert isinstance(vault.commit(step(4)), Conflict)
        assert isinstance(vault.commit(step(3, "another", record=(2, b"another"))), Done)
        assert vault.records(T, 9)[-1] == (2, b"another")

    def test_a_table_that_was_not_there_or_not_closed(self, vault: Vault, clock: Clock) -> None:
        before_ms = clock.ms
        clock.ms += 1
        vault.create(T, head(1), b"blob", b"batch", True, 0)
        made_ms = clock.ms
        clock.ms += 1
        vault.remove(T, 1, head(1), b"bye", 7)
        vault.roll_back(made_ms)
        assert vault.heads([T]) == {T: (1, head(1))}
        assert vault.totals() == Totals(0, 0, 0)
        vault.roll_back(before_ms)
        assert (vault.heads([T]), vault.listed(), vault.batches(T, 0, 0)) == ({}, [], [])

    def test_money_goes_back_with_its_totals_and_rows(self, vault: Vault, clock: Clock) -> None:
        vault.open_account(ANA, "Ana", 100)
        before, kept_ms = picture(vault), clock.ms
        clock.ms += 1
        vault.top_up(ANA, "command-1", 50, 200)
        vault.start_transfer("ana~1", ANA, T, 120)
        vault.refuse_transfer(T, "ana~1")
        vault.finish_transfer(ANA, "ana~1", "refunded")
        vault.forget_transfer(ANA, "ana~1")
        vault.pay_out("out-1", ANA, T, 5)
        vault.roll_back(kept_ms)
        assert picture(vault) == before
        assert vault.account(ANA) == Account(ANA, "Ana", 100)

    def test_time_does_not_go_back(self, vault: Vault, clock: Clock) -> None:
        vault.remember(ANA, "command-1", "one")
        clock.ms += 999
        kept_ms = clock.ms
        clock.ms += 2
        vault.roll_back(kept_ms)
        assert vault.now_ms() == clock.ms
        assert vault.remembered(ANA, "command-1") is None, "it ended meanwhile"
        clock.ms -= 1
        with pytest.raises(AssertionError, match="go back"):
            vault.now_ms()

    @pytest.mark.parametrize("ago_ms", [-1, UNDO_MS_MAX + 1])
    def test_not_to_what_is_to_come_and_not_too_far(self, vault: Vault, clock: Clock, ago_ms: int) -> None:
        vault.create(T, head(1), b"blob", b"batch", True, 0)
        clock.ms += UNDO_MS_MAX + 1
        vault.commit(step(2))
        with pytest.raises(ValueError, match="2500 ms"):
            vault.roll_back(clock.ms - ago_ms)
        assert vault.heads([T]) == {T: (2, head(2))}
        vault.roll_back(clock.ms - UNDO_MS_MAX)
        assert vault.heads([T]) == {T: (1, head(1))}

    def test_what_is_too_old_to_be_undone_is_forgotten(self, vault: Vault, clock: Clock) -> None:
        vault.create(T, head(1), b"blob", b"batch", True, 0)
        for version in range(2, 200):
            clock.ms += 100
            vault.commit(step(version))
        assert len(vault._undo._changes) < 100

    def test_an_observer_is_told(self, vault: Vault, clock: Clock) -> None:
        told: list[Any] = []

        class Watch(Observer):
            def rolled_back(self, to_ms: int) -> None:
                told.append((to_ms, vault.heads([T])))

        vault.observers.append(Watch())
        before_ms = clock.ms
        clock.ms += 1
        vault.create(T, head(1), b"blob", b"batch", True, 0)
        vault.roll_back(before_ms)
        assert told == [(before_ms, {})]


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_was_done_is_undone(vault: Vault, clock: Clock, seed: int) -> None:
    """Any moves, time going on by any steps; now and then back to any moment, which is as it was."""
    dice = Random(seed)
    store, moves = SimStore(vault, PerfectWire()), Moves(dice)
    await store.start()
    pictures: list[tuple[int, dict[str, Any]]] = []
    back = 0
    for _ in range(STEPS):
        if dice.random() < 0.2:
            pictures.append((clock.ms, picture(vault)))
            clock.ms += dice.choice((1, 1, 20, 200))
        _, call = moves.draw()
        with suppress(ValueError, LookupError, ScriptError):  # as a store may well answer
            await call(store)
        if dice.random() < 0.02:
            to_ms = back_to(vault, dice.choice(pictures[-12:]), pictures)
            back += to_ms is not None
        for table, at in ((table, vault.heads([table]).get(table)) for table in TABLES):
            moves.stands(table, at)
    assert back > 5
    await store.close()


def back_to(vault: Vault, then: tuple[int, dict[str, Any]], pictures: list[tuple[int, dict[str, Any]]]) -> int | None:
    to_ms, before = then
    if vault.now_ms() - to_ms > UNDO_MS_MAX:
        return None
    vault.roll_back(to_ms)
    after = picture(vault)
    for name, kept in before.items():
        assert after[name] == still_seen(vault, name, kept), name
    del pictures[next(at for at, one in enumerate(pictures) if one is then) + 1 :]
    return to_ms


def still_seen(vault: Vault, name: str, kept: dict[Any, Any]) -> dict[Any, Any]:
    """Of what was kept then, what has not ended by now."""
    if not isinstance(getattr(vault, name), Fading):
        return kept
    return {key: entry for key, entry in kept.items() if entry[1] >= vault.now_ms()}


class TestFading:
    def test_ended_keys_do_not_gather(self) -> None:
        undo = Undo()
        shelf: Fading[int, str] = Fading(undo)
        for number in range(10 * SWEEP_KEYS_MIN):
            undo.advance(number * 10)
            shelf.put(number, "kept", 1)
        assert len(shelf._shelf) <= SWEEP_KEYS_MIN + 1
        assert shelf.get(number) == "kept"
        assert shelf.get(number - 100) == "kept"
        assert shelf.get(number - 101) is None
