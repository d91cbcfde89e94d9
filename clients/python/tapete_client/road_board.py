"""The roads beside the terminal's table: kept up with the news, drawn where there is room."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tapete_client.known_shoe import KnownShoe
from tapete_client.news import News, Synced
from tapete_client.past_rounds import NOT_TO_BE_HAD, Records
from tapete_client.road_text import road_lines
from tapete_client.terminal import Room
from tapete_rules.roads import roads_of

NO_RECORDS = (*NOT_TO_BE_HAD, LookupError, TypeError, AttributeError)
"""Or what came are none."""
SPARE_ROUNDS = 10
"""Asked for beyond the coups of the shoe: rounds that were void have records, too."""

Past = Callable[[int], Awaitable[Records]]
"""The records of so many last rounds; may raise one of `NOT_TO_BE_HAD`."""


class RoadBoard:
    """`room` is asked each time, since people resize their terminals."""

    def __init__(self, lang: str, room: Callable[[], Room], past: Past) -> None:
        self._lang, self._room, self._past = lang, room, past
        self._shoe = self._shown = KnownShoe()

    async def hear(self, news: News) -> None:
        """Take in what happened; on arrival, and after a gap, ask the records for what the view does not say."""
        self._shoe = self._shoe.after(news)
        if isinstance(news, Synced) and self._shoe.number and self._room().for_roads:
            try:
                records = await self._past(self._shoe.number + SPARE_ROUNDS)
                self._shoe = self._shoe.with_past(records, news.view.round)
            except NO_RECORDS:
                return  # what the view says is shown, and that it is not all

    def lines(self) -> list[str]:
        """The roads; none where there is no room, or nothing to see yet."""
        room = self._room()
        if not room.for_roads or not self._shoe.number:
            return []
        self._shown = self._shoe
        roads = roads_of(self._shoe.coups)
        known_from = self._shoe.known_from
        return road_lines(roads, self._lang, room.columns, colour=room.colour, known_from=known_from, beside=True)

    def new_lines(self) -> list[str]:
        """The roads, if a coup came since they were last shown."""
        return self.lines() if self._shoe != self._shown else []
