"""The player at the terminal: what is typed becomes commands, what happens becomes sentences."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import assert_never

from tapete_client import orders as o
from tapete_client.caution import Caution
from tapete_client.errors import Refused, TableGone
from tapete_client.felt_text import felt_lines
from tapete_client.news import Happened, News, Synced
from tapete_client.road_board import RoadBoard
from tapete_client.session import Session
from tapete_client.table import Action, Table
from tapete_client.texts import money, tell, words_of
from tapete_client.texts.prompts import prompts_of
from tapete_protocol.codes import message
from tapete_protocol.view import TableView
from tapete_rules.catalogue import game_of

PATIENCE_S_MAX = 120.0
"""How long a decision of a script waits for its turn, and the end of its input for the end of the round."""


ARRIVAL_S_MAX = 3.0
"""How long to wait for the chips in the wallet, so that the last line can name its balance."""


class LinePlayer:
    """One person at one table. `patient`: orders wait for their time, as a script needs."""

    def __init__(
        self,
        session: Session,
        table: Table,
        lang: str,
        out: Callable[[str], None],
        board: RoadBoard,
        *,
        caution: Caution,
        patient: bool,
    ) -> None:
        self._session = session
        self._table = table
        self._lang = lang
        self._prompts = prompts_of(lang)
        self._out = out
        self._board = board
        self._caution = caution
        self._patient = patient
        self._shown: TableView | None = None

    async def play(self, lines: AsyncIterator[str]) -> None:
        """Until the player quits, the input ends or the table closes; then the boxes are given back."""
        telling = asyncio.ensure_future(self._tell_all())
        typing = asyncio.ensure_future(self._obey_all(lines))
        try:
            await asyncio.wait((telling, typing), return_when=asyncio.FIRST_COMPLETED)
            for task in (telling, typing):
                if task.done():
                    task.result()
        finally:
            telling.cancel()
            typing.cancel()
            await asyncio.gather(telling, typing, return_exceptions=True)

    # --- what happens ---

    async def _tell_all(self) -> None:
        """Sentences as they come; the felt after the last of those that came together."""
        async for news in self._table:
            sentence = tell(news, self._lang)
            if sentence is not None:
                self._out(sentence)
            await self._board.hear(news)
            if self._table.read_so_far:
                self._after(news)
        self._out(words_of(self._lang).closed)

    def _after(self, news: News) -> None:
        if not isinstance(news, Happened | Synced):
            return
        view, shown = news.view, self._shown
        if shown is None or (view.felt, view.bets, view.phase, view.boxes) != (
            shown.felt,
            shown.bets,
            shown.phase,
            shown.boxes,
        ):
            self._shown = view
            self._show(view, self._board.new_lines())

    def _show(self, view: TableView, roads: list[str]) -> None:
        for line in (*roads, *felt_lines(view, self._lang, self._session.player)):
            self._out(line)
        stack, balance = money(self._table.stack, self._lang), money(self._session.balance, self._lang)
        self._out(self._prompts.purse.format(stack=stack, balance=balance))
        turn = self._table.my_turn
        if turn is not None:
            named = ", ".join(words_of(self._lang).actions.get(action, action) for action in turn.legal)
            self._out(self._prompts.your_turn.format(legal=named))

    # --- what is typed ---

    async def _obey_all(self, lines: AsyncIterator[str]) -> None:
        async for line in lines:
            if not line.strip():
                continue
            try:
                order = o.parse(line, self._prompts)
                if order == o.Say("quit"):
                    break
                await self._obey(order)
            except o.NotUnderstood as problem:
                self._out(str(problem))
            except Refused as refused:
                self._out(message(refused.code, self._lang, refused.detail))
        await self._go()

    async def _go(self) -> None:
        """Give back the boxes; a script's end waits until its round is over."""
        if self._table.me is None or self._table.gone:
            return
        stack, balance = self._table.stack, self._session.balance
        try:
            await self._table.leave()
            async with asyncio.timeout(PATIENCE_S_MAX if self._patient else 0):
                await self._table.until(lambda _: self._table.me is None)
            if stack:
                async with asyncio.timeout(ARRIVAL_S_MAX):
                    await self._session.balance_other_than(balance)
        except (Refused, TimeoutError, TableGone):
            return

    async def _obey(self, order: o.Order) -> None:
        table = self._table
        match order:
            case o.Bet():
                await self._bet(order)
            case o.Decide(action=action):
                await self._decide(action)
            case o.Chips(move="buy", amount=int(amount)):
                await table.buy_in(amount)
            case o.Chips(amount=amount):
                await table.cash_out(amount)
            case o.Seat(move="take", box=box):
                await table.take_box(box and self._here(box))
            case o.Seat(box=int(box)):
                await table.free_box(self._here(box))
            case o.Seat():
                raise AssertionError("the parser asks for the box")
            case o.Say(verb=verb):
                await self._say(verb)
            case _:
                assert_never(order)

    async def _decide(self, action: Action) -> None:
        table = self._table
        await self._my_time(lambda: table.my_turn is not None, lambda: not self._staked())
        if table.turn is None:
            raise o.NotUnderstood(self._prompts.nothing_to_decide)
        if await self._caution.means(action):
            await table.act(action)

    async def _bet(self, bet: o.Bet) -> None:
        boxes = self._table.my_boxes
        if not boxes:
            raise o.NotUnderstood(self._prompts.no_box)
        await self._my_time(lambda: self._table.view.phase == "betting", lambda: self._table.me is None)
        spots = game_of(json.loads(self._table.view.settings)).spots
        spot = bet.spot or spots[0]
        if spot not in spots:
            named = ", ".join(self._prompts.spots.get(one, one) for one in spots)
            raise o.NotUnderstood(
                self._prompts.no_such_spot.format(spot=self._prompts.spots.get(spot, spot)[:20], spots=named)
            )
        await self._table.place_bet(self._here(bet.box or boxes[0]), spot, bet.amount)

    def _here(self, box: int) -> int:
        boxes = len(self._table.view.boxes)
        if not 1 <= box <= boxes:
            raise o.NotUnderstood(self._prompts.no_such_box.format(box=box, boxes=boxes))
        return box

    async def _say(self, verb: o.Verb) -> None:
        match verb:
            case "ready":
                await self._table.ready()
            case "leave":
                await self._table.leave()
            case "table":
                self._show(self._table.view, self._board.lines())
            case "top":
                await self._session.top_up()
            case "advice":
                await self._caution.tell()
            case "warnings":
                self._caution.switch()
            case "help":
                self._out(self._prompts.help)
            case "quit":
                return
            case _:
                assert_never(verb)

    async def _my_time(self, now: Callable[[], bool], never: Callable[[], bool]) -> None:
        """A script's order waits for its time, unless that will not come."""
        if not self._patient or now() or never():
            return
        try:
            async with asyncio.timeout(PATIENCE_S_MAX):
                await self._table.until(lambda _: now() or never())
        except TimeoutError:
            return

    def _staked(self) -> bool:
        """Whether this player has something in the present round."""
        table = self._table
        if table.view.phase == "settled":
            return False
        mine = table.my_boxes
        laid = any(bet.box in mine for bet in table.view.bets)
        return laid or (table.view.phase != "betting" and any(box.box in mine for box in table.view.felt.boxes))
