"""A player's part in the cards is done unseen: committed with the bet, revealed at the close, again after a lost connection."""

from __future__ import annotations

import asyncio
import random

import msgspec

from tapete_client import PartMissing, Session, Table, connect
from tapete_client.part import ROUNDS_KEPT_MAX, Part
from tapete_client.texts.say import tell
from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.fair import entropy_commitment
from tests.clients.house import PLAYER, TABLE, House, empty_view
from tests.clients.virtual_time import simulate

SETTINGS = '{"game":"double_exposure","reveals":true}'
ENTROPY = bytes(range(32))


class RevealingHouse(House):
    """Takes commitments and reveals, as a node does. `deaf`: it hears a reveal, answers, and does nothing."""

    deaf = False

    def _events(self, command: c.Command) -> tuple[e.Event, ...]:
        match command:
            case c.PlaceBets(commitment=bytes() as commitment):
                known = any(one.commitment == commitment for one in self.view.contributions)
                bound = () if known else (e.EntropyCommitted(PLAYER, commitment),)
                return (*super()._events(command), *bound)
            case c.Reveal(entropy=entropy):
                known = self.deaf or any(one.entropy for one in self.view.contributions)
                return () if known else (e.EntropyRevealed(PLAYER, entropy),)
            case _:
                return super()._events(command)

    def close(self) -> None:
        bets = (e.BoxBets(1, PLAYER, (e.StakeOf("main", 1000),)),)
        commitments = tuple(e.CommitmentOf(one.player, one.commitment) for one in self.view.contributions)
        self.happen(e.BettingClosed(round=1, bets=bets, commitments=commitments))

    def reveals(self) -> list[bytes]:
        return [one.entropy for one in self.heard if isinstance(one, c.Reveal)]

    def commitments(self) -> list[bytes | None]:
        return [one.commitment for one in self.heard if isinstance(one, c.PlaceBets)]


def a_house(settings: str = SETTINGS) -> RevealingHouse:
    return RevealingHouse(view=msgspec.structs.replace(empty_view(), settings=settings))


def a_session(house: House) -> Session:
    return connect("n1", transport=house, rng=random.Random(7), fresh=lambda size: ENTROPY[:size])


async def bet(session: Session) -> Table:
    table = await session.join(TABLE, box=1, buy_in=20_000)
    await table.place_bet(1, "main", 1_000)
    return table


def bound(number: int = 1) -> bytes:
    return entropy_commitment(TABLE, number, PLAYER, ENTROPY)


class TestWithoutTrouble:
    def test_committed_with_the_bet_and_revealed_at_the_close(self) -> None:
        async def story() -> None:
            house = a_house()
            async with a_session(house) as session:
                table = await bet(session)
                assert house.commitments() == [bound()]
                assert house.reveals() == []
                house.close()
                await table.until(lambda view: any(one.entropy for one in view.contributions))
                assert house.reveals() == [ENTROPY]
                given = table.my_part(1)
                assert given is not None
                assert given.entropy == ENTROPY

        simulate(story())

    def test_one_round_has_one_commitment_however_often_the_bet_changes(self) -> None:
        async def story() -> None:
            house = a_house()
            async with a_session(house) as session:
                table = await bet(session)
                await table.place_bet(1, "main", 500)
                await table.place_bet(1, "sevens", 100)
                assert house.commitments() == [bound()] * 3

        simulate(story())

    def test_a_bet_that_falls_into_the_next_round_is_bound_anew(self) -> None:
        """Its round went by while it was on its way."""

        async def story() -> None:
            house = a_house()
            async with a_session(house) as session:
                table = await session.join(TABLE, box=1, buy_in=20_000)
                laying = asyncio.create_task(table.place_bet(1, "main", 1_000))
                house.commit(e.RoundOpened(2, bytes(16), bytes(32)), e.BettingOpened(2))
                house.send(house.log[-1][2])
                await laying
                assert house.commitments() == [bound(1), bound(2)]
                assert [one.commitment for one in table.view.contributions] == [bound(2)]

        simulate(story())

    def test_a_table_without_reveals_is_given_nothing(self) -> None:
        async def story() -> None:
            house = a_house('{"game":"double_exposure"}')
            async with a_session(house) as session:
                await bet(session)
                house.close()
                await asyncio.sleep(5)
                assert house.commitments() == [None]
                assert house.reveals() == []

        simulate(story())

    def test_bytes_come_from_the_operating_system(self) -> None:
        async def story() -> None:
            seen = []
            for _ in range(2):
                house = a_house()
                async with connect("n1", transport=house, rng=random.Random(7)) as session:
                    await bet(session)
                seen += house.commitments()
            assert len(set(seen)) == 2, "the same chance for ids must not be the same bytes"

        simulate(story())


class TestLostConnections:
    def test_lost_after_the_close_it_is_revealed_by_the_next_one_and_the_same(self) -> None:
        async def story() -> None:
            house = a_house()
            async with a_session(house) as session:
                table = await bet(session)
                house.mute = 1
                house.close()
                await table.until(lambda view: any(one.entropy for one in view.contributions))
                await asyncio.sleep(20)
                assert set(house.reveals()) == {ENTROPY}
                assert len(house.reveals()) >= 2

        simulate(story())

    def test_closed_while_it_was_away_it_is_revealed_from_the_snapshot(self) -> None:
        async def story() -> None:
            house = a_house()
            async with a_session(house) as session:
                table = await bet(session)
                house.down.add("n1")
                house.cut()
                await asyncio.sleep(1)
                house.close()
                house.log.clear()
                house.log_since = house.version
                house.down.clear()
                await table.until(lambda view: any(one.entropy for one in view.contributions))
                assert house.reveals() == [ENTROPY]

        simulate(story())


class TestALyingHouse:
    def test_a_part_that_was_acknowledged_and_is_said_to_be_missing(self) -> None:
        async def story() -> None:
            house = a_house()
            house.deaf = True
            async with a_session(house) as session:
                table = await bet(session)
                house.close()
                await asyncio.sleep(2)
                house.happen(e.EntropyClosed(round=1, missing=(PLAYER,)))
                news = await anext(table)
                while not isinstance(news, PartMissing):
                    news = await anext(table)
                assert (news.round, news.taken) == (1, True)
                for lang in ("en", "es"):
                    assert "1" in (tell(news, lang) or "")

        simulate(story())

    def test_a_part_of_somebody_else_is_none_of_ours(self) -> None:
        async def story() -> None:
            house = a_house()
            async with a_session(house) as session:
                table = await bet(session)
                house.close()
                await asyncio.sleep(2)
                house.happen(e.EntropyClosed(round=1, missing=("p-ben",)))
                await asyncio.sleep(1)
                told = []
                while not table.read_so_far:
                    told.append(await anext(table))
                assert not any(isinstance(news, PartMissing) for news in told)

        simulate(story())


class TestRewinds:
    def test_what_was_revealed_is_not_used_again(self) -> None:
        async def story() -> None:
            house = a_house()
            fresh = iter((bytes(32), b"\x01" * 32))
            async with connect("n1", transport=house, rng=random.Random(7), fresh=lambda _: next(fresh)) as session:
                table = await bet(session)
                before = house.version, house.head, house.view
                house.close()
                await table.until(lambda view: any(one.entropy for one in view.contributions))
                house.version, house.head, house.view = before
                house.send(house.snapshot(rewound=True))
                await table.until(lambda view: view.phase == "betting")
                await asyncio.sleep(2)
                first, again = house.commitments()
                assert first != again == entropy_commitment(TABLE, 1, PLAYER, b"\x01" * 32)

        simulate(story())

    def test_only_so_many_rounds_are_kept(self) -> None:
        part = Part(TABLE, PLAYER, bytes)
        for number in range(1, ROUNDS_KEPT_MAX + 10):
            part.commitment(msgspec.structs.replace(empty_view(), settings=SETTINGS, round=number))
        assert sorted(part.given) == list(range(10, ROUNDS_KEPT_MAX + 10))
