"""The store forgets who is where, and who there is: no seat is held by nobody, and nobody is met with a failure."""

from __future__ import annotations

from typing import Any

from tapete_protocol import commands as c
from tapete_protocol.base import TableId
from tapete_protocol.frames import Ack, Refused
from tapete_server.shell.presence import SILENT_MS
from tests.server.shell.floors import Houses, followed_elsewhere, seat, seated, until


async def key_of(houses: Houses, table: TableId) -> Any:
    return (await houses.client.keys(f"t:*:{table}"))[0]


async def test_a_seat_by_a_connection_that_has_ended_since(houses: Houses) -> None:
    floor, ana, table = await seated(houses)
    key = await key_of(houses, table)
    before = await houses.client.hgetall(key)
    await floor.left(ana.actor, [table])
    await houses.client.hset(key, mapping=before)
    await floor.registry.rescan()
    await until(lambda: not seat(ana, table).away)
    await floor.presence.watch()
    assert seat(ana, table).away
    await floor.arrived(ana.actor, table)
    await floor.presence.watch()
    assert seat(ana, table).via == ana.actor.via, "who is here stays"


async def test_a_seat_by_a_node_that_the_store_has_forgotten(houses: Houses) -> None:
    first, ana, table = await seated(houses)
    second = await followed_elsewhere(houses, table)
    await first.stop()
    await houses.client.delete(*await houses.client.keys("h*:*"), f"p:{{s0}}:{first.incarnation}")
    await second.presence.beat()
    await second.presence.watch()
    assert seat(ana, table, second).away


async def test_a_seat_by_a_dead_node_of_which_the_store_forgot_whom_it_served(houses: Houses) -> None:
    first, ana, table = await seated(houses)
    second = await followed_elsewhere(houses, table)
    await first.presence.beat()
    await second.presence.watch()
    assert not seat(ana, table, second).away, "it is alive"
    await first.stop()
    await houses.client.delete(f"p:{{s0}}:{first.incarnation}")
    silent_since = second.clock.now_ms() - SILENT_MS
    await houses.client.zadd("hb:{s0}", {first.incarnation: silent_since - 1})
    await second.presence.watch()
    assert seat(ana, table, second).away


async def test_a_node_says_again_which_tables_it_serves_when_the_store_was_lost(houses: Houses) -> None:
    floor = await houses.floor()
    ana, bea = await houses.guest(floor), await houses.guest(floor, "Bea")
    table = await houses.table(ana)
    await ana.sit(table, 1)
    served = f"p:{{s0}}:{floor.incarnation}"
    await houses.client.delete(served)
    floor.presence.store_came_back()
    assert isinstance(await bea.play(c.TakeBox, table, box=2), Ack)
    assert await houses.client.smembers(served) == {table.encode()}


async def test_a_guest_that_the_store_forgot_is_told_to_sign_in_anew(houses: Houses) -> None:
    floor = await houses.floor(top_up_below=10**9)
    ana = await houses.guest(floor)
    await houses.client.delete(*await houses.client.keys(f"a:*:{ana.player}*"))
    answer = await floor.top_up(ana.actor, c.TopUp(id=1, command="more-money-1"))
    assert isinstance(answer, Refused)
    assert answer.code == "bad_token"
