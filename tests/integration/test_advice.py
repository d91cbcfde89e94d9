"""Advice through sockets: private, of the hand that decides, and the same for whoever reads the table's odds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from tapete_protocol.frames import Ack, Advice, Batch, Refused
from tests.integration.cluster import house
from tests.integration.provoked.stage import BACCARAT, BLACKJACK, Stage, play_until

pytestmark = pytest.mark.asyncio(loop_scope="module")
BETS = [{"box": 1, "spot": "main", "amount": 1000}, {"box": 1, "spot": "sevens", "amount": 100}]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage() -> AsyncIterator[Stage]:
    async with house() as running, AsyncExitStack() as stack:
        yield await Stage(running, stack).open()


async def test_a_hand_that_decides_is_advised_in_private(stage: Stage) -> None:
    player, table = await stage.venue.seated(BLACKJACK)
    turn = await play_until(player, table, BETS, lambda _, __: True)
    watching = stage.venue.spectator
    await watching.watch(table)
    answer = await player.ask({"t": "AskAdvice", "table": table})
    assert isinstance(answer, Ack)
    advice = await player.until(Advice)
    assert (advice.box, advice.hand, advice.stake, advice.exact) == (turn.box, turn.hand, 1000, False)
    assert [worth.action for worth in advice.worth] == list(turn.legal)
    exact = await player.ask({"t": "AskAdvice", "table": table, "exact": True})
    assert isinstance(exact, Ack)
    by_the_cards = await player.until(Advice)
    assert by_the_cards.exact
    again = await player.ask({"t": "AskAdvice", "table": table, "exact": True})
    assert isinstance(again, Ack), "the same question is not worked out again"
    assert (await player.until(Advice)).worth == by_the_cards.worth
    for one, other in zip(advice.worth, by_the_cards.worth, strict=True):
        assert abs(one.millionths - other.millionths) < 100_000
    await player.act("Act", table, box=turn.box, hand=turn.hand, action="stand")
    await watching.until(Batch)
    await watching.done({"t": "Ping"})
    assert not any(isinstance(frame, Advice) for frame in watching.frames), "nobody else is told"


async def test_who_does_not_decide_is_not_advised(stage: Stage) -> None:
    player, table = await stage.venue.seated(BLACKJACK)
    assert isinstance(refused := await player.ask({"t": "AskAdvice", "table": table}), Refused)
    assert refused.code == "round_over"
    turn = await play_until(player, table, BETS, lambda _, __: True)
    watching = stage.venue.spectator
    await watching.watch(table)
    assert isinstance(refused := await watching.ask({"t": "AskAdvice", "table": table}), Refused)
    assert (refused.code, refused.detail) == ("not_your_turn", {"box": turn.box, "hand": turn.hand})


async def test_nobody_decides_in_punto_banco(stage: Stage) -> None:
    player, table = await stage.venue.seated(BACCARAT)
    assert isinstance(refused := await player.ask({"t": "AskAdvice", "table": table}), Refused)
    assert refused.code == "round_over"
