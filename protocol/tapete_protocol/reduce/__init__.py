"""What a client does with events: `reduce(view, event)` is the view after it, equal to what a snapshot would show then.

Pure, and without any rule of a game: totals, outcomes and legal actions come with the events.
"""

from __future__ import annotations

from collections.abc import Iterable

from tapete_protocol.events import Event
from tapete_protocol.reduce.felt import FELT_STEPS
from tapete_protocol.reduce.players import Step
from tapete_protocol.reduce.table import TABLE_STEPS
from tapete_protocol.view import TableView

STEPS: dict[type[Event], Step] = {**FELT_STEPS, **TABLE_STEPS}


def reduce(view: TableView, event: Event) -> TableView:
    """The view after one event."""
    return STEPS[type(event)](view, event)


def reduce_all(view: TableView, events: Iterable[Event]) -> TableView:
    """The view after a batch's events."""
    for event in events:
        view = reduce(view, event)
    return view
