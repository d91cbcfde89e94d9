"""Odds that nobody has worked out: one node of the house does, and all others find them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from typing import Any

import pytest

from tapete_odds import shelf, spots
from tapete_odds.terms import terms_hash
from tapete_protocol.base import TableId
from tapete_protocol.codec import decode_frame
from tapete_protocol.frames import Lobby
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_server.ports import CannotWorkOut, StoreAway
from tapete_server.shell.actuary import Actuary
from tapete_server.shell.floor import TheFloor
from tests.server.shell.floors import Houses, until


def settings_of(decks: int) -> DoubleExposureSettings:
    """Of which none is shipped."""
    return DoubleExposureSettings(decks=decks, max_hands=3)


def text_of(decks: int) -> str:
    return json.dumps(settings_of(decks).to_plain())


class Abacus:
    """A bench whose work is done before: the shipped figures, under the name that was asked for."""

    def __init__(self, wrong: str = "", *, ready: bool = True) -> None:
        self.asked: list[int] = []
        self.ready, self.wrong = ready, wrong
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def work_out(self, settings: str) -> bytes:
        game = DoubleExposureSettings.from_plain(json.loads(settings))
        self.asked.append(game.decks)
        await self.may_end.wait()
        if self.wrong:
            raise CannotWorkOut(self.wrong)
        shipped = shelf.known(DoubleExposureSettings())
        assert shipped is not None
        return shelf.packed({**shipped, "hash": terms_hash(game)})


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Any:
    """What is known in this process is known to all floors in it: what they are to find out anew has to be forgotten."""

    def forget_all() -> None:
        monkeypatch.setattr(shelf, "_laid", OrderedDict())
        spots._of_double_exposure.cache_clear()

    monkeypatch.setenv("TAPETE_ODDS_CACHE", str(tmp_path))
    forget_all()
    yield forget_all
    spots._of_double_exposure.cache_clear()


def actuary(floor: TheFloor) -> Actuary:
    assert floor.actuary is not None
    return floor.actuary


async def edges(floor: TheFloor, table: TableId) -> set[str]:
    """The spots of which the lobby says what they cost, after another look."""
    await floor.lobby_list.look()
    lobby = decode_frame(await floor.lobby())
    assert isinstance(lobby, Lobby)
    return {edge.spot for row in lobby.tables if row.table == table for edge in row.edges}


async def open_tables(houses: Houses, floor: TheFloor, *decks: int) -> list[TableId]:
    guest = await houses.guest(floor)
    opened = [await houses.table(guest, text_of(each)) for each in decks]
    await floor.lobby_list.look()
    return opened


async def test_one_node_works_them_out_and_another_finds_them(houses: Houses, forget: Any) -> None:
    able, unable = Abacus(), Abacus(ready=False)
    one, other = await houses.floor(bench=able), await houses.floor(bench=unable)
    (table,) = await open_tables(houses, one, 7)
    assert await edges(one, table) == await edges(other, table) == {"blackjack"}
    with pytest.raises(LookupError):
        await one.odds(table)
    await actuary(other).sweep()
    await actuary(one).sweep()
    assert await edges(one, table) == {"main", "blackjack", "sevens"}
    forget()
    assert await edges(other, table) == {"blackjack"}
    await actuary(other).sweep()
    assert await edges(other, table) == {"main", "blackjack", "sevens"}
    found = await other.odds(table)
    assert found is not None
    assert found["hash"] == terms_hash(settings_of(7))
    assert (able.asked, unable.asked) == ([7], [])
    assert actuary(one).wanted == {}


async def test_one_at_a_time_in_the_house_until_who_was_at_it_is_gone(houses: Houses) -> None:
    slow, quick = Abacus(), Abacus()
    slow.may_end.clear()
    one, other = await houses.floor(bench=slow), await houses.floor(bench=quick)
    await open_tables(houses, one, 7)
    await other.lobby_list.look()
    at_work = asyncio.ensure_future(actuary(one).sweep())
    await until(lambda: slow.asked)
    await actuary(other).sweep()
    assert quick.asked == []
    at_work.cancel()
    await asyncio.wait([at_work])
    assert at_work.cancelled()
    assert 0 < await houses.client.ttl("kb:{s0}") <= 30
    await houses.client.delete("kb:{s0}")  # as if it had lapsed
    await actuary(other).sweep()
    assert quick.asked == [7]


async def test_what_cannot_be_worked_out_is_left_for_an_hour_and_holds_up_nothing(
    houses: Houses, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Abacus("it took longer than 600 s")
    floor = await houses.floor(bench=bench)
    await open_tables(houses, floor, 7, 5)
    with caplog.at_level(logging.INFO, "tapete.odds"):
        for _ in range(4):
            await actuary(floor).sweep()
    assert sorted(bench.asked) == [5, 7]
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
    assert await houses.client.exists("kb:{s0}") == 0


async def test_an_hour_has_its_limit(houses: Houses) -> None:
    bench = Abacus()
    floor = await houses.floor(bench=bench, odds_per_hour_max=2)
    await open_tables(houses, floor, 3, 5, 7)
    for _ in range(5):
        await actuary(floor).sweep()
    assert len(bench.asked) == actuary(floor).worked_out == 2


async def test_without_numpy_it_is_said_once(houses: Houses, caplog: pytest.LogCaptureFixture) -> None:
    floor = await houses.floor(bench=Abacus(ready=False))
    await open_tables(houses, floor, 7)
    with caplog.at_level(logging.INFO, "tapete.odds"):
        for _ in range(3):
            await actuary(floor).sweep()
    assert [record.getMessage() for record in caplog.records if "tapete[odds]" in record.getMessage()] != []
    assert len(caplog.records) == 1


async def test_what_the_store_has_is_not_taken_on_trust(houses: Houses, forget: Any) -> None:
    bench = Abacus()
    floor = await houses.floor(bench=bench)
    (table,) = await open_tables(houses, floor, 7)
    store = await houses.store()
    await store.keep_odds(terms_hash(settings_of(7)), shelf.packed({"hash": "another", "strategy": {}}))
    await actuary(floor).sweep()
    assert bench.asked == [7]
    assert "main" in await edges(floor, table)
    forget()
    await floor.lobby_list.look()
    assert shelf.known(settings_of(7)) is None
    kept = await store.kept_odds(terms_hash(settings_of(7)))
    assert kept is not None
    assert shelf.unpacked(kept, terms_hash(settings_of(7)))


async def test_what_was_worked_out_while_the_store_was_away_is_kept_later(
    houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await houses.store()
    bench = Abacus()
    floor = await houses.floor(store, bench=bench)
    (table,) = await open_tables(houses, floor, 7)

    async def away(_: str, __: bytes) -> None:
        raise StoreAway

    with monkeypatch.context() as patched:
        patched.setattr(store, "keep_odds", away)
        with pytest.raises(StoreAway):
            await actuary(floor).sweep()
    assert "main" in await edges(floor, table)
    assert await store.kept_odds(terms_hash(settings_of(7))) is None
    await actuary(floor).sweep()
    assert await store.kept_odds(terms_hash(settings_of(7)))
    assert bench.asked == [7]


async def test_who_wants_them_is_looked_after_in_turn(houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapete_server.shell.actuary.LOOKED_FOR_MAX", 2)
    store = await houses.store()
    floor = await houses.floor(store, bench=Abacus(ready=False))
    await open_tables(houses, floor, 2, 3, 4, 5, 7)
    last = max(actuary(floor).wanted)
    shipped = shelf.known(DoubleExposureSettings())
    assert shipped is not None
    await store.keep_odds(last, shelf.packed({**shipped, "hash": last}))
    for _ in range(3):
        await actuary(floor).sweep()
    assert shelf.is_laid(last)
