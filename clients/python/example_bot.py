"""Plays at a table until it closes: `python example_bot.py blackjack`, while `tapete serve` runs."""

import asyncio
import sys

from tapete_client import connect


async def main(table_id: str) -> None:
    async with connect("ws://127.0.0.1:8080/ws", name="Ejemplo") as session:
        table = await session.join(table_id, buy_in=20_000)
        async for _ in table:
            if turn := table.my_turn:
                await (table.hit() if table.hand(turn).total < 17 else table.stand())
            elif table.view.phase == "betting" and table.stack >= 1_000 and table.my_boxes and not table.my_bets:
                await table.place_bet(table.my_boxes[0], "main", 1_000)
                await table.ready()


asyncio.run(main(sys.argv[1]))
