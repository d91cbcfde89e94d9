"""The fair deal on a real store and several nodes: reveals from anywhere, the same cards everywhere, and no round twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgpack

from tapete_client import verify
from tapete_protocol import commands as c
from tapete_protocol.base import TableId
from tapete_protocol.codec import decode_frame
from tapete_protocol.events import BettingClosed, CardDealt, RoundVoided
from tapete_protocol.fair import entropy_commitment
from tapete_protocol.frames import Ack, Batch, Refused
from tapete_server.core.commands import DeadlinePassed, VoidRound
from tapete_server.core.state import Table
from tests.server.shell.floors import Guest, Houses, level, until

REVEALS = json.dumps(
    {
        "game": "punto_banco",
        "reveals": True,
        "times": {"betting_ms": 60_000, "closing_ms": 2_000, "pause_ms": 0, "card_ms": 0},
    }
)
ENTROPY = bytes(range(32))


def state(guest: Guest, table: TableId) -> Table:
    return guest.live(table).state


async def bind(guest: Guest, table: TableId, box: int, entropy: bytes = ENTROPY) -> None:
    commitment = entropy_commitment(table, state(guest, table).round, guest.player, entropy)
    bets = (c.Bet(box=box, spot="punto", amount=100),)
    assert isinstance(await guest.play(c.PlaceBets, table, bets=bets, commitment=commitment), Ack)


async def close(*guests: Guest, table: TableId) -> None:
    for guest in guests:
        await level(*((one.floor, table) for one in guests))
        assert isinstance(await guest.play(c.Ready, table), Ack)
    await level(*((one.floor, table) for one in guests))
    assert all(state(one, table).phase == "closing" for one in guests)


async def reveal(guest: Guest, table: TableId, number: int, entropy: bytes = ENTROPY) -> Ack | Refused:
    return await guest.floor.play(guest.actor, c.Reveal(id=1, table=table, round=number, entropy=entropy))


async def two(houses: Houses) -> tuple[Guest, Guest, TableId]:
    """Two players on two nodes, at a table with reveals."""
    first, second = await houses.floor(), await houses.floor()
    ana, ben = await houses.guest(first), await houses.guest(second, "Ben")
    table = await houses.table(ana, REVEALS)
    await ana.sit(table, 1, 10_000)
    await ben.sit(table, 2, 10_000)
    await level((first, table), (second, table))
    return ana, ben, table


async def closed(houses: Houses) -> tuple[Guest, Guest, TableId]:
    ana, ben, table = await two(houses)
    await bind(ana, table, 1)
    await bind(ben, table, 2)
    await close(ana, ben, table=table)
    return ana, ben, table


async def finished(ana: Guest, ben: Guest, table: TableId) -> None:
    """Both reveal, and whichever clock is quicker deals."""
    number = state(ana, table).round
    for guest in (ana, ben):
        assert isinstance(await reveal(guest, table, number), Ack)
    await until(lambda: state(ana, table).round > number and state(ben, table).round > number)
    await level((ana.floor, table), (ben.floor, table))


async def record_of(houses: Houses, table: TableId, number: int) -> Mapping[str, Any]:
    packed = await houses.floors[0]._store.record(table, number)
    assert packed is not None
    record: dict[str, Any] = msgpack.unpackb(packed)
    return record


async def test_a_round_of_two_nodes_is_proven(houses: Houses) -> None:
    ana, ben, table = await closed(houses)
    await finished(ana, ben, table)
    await bind(ana, table, 1, bytes(32))
    await bind(ben, table, 2, bytes(32))
    await close(ana, ben, table=table)
    number = state(ana, table).round
    await reveal(ana, table, number, bytes(32))
    await until(lambda: state(ana, table).round > number)
    records = [await record_of(houses, table, one) for one in (1, 2)]
    proofs = list(verify.verify_all(records))
    assert [(proof.missing, proof.reveals) for proof in proofs if isinstance(proof, verify.Proof)] == [
        ((), True),
        ((ben.player,), True),
    ]


async def test_a_reveal_comes_over_a_connection_that_only_watches(houses: Houses) -> None:
    ana, ben, table = await closed(houses)
    seat = state(ana, table).player(ana.player)
    other = Guest(ben.floor, ana.welcome, 900)
    assert isinstance(await reveal(other, table, 1), Ack)
    found = state(ben, table).player(ana.player)
    assert seat is not None
    assert found is not None
    assert (found.via, found.seq) == (seat.via, seat.seq)
    assert state(ben, table).contributions[0].entropy == ENTROPY


async def test_a_missing_reveal_stalls_nobody(houses: Houses) -> None:
    ana, _, table = await closed(houses)
    await reveal(ana, table, 1)
    await until(lambda: state(ana, table).round == 2)


async def kept(houses: Houses, table: TableId) -> dict[bytes, bytes]:
    """All that the store has of the table."""
    keys = await houses.client.keys(f"*:{table}")
    return {key: await houses.client.dump(key) for key in keys}


async def go_back(houses: Houses, table: TableId, before: Mapping[bytes, bytes]) -> int:
    """The store as it was; returns the version."""
    async with houses.client.pipeline(transaction=True) as steps:
        for key in await houses.client.keys(f"*:{table}"):
            steps.delete(key)
        for key, dump in before.items():
            steps.restore(key, 0, dump)
        await steps.execute()
    version: bytes = await houses.client.hget(next(key for key in before if key.startswith(b"t:")), "v")
    return int(version)


async def log_of(houses: Houses, table: TableId, version: int) -> list[Any]:
    batches = await houses.floors[0]._store.batches(table, version, version + 1_000)
    frames = [decode_frame(payload) for _, payload in batches]
    return [event for frame in frames if isinstance(frame, Batch) for event in frame.events]


async def finished_after_a_copy(houses: Houses) -> tuple[Guest, Guest, TableId, Mapping[bytes, bytes]]:
    """A round that was played to its end, and the store as it was when only the first bet lay."""
    ana, ben, table = await two(houses)
    await bind(ana, table, 1)
    before = await kept(houses, table)
    await bind(ben, table, 2)
    await close(ana, ben, table=table)
    await finished(ana, ben, table)
    return ana, ben, table, before


async def test_a_store_that_went_back_behind_the_end_of_a_round_never_deals_it(houses: Houses) -> None:
    """Its secret is public: whatever was asked of it, the round is void, and the next one has another secret."""
    ana, ben, table = await two(houses)
    await bind(ana, table, 1)
    before = await kept(houses, table)
    opened = state(ana, table)
    await bind(ben, table, 2)
    await close(ana, ben, table=table)
    await finished(ana, ben, table)
    version = await go_back(houses, table, before)
    await ana.floor.registry.rescan()
    await until(lambda: state(ana, table).version == version + 1)
    happened = await log_of(houses, table, version)
    assert [event.why for event in happened if isinstance(event, RoundVoided)] == ["rewound"]
    assert not any(isinstance(event, CardDealt | BettingClosed) for event in happened)
    assert state(ana, table).nonce != opened.nonce
    assert state(ana, table).commitment != opened.commitment
    await level((ana.floor, table), (ben.floor, table))


async def test_the_first_command_after_it_voids_it_as_well(houses: Houses) -> None:
    """Without any look at the store before: the conflict tells."""
    _, ben, table, before = await finished_after_a_copy(houses)
    version = await go_back(houses, table, before)
    bets = (c.Bet(box=2, spot="banca", amount=200),)
    await ben.play(c.PlaceBets, table, bets=bets)
    happened = await log_of(houses, table, version)
    assert isinstance(happened[0], RoundVoided) or any(isinstance(event, RoundVoided) for event in happened)
    assert not any(isinstance(event, CardDealt | BettingClosed) for event in happened)


async def test_a_round_is_not_ended_on_batches_that_the_store_no_longer_has(houses: Houses) -> None:
    """What its record needs is asked for, and the store has another past."""
    ana, _, table, before = await finished_after_a_copy(houses)
    live = ana.floor.registry.live(table)
    assert live is not None
    second = live.state
    live.window.fill((), 0, b"")
    version = await go_back(houses, table, before)
    await ana.floor.committer.run(live, VoidRound(second.round, second.nonce, "rewound"))
    happened = await log_of(houses, table, version)
    assert [(event.round, event.why) for event in happened if isinstance(event, RoundVoided)] == [(1, "rewound")]


async def test_a_store_that_went_back_before_the_close_starts_the_round_anew(houses: Houses) -> None:
    """What was revealed of it is known."""
    ana, ben, table = await two(houses)
    await bind(ana, table, 1)
    before = await kept(houses, table)
    await bind(ben, table, 2)
    await close(ana, ben, table=table)
    await go_back(houses, table, before)
    await ana.floor.registry.rescan()
    await until(lambda: state(ana, table).round == 2)
    assert state(ana, table).bets == ()


async def test_a_store_that_went_back_a_little_plays_on(houses: Houses) -> None:
    """Nothing of the round was known: the bet is lost, the round is not."""
    ana, ben, table = await two(houses)
    before = await kept(houses, table)
    await bind(ana, table, 1)
    await level((ana.floor, table), (ben.floor, table))
    version = await go_back(houses, table, before)
    await ana.floor.registry.rescan()
    await until(lambda: state(ana, table).version == version)
    await bind(ana, table, 1)
    assert state(ana, table).round == 1


async def test_a_clock_of_the_old_time_deals_nothing(houses: Houses) -> None:
    ana, ben, table = await closed(houses)
    at = state(ana, table).deadline("closing")
    await finished(ana, ben, table)
    version = state(ana, table).version
    await ana.floor.committer.run(ana.live(table), DeadlinePassed("closing", at))
    assert state(ana, table).version == version
