"""Two real nodes of one house, a table by rules that nobody has worked out: how long until each of them tells what it costs.

    python -m tests.odds.by_itself [--decks 7] [--hands 3]

The first node may work odds out, the second may not. Exit status 1: somebody was not told, or they were told different things.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
import urllib.request
from contextlib import AsyncExitStack
from typing import Any

from tapete_protocol.frames import Ack, Advice, Refused
from tests.integration.cluster import NodeProcess, house
from tests.integration.provoked.stage import BLACKJACK, Venue, play_until, settings

WAIT_S_MAX = 600.0
LOOK_S = 0.2
BET = [{"box": 1, "spot": "main", "amount": 100}]


def said(node: NodeProcess, path: str) -> Any:
    with urllib.request.urlopen(f"http://127.0.0.1:{node.port}{path}", timeout=30) as answer:
        return json.load(answer)


async def told(node: NodeProcess, table: str) -> tuple[float, dict[str, Any]]:
    """When the node gave the odds of a table, and what they are."""
    async with asyncio.timeout(WAIT_S_MAX):
        while "unknown" in (odds := await asyncio.to_thread(said, node, f"/api/tables/{table}/odds")):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(LOOK_S)
    return time.monotonic(), odds


async def listed(node: NodeProcess, table: str) -> tuple[float, dict[str, int]]:
    """When the lobby of a node had the edge of the main bet, and all edges of the table."""
    edges: dict[str, int] = {}
    async with asyncio.timeout(WAIT_S_MAX):
        while "main" not in edges:
            await asyncio.sleep(LOOK_S)
            rows = await asyncio.to_thread(said, node, "/api/tables")
            edges = {edge["spot"]: edge["millionths"] for row in rows if row["table"] == table for edge in row["edges"]}
    return time.monotonic(), edges


async def once(rules: dict[str, Any]) -> bool:
    """Whether all were told the same."""
    async with house() as running, AsyncExitStack() as stack:
        one, other = await running.node("--odds-per-hour-max", "30"), await running.node()
        player = await Venue(one, stack).player()
        table = await player.open_table(settings(BLACKJACK, **rules), public=True)
        await player.sit(table, 1, 10_000)
        opened_s = time.monotonic()
        await play_until(player, table, BET, lambda _, __: True)
        asked = await player.ask({"t": "AskAdvice", "table": table})
        say(f"asked at once:        {asked.code if isinstance(asked, Refused) else 'advice'}")
        tellings = [told(one, table), told(other, table)]
        (first_s, odds), (second_s, others) = await asyncio.gather(*tellings)
        (lobby_s, edges), (lobby_2_s, edges_2) = await asyncio.gather(listed(one, table), listed(other, table))
        answered = await player.ask({"t": "AskAdvice", "table": table})
        advised = await player.until(Advice) if isinstance(answered, Ack) else None
        for what, at_s in (
            ("who works them out", first_s), ("another node", second_s), ("its lobby", lobby_s), ("the other's", lobby_2_s)
        ):  # fmt: skip
            say(f"{what + ':':<21} after {at_s - opened_s:.1f} s")
        say(f"edge of the main bet: {100 * odds['edge']['optimal']:.4f} %, best play; lobby {edges['main']} millionths")
        say(f"advice now:           {advised.worth if advised else answered}")
        say("\n".join(line for line in one.log().splitlines() if "tapete.odds" in line))
        return odds == others and edges == edges_2 and advised is not None


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--decks", type=int, default=7)
    given.add_argument("--hands", type=int, default=3)
    options = given.parse_args()
    return 0 if asyncio.run(once({"decks": options.decks, "max_hands": options.hands})) else 1


if __name__ == "__main__":
    raise SystemExit(main())
