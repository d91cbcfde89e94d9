"""Exact advice: one at a time, a rest after each, and nothing for the same question again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from tapete_odds import seats, shelf
from tapete_odds.advice import Advice as Judged
from tapete_odds.advice import Position
from tapete_protocol.commands import AskAdvice
from tapete_protocol.frames import Advice
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_server.core.commands import Refusal
from tapete_server.core.state import Table
from tapete_server.shell.adviser import Adviser
from tests.server.core.table_driver import TableDriver

TIMES = {"betting_ms": 9_000, "closing_ms": 0, "turn_ms": 7_000, "pause_ms": 0, "card_ms": 0}


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[Position]:
    """What was worked out by the cards; the figures are the chart's, which is quicker."""
    asked: list[Position] = []

    def by_composition(settings: DoubleExposureSettings, position: Position, _: Sequence[str]) -> Judged:
        asked.append(position)
        return seats.by_chart(settings, shelf.odds_of(DoubleExposureSettings()), position)

    monkeypatch.setattr(seats, "by_composition", by_composition)
    monkeypatch.setattr(shelf, "can_work_out", lambda: True)
    return asked


def deciding(**limits: Any) -> Table:
    """A table at which somebody decides; by these settings."""
    table = TableDriver("double_exposure", TIMES, bonus_max=0, reveals=False, **limits)
    table.sit("ana", 1)
    while table.turn is None:
        if table.table.phase == "settled":
            table.fire("pause")
        table.bet("ana", 1)
        table.ready("ana")
        if table.table.phase == "closing":
            table.fire("deal")
    return table.table


async def ask(adviser: Adviser, table: Table) -> Advice | Refusal:
    return await adviser.advise(table, "ana", AskAdvice(id=1, table=table.id, exact=True))


async def test_the_same_question_costs_nothing_and_another_one_has_to_wait(
    worked_out: list[Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapete_server.shell.adviser.REST_RATIO", 1e9)
    adviser, table = Adviser(), deciding()
    first = await ask(adviser, table)
    assert isinstance(first, Advice)
    assert await ask(adviser, table) == first
    other = deciding(decks=2)
    assert await ask(adviser, other) == Refusal("busy")
    assert await ask(Adviser(), other) != Refusal("busy")
    assert len(worked_out) == 2


async def test_tables_with_other_limits_are_the_same_question(worked_out: list[Position]) -> None:
    """Nobody makes a node work by opening tables that differ in nothing that matters."""
    adviser = Adviser()
    table, richer = deciding(), deciding(main_max=60_000)
    same = replace(richer, play=table.play)
    assert isinstance(await ask(adviser, table), Advice)
    assert isinstance(await ask(adviser, same), Advice)
    assert len(worked_out) == 1
