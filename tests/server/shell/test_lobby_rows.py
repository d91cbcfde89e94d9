"""A table's line in the lobby is the table as it stands: cards, stakes, whose turn it is, and until when."""

from __future__ import annotations

from tapete_protocol.frames import LobbyBox
from tapete_server.shell.lobby import row_of
from tests.server.core.table_driver import TableDriver

TIMES = {"betting_ms": 9_000, "closing_ms": 0, "turn_ms": 7_000, "pause_ms": 1_000, "card_ms": 0}


def in_play() -> TableDriver:
    """A table where somebody has to decide, however many rounds that takes."""
    table = TableDriver("double_exposure", TIMES, bonus_max=0, reveals=False)
    table.sit("ana", 2)
    while table.turn is None:
        if table.table.phase == "settled":
            table.fire("pause")
        table.bet("ana", 2)
        table.ready("ana")
        if table.table.phase == "closing":
            table.fire("deal")
    return table


def test_stakes_are_shown_while_bets_are_taken() -> None:
    table = TableDriver("double_exposure", TIMES)
    table.sit("ana", 2)
    table.sit("ben", 4)
    table.bet("ana", 2, 1_500)
    shown = row_of(table.table).shown
    assert shown is not None
    assert shown.boxes == (LobbyBox(2, "Ana", 1_500), LobbyBox(4, "Ben"))
    assert (shown.dealer, shown.turn, shown.until_at) == ((), None, table.table.deadline("betting"))
    assert shown.until_at


def test_cards_and_the_turn_are_shown_in_play() -> None:
    table = in_play()
    shown = row_of(table.table).shown
    assert shown is not None
    (box,) = shown.boxes
    assert (len(box.cards), len(shown.dealer), box.staked) == (2, 2, 1_000)
    assert (shown.turn, shown.until_at) == (2, table.table.deadline("turn"))


def test_the_last_rounds_cards_are_gone_when_bets_are_taken_again() -> None:
    table = in_play()
    table.act("stand_all")
    settled = row_of(table.table).shown
    assert settled is not None
    assert (settled.turn, settled.until_at, len(settled.boxes[0].cards)) == (None, None, 2)
    table.fire("pause")
    shown = row_of(table.table).shown
    assert shown is not None
    assert (shown.boxes, shown.dealer) == ((LobbyBox(2, "Ana"),), ())


def test_at_punto_banco_there_is_nothing_but_stakes() -> None:
    table = TableDriver("punto_banco", TIMES)
    table.sit("ana", 1)
    table.bet("ana", 1, 500)
    shown = row_of(table.table).shown
    assert shown is not None
    assert shown.boxes == (LobbyBox(1, "Ana", 500),)
