"""Whatever somebody sends, nothing happens: not at the table, not in a wallet, not to the player beside them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import msgpack
import pytest
import pytest_asyncio

from tapete_protocol.codes import CloseCode
from tapete_protocol.frames import Ack, Refused
from tests.integration.cluster import House, audited, house
from tests.integration.provoked.stage import BLACKJACK, Venue, settings, well_refused
from tests.integration.raw import Raw

pytestmark = pytest.mark.asyncio(loop_scope="module")
MAIN = {"box": 2, "spot": "main", "amount": 100}


@dataclass
class Scene:
    """Ana plays honestly in box 1. Eva holds box 2, and is the one who sends these things."""

    house: House
    venue: Venue
    table: str
    ana: Raw
    eva: Raw

    async def ana_plays_on(self) -> None:
        """Another box, and back again: her place at the table is as good as ever."""
        await self.ana.act("TakeBox", self.table, box=3)
        await self.ana.act("FreeBox", self.table, box=3)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene() -> AsyncIterator[Scene]:
    async with house() as running, AsyncExitStack() as stack:
        venue = await Venue(await running.node(), stack).open()
        ana, table = await venue.seated(BLACKJACK)
        eva = await venue.player("Eva")
        await eva.sit(table, 2, 5_000)
        yield Scene(running, venue, table, ana, eva)


def packed(**fields: Any) -> bytes:
    made: bytes = msgpack.packb({"id": 7, "t": "Ping", **fields})
    return made


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


PING = packed()
CLOSING: dict[str, tuple[bytes | str, CloseCode]] = {
    "nothing": (b"", CloseCode.BAD_FRAME),
    "half a frame": (PING[:-3], CloseCode.BAD_FRAME),
    "a frame and a half": (PING + PING[:3], CloseCode.BAD_FRAME),
    "text": ('{"t":"Ping","id":1}', CloseCode.BAD_FRAME),
    "no map": (msgpack.packb([1, 2]), CloseCode.BAD_FRAME),
    "a number": (b"\x01", CloseCode.BAD_FRAME),
    "the byte that is none": (b"\xc1", CloseCode.BAD_FRAME),
    "keys that are numbers": (msgpack.packb({1: 2}), CloseCode.BAD_FRAME),
    "a key twice": (b"\x83\xa1t\xa4Ping\xa2id\x01\xa2id\x02", CloseCode.BAD_FRAME),
    "an extension type": (packed(x=msgpack.ExtType(5, b"x")), CloseCode.BAD_FRAME),
    "a timestamp": (packed(x=msgpack.Timestamp(1)), CloseCode.BAD_FRAME),
    "invalid UTF-8": (b"\x82\xa1t\xa4Ping\xa2id\xa2\xff\xfe", CloseCode.BAD_FRAME),
    "a surrogate": (b"\x82\xa1t\xa4Ping\xa2id\xa3\xed\xa0\x80", CloseCode.BAD_FRAME),
    "deep": (packed(x=deep(40)), CloseCode.BAD_FRAME),
    "bottomless": (b"\x81\xa1x" + b"\x91" * 4_000 + b"\x01", CloseCode.BAD_FRAME),
    "a length that is a lie": (b"\xdf\xff\xff\xff\xff", CloseCode.BAD_FRAME),
    "an array of four milliards": (b"\x81\xa1x\xdd\xff\xff\xff\xff", CloseCode.BAD_FRAME),
    "ten thousand bets": (
        b"\x82\xa1t\xaaPlaceBets_\xa1x\xdc\x27\x10" + b"\x01" * 4_000,
        CloseCode.BAD_FRAME,
    ),
    "a little too big": (packed(x="." * 4_090), CloseCode.TOO_BIG),
    "huge": (packed(x="." * 1_000_000), CloseCode.TOO_BIG),
}


@pytest.mark.parametrize("name", CLOSING)
async def test_what_is_no_message_closes_the_connection_and_no_more(name: str, scene: Scene) -> None:
    frame, code = CLOSING[name]
    before = await scene.venue.sight(scene.table, scene.eva.token)
    async with Raw(scene.venue.url) as client:
        await client.hello(token=scene.eva.token)
        await client.socket.send(frame)
        assert await client.closed() in {code, 1009 if code is CloseCode.TOO_BIG else code}
    assert await scene.venue.sight(scene.table, scene.eva.token) == before
    await scene.ana_plays_on()


PLACED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a negative bet": ("PlaceBets", {"bets": [{**MAIN, "amount": -100}]}, "malformed_command"),
    "a bet of a half": ("PlaceBets", {"bets": [{**MAIN, "amount": 0.5}]}, "malformed_command"),
    "a bet of NaN": ("PlaceBets", {"bets": [{**MAIN, "amount": float("nan")}]}, "malformed_command"),
    "an endless bet": ("PlaceBets", {"bets": [{**MAIN, "amount": float("inf")}]}, "malformed_command"),
    "a bet in words": ("PlaceBets", {"bets": [{**MAIN, "amount": "100"}]}, "malformed_command"),
    "a bet that is true": ("PlaceBets", {"bets": [{**MAIN, "amount": True}]}, "malformed_command"),
    "a bet that is nil": ("PlaceBets", {"bets": [{**MAIN, "amount": None}]}, "malformed_command"),
    "a bet of 2^53": ("PlaceBets", {"bets": [{**MAIN, "amount": 2**53}]}, "malformed_command"),
    "a bet of 2^64 - 1": ("PlaceBets", {"bets": [{**MAIN, "amount": 2**64 - 1}]}, "malformed_command"),
    "the largest bet of all": ("PlaceBets", {"bets": [{**MAIN, "amount": 10**12}]}, "bet_above_maximum"),
    "more than the stack": ("PlaceBets", {"bets": [{**MAIN, "amount": 50_000}]}, "not_enough_in_stack"),
    "no bets": ("PlaceBets", {"bets": []}, "malformed_command"),
    "twenty-one bets": ("PlaceBets", {"bets": [MAIN] * 21}, "malformed_command"),
    "a bet with a wish": ("PlaceBets", {"bets": [{**MAIN, "wish": 1}]}, "unsupported"),
    "good and bad together": ("PlaceBets", {"bets": [MAIN, {**MAIN, "box": 1}]}, "not_your_box"),
    "box 0": ("PlaceBets", {"bets": [{**MAIN, "box": 0}]}, "malformed_command"),
    "box 5": ("PlaceBets", {"bets": [{**MAIN, "box": 5}]}, "malformed_command"),
    "another's box": ("PlaceBets", {"bets": [{**MAIN, "box": 1}]}, "not_your_box"),
    "a spot of the other game": ("PlaceBets", {"bets": [{**MAIN, "spot": "banca"}]}, "unknown_spot"),
    "a spot with no name": ("PlaceBets", {"bets": [{**MAIN, "spot": ""}]}, "malformed_command"),
    "a negative cash-out": ("CashOut", {"amount": -1}, "malformed_command"),
    "no cash-out": ("CashOut", {"amount": 0}, "bad_amount"),
    "too large a cash-out": ("CashOut", {"amount": 5_001}, "not_enough_in_stack"),
    "another's box freed": ("FreeBox", {"box": 1}, "not_your_box"),
    "a taken box taken": ("TakeBox", {"box": 1}, "box_taken"),
    "a decision without cards": ("Act", {"box": 2, "hand": 0, "action": "hit"}, "round_over"),
    "an unknown decision": ("Act", {"box": 2, "hand": 0, "action": "cheat"}, "malformed_command"),
    "a hand that nobody has": ("Act", {"box": 2, "hand": 16, "action": "hit"}, "malformed_command"),
    "an unknown field": ("Ready", {"player": "ana"}, "unsupported"),
    "another table": ("Ready", {"table": "blackjack"}, "not_watching"),
    "a table with odd letters": ("Ready", {"table": "t:{s0}:x\n"}, "malformed_command"),
    "another stint": ("PlaceBets", {"bets": [MAIN], "stint": 0}, "stale"),
    "sequence 0": ("PlaceBets", {"bets": [MAIN], "seq": 0}, "stale"),
    "a negative sequence": ("PlaceBets", {"bets": [MAIN], "seq": -1}, "malformed_command"),
    "a sequence of 2^53": ("PlaceBets", {"bets": [MAIN], "seq": 2**53}, "malformed_command"),
}


@pytest.mark.parametrize("name", PLACED)
async def test_what_no_table_takes_is_refused_and_changes_nothing(name: str, scene: Scene) -> None:
    kind, fields, code = PLACED[name]
    before = await scene.venue.sight(scene.table, scene.eva.token)
    well_refused(code, await scene.eva.ask({**scene.eva.placed(kind, scene.table), **fields}))
    assert await scene.venue.sight(scene.table, scene.eva.token) == before
    await scene.ana_plays_on()


def opening(document: str, name: str = "Mesa") -> dict[str, Any]:
    return {"t": "OpenTable", "command": "an-opening", "name": name, "settings": document}


SENT: dict[str, tuple[dict[str, Any], str]] = {
    "a name that turns around": (opening(settings(BLACKJACK), "A\u202eB"), "bad_name"),
    "a name with nothing in it": (opening(settings(BLACKJACK), "\u200b\u200b"), "bad_name"),
    "settings that are none": (opening("{"), "bad_settings"),
    "settings of a list": (opening("[]"), "bad_settings"),
    "settings of no game": (opening("{}"), "bad_settings"),
    "settings of an unknown game": (opening(json.dumps({"game": "ruleta"})), "bad_settings"),
    "settings with a field of the other game": (opening(settings(BLACKJACK, tableau="x")), "bad_settings"),
    "settings with NaN": (opening('{"game":"double_exposure","decks":NaN}'), "bad_settings"),
    "settings without end": (opening('{"game":"double_exposure","main_max":1e999}'), "bad_settings"),
    "settings with an enormous number": (opening('{"game":"double_exposure","decks":' + "9" * 1_100 + "}"), "bad_settings"),
    "deep settings": (opening('{"game":' + "[" * 550 + "]" * 550 + "}"), "bad_settings"),
    "huge settings": (opening(json.dumps({"game": "x" * 3_000})), "malformed_command"),
    "settings with half a letter": (opening('{"game":"double_exposure","\\ud800":1}'), "bad_settings"),
    "settings of half a game": (opening('{"game":"\\udfff"}'), "bad_settings"),
    "settings that are text": (opening('"double_exposure"'), "bad_settings"),
    "a table with odd letters": ({"t": "Watch", "table": "../../etc"}, "malformed_command"),
    "an empty table": ({"t": "Watch", "table": ""}, "malformed_command"),
    "a head that is too short": ({"t": "Watch", "table": "mesa", "since": {"version": 1, "head": b"x"}}, "malformed_command"),
    "a command id with a space": ({"t": "TopUp", "command": "a b c d e f"}, "malformed_command"),
    "no kind": ({"t": None}, "unsupported"),
    "a kind of Batch": ({"t": "Batch"}, "unsupported"),
    "a negative number": ({"t": "Ping", "id": -1}, "malformed_command"),
    "a second hello": ({"t": "Hello", "token": "x.y"}, "already_signed_in"),
}  # fmt: skip


@pytest.mark.parametrize("name", SENT)
async def test_what_no_node_takes_is_refused_and_changes_nothing(name: str, scene: Scene) -> None:
    command, code = SENT[name]
    before = await scene.venue.sight(scene.table, scene.eva.token)
    await scene.eva.send({"id": 1_000_000, **command})
    answer = await scene.eva.until(Refused)
    well_refused(code, answer)
    await scene.eva.done({"t": "Ping"})
    assert await scene.venue.sight(scene.table, scene.eva.token) == before
    await scene.ana_plays_on()


@pytest.mark.parametrize("token", ["", ".", "g0123456789abcdef.", "house.00", "é.é", "x" * 512, "\x00" * 40])
async def test_a_forged_token_opens_nothing(token: str, scene: Scene) -> None:
    async with Raw(scene.venue.url) as client:
        well_refused("bad_token", await client.ask({"t": "Hello", "token": token}))
        mine, mac = scene.ana.token.rsplit(".", 1)
        for forged in (f"{mine}.{mac[:-1]}", f"{mine}.{mac}0", f"{mine}.{mac.upper()}x", f"{scene.eva.player}.{mac}"):
            well_refused("bad_token", await client.ask({"t": "Hello", "token": forged}))


@pytest.mark.parametrize("since", [{"version": 2**53 - 1}, {"version": 0}, {"version": 2}])
async def test_a_forged_head_is_answered_with_the_table_as_it_is(since: dict[str, int], scene: Scene) -> None:
    now = await scene.venue.sight(scene.table, scene.eva.token)
    spectator = scene.venue.spectator
    answer = await spectator.ask({"t": "Watch", "table": scene.table, "since": {**since, "head": b"\xff" * 32}})
    assert isinstance(answer, Ack)
    assert answer.version == now.version
    await spectator.done({"t": "Unwatch", "table": scene.table})
    assert await scene.venue.sight(scene.table, scene.eva.token) == now


async def test_the_last_command_twice_is_done_once(scene: Scene) -> None:
    command = scene.eva.placed("PlaceBets", scene.table, bets=[MAIN])
    first = await scene.eva.ask(command)
    before = await scene.venue.sight(scene.table, scene.eva.token)
    second = await scene.eva.ask(command)
    assert isinstance(first, Ack)
    assert isinstance(second, Ack)
    assert first.version == second.version
    well_refused("stale", await scene.eva.ask({**command, "bets": [{**MAIN, "amount": 200}]}))
    assert await scene.venue.sight(scene.table, scene.eva.token) == before


async def test_nothing_is_missing_and_the_node_never_stumbled(scene: Scene) -> None:
    status, told = await audited(scene.house.data)
    assert status == 0, told
    assert "Traceback" not in scene.venue.node.stderr()
