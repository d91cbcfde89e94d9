"""Boxes, leaving, being away. (Design §5, §10.6, §10.7)"""

from __future__ import annotations

import pytest

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.base import PlayerId
from tapete_server.core.commands import ConfirmOut, Decision, MarkAway, MarkBack, Refusal
from tests.server.core.conftest import Rig
from tests.server.core.table_driver import TableDriver

ANA = PlayerId("ana")


@pytest.fixture
def table() -> TableDriver:
    driver = TableDriver()
    driver.sit("ana", 1)
    driver.sit("berta", 3)
    return driver


def away(table: TableDriver, player: str) -> None:
    table.submit(MarkAway(PlayerId(player), table.player(player).via))


class TestBoxes:
    """A box is a seat; take one, then buy in."""

    def test_a_taken_box_is_refused(self, table: TableDriver) -> None:
        answer = table.play("carla", c.TakeBox, box=1)
        assert answer == Refusal("box_taken", {"box": 1})

    def test_buying_in_needs_a_box(self, table: TableDriver) -> None:
        assert table.buy_in("carla", 1000) == Refusal("buy_in_refused")

    def test_punto_banco_has_one_box_for_a_player(self) -> None:
        table = TableDriver("punto_banco")
        table.sit("ana", 1)
        assert table.play("ana", c.TakeBox, box=2) == Refusal("too_many_boxes", {"max": 1})

    def test_a_box_with_a_stake_is_not_given_back(self, table: TableDriver) -> None:
        table.sit("ana", 2, chips=0)
        table.bet("ana", 2)
        assert table.play("ana", c.FreeBox, box=2) == Refusal("box_in_play", {"box": 2})
        assert isinstance(table.play("ana", c.FreeBox, box=1), Decision)

    def test_the_last_box_takes_the_chips_along(self, table: TableDriver) -> None:
        table.play("ana", c.FreeBox, box=1)
        assert table.table.player("ana") is None
        assert [out.amount for out in table.table.outgoing] == [100_000]


class TestIdleSeats:
    """A seat without a bet for five minutes is freed."""

    def test_five_minutes_without_a_bet(self, table: TableDriver) -> None:
        table.fire("idle:ana")
        assert [freed.why for freed in table.happened(e.BoxFreed)] == ["idle"]
        assert [out.amount for out in table.happened(e.ChipsOut)] == [100_000]

    def test_counted_from_the_last_bet(self, table: TableDriver) -> None:
        table.now += 200_000
        table.bet("ana", 1)
        table.bet("ana", 1, 0)
        last = table.now
        table.fire("idle:ana")
        assert table.table.deadline("idle:ana") == last + 300_000
        table.fire("idle:ana")
        assert table.table.player("ana") is None

    def test_not_while_a_stake_lies(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        table.now = table.table.deadline("idle:ana") - 1
        table.fire("idle:ana")
        assert table.table.player("ana") is not None
        assert table.table.deadline("idle:ana") == table.now + 300_000

    def test_taking_more_boxes_is_no_bet(self, table: TableDriver) -> None:
        until = table.table.deadline("idle:ana")
        table.now += 100_000
        table.sit("ana", 2, chips=0)
        assert table.table.deadline("idle:ana") == until

    def test_who_is_away_is_idle_too(self, table: TableDriver) -> None:
        table.now += 250_000
        away(table, "ana")
        table.fire("idle:ana")
        assert table.table.player("ana") is None
        assert not table.table.deadline("hold:ana")


class TestLeave:
    """Before the close stakes come back and all is cashed out; after it hands stand, and settling does the rest."""

    def test_before_the_close(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        table.play("ana", c.Leave)
        assert [out.amount for out in table.happened(e.ChipsOut)] == [100_000]
        assert not table.table.bets
        assert table.table.boxes == (None, None, "berta", None)

    def test_while_closing(self, table: TableDriver, rig: Rig) -> None:
        rig("9D 8D TD 7C 6C TC")
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.ready("ana")
        table.ready("berta")
        table.play("ana", c.Leave)
        assert table.player("ana").leaving
        table.fire("deal")
        assert [stood.owner for stood in table.happened(e.AllStood)] == ["ana"]
        assert table.turn is not None
        assert table.turn.owner == "berta"
        table.act("stand")
        assert [left.player for left in table.happened(e.PlayerLeft)] == ["ana"]

    def test_on_ones_turn_with_several_boxes(self, table: TableDriver, rig: Rig) -> None:
        rig("9D 8D 7D TD 7C 6C 8C TC")
        table.sit("ana", 2, chips=0)
        for player, box in (("ana", 1), ("ana", 2), ("berta", 3)):
            table.bet(player, box)
        table.deal()
        table.now += 100
        table.play("ana", c.Leave)
        assert [(hand.box, hand.by) for hand in table.happened(e.HandClosed)] == [(1, "house"), (2, "house")]
        assert table.turn is not None
        assert table.turn.box == 3
        assert table.table.deadline("turn") == table.now + 20_000

    def test_on_anothers_turn_the_clock_runs_on(self, table: TableDriver, rig: Rig) -> None:
        rig("9D 8D TD 7C 6C TC")
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.deal()
        until = table.table.deadline("turn")
        table.now += 500
        table.play("berta", c.Leave)
        assert table.table.deadline("turn") == until
        table.now += 500
        table.act("stand")
        assert table.table.phase == "settled"
        assert table.table.boxes == ("ana", None, None, None)

    def test_saying_so_twice_says_nothing_new(self, table: TableDriver, rig: Rig) -> None:
        rig("9D 8D TD 7C 6C TC")
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.deal()
        table.play("berta", c.Leave)
        again = table.play("berta", c.Leave)
        assert isinstance(again, Decision)
        assert not again.events

    def test_who_leaves_takes_no_box_and_buys_no_chips(self, table: TableDriver, rig: Rig) -> None:
        rig("9D 8D TD 7C 6C TC")
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.deal()
        table.play("berta", c.Leave)
        assert table.play("berta", c.TakeBox, box=4) == Refusal("leaving")
        assert table.buy_in("berta", 100) == Refusal("buy_in_refused")

    def test_without_a_stake_while_others_play(self, table: TableDriver, rig: Rig) -> None:
        rig("9D TD 7C TC")
        table.bet("ana", 1)
        table.deal()
        until = table.table.deadline("turn")
        table.play("berta", c.Leave)
        assert table.table.player("berta") is None
        assert table.table.deadline("turn") == until

    def test_cards_of_the_house_and_the_end_come_in_one_batch_with_their_time(
        self, table: TableDriver, rig: Rig
    ) -> None:
        rig("9D 2D 7C 3C 4C 9C")
        table.bet("ana", 1)
        table.deal()
        table.play("ana", c.Leave)
        assert len(table.happened(e.CardDealt)) == 2
        assert table.table.deadline("pause") == table.now + 2 * 400 + 4_000
        assert table.table.player("ana") is None


class TestAway:
    """A dropped player's box and stack are held; then the house plays, frees the box, and the chips go out."""

    def test_held_for_two_minutes(self, table: TableDriver) -> None:
        away(table, "ana")
        assert table.player("ana").away
        assert table.player("ana").held_until_at == table.now + 120_000 == table.table.deadline("hold:ana")
        table.fire("hold:ana")
        assert [freed.why for freed in table.happened(e.BoxFreed)] == ["away"]
        assert [out.amount for out in table.happened(e.ChipsOut)] == [100_000]

    def test_told_twice_it_is_not_held_longer(self, table: TableDriver) -> None:
        via = table.player("ana").via
        until = table.now + 120_000
        for gone in (via, via, ""):
            table.submit(MarkAway(ANA, gone))
            table.now += 1_000
        assert table.player("ana").held_until_at == until

    def test_another_connection_going_means_nothing(self, table: TableDriver) -> None:
        table.submit(MarkAway(ANA, "n1.other"))
        assert not table.player("ana").away

    def test_back_in_time(self, table: TableDriver) -> None:
        away(table, "ana")
        table.submit(MarkBack(ANA, "n2.ana"))
        assert table.player("ana").via == "n2.ana"
        assert not table.table.deadline("hold:ana")
        assert table.player("ana").held_until_at == 0

    @pytest.mark.parametrize("own_turn", [True, False])
    def test_held_no_longer_in_the_middle_of_a_round(self, rig: Rig, own_turn: bool) -> None:
        table = TableDriver(times={"hold_ms": 5_000})
        table.sit("ana", 1)
        table.sit("berta", 3)
        rig("9D 8D TD 7C 6C TC")
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.deal()
        dropped = "ana" if own_turn else "berta"
        away(table, dropped)
        table.fire(f"hold:{dropped}")
        assert table.player(dropped).leaving
        assert table.turn is not None
        assert table.turn.owner == ("berta" if own_turn else "ana")
        table.act("stand")
        assert table.table.phase == "settled"
        assert [freed.why for freed in table.happened(e.BoxFreed)] == ["away"]
        assert not table.table.deadline(f"hold:{dropped}")

    def test_back_after_the_house_took_over_the_player_goes_all_the_same(self, rig: Rig) -> None:
        table = TableDriver(times={"hold_ms": 5_000})
        table.sit("ana", 1)
        table.sit("berta", 3)
        rig("9D 8D TD 7C 6C TC")
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.deal()
        away(table, "ana")
        table.fire("hold:ana")
        table.submit(MarkBack(ANA, "n2.ana"))
        table.act("stand")
        assert [freed.why for freed in table.happened(e.BoxFreed)] == ["left"]

    def test_who_acts_is_there(self, table: TableDriver) -> None:
        away(table, "ana")
        table.bet("ana", 1)
        assert not table.player("ana").away
        assert not table.table.deadline("hold:ana")


class TestCashOut:
    """The stack goes to `outgoing`, a term of the table's equation until the wallet has it."""

    def test_on_its_way_until_confirmed(self, table: TableDriver) -> None:
        table.play("ana", c.CashOut, amount=30_000)
        (out,) = table.table.outgoing
        assert (out.player, out.amount) == ("ana", 30_000)
        assert table.table.chips_out == 0
        table.submit(ConfirmOut(out.transfer))
        assert table.table.chips_out == 30_000
        assert not table.table.deadline("out")

    def test_confirmed_twice_counts_once(self, table: TableDriver) -> None:
        table.play("ana", c.CashOut, amount=30_000)
        transfer = table.table.outgoing[0].transfer
        table.submit(ConfirmOut(transfer))
        table.submit(ConfirmOut(transfer))
        assert table.table.chips_out == 30_000

    def test_looked_at_again_until_it_has_arrived(self, table: TableDriver) -> None:
        table.play("ana", c.CashOut, amount=30_000)
        for _ in range(3):
            table.fire("out", late_ms=60_000)
            assert table.table.deadline("out") == table.now + 5_000

    def test_not_more_than_the_stack(self, table: TableDriver) -> None:
        assert table.play("ana", c.CashOut, amount=100_001) == Refusal(
            "not_enough_in_stack", {"amount": 100_001, "stack": 100_000}
        )
        assert table.play("ana", c.CashOut, amount=0) == Refusal("bad_amount", {"amount": 0})

    def test_sixteen_on_their_way_and_no_more_but_leaving_is_free(self, table: TableDriver) -> None:
        for _ in range(16):
            assert isinstance(table.play("ana", c.CashOut, amount=1), Decision)
        assert table.play("ana", c.CashOut, amount=1) == Refusal("in_flight")
        assert isinstance(table.play("ana", c.Leave), Decision)
