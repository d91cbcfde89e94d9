"""The players' part in the cards: bound by the close, revealed after it, never waited for too long. (Design §6)"""

from __future__ import annotations

import hashlib

import pytest

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.base import PlayerId
from tapete_protocol.fair import entropy_commitment
from tapete_rules.settings import SettingsError
from tapete_server.core.codec import pack_table, unpack_table
from tapete_server.core.commands import Answer, DeadlinePassed, Decision, FromPlayer, MarkAway, MarkBack, Refusal, Wait
from tapete_server.core.games import game_for
from tapete_server.core.reveals import MISSES_MAX
from tests.server.core.table_driver import TableDriver

TIMES = {"closing_ms": 2_000, "pause_ms": 0, "card_ms": 0}


class Felt(TableDriver):
    """A table with reveals. `entropy` is what each player gives, the same in every round."""

    def __init__(self, game: str = "double_exposure") -> None:
        super().__init__(game, times=TIMES, reveals=True)

    def entropy(self, player: str) -> bytes:
        return hashlib.sha256(player.encode()).digest()

    def commitment(self, player: str) -> bytes:
        return entropy_commitment("mesa", self.table.round, player, self.entropy(player))

    def bind(self, player: str, box: int, amount: int = 1000, commitment: bytes | None = None) -> Answer:
        bets = (c.Bet(box, self.game.spots[0], amount),)
        return self.play(player, c.PlaceBets, bets=bets, commitment=commitment or self.commitment(player))

    def reveal(self, player: str, entropy: bytes | None = None, number: int = 0, via: str = "n9.9") -> Answer:
        command = c.Reveal(
            id=1, table="mesa", round=number or self.table.round, entropy=entropy or self.entropy(player)
        )
        return self.submit(FromPlayer(PlayerId(player), player.title(), via, command, b""))

    def close_with(self, *players: str) -> None:
        """Everybody sits, bets and commits, and bets are closed."""
        for box, player in enumerate(players, 1):
            if self.table.player(player) is None:
                self.sit(player, box)
            self.bind(player, box)
        for player in players:
            self.ready(player)
        assert self.table.phase == "closing"

    def cards(self) -> list[str]:
        return [event.card for event in self.events if isinstance(event, e.CardDealt | e.CardBurnt)]

    def finish(self) -> None:
        while self.turn is not None:
            self.act("stand")


def refused(answer: Answer) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.code


@pytest.fixture
def felt() -> Felt:
    return Felt()


class TestCommitment:
    def test_it_comes_with_a_bet_and_stands_in_the_close(self, felt: Felt) -> None:
        felt.close_with("ana", "ben")
        (closed,) = [event for event in felt.events if isinstance(event, e.BettingClosed)]
        assert [(one.player, one.commitment) for one in closed.commitments] == [
            ("ana", felt.commitment("ana")),
            ("ben", felt.commitment("ben")),
        ]

    def test_the_order_is_that_of_the_lowest_boxes(self, felt: Felt) -> None:
        felt.sit("ben", 3, 1)
        felt.sit("ana", 2)
        felt.bind("ana", 2)
        felt.bind("ben", 3)
        felt.bind("ben", 1)
        for player in ("ana", "ben"):
            felt.ready(player)
        (closed,) = felt.happened(e.BettingClosed)
        assert [one.player for one in closed.commitments] == ["ben", "ana"]
        assert [one.box for one in felt.table.contributions] == [1, 2]

    def test_the_last_one_counts_and_the_same_one_says_nothing(self, felt: Felt) -> None:
        felt.sit("ana", 1)
        felt.bind("ana", 1, commitment=b"\x01" * 32)
        assert len(felt.happened(e.EntropyCommitted)) == 1
        felt.bind("ana", 1, 2000, commitment=b"\x01" * 32)
        assert felt.happened(e.EntropyCommitted) == []
        felt.bind("ana", 1, 2000)
        assert felt.happened(e.EntropyCommitted) == [e.EntropyCommitted("ana", felt.commitment("ana"))]

    def test_without_a_bet_it_does_not_count(self, felt: Felt) -> None:
        felt.sit("ana", 1)
        felt.sit("ben", 2)
        felt.bind("ben", 2)
        felt.bind("ben", 2, 0)
        felt.bind("ana", 1)
        felt.ready("ana")
        (closed,) = felt.happened(e.BettingClosed)
        assert [one.player for one in closed.commitments] == ["ana"]

    def test_whoever_leaves_takes_it_along(self, felt: Felt) -> None:
        felt.sit("ana", 1)
        felt.bind("ana", 1)
        felt.play("ana", c.Leave)
        assert felt.table.contributions == ()

    def test_it_is_a_change_of_bets_and_bounded_like_one(self, felt: Felt) -> None:
        felt.sit("ana", 1)
        answers = [felt.bind("ana", 1, commitment=bytes([number]) * 32) for number in range(61)]
        assert refused(answers[-1]) == "too_many_bets"
        assert all(isinstance(answer, Decision) for answer in answers[:-1])

    def test_a_table_without_reveals_takes_none(self) -> None:
        table = TableDriver()
        table.sit("ana", 1)
        answer = table.play("ana", c.PlaceBets, bets=(c.Bet(1, "main", 1000),), commitment=bytes(32))
        assert refused(answer) == "no_reveals"
        assert table.table.bets == ()


class TestWindow:
    def test_it_ends_when_all_reveals_are_in(self, felt: Felt) -> None:
        felt.close_with("ana", "ben")
        closing = felt.table.deadline("closing")
        assert closing == felt.now + 2_000
        felt.reveal("ben")
        assert felt.table.deadline("closing") == closing
        felt.reveal("ana")
        assert felt.table.deadline("closing") == 0
        assert felt.table.deadline("deal") == felt.now
        felt.fire("deal")
        assert felt.happened(e.EntropyClosed) == [e.EntropyClosed(1, ())]
        assert felt.cards()

    def test_what_is_missing_at_its_end_is_said_and_its_commitment_taken(self, felt: Felt) -> None:
        felt.close_with("ana", "ben")
        felt.reveal("ben")
        felt.fire("closing")
        assert felt.happened(e.EntropyClosed) == [e.EntropyClosed(1, ("ana",))]
        assert felt.cards()
        assert [(one.player, one.missing) for one in felt.table.contributions] == [("ana", True), ("ben", False)]

    def test_nobody_is_dealt_to_before_its_end(self, felt: Felt) -> None:
        felt.close_with("ana")
        at = felt.table.deadline("closing")
        assert felt.submit(DeadlinePassed("closing", at)) == Wait(at)
        assert felt.cards() == []

    def test_without_a_commitment_nobody_is_waited_for(self, felt: Felt) -> None:
        felt.sit("ana", 1)
        felt.bet("ana", 1)
        felt.ready("ana")
        assert felt.table.deadline("closing") == 0
        felt.fire("deal")
        assert felt.happened(e.EntropyClosed) == [e.EntropyClosed(1, ())]

    def test_a_late_clock_extends_it_and_never_deals_behind_the_players_backs(self, felt: Felt) -> None:
        felt.close_with("ana")
        felt.fire("closing", late_ms=10_000)
        assert [event.clock for event in felt.happened(e.ClockExtended)] == ["closing"]
        felt.reveal("ana")
        felt.fire("deal")
        assert e.EntropyClosed(1, ()) in felt.last

    def test_a_round_is_void_rather_than_extended_for_ever(self, felt: Felt) -> None:
        felt.close_with("ana")
        for _ in range(6):
            felt.fire("closing", late_ms=10_000)
        assert len(felt.happened(e.RoundVoided)) == 1

    def test_three_misses_in_a_row_and_nobody_waits_any_more(self, felt: Felt) -> None:
        felt.sit("ana", 1)
        for _ in range(MISSES_MAX):
            felt.bind("ana", 1)
            felt.ready("ana")
            felt.fire("closing")
            felt.finish()
        felt.bind("ana", 1)
        felt.ready("ana")
        assert felt.table.deadline("closing") == 0
        assert isinstance(felt.reveal("ana"), Decision), "one that comes all the same is taken"
        felt.fire("deal")
        assert e.EntropyClosed(MISSES_MAX + 1, ()) in felt.last
        assert felt.player("ana").misses == 0

    def test_who_comes_back_is_waited_for_again(self, felt: Felt) -> None:
        felt.sit("ana", 1)
        for _ in range(MISSES_MAX):
            felt.bind("ana", 1)
            felt.ready("ana")
            felt.fire("closing")
            felt.finish()
        felt.submit(MarkAway(PlayerId("ana"), felt.player("ana").via))
        felt.submit(MarkBack(PlayerId("ana"), "n2.1"))
        felt.bind("ana", 1)
        felt.ready("ana")
        assert felt.table.deadline("closing")


class TestReveal:
    def test_it_takes_no_control_and_no_number(self, felt: Felt) -> None:
        felt.close_with("ana")
        before = felt.player("ana")
        felt.reveal("ana", via="n7.7")
        after = felt.player("ana")
        assert (after.via, after.seq) == (before.via, before.seq)

    def test_the_same_again_changes_nothing(self, felt: Felt) -> None:
        felt.close_with("ana", "ben")
        felt.reveal("ana")
        version = felt.table.version
        answer = felt.reveal("ana")
        assert isinstance(answer, Decision)
        assert answer.events == ()
        assert felt.table.version == version
        felt.reveal("ben")
        felt.fire("deal")
        again = felt.reveal("ana")
        assert isinstance(again, Decision)
        assert again.events == ()

    def test_refusals(self, felt: Felt) -> None:
        assert refused(felt.reveal("ana")) == "not_seated"
        felt.sit("ana", 1)
        felt.sit("ben", 2)
        felt.sit("carla", 3)
        felt.bind("ana", 1)
        assert refused(felt.reveal("ana")) == "reveal_too_early"
        felt.bind("ben", 2)
        for player in ("ana", "ben"):
            felt.ready(player)
        assert refused(felt.reveal("ana", b"\x00" * 32)) == "reveal_mismatch"
        assert refused(felt.reveal("ben", felt.entropy("ana"))) == "reveal_mismatch"
        assert refused(felt.reveal("carla")) == "nothing_committed"
        assert refused(felt.reveal("ana", number=2)) == "reveal_too_early"
        felt.now = felt.table.deadline("closing")
        assert refused(felt.reveal("ana")) == "reveal_too_late"
        felt.fire("closing")
        assert refused(felt.reveal("ana")) == "reveal_too_late"
        felt.finish()
        assert refused(felt.reveal("ana", number=1)) == "reveal_too_late"

    def test_somebody_elses_commitment_is_no_use(self, felt: Felt) -> None:
        """Bound to table, round and player: a copy cannot be opened, by nobody."""
        felt.sit("ana", 1)
        felt.sit("ben", 2)
        felt.bind("ana", 1)
        felt.bind("ben", 2, commitment=felt.commitment("ana"))
        for player in ("ana", "ben"):
            felt.ready(player)
        felt.reveal("ana")
        assert refused(felt.reveal("ben", felt.entropy("ana"))) == "reveal_mismatch"

    def test_a_table_without_reveals_takes_none(self) -> None:
        table = TableDriver()
        table.sit("ana", 1)
        command = c.Reveal(id=1, table="mesa", round=1, entropy=bytes(32))
        assert refused(table.submit(FromPlayer(PlayerId("ana"), "Ana", "n1", command, b""))) == "no_reveals"


class TestCards:
    @pytest.mark.parametrize("game", ["double_exposure", "punto_banco"])
    def test_each_set_of_reveals_has_other_cards_and_their_order_makes_no_difference(self, game: str) -> None:
        dealt = {}
        for name, given in {
            "none": (),
            "ana": ("ana",),
            "ben": ("ben",),
            "ab": ("ana", "ben"),
            "ba": ("ben", "ana"),
        }.items():
            felt = Felt(game)
            felt.close_with("ana", "ben")
            for player in given:
                felt.reveal(player)
            felt.fire("closing" if len(given) < 2 else "deal")
            dealt[name] = tuple(felt.cards())
        assert dealt["ab"] == dealt["ba"]
        assert len(set(dealt.values())) == 4

    def test_whoever_takes_over_deals_the_same_cards(self, felt: Felt) -> None:
        """From the state alone, with other dice, later."""
        felt.close_with("ana", "ben")
        felt.reveal("ana")
        felt.reveal("ben")
        copy = Felt()
        copy.table, copy.key, copy.now = unpack_table(pack_table(felt.table)), felt.key, felt.now + 1_000
        copy.events, copy._dice = [], 10_000
        for table in (felt, copy):
            table.fire("deal")
            while table.turn is not None:
                table.act("hit" if "hit" in table.turn.legal else "stand")
        assert felt.cards() == copy.cards()

    def test_a_void_round_publishes_its_secret_all_the_same(self, felt: Felt) -> None:
        felt.close_with("ana")
        commitment = felt.table.commitment
        felt.void()
        (void,) = felt.happened(e.RoundVoided)
        assert hashlib.sha256(void.secret).digest() == commitment
        assert felt.table.contributions == ()
        assert felt.table.deadline("closing") == 0


class TestSettings:
    @pytest.mark.parametrize("game", ["double_exposure", "punto_banco"])
    def test_absent_is_the_first_release(self, game: str) -> None:
        assert game_for(f'{{"game":"{game}"}}').reveals is False
        assert game_for(f'{{"game":"{game}","reveals":true}}').reveals is True

    @pytest.mark.parametrize("closing_ms", [0, 99, 2_001, 60_000])
    def test_the_window_is_neither_too_short_nor_too_long(self, closing_ms: int) -> None:
        with pytest.raises(SettingsError, match=r"times\.closing_ms"):
            game_for(f'{{"game":"punto_banco","reveals":true,"times":{{"closing_ms":{closing_ms}}}}}')
        assert (
            game_for(f'{{"game":"punto_banco","times":{{"closing_ms":{closing_ms}}}}}').times.closing_ms == closing_ms
        )

    def test_it_is_true_or_false(self) -> None:
        with pytest.raises(SettingsError, match="reveals"):
            game_for('{"game":"punto_banco","reveals":1}')
