"""What a client knows of a shoe: from a view, from the records, and from what happens."""

from __future__ import annotations

import json
from typing import Any

import msgpack
import msgspec
import pytest

from tapete_client.known_shoe import KnownShoe, shoe_in
from tapete_client.news import Happened, Missed, Synced
from tapete_client.past_rounds import NOT_TO_BE_HAD, Records, address_of_rounds, past_rounds
from tapete_client.road_board import RoadBoard
from tapete_client.terminal import NO_ROOM, ROAD_CHARS_MIN, ROAD_LINES_MIN, Room
from tapete_protocol import events as e
from tapete_protocol import view as v
from tapete_protocol.vectors import FOLDER
from tapete_rules.roads import Coup, read_coups, write_coup
from tests.clients.house import empty_view
from tests.clients.virtual_time import simulate

SERIES = next(
    series["records"]
    for series in json.loads((FOLDER / "records.json").read_text())["good"]
    if series["why"] == "punto banco, three coups from the shoe's first one"
)
RECORDS = [{"round": record["round"], "record": record} for record in reversed(SERIES)]
LAST = SERIES[-1]["round"]
WORDS = {"B": "banca", "P": "punto", "T": "tie"}
WIDE = Room(ROAD_CHARS_MIN, ROAD_LINES_MIN)


def at(recent: str, number: int, phase: str = "settled", **felt: Any) -> v.TableView:
    shoe = v.ShoeView(decks=8, left=300, dealt=116, coup=number, cut_card=14)
    results = tuple(WORDS[letter] for letter in recent)
    view = msgspec.structs.replace(empty_view(), game="punto_banco", phase=phase, recent=results, round=LAST + 1)
    return msgspec.structs.replace(view, felt=v.Felt(shoe=shoe, **felt))


def written(shoe: KnownShoe) -> str:
    return "".join(map(write_coup, shoe.coups))


def happened(event: e.Event, view: v.TableView) -> Happened:
    return Happened(1, 0, event, view, view)


def decided(coup: Coup) -> e.CoupDecided:
    return e.CoupDecided(
        winner=coup.winner, punto=1, banca=1, natural=coup.natural, punto_pair=coup.punto_pair,
        banca_pair=coup.banca_pair,
    )  # fmt: skip


def settled() -> e.RoundSettled:
    return e.RoundSettled(round=1, result="punto", secret=b"")


class TestAView:
    def test_has_the_last_results_of_this_shoe(self) -> None:
        assert written(shoe_in(at("BBPTB", 2))) == "TB"
        assert shoe_in(at("BBPTB", 5)) == KnownShoe(read_coups("BBPTB"), 1)
        assert shoe_in(at("BBPTB", 0)) == KnownShoe()

    def test_of_a_long_shoe_it_has_the_end(self) -> None:
        shoe = shoe_in(at("BP" * 12, 30))
        assert (written(shoe), shoe.known_from, shoe.number) == ("BP" * 12, 7, 30)

    def test_the_coup_on_the_felt_has_its_marks(self) -> None:
        coup = v.CoupView(winner="banca", punto=3, banca=9, natural=True, punto_pair=False, banca_pair=True)
        assert written(shoe_in(at("PB", 2, coup=coup))) == "PBnb"

    def test_a_coup_under_way_does_not_count_yet(self) -> None:
        punto = v.SideView(cards=("5S",), total=5)
        assert written(shoe_in(at("PBT", 3, "playing", punto=punto))) == "BT"

    def test_another_game_has_none(self) -> None:
        assert shoe_in(empty_view()) == KnownShoe()


class TestWhatHappens:
    def test_coups_are_added_until_a_new_shoe(self) -> None:
        shoe = KnownShoe().after(Synced(1, 0, at("PB", 2), False))
        shoe = shoe.after(happened(decided(Coup("tie", natural=True)), at("PB", 3)))
        assert written(shoe.after(happened(settled(), at("PBT", 3)))) == "PBTn"
        assert shoe.after(happened(e.ShoeOpened(decks=8), at("PBT", 0))) == KnownShoe()
        assert shoe.after(happened(e.SettingsChanged(settings="{}"), at("PBT", 0))) == KnownShoe()

    def test_what_was_missed_is_taken_from_the_view(self) -> None:
        shoe = KnownShoe(read_coups("Bn"), 1).after(Missed(9)).after(happened(settled(), at("BPPT", 4)))
        assert shoe == KnownShoe(read_coups("BPPT"), 1)

    def test_a_store_that_went_back_takes_its_coups_along(self) -> None:
        assert written(KnownShoe(read_coups("BPPT")).after(Synced(1, 0, at("BP", 2), True))) == "BP"


class TestTheRecords:
    def test_they_add_what_the_view_has_not(self) -> None:
        winners = played()
        shoe = KnownShoe(read_coups(winners[-1]), 3).with_past(RECORDS, LAST + 1)
        assert ("".join(letter for letter in written(shoe) if letter.isupper()), shoe.known_from) == (winners, 1)
        part = KnownShoe(read_coups(winners[-1]), 3).with_past(RECORDS[:2], LAST + 1)
        assert (len(part.coups), part.known_from) == (2, 2)

    def test_they_are_left_where_they_do_not_fit(self) -> None:
        winners = played()
        other = "B" if winners[-1] != "B" else "P"
        for shoe, records, before in (
            (KnownShoe(read_coups(other), 3), RECORDS, LAST + 1),
            (KnownShoe(read_coups(winners[-1]), 3), RECORDS, LAST + 2),
            (KnownShoe(read_coups(winners[-1]), 3), RECORDS[1:], LAST + 1),
            (KnownShoe(read_coups(winners[-1]), 3), [], LAST + 1),
            (KnownShoe(), RECORDS, LAST + 1),
        ):
            assert shoe.with_past(records, before) == shoe

    def test_where_they_are(self) -> None:
        for url in ("ws://h:1/ws", "h:1", "http://h:1", "http://h:1/ws"):
            assert address_of_rounds(url, "mesa", 400) == "http://h:1/api/tables/mesa/rounds?last=100"
        assert address_of_rounds("wss://h/casa/ws", "mesa", 5) == "https://h/casa/api/tables/mesa/rounds?last=5"
        with pytest.raises(ValueError, match="no address"):
            address_of_rounds("file:///etc/passwd", "mesa", 5)

    async def test_a_node_that_is_not_there(self) -> None:
        with pytest.raises(NOT_TO_BE_HAD):
            await past_rounds("127.0.0.1:1", "mesa", 5)


class TestTheBoard:
    def board(self, room: Room, records: Any) -> tuple[RoadBoard, list[int]]:
        asked: list[int] = []

        async def past(rounds: int) -> Records:
            asked.append(rounds)
            if isinstance(records, Exception):
                raise records
            return records  # type: ignore[no-any-return]

        return RoadBoard("en", lambda: room, past), asked

    def test_shows_a_coup_once(self) -> None:
        board, asked = self.board(WIDE, [])
        simulate(board.hear(Synced(1, 0, at("BP", 2), False)))
        assert asked == [12]
        assert board.new_lines()[-1].startswith("2 coups: banca 1, punto 1")
        assert board.new_lines() == []
        assert board.lines()
        simulate(board.hear(happened(decided(Coup("tie")), at("BP", 3))))
        assert board.new_lines()[-1].startswith("3 coups")

    @pytest.mark.parametrize(
        "records",
        [
            OSError("away"),
            [{}],
            [3],
            [{"round": LAST, "record": {"batches": ["00"]}}],
            [{"round": LAST, "record": {"batches": ["c1"]}}],
            [{"round": LAST, "record": {}}],
        ],
    )
    def test_without_records_says_what_it_does_not_know(self, records: Any) -> None:
        board, _ = self.board(WIDE, records)
        simulate(board.hear(Synced(1, 0, at("BP" * 12, 30), False)))
        assert board.lines()[0] == "Only the coups from number 7 of this shoe are known here."

    @pytest.mark.parametrize(
        "room", [NO_ROOM, Room(ROAD_CHARS_MIN - 1, 99), Room(200, ROAD_LINES_MIN - 1)], ids=["none", "narrow", "low"]
    )
    def test_where_there_is_no_room_nothing_is_shown_or_asked(self, room: Room) -> None:
        board, asked = self.board(room, [])
        simulate(board.hear(Synced(1, 0, at("BP", 2), False)))
        assert (board.lines(), board.new_lines(), asked) == ([], [], [])


def played() -> str:
    """Who won the three rounds, from their batches as plain maps."""
    batches = [msgpack.unpackb(bytes.fromhex(batch)) for record in SERIES for batch in record["batches"]]
    results = {
        one["round"]: one["result"] for batch in batches for one in batch["events"] if one["t"] == "RoundSettled"
    }
    letters = {word: letter for letter, word in WORDS.items()}
    return "".join(letters[results[record["round"]]] for record in SERIES)
