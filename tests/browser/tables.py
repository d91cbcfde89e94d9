"""Tables that a program opens, with other clocks than the page offers."""

from __future__ import annotations

from typing import Any

from tapete_client import connect

UNHURRIED = {"betting_ms": 0, "turn_ms": 3_600_000, "pause_ms": 12_000}
"""A page on a starved machine needs seconds to show what came to pass."""


async def table_with(address: str, game: str, times: dict[str, int], **rules: Any) -> str:
    """Its path."""
    async with connect(address.replace("http", "ws") + "/ws", name="Bruno") as session:
        return f"/t/{await session.open_table('Alcalá', {'game': game, 'times': times, **rules})}"


async def calm_table(address: str, game: str) -> str:
    """No clock for bets, an hour for each decision, and a long pause after each round."""
    return await table_with(address, game, UNHURRIED, reveals=True)
