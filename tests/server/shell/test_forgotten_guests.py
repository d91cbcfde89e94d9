"""A guest who is here, and of whom the store knows nothing any more since it went back: told so, whatever they ask for."""

from __future__ import annotations

import pytest

from tapete_protocol import commands as c
from tapete_protocol.frames import Ack, Refused
from tests.server.shell.floors import Guest, Houses


@pytest.fixture
async def forgotten(houses: Houses) -> Guest:
    floor = await houses.floor()
    guest = await houses.guest(floor)
    assert await (await houses.store()).expire_account(guest.player)
    return guest


async def test_buys_no_chips(houses: Houses, forgotten: Guest) -> None:
    table = await houses.table(await houses.guest(forgotten.floor, "Bea"))
    await forgotten.sit(table, 1)
    answer = await forgotten.buy(table, 1_000)
    assert isinstance(answer, Refused)
    assert answer.code == "bad_token"


async def test_gets_no_more_money(forgotten: Guest) -> None:
    answer = await forgotten.floor.top_up(forgotten.actor, c.TopUp(id=1, command="more"))
    assert isinstance(answer, Refused)
    assert answer.code == "bad_token"


async def test_signs_in_anew(houses: Houses, forgotten: Guest) -> None:
    again = await houses.guest(forgotten.floor)
    assert again.player != forgotten.player
    table = await houses.table(again)
    await again.sit(table, 1)
    assert isinstance(await again.buy(table, 1_000), Ack)
