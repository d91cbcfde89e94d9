"""The tables that the house itself opens: one of each game for people, one of each where bots play."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from tapete_protocol.base import TableId
from tapete_server.shell.opening import Openings, compact

log = logging.getLogger("tapete.opening")

PRACTICE_TIMES = {"betting_ms": 12_000, "turn_ms": 15_000, "pause_ms": 3_000, "card_ms": 300}


@dataclass(frozen=True, slots=True)
class StandingTable:
    table: TableId
    name: str
    settings: dict[str, object]
    for_bots: bool = False


PRACTICE = {"reveals": True, "times": PRACTICE_TIMES}
STANDING = (
    StandingTable(TableId("blackjack"), "Double Exposure", {"game": "double_exposure", "reveals": True}),
    StandingTable(TableId("punto-banco"), "Punto Banco", {"game": "punto_banco", "reveals": True}),
    StandingTable(
        TableId("practica-blackjack"),
        "Práctica: Double Exposure",
        {"game": "double_exposure", **PRACTICE},
        for_bots=True,
    ),
    StandingTable(
        TableId("practica-punto-banco"), "Práctica: Punto Banco", {"game": "punto_banco", **PRACTICE}, for_bots=True
    ),
)


async def open_standing(openings: Openings, *, bots: bool) -> list[StandingTable]:
    """Those that are not there are opened, as far as the house allows them; configuration only seeds absent tables."""
    wanted = [one for one in STANDING if bots or not one.for_bots]
    allowed = [one for one in wanted if _is_allowed(openings, one)]
    for one in allowed:
        await openings.create(one.table, one.name, compact(one.settings), public=True, opener="house")
    return allowed


def _is_allowed(openings: Openings, one: StandingTable) -> bool:
    refusal = openings.check(compact(one.settings))
    if refusal is not None:
        log.warning("the table %s is not opened: %s", one.table, refusal.code)
    return refusal is None
