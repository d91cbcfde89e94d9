"""The programs for a terminal: what can be typed, what is printed, and the token that is kept."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import structs

from tapete_client import orders as o
from tapete_client import play, watch
from tapete_client.felt_text import card_text, felt_lines
from tapete_client.keepsake import Keepsake, default_path
from tapete_client.orders import NotUnderstood, Order, parse
from tapete_client.terminal import NO_ROOM, Room
from tapete_client.texts.prompts import EN, ES
from tapete_client.typed import _read
from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol import frames as f
from tapete_protocol import view as v
from tapete_protocol.examples import FRAMES
from tests.clients.house import TABLE, House
from tests.clients.virtual_time import simulate

BLACKJACK, BACCARAT = [frame.view for frame in FRAMES if isinstance(frame, f.Snapshot)]


class TestWhatIsTyped:
    @pytest.mark.parametrize(
        ("line", "order"),
        [
            ("bet 10", o.Bet(1_000)),
            ("bet 1 10", o.Bet(1_000, box=1)),
            ("  APOSTAR 2 10,50 ", o.Bet(1_050, box=2)),
            ("bet banca 5", o.Bet(500, spot="banca")),
            ("apuesta empate 0.5", o.Bet(50, spot="tie")),
            ("b 3 sietes 1", o.Bet(100, box=3, spot="sevens")),
            ("bet punto pair 2", o.Bet(200, spot="punto_pair")),
            ("apostar pareja de banca 2", o.Bet(200, spot="banca_pair")),
            ("bet 1 0", o.Bet(0, box=1)),
            ("ready", o.Say("ready")),
            ("repartir", o.Say("ready")),
            ("listo", o.Say("ready")),
            ("hit", o.Decide("hit")),
            ("pedir", o.Decide("hit")),
            ("stand", o.Decide("stand")),
            ("plantarse", o.Decide("stand")),
            ("all", o.Decide("stand_all")),
            ("plantarse en todas", o.Decide("stand_all")),
            ("stand on all", o.Decide("stand_all")),
            ("doblar", o.Decide("double")),
            ("split", o.Decide("split")),
            ("buy 100", o.Chips("buy", 10_000)),
            ("cobrar", o.Chips("cash", None)),
            ("cash 5", o.Chips("cash", 500)),
            ("box 3", o.Seat("take", 3)),
            ("casilla", o.Seat("take", None)),
            ("dejar 3", o.Seat("free", 3)),
            ("leave", o.Say("leave")),
            ("help", o.Say("help")),
            ("?", o.Say("help")),
            ("salir", o.Say("quit")),
            ("mesa", o.Say("table")),
        ],
    )
    def test_is_understood(self, line: str, order: Order) -> None:
        assert parse(line, EN) == order

    @pytest.mark.parametrize(
        ("line", "answer"),
        [
            ("dance", "“dance”"),
            ("", "help"),
            ("bet", "How much"),
            ("bet ten", "“ten” is no amount"),
            ("bet 1 10.005", "no amount"),
            ("bet 1 -5", "no amount"),
            ("bet nan", "no amount"),
            ("bet 1e12", "no amount"),
            ("bet 1x 10", "“1x” is no box"),
            ("box ²", "no box"),
            ("box 0", "no box"),
            ("free", "Which box"),
            ("buy", "How much"),
            ("hit me", "“me” is too much"),
            ("buy 1 2 3", "“2 3” is too much"),
        ],
    )
    def test_or_answered_with_what_to_type(self, line: str, answer: str) -> None:
        with pytest.raises(NotUnderstood, match=answer):
            parse(line, EN)
        with pytest.raises(NotUnderstood) as spanish:
            parse(line, ES)
        assert answer not in str(spanish.value) or answer in ("“dance”", "help")

    def test_lines_come_from_a_pipe_in_whatever_pieces(self) -> None:
        reading, writing = os.pipe()
        lines: list[str | None] = []
        reader = threading.Thread(target=_read, args=(reading, lines.append, threading.Semaphore(9)))
        reader.start()
        for piece in ("apostar 1", "0\nlis", "to\n", "año".encode()[:2], "año".encode()[2:]):
            os.write(writing, piece if isinstance(piece, bytes) else piece.encode())
        os.close(writing)
        reader.join(5)
        os.close(reading)
        assert lines == ["apostar 10", "listo", "año", None]


class TestTheTable:
    def test_is_readable(self) -> None:
        assert card_text("TH") == "10♥"
        lines = felt_lines(BLACKJACK, "en", "p-ana")
        assert lines[0] == "Green room · Double Exposure Blackjack · round 7 · in play"
        assert "Dealer" in lines[1]
        assert "[10♥ 6♣ = 16]" in lines[1]
        assert any(line.startswith("  *2 Ana") and "<- decides" in line for line in lines)
        assert any("away" in line for line in lines)
        assert any("Banca" in line for line in felt_lines(BACCARAT, "es"))


class TestTheKeptToken:
    def test_is_for_its_owner_only(self, tmp_path: Path) -> None:
        path = tmp_path / "state" / "sessions.json"
        Keepsake(path).keep("ws://a", "one")
        Keepsake(path).keep("ws://b", "two")
        assert (Keepsake(path).token("ws://a"), Keepsake(path).token("ws://b")) == ("one", "two")
        assert Keepsake(path).token("ws://c") is None
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    def test_is_kept_for_each_name(self, tmp_path: Path) -> None:
        keepsake = Keepsake(tmp_path / "sessions.json")
        keepsake.keep("ws://a", "one", "Ana")
        keepsake.keep("ws://a", "two", "Bea")
        assert [keepsake.token("ws://a", name) for name in ("Ana", "Bea", "Eva", None)] == ["one", "two", None, "two"]

    def test_a_broken_file_counts_as_none(self, tmp_path: Path) -> None:
        path = tmp_path / "sessions.json"
        path.write_text("{")
        assert Keepsake(path).token("ws://a") is None
        Keepsake(path).keep("ws://a", "one")
        assert Keepsake(path).token("ws://a") == "one"

    def test_has_its_place(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        assert default_path() == tmp_path / "tapete" / "sessions.json"


async def script(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


def played(house: House, tmp_path: Path, *lines: str, table: str | None = TABLE) -> tuple[int, list[str]]:
    said: list[str] = []

    async def story() -> int:
        file = tmp_path / "sessions.json"
        return await play.run(
            "n1", table, "Ana", "en", file, lines=script(*lines), patient=True, out=said.append, transport=house
        )

    return simulate(story()), said


class TestPlaying:
    def test_sits_down_buys_bets_and_leaves(self, tmp_path: Path) -> None:
        house = House()
        code, said = played(house, tmp_path, "bet 10", "ready", "dance", "help", "quit")
        assert code == 0
        assert "Ana, you sit at box 1. Type `help` for what you can say." in said
        assert "Ana has 10.00 on the main bet in box 1." in said
        assert "Ana is ready." in said
        assert "I do not understand “dance”. Type `help` for what you can say." in said
        assert EN.help in said
        assert any(line.startswith("Goodbye, Ana.") for line in said)
        assert house.view.players == ()

    def test_the_end_of_the_input_is_a_quit(self, tmp_path: Path) -> None:
        house = House()
        assert played(house, tmp_path)[0] == 0
        assert house.view.players == ()

    def test_a_refusal_is_said_in_words(self, tmp_path: Path) -> None:
        house = House()
        house.refuse.extend([f.Refused(id=0, code="box_taken", message="")])
        code, said = played(house, tmp_path, "bet 10", "box 2", "quit")
        assert code == 0
        assert "Somebody holds this box. Choose a free one." in said
        assert EN.looking_on in said
        assert EN.no_box in said
        assert "Ana takes box 2." in said

    def test_without_a_table_the_list_is_shown(self, tmp_path: Path) -> None:
        row = f.LobbyTable(
            table=TABLE, name="Green", game="double_exposure", phase="betting", players=2, free_boxes=2,
            spectators=0, minimum=100, maximum=50_000, round=1, recent=(),
        )  # fmt: skip
        code, said = played(House(lobby=(row,)), tmp_path, TABLE, "quit", table=None)
        assert code == 0
        assert said[:3] == [
            "Tables:",
            "  green-room: Green, Double Exposure Blackjack, 1.00 to 500.00, 2 playing, 2 free boxes",
            "Which table? Type its id.",
        ]

    def test_no_tables_no_game(self, tmp_path: Path) -> None:
        code, said = played(House(), tmp_path, table=None)
        assert (code, said) == (1, [EN.tables, EN.no_tables][1:])

    def test_what_this_table_has_not_is_told_in_the_players_words(self, tmp_path: Path) -> None:
        _, said = played(House(), tmp_path, "box 9", "bet 7 10", "bet banca 5", "free", "hit", "quit")
        assert "There is no box 9 here: the boxes are 1 to 4." in said
        assert "There is no box 7 here: the boxes are 1 to 4." in said
        assert "Nobody bets on “banca” here. The spots are: main, blackjack, sevens." in said
        assert "Which box? For example: free 1" in said
        assert EN.nothing_to_decide in said

    def test_a_lost_connection_is_told(self, tmp_path: Path) -> None:
        house, said = House(), list[str]()

        async def lines() -> AsyncIterator[str]:
            yield "bet 10"
            house.cut()
            await asyncio.sleep(5)

        async def story() -> int:
            file = tmp_path / "sessions.json"
            return await play.run(
                "n1", TABLE, "Ana", "en", file, lines=lines(), patient=True, out=said.append, transport=house
            )

        assert simulate(story()) == 0
        assert said.index(f"{EN.broken} {EN.held}") < said.index("Connected again.")

    def test_a_script_waits_for_its_turn(self, tmp_path: Path) -> None:
        class Dealing(House):
            def _events(self, command: object) -> tuple[e.Event, ...]:
                events = super()._events(command)  # type: ignore[arg-type]
                if any(isinstance(event, e.PlayerReady) for event in events):
                    closed = e.BettingClosed(
                        round=1,
                        bets=(e.BoxBets(box=1, player="p-ana", stakes=(e.StakeOf(spot="main", amount=1_000),)),),
                    )
                    return (*events, closed)
                return events

        house, said = Dealing(), list[str]()

        async def story() -> int:
            def hear_out(line: str) -> None:
                said.append(line)
                if line == "No more bets.":
                    house.happen(
                        e.CardDealt(place="box", box=1, hand=0, card="7S", total=7, soft=False, word=1),
                        e.TurnStarted(box=1, hand=0, owner="p-ana", legal=("hit", "stand")),
                    )

            lines = script("bet 10", "ready", "hit", "quit")
            return await play.run(
                "n1", TABLE, "Ana", "en", tmp_path / "s", lines=lines, patient=True, out=hear_out, transport=house
            )

        assert simulate(story()) == 0
        assert [type(one).__name__ for one in house.heard][-2:] == ["Act", "Leave"]
        assert "Your turn: hit, stand." in said

    def test_a_lost_session_starts_anew(self, tmp_path: Path) -> None:
        Keepsake(tmp_path / "sessions.json").keep("n1", "worn out", "Ana")
        house = House(bad_token="worn out")
        assert played(house, tmp_path, "quit")[0] == 0
        assert Keepsake(tmp_path / "sessions.json").token("n1") == "token-of-ana"


class TestTheRoads:
    """Of a house whose records cannot be had: its address is nobody's."""

    @pytest.mark.parametrize(("room", "times"), [(Room(100, 40), 2), (NO_ROOM, 0)], ids=["wide", "none"])
    async def test_are_drawn_on_arrival_and_with_the_table(self, room: Room, times: int, tmp_path: Path) -> None:
        shoe = structs.replace(BACCARAT.felt.shoe, coup=3, last_coups=None)
        felt = structs.replace(BACCARAT.felt, shoe=shoe, coup=None)
        house = House(
            structs.replace(BACCARAT, felt=felt, phase="betting", recent=("banca", "punto", "tie"), boxes=(None,) * 4)
        )
        said: list[str] = []
        arrived = asyncio.Event()

        def hear(line: str) -> None:
            said.append(line)
            if line.startswith("You:"):
                arrived.set()

        async def lines() -> AsyncIterator[str]:
            await arrived.wait()
            yield "table"

        code = await play.run(
            "127.0.0.1:1", TABLE, "Ana", "en", tmp_path / "s", lines=lines(), patient=True, out=hear, transport=house,
            room=lambda: room,
        )  # fmt: skip
        assert code == 0
        assert len([line for line in said if line.startswith("Bead Plate")]) == times
        assert len([line for line in said if line.startswith("3 coups: banca 1, punto 1, ties 1")]) == times


class TestWatching:
    def test_says_what_happens_until_the_table_closes(self) -> None:
        house, said = House(), list[str]()

        def hear(line: str) -> None:
            said.append(line)
            if line == "This is the table as it stands.":
                house.happen(e.BettingOpened(round=2), e.ChipsArrived(transfer="x"))
            if line == "Round 2: place your bets.":
                house.open[0].tell(f.Gone(table=TABLE))

        assert simulate(watch.run("n1", TABLE, "en", out=hear, transport=house)) == 0
        assert said[-2:] == ["Round 2: place your bets.", "The table is closed."]

    def test_no_such_table_and_no_node_are_told(self) -> None:
        said: list[str] = []
        assert simulate(watch.run("n1", "nowhere", "es", out=said.append, transport=House(gone=True))) == 1
        assert said == ["No hay ninguna mesa nowhere.", ES.no_tables]
        said.clear()
        assert simulate(watch.run("n1", TABLE, "en", out=said.append, transport=House(down={"n1"}))) == 1
        assert said[0] == "Looking for the house at n1 …"
        assert said[1].startswith("No house answers.")


ADVICE = f.Advice(
    id=0, table=TABLE, v=0, box=1, hand=0, stake=1_000, exact=False,
    worth=(f.Worth("hit", -100_000), f.Worth("stand", -900_000), f.Worth("stand_all", -900_000)),
    very_bad=("stand", "stand_all"),
)  # fmt: skip


def deciding() -> House:
    """Ana holds box 1 with a hand that decides; the node knows what that is worth."""
    house = House(advice=ADVICE)
    hand = v.HandView(("5C", "6D"), 11, soft=False, stake=1_000)
    felt = structs.replace(
        house.view.felt,
        boxes=(v.BoxFelt(1, 1_000, (hand,)),),
        dealer=v.SideView(("TC", "7D"), 17),
        turn=v.TurnView(1, 0, "p-ana", ("hit", "stand", "stand_all")),
    )
    house.view = structs.replace(
        house.view, phase="playing", felt=felt, boxes=("p-ana", None, None, None),
        players=(v.PlayerView("p-ana", "Ana", 500),),
    )  # fmt: skip
    return house


class TestWarnings:
    """Rule 11: asked again, told what it costs, switched off, remembered. (D19)"""

    def warned(self, house: House, tmp_path: Path, *lines: str, lang: str = "en") -> list[str]:
        said: list[str] = []
        file = tmp_path / "sessions.json"

        async def story() -> int:
            typed = script(*lines)
            return await play.run(
                "n1", TABLE, "Ana", lang, file, lines=typed, patient=False, out=said.append, transport=house
            )

        simulate(story())
        return said

    def acts(self, house: House) -> list[str]:
        return [command.action for command in house.heard if isinstance(command, c.Act)]

    def test_a_very_bad_decision_is_asked_about_with_its_cost(self, tmp_path: Path) -> None:
        house = deciding()
        said = self.warned(house, tmp_path, "stand", "quit")
        assert EN.very_bad.format(action="stand", cost="8.00", best="hit") in said
        assert self.acts(house) == []

    def test_typed_twice_it_is_meant(self, tmp_path: Path) -> None:
        house = deciding()
        self.warned(house, tmp_path, "stand", "stand", "quit")
        assert self.acts(house) == ["stand"]

    def test_a_good_one_goes_through(self, tmp_path: Path) -> None:
        house = deciding()
        self.warned(house, tmp_path, "hit", "quit")
        assert self.acts(house) == ["hit"]

    def test_switched_off_and_remembered(self, tmp_path: Path) -> None:
        house = deciding()
        assert EN.warnings_off in self.warned(house, tmp_path, "warnings", "stand", "quit")
        again = deciding()
        self.warned(again, tmp_path, "stand", "quit")
        assert (self.acts(house), self.acts(again)) == (["stand"], ["stand"])

    def test_without_advice_nobody_is_held_up(self, tmp_path: Path) -> None:
        house = deciding()
        house.advice = None
        house.refuse.append(f.Refused(id=0, code="no_advice", message=""))
        self.warned(house, tmp_path, "stand", "quit")
        assert self.acts(house) == ["stand"]

    def test_all_values_for_who_asks_in_spanish(self, tmp_path: Path) -> None:
        said = self.warned(deciding(), tmp_path, "consejo", "salir", lang="es")
        assert ES.advised in said
        assert "  pedir: -1,00" in said
