"""A hand that was cut off goes on with the same cards, on whichever node, from whichever copy of the data; unless the store may
have forgotten what players have seen: then it is void."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tapete_client import Session, Table, connect, verify
from tapete_protocol.codec import decode_frame
from tapete_protocol.frames import Batch
from tapete_protocol.view import TableView
from tests.integration.cluster import House, NodeProcess, audited, house
from tests.integration.play import FAST

BETS = {**{(box, "main"): 1_000 for box in (1, 2, 3, 4)}, (1, "sevens"): 100}
TOLD = (
    "CardDealt",
    "HandClosed",
    "StakeAdded",
    "DealerDone",
    "HandSettled",
    "SpotSettled",
    "BoxSettled",
    "RoundSettled",
)


def _goes_on(number: int, view: TableView) -> bool:
    """The round is played, or was over at once."""
    return view.phase == "playing" or view.round > number


async def _sit_until_there_is_a_choice(session: Session) -> Table:
    """Play rounds until one leaves this player at least one decision."""
    table = await session.join(
        await session.open_table("Cut off", {"game": "double_exposure", "times": {**FAST, "turn_ms": 3_600_000}}),
        box=1, buy_in=50_000,
    )  # fmt: skip
    for box in (2, 3, 4):
        await table.take_box(box)
    while table.my_turn is None:
        await table.until(lambda view: view.phase == "betting")
        number = table.view.round
        await table.place_bets(BETS)
        await table.ready()
        await table.until(partial(_goes_on, number))
        await table.until(lambda view: view.phase in ("playing", "betting"))
    return table


async def _finish(node: NodeProcess, token: str, table_id: str) -> tuple[list[Any], int, int]:
    """The rest of the round, with fixed decisions: what happened, the stack after it, and the round's number."""
    told: list[Any] = []
    async with connect(node.url, token=token) as session:
        table = await session.watch(table_id)
        round_cut_off = table.view.round

        def note(payload: bytes) -> None:
            batch = decode_frame(payload)
            assert isinstance(batch, Batch)
            told.extend(event for event in batch.events if type(event).__name__ in TOLD)

        table.on_frame(note)
        await table.until(lambda view: view.felt.turn is not None)
        await table.hit()  # whatever else comes, one card is dealt after the cut
        while (turn := table.my_turn) and table.view.round == round_cut_off:
            await (table.hit() if table.hand(turn).total < 15 else table.stand())
        await table.until(lambda view: view.round > round_cut_off)
        return told, table.stack, round_cut_off


@pytest.mark.timeout(180)
async def test_two_copies_of_a_killed_house_deal_the_same_cards() -> None:
    with tempfile.TemporaryDirectory(prefix="tapete-") as directory:
        original, copy = Path(directory) / "original", Path(directory) / "copy"
        async with AsyncExitStack() as stack:
            first = await stack.enter_async_context(House(original))
            node = await first.node("--fsync", "always")
            session = connect(node.url, name="Ana")
            await session.__aenter__()
            table = await _sit_until_there_is_a_choice(session)
            token, table_id = session.token, table.id
            node.kill()
            await first.stop_store()  # a copy of a running one would have to be made with more care
            await session.close()
            shutil.copytree(original, copy, ignore=lambda _, names: [name for name in names if name.endswith(".sock")])
            second = await stack.enter_async_context(House(copy))
            outcomes = [
                await _finish(await house.node("--fsync", "always"), token, table_id) for house in (first, second)
            ]
        assert outcomes[0] == outcomes[1]
        names = [type(event).__name__ for event in outcomes[0][0]]
        assert "RoundSettled" in names
        assert "BoxSettled" in names
        assert "CardDealt" in names, "the dealer or a hand took a card after the cut"


@pytest.mark.timeout(180)
async def test_a_round_is_void_when_nobody_is_left_who_knows_whether_it_went_on() -> None:
    """The store writes behind what it acknowledges, and nothing lives that had seen what it may have lost."""
    async with house() as running:
        node = await running.node()
        session = connect(node.url, name="Ana")
        await session.__aenter__()
        table = await _sit_until_there_is_a_choice(session)
        token, table_id, number = session.token, table.id, table.view.round
        chips = table.stack + sum(BETS.values())
        node.kill()
        await running.stop_store()
        await session.close()
        node = await running.node()
        async with connect(node.url, token=token) as session:
            table = await session.watch(table_id)
            await table.until(lambda view: view.round > number)
            assert table.stack == chips, "every stake has come back"
            link = f"http://127.0.0.1:{node.port}/api/rounds/{table_id}/{number}"
            (record,) = verify.records_of(await asyncio.to_thread(verify.fetched, link))
            assert verify.verify(record).voided == "rewound"
        status, told = await audited(running.data)
        assert status == 0, told
