"""Numbers of commands: a repeat has its first answer; what is older, or of another stay, is stale. (Design §10.9)"""

from __future__ import annotations

import pytest

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_server.core.commands import Decision, Refusal, Repeat
from tests.server.core.table_driver import TableDriver


@pytest.fixture
def table() -> TableDriver:
    driver = TableDriver()
    driver.sit("ana", 1)
    return driver


def cash_out(table: TableDriver, *, stint: int, seq: int, amount: int = 1) -> object:
    return table.send("ana", c.CashOut(id=1, table="mesa", stint=stint, seq=seq, amount=amount), "n1.ana")


class TestRepeats:
    def test_the_last_one_repeated_has_its_first_answer(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        version = table.table.version
        table.buy_in("ana", 5)
        assert table.repeat("ana") == Repeat(version)
        assert table.table.version == version + 1

    def test_the_first_of_all_too(self) -> None:
        table = TableDriver()
        table.play("ana", c.TakeBox, box=1)
        assert table.repeat("ana") == Repeat(2)

    def test_the_same_number_with_other_content_is_stale(self, table: TableDriver) -> None:
        player = table.player("ana")
        cash_out(table, stint=player.stint, seq=player.seq + 1)
        answer = cash_out(table, stint=player.stint, seq=player.seq + 1, amount=2)
        assert answer == Refusal("stale", {"stint": player.stint, "seq": player.seq + 1})

    def test_an_older_number_is_stale(self, table: TableDriver) -> None:
        table.bet("ana", 1)
        player = table.player("ana")
        assert cash_out(table, stint=player.stint, seq=player.seq - 1) == Refusal(
            "stale", {"stint": player.stint, "seq": player.seq}
        )

    def test_numbers_may_leap(self, table: TableDriver) -> None:
        player = table.player("ana")
        assert isinstance(cash_out(table, stint=player.stint, seq=player.seq + 10), Decision)

    def test_a_refusal_is_not_remembered(self, table: TableDriver) -> None:
        player = table.player("ana")
        assert isinstance(cash_out(table, stint=player.stint, seq=player.seq + 1, amount=10**9), Refusal)
        assert isinstance(cash_out(table, stint=player.stint, seq=player.seq + 1), Decision)


class TestStints:
    def test_the_stint_is_the_version_of_arrival(self) -> None:
        table = TableDriver()
        table.sit("berta", 2)
        table.play("ana", c.TakeBox, box=1)
        assert table.player("ana").stint == table.table.version == 4

    def test_another_stay_is_stale(self, table: TableDriver) -> None:
        first = table.player("ana")
        table.play("ana", c.Leave)
        table.sit("ana", 1)
        now = table.player("ana")
        assert now.stint > first.stint
        answer = cash_out(table, stint=first.stint, seq=now.seq + 1)
        assert answer == Refusal("stale", {"stint": now.stint, "seq": now.seq})

    def test_who_is_not_seated_can_only_sit_down_and_leave(self) -> None:
        table = TableDriver()
        assert table.play("ana", c.Ready) == Refusal("not_seated")
        assert table.play("ana", c.Leave) == Repeat(table.table.version)
        assert isinstance(table.play("ana", c.TakeBox, box=1), Decision)

    def test_a_seated_player_does_not_arrive_anew(self, table: TableDriver) -> None:
        seq = table.player("ana").seq + 1
        again = c.TakeBox(id=1, table="mesa", stint=0, seq=seq, box=2)
        answer = table.send("ana", again, "n1.ana")
        assert isinstance(answer, Refusal)
        assert answer.code == "stale"


class TestControl:
    """The newest connection that acts has control."""

    def test_it_moves_with_the_command(self, table: TableDriver) -> None:
        table.play("ana", c.CashOut, amount=1, via="n2.phone")
        assert table.happened(e.PlayerBack) == [e.PlayerBack("ana", "n2.phone")]
        assert table.player("ana").via == "n2.phone"

    def test_not_with_one_that_is_refused(self, table: TableDriver) -> None:
        before = table.table
        assert isinstance(table.play("ana", c.CashOut, amount=10**9, via="n2.phone"), Refusal)
        assert table.table == before
