"""Where refusals are provoked: nodes with a spectator each, players, tables; and what an attempt is held against."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any

from tapete_protocol.codes import CODES, message
from tapete_protocol.events import ChipsArrived, RoundSettled, TurnStarted
from tapete_protocol.frames import Batch, Refused, Snapshot
from tests.integration.cluster import House, NodeProcess
from tests.integration.raw import Answer, Raw, Sight

FAST = {"betting_ms": 0, "closing_ms": 0, "pause_ms": 0, "card_ms": 0, "turn_ms": 3_600_000}
BLACKJACK = "double_exposure"
BACCARAT = "punto_banco"


def settings(game: str, *, times: dict[str, int] | None = None, **more: Any) -> str:
    return json.dumps({"game": game, "times": {**FAST, **(times or {})}, **more})


class Venue:
    """A node, and a spectator who looks at its tables. Who comes as `like` signs in as that player."""

    def __init__(self, node: NodeProcess, stack: AsyncExitStack) -> None:
        self.node, self.url = node, node.url
        self._stack = stack
        self._spectator: Raw | None = None

    async def open(self, like: Raw | None = None) -> Venue:
        self._spectator = await self.player("Mirón", like=like)
        return self

    @property
    def spectator(self) -> Raw:
        assert self._spectator is not None, "opened"
        return self._spectator

    async def stranger(self) -> Raw:
        """A connection without a Hello."""
        return await self._stack.enter_async_context(Raw(self.url))

    async def player(self, name: str = "Ana", like: Raw | None = None) -> Raw:
        made = await self.stranger()
        await made.hello(name, token=like.token if like is not None else None)
        return made

    async def seated(self, game: str, chips: int = 10_000, boxes: int = 1, **more: Any) -> tuple[Raw, str]:
        """A player at a table of their own, in the first boxes."""
        player = await self.player()
        table = await player.open_table(settings(game, **more))
        await player.sit(table, 1, chips)
        for box in range(2, boxes + 1):
            await player.act("TakeBox", table, box=box)
        return player, table

    async def sight(self, table: str, token: str) -> Sight:
        """What others see of the table, and what the player's wallet has."""
        balance = await self.spectator.balance(token) if token else 0
        if not table:
            return Sight(0, b"", None, balance)
        shown = await self.spectator.watch(table)
        await self.spectator.done({"t": "Unwatch", "table": table})
        return Sight(shown.v, shown.head, shown.view, balance)


@dataclass
class Attempt:
    """`still`: nothing else happens at the table meanwhile. `works`: how one sees that the connection goes on."""

    venue: Venue
    client: Raw
    command: dict[str, Any]
    table: str = ""
    still: bool = True
    ask: Callable[[], Awaitable[Answer]] | None = None
    works: Callable[[], Awaitable[Any]] | None = None


class Stage:
    """What all scenarios share: a house with one node of the usual settings, and others that are started when needed."""

    def __init__(self, house: House, stack: AsyncExitStack) -> None:
        self.house, self.stack = house, stack
        self.venue: Venue
        self._others: dict[str, Venue] = {}
        self._opened: dict[str, str] = {}

    async def open(self) -> Stage:
        self.venue = await Venue(await self.house.node(), self.stack).open()
        return self

    async def other(self, name: str, *flags: str) -> Venue:
        """Another node of this house, by name: started once."""
        if name not in self._others:
            node = await self.house.node(*flags)
            self._others[name] = await Venue(node, self.stack).open(like=self.venue.spectator)
        return self._others[name]

    async def once(self, name: str, opening: Callable[[], AbstractAsyncContextManager[str]]) -> str:
        """What several scenarios need beside nodes: opened once, closed at the end."""
        if name not in self._opened:
            self._opened[name] = await self.stack.enter_async_context(opening())
        return self._opened[name]

    @staticmethod
    async def phase(player: Raw, table: str, *phases: str) -> Snapshot:
        """Wait until the table is in one of them."""
        while (shown := await player.watch(table)).view.phase not in phases:
            await player.until(Batch)
        return shown

    @staticmethod
    async def settled(player: Raw) -> None:
        """Wait until a cash-out has arrived."""
        await player.until(Batch, lambda one: any(isinstance(event, ChipsArrived) for event in one.events))


Scenario = Callable[[Stage], AsyncGenerator[Attempt, None]]
SCENARIOS: dict[str, Scenario] = {}


def provokes(code: str) -> Callable[[Scenario], Scenario]:
    def note(scenario: Scenario) -> Scenario:
        assert code not in SCENARIOS, code
        SCENARIOS[code] = scenario
        return scenario

    return note


# --- what an attempt is held against ---


async def nothing_happened_but(code: str, attempt: Attempt) -> None:
    """The attempt is refused with this code, in words, and that is all that it does."""
    token = attempt.client.token
    before = await attempt.venue.sight(attempt.table, token)
    answer = await (attempt.ask() if attempt.ask else attempt.client.ask(attempt.command))
    well_refused(code, answer)
    await (attempt.works() if attempt.works else attempt.client.done({"t": "Ping"}))
    if attempt.still:
        assert await attempt.venue.sight(attempt.table, token) == before


def well_refused(code: str, answer: Answer) -> None:
    assert isinstance(answer, Refused), answer
    assert answer.code == code, answer
    known = CODES[code]
    assert answer.message == message(code, "en", answer.detail)
    fields = set(re.findall(r"\{(\w+)\}", known.en))
    assert fields - {"max"} <= set(answer.detail) <= set(known.detail), "every gap of the message is filled"
    assert (answer.retry_ms is not None) is known.retry, "when to try again is said where it makes sense"


# --- rounds ---


async def play_until(
    player: Raw, table: str, bets: list[dict[str, Any]], wanted: Callable[[TurnStarted, Snapshot], bool]
) -> TurnStarted:
    """Rounds of Double Exposure until a turn is as wanted; hands before it stand."""
    while True:
        await player.act("PlaceBets", table, bets=bets)
        await player.act("Ready", table)
        turn = await next_turn(player)
        while turn is not None:
            if wanted(turn, await player.watch(table)):
                return turn
            await player.act("Act", table, box=turn.box, hand=turn.hand, action="stand")
            turn = await next_turn(player)


async def next_turn(player: Raw) -> TurnStarted | None:
    """The next turn of this round, or None when it is settled."""
    batch = await player.until(Batch, lambda one: any(isinstance(e, TurnStarted | RoundSettled) for e in one.events))
    if any(isinstance(event, RoundSettled) for event in batch.events):
        return None
    return next(event for event in batch.events if isinstance(event, TurnStarted))


def cards_of(shown: Snapshot, turn: TurnStarted) -> Any:
    """The hand whose turn it is."""
    box = next(one for one in shown.view.felt.boxes if one.box == turn.box)
    return box.hands[turn.hand]
