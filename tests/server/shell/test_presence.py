"""Who is at a table, by which connections, and who is taken for gone: nobody who is here, and everybody who is not."""

from __future__ import annotations

import asyncio

import pytest

from tapete_protocol import commands as c
from tapete_protocol.frames import Ack, Refused
from tapete_server.core.commands import MarkAway
from tapete_server.ports import StoreAway
from tests.server.shell.floors import Guest, Houses, followed_elsewhere, level, seat, seated, until


async def dead(houses: Houses, incarnation: str) -> None:
    await houses.client.zadd("hu:{s0}", {incarnation: 1})


async def test_a_node_taken_for_dead_takes_its_players_back_and_can_die_again(houses: Houses) -> None:
    first, ana, table = await seated(houses)
    second = await houses.floor()
    await first.presence.beat()
    await dead(houses, first.incarnation)
    await second.presence.beat()
    await second.presence.watch()
    assert await second._store.lapsed() == []
    await until(lambda: seat(ana, table).via == ana.actor.via)  # the zombie woke up and heard of it
    for _ in range(5):
        await first.presence.beat()
    assert await houses.client.smembers(f"p:{{s0}}:{first.incarnation}") == {table.encode()}


async def test_who_leaves_is_not_taken_back(houses: Houses) -> None:
    floor, ana, table = await seated(houses)
    await floor.left(ana.actor, [table])
    await floor.registry.rescan()
    assert seat(ana, table).away


async def test_who_has_left_in_between_is_not_taken_back(houses: Houses) -> None:
    floor, ana, table = await seated(houses)
    await floor.left(ana.actor, [table])
    await floor.presence.still_here(table, ana.player)
    assert seat(ana, table).away
    assert floor.presence.connected(table) == []


async def test_who_has_another_connection_here_stays(houses: Houses) -> None:
    """Two tabs: what one of them asks for is refused, and it is closed; the other one holds the seat."""
    floor, ana, table = await seated(houses)
    other = Guest(floor, ana.welcome, 99)
    assert isinstance(await other.play(c.TakeBox, table, box=2), Refused)
    await floor.left(other.actor, [table])
    await floor.presence.watch()
    assert (seat(ana, table).away, seat(ana, table).via) == (False, ana.actor.via)


async def test_the_seat_passes_to_the_connection_that_is_left(houses: Houses) -> None:
    floor, ana, table = await seated(houses, 1_000)
    other = Guest(floor, ana.welcome, 99)
    assert isinstance(await other.bet(table, 1, 100), Ack)
    first = seat(ana, table).via
    await floor.left(other.actor, [table])
    assert (first, seat(ana, table).via) == (other.actor.via, ana.actor.via)
    assert not seat(ana, table).away
    assert ana.live(table).state.phase == "betting", "nobody was away, even for a moment"
    told = [(via, place.control) for via, place in houses.ear(floor).placed if via in {ana.actor.via, other.actor.via}]
    assert told[-3:] == [(ana.actor.via, False), (other.actor.via, True), (ana.actor.via, True)]


async def test_who_could_not_be_taken_back_at_once_is_later(houses: Houses, monkeypatch: pytest.MonkeyPatch) -> None:
    floor, ana, table = await seated(houses)

    async def away(*_: object) -> None:
        raise StoreAway

    with monkeypatch.context() as patch:
        patch.setattr(floor.presence, "_surely", away)
        await floor.committer.run(ana.live(table), MarkAway(ana.player, ana.actor.via))
        await asyncio.sleep(0.1)
    assert seat(ana, table).away
    await floor.presence.watch()
    assert not seat(ana, table).away


async def test_a_seat_that_comes_back_with_its_connection_stays_known(houses: Houses) -> None:
    """The store forgot that it had been given back."""
    floor, ana, table = await seated(houses)
    floor.presence.forget_table(table)
    await floor.arrived(ana.actor, table)
    await floor.presence.watch()
    assert not seat(ana, table).away


async def test_a_table_that_went_leaves_no_connections_behind(houses: Houses) -> None:
    floor, _, table = await seated(houses)
    await houses.client.delete(*await houses.client.keys(f"*:{table}"))
    await floor.registry.rescan()
    await until(lambda: not floor.presence.connected(table))


async def test_a_node_that_began_a_moment_ago_is_not_taken_for_dead(
    houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The beats were read before its first one, the table after it had seated somebody."""
    first, ana, table = await seated(houses)
    second = await followed_elsewhere(houses, table)
    await first.presence.beat()
    read, earlier = second._store.alive, [dict[str, int]()]

    async def alive() -> dict[str, int]:
        return earlier.pop() if earlier else await read()

    monkeypatch.setattr(second._store, "alive", alive)
    await second.presence.watch()
    assert not earlier
    assert not seat(ana, table, second).away


async def test_an_orderly_stop_marks_nobody_away_who_comes_back(houses: Houses) -> None:
    first, second = await houses.floor(), await houses.floor()
    ana, bea = await houses.guest(first), await houses.guest(first, "Bea")
    table = await houses.table(ana)
    await ana.sit(table, 1)
    await bea.sit(table, 2)
    first.leave()
    await first.left(ana.actor, [table])
    await first.left(bea.actor, [table])
    assert not seat(ana, table).away
    await second.follow(table)
    elsewhere = Guest(second, ana.welcome, 99)
    await second.arrived(elsewhere.actor, table)
    await first.stop()
    await second.presence.watch()
    assert seat(ana, table, second).via == elsewhere.actor.via
    assert seat(bea, table, second).away


async def test_a_seat_that_passes_to_another_node_is_served_there(houses: Houses) -> None:
    first, ana, table = await seated(houses, 1_000)
    second = await followed_elsewhere(houses, table)
    elsewhere = Guest(second, ana.welcome, 99)
    assert isinstance(await elsewhere.bet(table, 1, 100), Ack)
    assert await houses.client.smembers(f"p:{{s0}}:{second.incarnation}") == {table.encode()}
    await level((first, table), (second, table))
    assert any(not place.control for place in houses.ear(first).places)
