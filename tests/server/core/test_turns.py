"""Turns, their clocks, and clocks that fire late or twice. (Design §5, §10.12, §10.13, §10.19)"""

from __future__ import annotations

import pytest

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.base import PlayerId
from tapete_server.core.commands import DeadlinePassed, Decision, GiveTime, MarkAway, MarkBack, Refusal, Wait
from tests.server.core.conftest import Rig
from tests.server.core.table_driver import TableDriver

TWO_BOXES = "9D 8D TD 7C 6C TC"
"""Box 1: 16. Box 3: 14. Dealer: 20."""


@pytest.fixture
def table(rig: Rig) -> TableDriver:
    """Ana in box 1, Berta in box 3; the cards are dealt, and Ana's hand decides."""
    driver = TableDriver()
    driver.sit("ana", 1)
    driver.sit("berta", 3)
    rig(TWO_BOXES + " 2C 2D 2H 2S 3C 3D")
    driver.bet("ana", 1)
    driver.bet("berta", 3)
    driver.deal()
    return driver


class TestTurns:
    """Boxes play in order, hands in order, a clock for each turn."""

    def test_the_clock_counts_from_the_last_card_that_is_shown(self, table: TableDriver) -> None:
        assert table.table.deadline("turn") == table.now + 6 * 400 + 20_000

    def test_boxes_in_order_with_a_clock_for_each(self, table: TableDriver) -> None:
        turns = []
        while table.turn is not None:
            turns.append((table.turn.box, table.turn.hand))
            table.now += 5_000
            table.act("stand")
            if table.turn is not None:
                assert table.table.deadline("turn") == table.now + 20_000
        assert turns == [(1, 0), (3, 0)]

    def test_hands_in_order(self, rig: Rig) -> None:
        table = TableDriver()
        table.sit("ana", 1)
        rig("8D TD 8C TC 2C 3C")
        table.bet("ana", 1)
        table.deal()
        table.act("split")
        assert table.turn is not None
        assert (table.turn.hand, table.player("ana").stack) == (0, 98_000)
        table.act("stand")
        assert table.turn is not None
        assert table.turn.hand == 1

    def test_out_of_turn(self, table: TableDriver) -> None:
        answer = table.play("berta", c.Act, box=3, hand=0, action="hit")
        assert answer == Refusal("not_your_turn", {"box": 1, "hand": 0})

    def test_no_turn_no_act(self) -> None:
        table = TableDriver()
        table.sit("ana", 1)
        assert table.play("ana", c.Act, box=1, hand=0, action="hit") == Refusal("round_over")

    def test_at_the_end_of_the_clock_it_is_too_late(self, table: TableDriver) -> None:
        table.now = until = table.table.deadline("turn")
        assert table.act("hit") == Refusal("too_late", {"until_at": until})
        table.now -= 1
        answer = table.act("hit")
        assert isinstance(answer, Decision)
        assert answer.not_after_ms == until

    def test_stand_all_stands_in_all_boxes_and_waiting_hands_get_their_card(self, rig: Rig) -> None:
        table = TableDriver()
        table.sit("ana", 1, 2)
        rig("8D 9D TD 8C 7C TC 2C 3C")
        table.bet("ana", 1)
        table.bet("ana", 2)
        table.deal()
        table.act("split")
        table.act("stand_all")
        assert [(closed.box, closed.hand, closed.by) for closed in table.happened(e.HandClosed)] == [
            (1, 0, "player"),
            (1, 1, "player"),
            (2, 0, "player"),
        ]
        assert [(card.box, card.hand) for card in table.happened(e.CardDealt)] == [(1, 1)]
        assert table.table.phase == "settled"


class TestTimeOut:
    """After one time-out the player's remaining hands of the round stand, by the house."""

    def test_remaining_hands_stand(self, rig: Rig) -> None:
        table = TableDriver()
        table.sit("ana", 1, 3)
        table.sit("berta", 2)
        rig("9D 8D 7D TD 7C 6C 8C TC")
        for player, box in (("ana", 1), ("berta", 2), ("ana", 3)):
            table.bet(player, box)
        table.deal()
        table.fire("turn")
        assert [out.player for out in table.happened(e.PlayerTimedOut)] == ["ana"]
        assert [(closed.box, closed.by) for closed in table.happened(e.HandClosed)] == [(1, "house")]
        assert table.turn is not None
        assert table.turn.owner == "berta"
        assert table.table.deadline("turn") == table.now + 20_000
        table.act("stand")
        assert [(closed.box, closed.by) for closed in table.happened(e.HandClosed)] == [(2, "player"), (3, "house")]
        assert table.table.phase == "settled"
        assert table.player("ana").stack < 100_000

    def test_the_next_round_is_the_players_own_again(self, table: TableDriver, rig: Rig) -> None:
        table.fire("turn")
        table.act("stand")
        table.fire("pause")
        rig(TWO_BOXES)
        table.bet("ana", 1)
        table.deal()
        assert table.turn is not None
        assert table.turn.owner == "ana"


class TestDeadlines:
    """Early waits, twice is harmless."""

    def test_early(self, table: TableDriver) -> None:
        at = table.table.deadline("turn")
        table.now = at - 1
        assert table.submit(DeadlinePassed("turn", at)) == Wait(at)

    def test_the_store_may_not_take_it_early(self, table: TableDriver) -> None:
        at = table.table.deadline("turn")
        answer = table.fire("turn")
        assert isinstance(answer, Decision)
        assert answer.not_before_ms == at

    def test_twice(self, table: TableDriver) -> None:
        at = table.table.deadline("turn")
        table.fire("turn")
        again = table.submit(DeadlinePassed("turn", at))
        assert isinstance(again, Decision)
        assert not again.events

    @pytest.mark.parametrize("name", ["deal", "betting", "pause", "hold:ana", "out", "nothing"])
    def test_a_clock_that_does_not_run(self, table: TableDriver, name: str) -> None:
        answer = table.submit(DeadlinePassed(name, 0))
        assert isinstance(answer, Decision)
        assert not answer.events


class TestLateness:
    """More than two seconds late is the house's fault: more time, five times a round, then the round is void."""

    def test_two_seconds_are_in_time(self, table: TableDriver) -> None:
        table.fire("turn", late_ms=2_000)
        assert table.happened(e.PlayerTimedOut)

    @pytest.mark.parametrize(("late_ms", "by_ms"), [(2_001, 2_001), (9_000, 9_000), (600_000, 20_000)])
    def test_the_turn_is_extended_by_what_was_lost(self, table: TableDriver, late_ms: int, by_ms: int) -> None:
        table.fire("turn", late_ms)
        assert table.last == (e.ClockExtended("turn", table.now + by_ms, by_ms),)
        assert isinstance(table.act("hit"), Decision)

    def test_the_betting_clock_too(self) -> None:
        table = TableDriver()
        table.sit("ana", 1)
        table.bet("ana", 1)
        table.fire("betting", 3_000)
        assert table.last == (e.ClockExtended("betting", table.now + 3_000, 3_000),)
        assert isinstance(table.bet("ana", 1, 2000), Decision)

    def test_five_times_then_void(self, table: TableDriver) -> None:
        for _ in range(5):
            table.fire("turn", 5_000)
            assert table.happened(e.ClockExtended)
        table.fire("turn", 5_000)
        assert [voided.why for voided in table.happened(e.RoundVoided)] == ["interrupted"]
        assert [table.player(player).stack for player in ("ana", "berta")] == [100_000, 100_000]
        assert table.table.extensions == 0

    @pytest.mark.parametrize("name", ["deal", "pause"])
    def test_deal_and_pause_are_never_extended(self, name: str) -> None:
        table = TableDriver()
        table.sit("ana", 1)
        table.bet("ana", 1)
        table.ready("ana")
        if name == "pause":
            table.void()
        table.fire(name, 60_000)
        assert not table.happened(e.ClockExtended)
        assert table.table.phase in ("playing", "settled", "betting")

    def test_a_held_box_is_held_longer_and_that_voids_no_round(self, table: TableDriver) -> None:
        berta = table.player("berta")
        table.submit(MarkAway(berta.id, berta.via))
        for _ in range(8):
            table.fire("hold:berta", 3_000)
            assert table.player("berta").held_until_at == table.now + 3_000 == table.table.deadline("hold:berta")
        assert table.table.extensions == 0

    def test_the_time_that_a_dead_node_cost_is_given_back(self, table: TableDriver) -> None:
        until = table.table.deadline("turn")
        table.submit(MarkBack(PlayerId("ana"), "n2.ana", lost_ms=7_000))
        assert table.table.deadline("turn") == until + 7_000
        table.submit(MarkBack(PlayerId("ana"), "n3.ana", lost_ms=900_000))
        assert table.table.deadline("turn") == until + 27_000

    def test_but_only_to_whom_it_cost_it(self, table: TableDriver) -> None:
        until = table.table.deadline("turn")
        table.submit(MarkBack(PlayerId("berta"), "n2.berta", lost_ms=7_000))
        assert table.table.deadline("turn") == until

    def test_or_when_it_is_known_later_to_the_very_turn_that_lost_it(self, table: TableDriver) -> None:
        until = table.table.deadline("turn")
        table.submit(MarkBack(PlayerId("ana"), "n2.ana"))
        for player, turn in (("ana", until - 1), ("berta", until)):
            table.submit(GiveTime(PlayerId(player), turn, 900))
            assert table.table.deadline("turn") == until
        table.submit(GiveTime(PlayerId("ana"), until, 900))
        assert table.table.deadline("turn") == until + 900
        table.submit(GiveTime(PlayerId("ana"), until, 900))
        assert table.table.deadline("turn") == until + 900, "once"


class TestFundsOnTurn:
    """A buy-in on one's turn says anew what is legal."""

    @pytest.fixture
    def poor(self, rig: Rig) -> TableDriver:
        table = TableDriver()
        table.sit("ana", 1, chips=1000)
        table.sit("berta", 2)
        rig("8D 9D TD 8C 7C TC")
        table.bet("ana", 1)
        table.bet("berta", 2)
        table.deal()
        return table

    def test_actions_changed(self, poor: TableDriver) -> None:
        until = poor.table.deadline("turn")
        assert poor.turn is not None
        assert "split" not in poor.turn.legal
        poor.buy_in("ana", 1000)
        assert [change.legal for change in poor.happened(e.ActionsChanged)] == [("hit", "stand", "stand_all", "split")]
        assert poor.table.deadline("turn") == until
        poor.play("ana", c.CashOut, amount=1)
        assert [change.legal for change in poor.happened(e.ActionsChanged)] == [("hit", "stand", "stand_all")]

    def test_refused_without_the_chips(self, poor: TableDriver) -> None:
        answer = poor.act("split")
        assert isinstance(answer, Refusal)
        assert answer.code == "not_enough_chips"

    def test_on_anothers_turn_nothing_is_said(self, poor: TableDriver) -> None:
        poor.buy_in("berta", 1000)
        assert not poor.happened(e.ActionsChanged)
