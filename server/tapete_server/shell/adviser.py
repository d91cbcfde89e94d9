"""Advice for the hand that decides: values by the table's odds, or by the very cards. Private, and nothing changes. (D19)"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from tapete_odds import seats, shelf
from tapete_odds.advice import Advice as Judged
from tapete_odds.advice import Position
from tapete_odds.terms import bare
from tapete_protocol.commands import AskAdvice
from tapete_protocol.frames import Advice, Worth
from tapete_rules.double_exposure import DoubleExposure, DoubleExposureSettings
from tapete_rules.punto_banco import PuntoBanco
from tapete_server.core.commands import Refusal
from tapete_server.core.games import game_for
from tapete_server.core.state import Table

MILLION = 1_000_000


REST_RATIO = 3.0
"""After an exact answer, of the time that it took: so that whoever asks and asks has at most a quarter of a core."""
ANSWERS_MAX = 64
"""Exact answers that are remembered: the same question again costs nothing."""

Asked = tuple[DoubleExposureSettings, Position, tuple[str, ...]]


class Adviser:
    """One exact answer at a time: it takes a part of a second of a core, in a thread of its own."""

    def __init__(self) -> None:
        self._at_work = asyncio.Lock()
        self._rests_until_s = 0.0
        self._answers: OrderedDict[Asked, Judged] = OrderedDict()

    async def advise(self, table: Table, player: str, command: AskAdvice) -> Advice | Refusal:
        """Refusals: `round_over`, `not_your_turn`, `no_advice`, and `busy` during another exact answer or soon after it."""
        game = game_for(table.settings)
        turn = game.legal(table.play, table.funds())
        if turn is None or not isinstance(game, DoubleExposure):
            return Refusal("round_over")
        if turn.owner != player:
            return Refusal("not_your_turn", {"box": turn.box, "hand": turn.hand})
        felt = game.view(table.play)
        position = seats.position_of(felt, turn.box, turn.hand, turn.legal)
        exact = command.exact and shelf.can_work_out()
        judged = await self._by_the_cards(game, felt, position, turn) if exact else by_chart(game, position)
        if isinstance(judged, Refusal):
            return judged
        stake = table.play.hand(turn.box, turn.hand).stake
        worth = tuple(Worth(action, round(MILLION * value)) for action, value in judged.worth.items())
        return Advice(
            id=command.id, table=table.id, v=table.version, box=turn.box, hand=turn.hand, stake=stake, exact=exact,
            worth=worth, very_bad=judged.very_bad,
        )  # fmt: skip

    async def _by_the_cards(
        self, game: DoubleExposure, felt: Mapping[str, Any], position: Position, turn: Any
    ) -> Judged | Refusal:
        asked = bare(game.settings), position, tuple(sorted(seats.seen_beside(felt, turn.box, turn.hand)))
        if (known := self._answers.get(asked)) is not None:
            return known
        now_s = asyncio.get_running_loop().time
        if self._at_work.locked() or now_s() < self._rests_until_s:
            return Refusal("busy")
        async with self._at_work:
            begun_s = now_s()
            judged = await asyncio.to_thread(seats.by_composition, *asked)
            self._rests_until_s = now_s() + REST_RATIO * (now_s() - begun_s)
        self._answers[asked] = judged
        if len(self._answers) > ANSWERS_MAX:
            self._answers.popitem(last=False)
        return judged


def by_chart(game: DoubleExposure, position: Position) -> Judged | Refusal:
    odds = shelf.known(game.settings)
    return Refusal("no_advice") if odds is None else seats.by_chart(game.settings, odds, position)


def odds_of(settings: str) -> Mapping[str, Any]:
    """The odds of a table with these settings. Raises `LookupError` where nobody has worked them out."""
    game = game_for(settings)
    assert isinstance(game, DoubleExposure | PuntoBanco), "these are the games of the house"
    found = shelf.known(game.settings)
    if found is None:
        raise LookupError("the odds of these settings")
    return found
