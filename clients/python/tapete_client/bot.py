"""A player without a person: finds a seat, buys chips, bets, decides, and leaves when it has played its rounds."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, cast

from tapete_client.errors import ClientError, Refused, TableGone
from tapete_client.news import News, Synced
from tapete_client.session import Session
from tapete_client.strategy import STRATEGIES, Strategy
from tapete_client.strategy.stakes import smallest_bet
from tapete_client.table import Action, Table
from tapete_protocol.view import TurnView
from tapete_rules.catalogue import game_of
from tapete_rules.game import Game

Pauses = Literal["human", "none"]
HUMAN_S = (0.6, 2.4)
LOOK_AGAIN_S = 5.0
BUY_IN_BETS = 100
"""Chips bought at a time, in smallest bets."""


@dataclass(slots=True)
class Tally:
    """What a bot did. `refused` counts the refusals by code; `failure` is why it stopped before its time."""

    name: str = ""
    table: str = ""
    rounds: int = 0
    decisions: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    failure: str | None = None


class Bot:
    """Plays at one table. `rounds`: leave after so many rounds with a bet, None: stay until the table closes."""

    def __init__(
        self, session: Session, table: str | None, seed: int, pauses: Pauses = "none", rounds: int | None = None
    ) -> None:
        self.tally = Tally(name=session.name)
        self._session = session
        self._wanted = table
        self._rng = Random(seed)  # noqa: S311 - chance for decisions, nothing secret
        self._pauses = pauses
        self._rounds = rounds
        self._bet_round = 0
        self._staked_round = 0

    async def run(self) -> Tally:
        """Play until the rounds are over, the money is, or the table."""
        try:
            table = await self._find_seat()
            self.tally.table = table.id
            await self._play(table)
        except TableGone:
            self.tally.failure = None if self.tally.table else "there is no such table"
        except ClientError as failure:
            self.tally.failure = str(failure)
        return self.tally

    async def _find_seat(self) -> Table:
        """The wanted table, or one of the lobby's with a free box; somebody may be quicker, then the next one."""
        tables = [self._wanted] if self._wanted else await self._candidates()
        for table in tables:
            watched = await self._session.watch(table)
            if await self._sit(watched):
                return watched
            await watched.unwatch()
        raise Refused("box_taken", "there is no free box at any table")

    async def _candidates(self) -> list[str]:
        found = [one.table for one in await self._session.lobby() if one.free_boxes and one.game in STRATEGIES]
        self._rng.shuffle(found)
        return found

    async def _sit(self, table: Table) -> bool:
        while not table.my_boxes:
            if not table.free_boxes:
                return False
            try:
                await table.take_box(self._rng.choice(table.free_boxes))
            except Refused as refused:
                self.tally.refused[refused.code] += 1
                if refused.code != "box_taken":
                    raise
        return True

    async def _play(self, table: Table) -> None:
        while not (table.ended or await self._step(table)):
            news = await self._next_news(table)
            if isinstance(news, Synced) and not table.my_bets:
                self._bet_round = 0  # what was laid may be among what the store forgot

    @staticmethod
    async def _next_news(table: Table) -> News | None:
        """None: nothing happened for a while, or nothing more will. Somebody whose bets were refused looks again: it may be
        all that the others wait for."""
        try:
            async with asyncio.timeout(LOOK_AGAIN_S):
                return await anext(table)
        except (TimeoutError, StopAsyncIteration):
            return None

    async def _step(self, table: Table) -> bool:
        """Do what the table waits for; returns whether this bot is done. A refusal is no reason to stop, unless the house does
        not know this player any more."""
        try:
            while turn := table.my_turn:
                await self._decide(table, turn)
            if table.view.phase != "betting" or table.view.round == self._bet_round:
                return False
            return await self._next_round(table)
        except Refused as refused:
            self.tally.refused[refused.code] += 1
            if refused.code == "bad_token":
                raise
            return False

    async def _decide(self, table: Table, turn: TurnView) -> None:
        await self._think()
        if table.my_turn == turn:
            action = self._strategy(table).decide(self._game(table), table.view.felt, turn)
            await table.act(cast("Action", action), turn.box, turn.hand)
            self.tally.decisions += 1

    async def _next_round(self, table: Table) -> bool:
        if self._staked_round not in (0, table.view.round):
            self.tally.rounds += 1
            self._staked_round = 0
        if self._rounds is not None and self.tally.rounds >= self._rounds:
            await table.leave()
            return True
        await self._think()
        number = table.view.round
        if not await self._sit(table):
            return False
        laid = await self._bet(table)
        self._bet_round = number
        return not laid

    async def _bet(self, table: Table) -> bool:
        """Lay bets and be ready; returns False, having left, when there is no money for any."""
        game, strategy = self._game(table), self._strategy(table)
        bets = strategy.bets(game, table.my_boxes, table.stack, self._rng)
        if not bets:
            await self._buy_chips(table, smallest_bet(game, game.spots[0]))
            bets = strategy.bets(game, table.my_boxes, table.stack, self._rng)
        if not bets:
            await table.leave()
            return False
        number = table.view.round
        await table.place_bets(bets)
        self._staked_round = number
        await table.ready()
        return True

    async def _buy_chips(self, table: Table, least: int) -> None:
        if self._session.balance < least:
            try:
                await self._session.top_up()
            except Refused as refused:
                self.tally.refused[refused.code] += 1
        if self._session.balance > 0:
            await table.buy_in(min(self._session.balance, BUY_IN_BETS * least))

    async def _think(self) -> None:
        if self._pauses == "human":
            await asyncio.sleep(self._rng.uniform(*HUMAN_S))

    def _game(self, table: Table) -> Game[Any]:
        return game_of(json.loads(table.view.settings))

    def _strategy(self, table: Table) -> Strategy:
        return STRATEGIES[table.view.game]
