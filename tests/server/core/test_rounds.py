"""The life of a round and of a table: the fair deal, voids, settings, frozen and closed. (Design §5, §6, §10)"""

from __future__ import annotations

import hashlib
import json

import pytest

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_server.core.codec import UnreadableTable, pack_table, unpack_table
from tapete_server.core.commands import (
    Close,
    ConfirmOut,
    DeadlinePassed,
    Decision,
    Dice,
    Freeze,
    QueueSettings,
    Refusal,
    Repeat,
    VoidRound,
)
from tapete_server.core.decide import decide
from tapete_server.core.state import Table
from tests.server.core.conftest import Rig
from tests.server.core.table_driver import TableDriver

GAMES = ("double_exposure", "punto_banco")


def closed_table(game: str, key: bytes = b"k" * 32) -> TableDriver:
    table = TableDriver(game, key=key)
    table.sit("ana", 1)
    table.bet("ana", 1)
    table.ready("ana")
    return table


def cards(events: tuple[e.Event, ...]) -> list[str]:
    return [event.card for event in events if isinstance(event, e.CardDealt | e.CardBurnt)]


def deal(table: Table, key: bytes, now: int, fresh: bytes) -> tuple[e.Event, ...]:
    answer = decide(table, DeadlinePassed("deal", table.deadline("deal")), now, Dice(key, fresh))
    assert isinstance(answer, Decision)
    return answer.events


class TestFairDeal:
    """A round's cards are fixed by its secret and the head after the close, whichever node deals and whenever."""

    @pytest.mark.parametrize("game", GAMES)
    def test_any_node_deals_the_same_cards(self, game: str) -> None:
        table = closed_table(game)
        copy = unpack_table(pack_table(table.table))
        one = deal(table.table, table.key, table.now, bytes(32))
        two = deal(copy, table.key, table.now + 1_500, b"\xff" * 32)
        assert cards(one) == cards(two)
        assert len(cards(one)) >= 4

    @pytest.mark.parametrize("game", GAMES)
    def test_another_key_other_cards(self, game: str) -> None:
        table = closed_table(game)
        other = deal(table.table, b"o" * 32, table.now, bytes(32))
        assert cards(other) != cards(deal(table.table, table.key, table.now, bytes(32)))

    def test_another_head_after_the_close_other_cards(self) -> None:
        one, two = closed_table("double_exposure"), TableDriver("double_exposure")
        two.sit("ana", 1, chips=100_001)
        two.bet("ana", 1)
        two.ready("ana")
        assert one.table.nonce == two.table.nonce
        assert cards(deal(one.table, one.key, one.now, bytes(32))) != cards(
            deal(two.table, two.key, two.now, bytes(32))
        )

    def test_cards_go_on_where_the_words_stand(self) -> None:
        """A hand that is dealt over several commits has the very cards of one that a copied state deals on."""
        table = closed_table("double_exposure")
        table.fire("deal")
        while table.turn is not None:
            copy = unpack_table(pack_table(table.table))
            assert copy.words == table.table.words
            table.act("hit" if "hit" in table.turn.legal else "stand")
        words = [event.word for event in table.events if isinstance(event, e.CardDealt)]
        assert words == sorted(set(words))

    @pytest.mark.parametrize("game", GAMES)
    @pytest.mark.parametrize("end", ["settled", "void while betting", "void while closing", "void after the deal"])
    def test_the_secret_is_published_and_is_what_the_commitment_promised(self, game: str, end: str) -> None:
        table = TableDriver(game)
        table.sit("ana", 1)
        commitment = table.table.commitment
        table.bet("ana", 1)
        if end != "void while betting":
            table.ready("ana")
        if end in ("settled", "void after the deal"):
            table.fire("deal")
        if end == "settled":
            while table.turn is not None:
                table.act("stand")
        elif table.table.round == 1:
            table.void()
        (revealed,) = [event for event in table.events if isinstance(event, e.RoundSettled | e.RoundVoided)]
        assert hashlib.sha256(revealed.secret).digest() == commitment
        assert table.table.round == 2
        assert len(table.table.commitment) == 32
        assert table.table.commitment != commitment


class TestVoid:
    """Every stake goes back, in every phase; the next number is the next round's."""

    def test_with_doubles_and_splits(self, rig: Rig) -> None:
        table = TableDriver()
        table.sit("ana", 1)
        rig("8D TD 8C TC 3C 2C 5C")
        table.bet("ana", 1)
        table.deal()
        table.act("split")
        table.act("double")
        assert table.player("ana").stack == 97_000
        table.void()
        assert table.player("ana").stack == 100_000
        assert not table.table.staked
        assert (table.table.round, table.table.phase) == (2, "settled")
        assert [name for name, _ in table.table.deadlines] == ["idle:ana", "pause"]

    def test_who_was_leaving_goes(self) -> None:
        table = closed_table("double_exposure")
        table.play("ana", c.Leave)
        table.void()
        assert [out.amount for out in table.happened(e.ChipsOut)] == [100_000]
        assert table.table.boxes == (None,) * 4

    def test_in_the_pause_the_coming_round_is_void(self) -> None:
        table = closed_table("double_exposure")
        table.void()
        assert table.table.deadline("pause")
        table.void()
        assert (table.table.round, table.table.phase) == (3, "betting")

    def test_another_opening_of_that_round_is_not_meant(self) -> None:
        table = closed_table("double_exposure")
        answer = table.submit(VoidRound(1, b"?" * 16, "lost"))
        assert isinstance(answer, Decision)
        assert not answer.events

    def test_the_shoe_of_punto_banco_goes_on(self) -> None:
        table = closed_table("punto_banco")
        table.fire("deal")
        left = len(table.table.play.shoe)
        table.fire("pause")
        table.bet("ana", 1)
        table.void()
        assert len(table.table.play.shoe) == left < 8 * 52


class TestPuntoBancoRound:
    """A coup's cards and settlement are one batch, which opens the next round as well. (Design §10.18)"""

    def test_one_batch(self) -> None:
        table = closed_table("punto_banco")
        table.fire("deal")
        kinds = [type(event).__name__ for event in table.last]
        assert [kind for kind in kinds if kind in ("ShoeOpened", "CoupDecided", "BoxSettled", "RoundSettled")] == [
            "ShoeOpened",
            "CoupDecided",
            "BoxSettled",
            "RoundSettled",
        ]
        assert table.happened(e.RoundOpened)[0].round == 2
        shown = len(cards(table.last)) * 400
        assert table.table.deadline("pause") == table.now + shown + 4_000

    def test_who_left_while_closing_goes_with_the_return(self) -> None:
        table = closed_table("punto_banco")
        table.play("ana", c.Leave)
        table.fire("deal")
        returned = table.happened(e.BoxSettled)[0].returned
        assert [out.amount for out in table.happened(e.ChipsOut)] == [99_000 + returned]


class TestSettings:
    """They change between rounds only, and never to what would stop the table."""

    def test_from_the_next_round_on(self) -> None:
        table = closed_table("double_exposure")
        settings = json.dumps({"game": "double_exposure", "main_min": 700, "times": {"pause_ms": 0}})
        table.submit(QueueSettings(settings))
        assert table.table.settings != settings
        table.void()
        assert table.happened(e.SettingsChanged) == [e.SettingsChanged(settings)]
        assert (table.table.settings, table.table.queued_settings) == (settings, "")
        table.fire("pause")
        assert table.bet("ana", 1, 600) == Refusal(
            "bet_below_minimum", {"box": 1, "spot": "main", "amount": 600, "minimum": 700}
        )

    @pytest.mark.parametrize("settings", ["{", "[]", '{"game": "faro"}', '{"game": "punto_banco"}', '{"decks": 3}'])
    def test_what_cannot_be_is_refused_when_it_is_queued(self, settings: str) -> None:
        table = TableDriver()
        answer = table.submit(QueueSettings(settings))
        assert isinstance(answer, Refusal)
        assert answer.code == "bad_settings"
        assert not table.table.queued_settings


class TestFrozen:
    """Nothing moves until an operator looks; stakes stay where they are."""

    def test_everything_is_refused(self) -> None:
        table = closed_table("double_exposure")
        table.submit(Freeze("chips do not add up"))
        frozen = Refusal("table_frozen", {"incident": "chips do not add up"})
        assert table.play("ana", c.Leave) == frozen
        assert table.buy_in("ana", 100) == frozen
        assert table.void() == frozen
        assert table.submit(Freeze("again")) == frozen
        assert not table.table.deadlines
        assert table.table.staked

    def test_but_a_cash_out_may_arrive(self) -> None:
        table = closed_table("double_exposure")
        table.play("ana", c.CashOut, amount=5)
        table.submit(Freeze("?"))
        table.submit(ConfirmOut(table.table.outgoing[0].transfer))
        assert not table.table.outgoing


class TestClose:
    """Only by whoever opened it, and only where nobody has chips."""

    def test_not_with_chips(self) -> None:
        table = TableDriver()
        table.sit("ana", 1)
        assert table.submit(Close("house")) == Refusal("chips_on_table")
        table.play("ana", c.Leave)
        assert table.submit(Close("house")) == Refusal("chips_on_table")
        table.submit(ConfirmOut(table.table.outgoing[0].transfer))
        assert isinstance(table.submit(Close("house")), Decision)
        assert table.table.closed

    def test_not_by_others(self) -> None:
        assert TableDriver().submit(Close("ana")) == Refusal("not_opener")

    def test_afterwards_there_is_no_table(self) -> None:
        table = TableDriver()
        table.sit("ana", 1, chips=0)
        table.submit(Close("house"))
        assert table.table.boxes == (None,) * 4
        assert table.play("ana", c.TakeBox, box=1) == Refusal("no_such_table")
        assert isinstance(table.play("ana", c.Leave), Repeat)
        assert table.buy_in("ana", 1) == Refusal("no_such_table")


class TestBlob:
    """A table as bytes."""

    @pytest.mark.parametrize(
        "blob", [b"", b"\xc1", b"\x80", b"\x81\xa6schema\x02", b"\x81\xa6schema\x01", b"\x93\x01\x02\x03"]
    )
    def test_what_is_no_table_is_refused(self, blob: bytes) -> None:
        with pytest.raises(UnreadableTable):
            unpack_table(blob)

    def test_the_fullest_felt_fits(self, rig: Rig) -> None:
        """Four boxes of four hands each with several cards, long names, sixteen cash-outs under way: under 8 KiB."""
        table = TableDriver()
        players = [name * 8 for name in ("anna", "bert", "carl", "dora")]
        for box, player in enumerate(players, 1):
            table.sit(player, box)
        suits = ("C", "D", "H", "S")
        first = " ".join(f"{rank}C" for rank in "2346")
        hands = [" ".join((f"A{suit}", f"2{suit}", f"3{suit}")) for suit in suits]
        rest = " ".join(f"{rank}D {rank}H {' '.join(hands)}" for rank in "2346")
        rig(f"{first} TC {first} TD {rest}")
        for box, player in enumerate(players, 1):
            for spot in ("main", "blackjack", "sevens"):
                table.bet(player, box, 1000, spot)
        table.deal()
        for number in range(16):
            table.play(players[number % 4], c.CashOut, amount=1)
        largest = 0
        while (turn := table.turn) is not None:
            hits = len(table.table.play.hand(turn.box, turn.hand).cards) < 4
            table.act("split" if "split" in turn.legal else "hit" if hits else "stand")
            largest = max(largest, len(pack_table(table.table)))
        assert sum(len(box.hands) for box in table.table.play.boxes) == 16
        assert len(table.table.outgoing) == 16
        assert largest < 6 * 1024, "room is left for settings, and for those that are queued"
