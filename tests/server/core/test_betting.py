"""Bets and the betting clock. (Design §5, §10.16, §10.19)"""

from __future__ import annotations

import pytest

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_server.core.commands import ConfirmOut, Decision, MarkAway, Refusal
from tapete_server.core.state import Bet
from tests.server.core.table_driver import ZERO, TableDriver


def refused(answer: object, code: str) -> bool:
    return isinstance(answer, Refusal) and answer.code == code


@pytest.fixture
def table() -> TableDriver:
    driver = TableDriver()
    driver.sit("ana", 1, 2)
    driver.sit("berta", 3)
    return driver


class TestBettingClock:
    """It starts with the first stake and nothing restarts it; it ends early when all with a stake are ready."""

    def test_it_starts_with_the_first_stake_and_nothing_restarts_it(self, table: TableDriver) -> None:
        assert not table.table.deadline("betting")
        table.bet("ana", 1)
        until = table.now + 15_000
        for player, box, amount in (("berta", 3, 1000), ("ana", 1, 2000), ("ana", 1, 0)):
            table.now += 1_000
            table.bet(player, box, amount)
            assert table.table.deadline("betting") == until

    def test_at_its_end_the_bets_are_closed_in_one_event(self, table: TableDriver) -> None:
        table.bet("berta", 3)
        table.bet("ana", 1)
        table.bet("ana", 1, 500, "sevens")
        table.fire("betting")
        assert isinstance(table.last[-1], e.BettingClosed)
        ana = e.BoxBets(1, "ana", (e.StakeOf("main", 1000), e.StakeOf("sevens", 500)))
        assert table.last[-1].bets == (ana, e.BoxBets(3, "berta", (e.StakeOf("main", 1000),)))
        assert table.table.phase == "closing"
        assert table.table.close_head == table.table.head

    def test_it_ends_early_when_all_with_a_stake_are_ready(self, table: TableDriver) -> None:
        table.sit("carla", 4)
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.ready("ana")
        assert table.table.phase == "betting"
        table.ready("berta")
        assert table.table.phase == "closing"
        assert not table.table.deadline("betting")

    def test_who_is_away_counts_as_ready(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.ready("ana")
        table.submit(MarkAway(table.player("berta").id, table.player("berta").via))
        assert table.table.phase == "closing"

    def test_it_ends_when_the_last_one_who_was_not_ready_takes_all_back(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.ready("ana")
        table.bet("berta", 3, 0)
        assert table.table.phase == "closing"

    def test_it_ends_when_the_last_one_who_was_not_ready_leaves(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.ready("ana")
        table.play("berta", c.Leave)
        assert table.table.phase == "closing"

    @pytest.mark.parametrize("leave", [True, False])
    def test_nothing_staked_it_vanishes(self, table: TableDriver, leave: bool) -> None:
        table.bet("berta", 3)
        table.play("berta", c.Leave) if leave else table.bet("berta", 3, 0)
        assert not table.table.deadline("betting")
        assert table.table.phase == "betting"

    def test_without_time_only_ready_starts_a_round(self) -> None:
        table = TableDriver(times=ZERO)
        table.sit("ana", 1)
        table.bet("ana", 1)
        assert not table.table.deadline("betting")
        table.ready("ana")
        assert table.table.phase == "closing"

    def test_a_bet_at_the_close_is_too_late_whatever_was_fired(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        table.now = table.table.deadline("betting")
        assert refused(table.bet("berta", 3), "betting_closed")
        assert refused(table.ready("ana"), "betting_closed")

    def test_the_store_may_not_take_a_bet_after_the_close(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        answer = table.bet("berta", 3)
        assert isinstance(answer, Decision)
        assert answer.not_after_ms == table.table.deadline("betting")


class TestPlaceBets:
    """All or nothing, absolute amounts; main 0 takes the bonuses along; a change clears ready."""

    def test_amounts_are_absolute(self, table: TableDriver) -> None:
        for amount in (1000, 3000, 2000):
            table.bet("ana", 1, amount)
        assert table.table.bets == (Bet(1, "main", 2000),)
        assert table.player("ana").stack == 98_000

    def test_the_same_amounts_again_change_nothing(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        answer = table.bet("ana", 1)
        assert isinstance(answer, Decision)
        assert not answer.events

    @pytest.mark.parametrize(
        ("bad", "code"),
        [
            (c.Bet(2, "main", 50), "bet_below_minimum"),
            (c.Bet(2, "main", 10**9), "bet_above_maximum"),
            (c.Bet(2, "sevens", 500), "bonus_without_main"),
            (c.Bet(2, "nowhere", 500), "unknown_spot"),
            (c.Bet(3, "main", 1000), "not_your_box"),
            (c.Bet(4, "main", 1000), "not_your_box"),
            (c.Bet(2, "main", -1000), "bad_amount"),
        ],
    )
    def test_one_bad_bet_refuses_all(self, table: TableDriver, bad: c.Bet, code: str) -> None:
        assert refused(table.play("ana", c.PlaceBets, bets=(c.Bet(1, "main", 1000), bad)), code)
        assert not table.table.bets

    def test_more_than_the_stack_is_refused_as_a_whole(self) -> None:
        table = TableDriver()
        table.sit("ana", 1, 2, chips=1500)
        both = (c.Bet(1, "main", 1000), c.Bet(2, "main", 1000))
        assert refused(table.play("ana", c.PlaceBets, bets=both), "not_enough_in_stack")
        assert not table.table.bets

    def test_chips_move_from_one_box_to_another_in_one_command(self) -> None:
        table = TableDriver()
        table.sit("ana", 1, 2, chips=1000)
        table.bet("ana", 1)
        moved = (c.Bet(1, "main", 0), c.Bet(2, "main", 1000))
        assert isinstance(table.play("ana", c.PlaceBets, bets=moved), Decision)
        assert table.table.bets == (Bet(2, "main", 1000),)

    def test_main_0_takes_the_bonuses_along(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        table.bet("ana", 1, 500, "sevens")
        table.bet("ana", 1, 0)
        assert not table.table.bets
        assert table.player("ana").stack == 100_000

    def test_main_0_with_a_bonus_named_beside_it_is_a_bonus_without_main(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        both = (c.Bet(1, "main", 0), c.Bet(1, "sevens", 500))
        assert refused(table.play("ana", c.PlaceBets, bets=both), "bonus_without_main")
        assert table.table.bets == (Bet(1, "main", 1000),)

    def test_a_change_clears_ready(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        table.bet("berta", 3)
        table.ready("ana")
        table.bet("ana", 1, 2000)
        assert not table.player("ana").ready
        table.ready("berta")
        assert table.table.phase == "betting"

    def test_ready_needs_a_stake(self, table: TableDriver) -> None:
        assert refused(table.ready("ana"), "nothing_staked")


class TestBoundedRounds:
    """At most 60 bet commands of a player in a round; without stakes a round is opened anew after 512 batches."""

    def test_sixty_bet_commands(self, table: TableDriver) -> None:
        table.bet("berta", 3)
        for number in range(60):
            assert isinstance(table.bet("ana", 1, 1000 + number % 2 * 100), Decision)
        assert refused(table.bet("ana", 1, 5000), "too_many_bets")
        assert isinstance(table.bet("berta", 3, 2000), Decision)
        assert isinstance(table.ready("ana"), Decision)
        assert refused(table.ready("ana", ready=False), "too_many_bets")

    def test_to_be_ready_and_not_is_a_bet_command_too(self, table: TableDriver) -> None:
        table.bet("berta", 3)
        table.bet("ana", 1)
        answers = [table.ready("ana", ready=not number % 2) for number in range(80)]
        assert sum(isinstance(answer, Decision) and bool(answer.events) for answer in answers) <= 61

    def test_a_new_round_counts_anew(self, table: TableDriver) -> None:
        for number in range(60):
            table.bet("ana", 1, 1000 + number % 2 * 100)
        table.void()
        table.fire("pause")
        assert isinstance(table.bet("ana", 1), Decision)

    def test_after_512_batches_without_a_stake_the_round_is_opened_anew(self, table: TableDriver) -> None:
        opened, first = table.table.opened_version, table.table.round
        while table.table.round == first:
            assert table.table.version - opened < 512
            table.play("ana", c.CashOut, amount=1)
            for out in table.table.outgoing:
                table.submit(ConfirmOut(out.transfer))
        assert table.table.opened_version - opened == 512
        assert table.table.phase == "betting"
        assert [event.why for event in table.events if isinstance(event, e.RoundVoided)] == ["idle"]

    def test_with_a_stake_it_goes_on(self, table: TableDriver) -> None:
        table.bet("berta", 3)
        for _ in range(260):
            table.play("ana", c.CashOut, amount=1)
            table.submit(ConfirmOut(table.table.outgoing[0].transfer))
        assert table.table.round == 1
