"""The tables that the house itself opens: one of each game for people, one of each where bots play."""

from __future__ import annotations

from dataclasses import dataclass

from tapete_protocol.base import TableId
from tapete_server.shell.opening import Openings, compact

PRACTICE_TIMES = {"betting_ms": 12_000, "turn_ms": 15_000, "pause_ms": 3_000, "card_ms": 300}


@dataclass(frozen=True, slots=True)
class StandingTable:
    table: TableId
    name: str
    settings: dict[str, object]
    for_bots: bool = False


STANDING = (
    StandingTable(TableId("blackjack"), "Double Exposure", {"game": "double_exposure"}),
    StandingTable(TableId("punto-banco"), "Punto Banco", {"game": "punto_banco"}),
    StandingTable(
        TableId("practica-blackjack"),
        "Práctica: Double Exposure",
        {"game": "double_exposure", "times": PRACTICE_TIMES},
        True,
    ),
    StandingTable(
        TableId("practica-punto-banco"), "Práctica: Punto Banco", {"game": "punto_banco", "times": PRACTICE_TIMES}, True
    ),
)


async def open_standing(openings: Openings, *, bots: bool) -> list[StandingTable]:
    """Those that are not there are opened; configuration only seeds absent tables."""
    wanted = [one for one in STANDING if bots or not one.for_bots]
    for one in wanted:
        await openings.create(one.table, one.name, compact(one.settings), public=True, opener="house")
    return wanted
