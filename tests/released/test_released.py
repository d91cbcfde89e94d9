"""What released versions wrote is loaded by today's code, means the same, and goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
from redis.asyncio import Redis

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.base import TableId
from tapete_protocol.chain import next_head
from tapete_protocol.codec import decode_command, decode_frame
from tapete_protocol.frames import Ack, Welcome
from tapete_protocol.vectors import plain_form
from tapete_server.core.codec import unpack_batch, unpack_table
from tapete_server.core.commands import Close, ConfirmOut, DeadlinePassed, Decision, Dice, Refusal
from tapete_server.core.decide import decide
from tapete_server.core.evolve import after_batch
from tapete_server.core.games import game_for, plain
from tapete_server.core.state import Table, broken
from tapete_server.core.stream import commitment_to, round_secret
from tests.released import shelf
from tests.released.keys import restore
from tests.released.shelf import TableLog
from tests.server.core.table_driver import START_MS, TableDriver
from tests.server.shell.floors import Guest, Houses, until
from tests.server.store.servers import Server, binaries

VERSIONS = shelf.versions()
LOGS = {f"{version}: {name}": log for version in VERSIONS for name, log in shelf.table_logs(version).items()}
STEPS_MAX = 60


def missing_from(there: Any, recorded: Any, at: str = "") -> list[str]:
    """Where today's value lacks or contradicts what was recorded; fields that are new since then are no fault."""
    if isinstance(recorded, dict) and isinstance(there, dict):
        return [fault for key, one in recorded.items() for fault in missing_from(there.get(key), one, f"{at}.{key}")]
    if isinstance(recorded, list) and isinstance(there, list | tuple) and len(recorded) == len(there):
        pairs = enumerate(zip(there, recorded, strict=True))
        return [fault for place, (mine, its) in pairs for fault in missing_from(mine, its, f"{at}[{place}]")]
    return [] if there == recorded else [f"{at}: {there!r} and not {recorded!r}"]


def states(log: TableLog) -> Iterator[Table]:
    table = None
    for payload in log.batches:
        table = after_batch(table, unpack_batch(payload), payload)
        yield table


def test_the_present_version_is_recorded() -> None:
    """A release without its recording is none: `python -m tests.released`."""
    assert shelf.present_version() in VERSIONS


def test_a_difference_is_seen() -> None:
    assert missing_from({"a": [1, {"b": 2}], "new": 0}, {"a": [1, {"b": 2}]}) == []
    assert missing_from({"a": [1, {"b": 3}]}, {"a": [1, {"b": 2}]}) == [".a[1].b: 3 and not 2"]
    assert missing_from({}, {"a": 1}) == [".a: None and not 1"]


@pytest.mark.parametrize("log", LOGS.values(), ids=LOGS)
class TestTables:
    """Logs and blobs of tables that lived through everything."""

    def test_the_log_leads_to_the_same_head_and_to_the_blobs(self, log: TableLog) -> None:
        seen = {state.version: state for state in states(log)}
        assert seen[len(log.batches)].head == log.head
        assert log.blobs
        for version, blob in log.blobs.items():
            assert unpack_table(blob) == seen[version]
            assert missing_from(plain(seen[version]), msgpack.unpackb(blob, strict_map_key=False)) == []
            assert broken(seen[version]) is None

    def test_published_secrets_are_still_those_of_the_key(self, log: TableLog) -> None:
        nonces: dict[int, tuple[bytes, bytes]] = {}
        for event in (event for batch in log.batches for event in unpack_batch(batch).events):
            match event:
                case e.RoundOpened(number, nonce, commitment):
                    nonces[number] = (nonce, commitment)
                case e.RoundSettled(round=number, secret=secret) | e.RoundVoided(round=number, secret=secret):
                    nonce, commitment = nonces[number]
                    assert secret == round_secret(log.key, "mesa", number, nonce)
                    assert commitment_to(secret) == commitment
                case _:
                    pass
        assert nonces

    def test_a_closed_round_is_dealt_the_same_cards(self, log: TableLog) -> None:
        """By a node of today that takes over from one of that release."""
        for version, blob in log.blobs.items():
            table = unpack_table(blob)
            if table.phase != "closing" or version == len(log.batches):
                continue
            after = unpack_batch(log.batches[version])
            if not cards(after.events):
                continue  # a reveal came, or more time
            clock = closing_clock(table)
            at = table.deadline(clock)
            dealt = decide(table, DeadlinePassed(clock, at), max(at, after.at), Dice(log.key, bytes(32)))
            assert isinstance(dealt, Decision)
            assert cards(dealt.events) == cards(after.events) != []

    def test_every_blob_is_played_on(self, log: TableLog) -> None:
        for blob in log.blobs.values():
            play_on(Resumed(unpack_table(blob), log.key))


def closing_clock(table: Table) -> str:
    """What the first card waits for: the players' reveals, or nothing."""
    return "closing" if table.deadline("closing") else "deal"


def cards(events: tuple[e.Event, ...]) -> list[e.Event]:
    return [event for event in events if isinstance(event, e.CardDealt | e.CardBurnt | e.ShoeOpened)]


class Resumed(TableDriver):
    """A table of which there is nothing but its state."""

    def __init__(self, table: Table, key: bytes) -> None:
        self.key, self.table = key, table
        self.payloads, self.events, self.last = [], [], ()
        self._last_sent, self._dice, self._transfers = {}, 1_000, 1_000
        self.now = min((at for _, at in table.deadlines), default=START_MS) - 1  # none of its clocks has run out


def play_on(table: Resumed) -> None:
    """The round is played to its end, and the next one opens; a stopped table says so."""
    if table.table.frozen or table.table.closed:
        refused = table.play("zoe", c.TakeBox, box=1)
        assert isinstance(refused, Refusal)
        assert refused.code == ("table_frozen" if table.table.frozen else "no_such_table")
        return
    round_now = table.table.round
    for _ in range(STEPS_MAX):
        if table.table.round > round_now:
            return
        step(table)
    raise AssertionError(f"round {round_now} does not end")


def step(table: Resumed) -> None:
    if table.turn is not None:
        table.act(table.turn.legal[-1])
    elif table.table.phase == "settled":
        table.fire("pause")
    elif table.table.phase == "closing":
        table.fire(closing_clock(table.table))
    elif table.table.bets:
        waited_for = [one for one in table.table.players if table.table.has_stake(one.id) and not one.ready]
        assert isinstance(table.ready(waited_for[0].id), Decision)
    else:
        stake(table)


def stake(table: Resumed) -> None:
    """Whoever has a box bets the minimum; at an empty table somebody sits down first."""
    if not table.table.players:
        table.sit("zoe", 1, chips=0)
    player = table.table.players[0].id
    spot = table.game.spots[0]
    least = table.game.limits(spot)[0]
    assert isinstance(table.buy_in(player, least), Decision)
    assert isinstance(table.bet(player, table.table.boxes_of(player)[0], least, spot), Decision)


@pytest.mark.parametrize("version", VERSIONS)
class TestDocuments:
    """Settings and messages."""

    def test_settings_mean_what_they_meant(self, version: str) -> None:
        for document in shelf.read(version, "settings.json"):
            assert missing_from(game_for(document["text"]).document(), document["means"]) == []

    def test_commands_are_understood(self, version: str) -> None:
        for vector in shelf.read(version, "commands.json"):
            command = decode_command(bytes.fromhex(vector["hex"]))
            assert missing_from(plain_form(command), vector["plain"]) == []

    def test_frames_are_understood(self, version: str) -> None:
        """Stored batches are frames, and clients of today meet nodes of that release while the house is upgraded."""
        for vector in shelf.read(version, "frames.json"):
            assert missing_from(plain_form(decode_frame(bytes.fromhex(vector["hex"]))), vector["plain"]) == []

    def test_batches_are_understood_and_chained(self, version: str) -> None:
        chain = shelf.read(version, "batches.json")
        head = bytes.fromhex(chain["genesis"])
        for vector in chain["batches"]:
            payload = bytes.fromhex(vector["hex"])
            assert missing_from(plain_form(decode_frame(payload)), vector["plain"]) == []
            head = next_head(head, payload)
            assert head.hex() == vector["head"]


@pytest.fixture(params=VERSIONS)
async def left(request: pytest.FixtureRequest) -> Any:
    """A store as a node of that release left it, and floors of today on it."""
    document = shelf.read(request.param, "house.json")
    server = Server(binaries()["valkey"])
    try:
        server.start()
        async with Redis.from_url(server.url) as client:
            await restore(client, document["keys"])
            houses = Houses(server, client)
            yield document, houses
            await houses.close()
    finally:
        server.close()


async def test_a_house_goes_on_where_it_was_left(left: tuple[dict[str, Any], Houses]) -> None:
    """Every chip is there, what was under way arrives, and the player plays the hand that was interrupted."""
    document, houses = left
    floor = await houses.floor()
    before = await houses.audit()
    assert (before.difference, before.faults, before.totals.minted) == (0, (), document["minted"])
    assert before.underway == document["underway"] > 0

    await floor.transfers.sweep()
    await floor.presence.watch()
    after = await houses.audit()
    assert (after.difference, after.faults, after.underway) == (0, (), 0)
    assert await floor._store.open_transfers(0) == await floor._store.unsettled_pay_outs(0) == []

    welcome = await floor.sign_in(c.Hello(id=0, token=document["token"]), "192.0.2.1")
    assert isinstance(welcome, Welcome)
    assert welcome.player == document["player"]
    await floor.lobby_list.look()
    (table,) = floor.lobby_list.places(welcome.player)
    await finish_the_hand(Guest(floor, welcome, 1), TableId(table))
    records = [row for listed in await floor._store.listed() for row in await floor._store.records(listed.table, 9)]
    assert len(records) > 1
    for _, record in records:
        unpacked = msgpack.unpackb(record)
        batches = [unpack_batch(payload) for payload in unpacked["batches"]]
        assert json.loads(unpacked["settings"])["game"]
        assert any(isinstance(event, e.RoundSettled) for event in batches[-1].events)
    assert (await houses.audit()).difference == 0


async def finish_the_hand(guest: Guest, table: TableId) -> None:
    assert await guest.floor.follow(table)
    live = guest.live(table)
    await guest.floor.arrived(guest.actor, table)
    assert live.state.phase == "playing"
    await guest.floor.timers.sweep()  # clocks that ran out since it was recorded are given more time
    await until(lambda: live.state.deadline("turn") > guest.floor.now_ms())
    round_now = live.state.round
    while live.state.round == round_now:
        turn = game_for(live.state.settings).legal(live.state.play, live.state.funds())
        assert turn is not None
        asked = await guest.play(c.Act, table, box=turn.box, hand=turn.hand, action="stand")
        assert isinstance(asked, Ack), asked
    await until(lambda: not live.state.staked)


def test_a_table_that_is_asked_in_vain_says_why() -> None:
    """The stopped tables among the recorded ones take what they may take: a cash-out's arrival, and nothing else."""
    for log in LOGS.values():
        table = unpack_table(log.blobs[len(log.batches)])
        if table.frozen:
            dice = Dice(log.key, bytes(32))
            assert decide(table, Close("house"), 0, dice) == Refusal("table_frozen", {"incident": table.frozen})
            assert isinstance(decide(table, ConfirmOut("none"), 0, dice), Decision)
            return
    raise AssertionError("a frozen table is recorded")
