"""A house as its last node left it, in the middle of everything: what is recorded of a release, on a real store."""

from __future__ import annotations

from typing import Any

from redis.asyncio import Redis

from tapete_protocol import commands as c
from tapete_protocol.base import TableId
from tapete_protocol.frames import Ack
from tapete_server.core.games import game_for
from tapete_server.shell.floor import TheFloor
from tapete_server.shell.live_table import LiveTable
from tests.released.keys import dumped
from tests.server.shell.floors import KEY, Guest, Houses, until
from tests.server.store.servers import Server, binaries

QUICK_BLACKJACK = (
    '{"game":"double_exposure","times":{"betting_ms":0,"pause_ms":0,"card_ms":0,"closing_ms":0,"turn_ms":3600000}}'
)
QUICK_COUPS = '{"game":"punto_banco","times":{"betting_ms":0,"pause_ms":0,"card_ms":0,"closing_ms":0}}'
ROUNDS_MAX = 60


async def recorded() -> dict[str, Any]:
    """Key, tokens, what the audit finds, and all keys of the store."""
    server = Server(binaries()["valkey"])
    try:
        server.start()
        async with Redis.from_url(server.url) as client:
            houses = Houses(server, client)
            ana = await _left_over(houses)
            found = await houses.audit()
            assert (found.difference, found.faults) == (0, ())
            keys = await dumped(client)
            await houses.close()
        return {
            "key": KEY.hex(),
            "player": ana.player,
            "token": ana.welcome.token,
            "minted": found.totals.minted,
            "underway": found.underway,
            "keys": keys,
        }
    finally:
        server.close()


async def _left_over(houses: Houses) -> Guest:
    """Ana in the middle of a hand, Berta with bets on the felt, a buy-in that was debited and never credited, a cash-out
    that was paid and never noted, a table that was closed with a profit."""
    floor = await houses.floor()
    ana, berta = await houses.guest(floor, "Ana"), await houses.guest(floor, "Berta")
    blackjack = await houses.table(ana, QUICK_BLACKJACK)
    coups = await houses.table(berta, QUICK_COUPS)
    short = await houses.table(berta, QUICK_COUPS)
    await _to_a_turn(ana, blackjack)
    await _some_coups(berta, coups)
    await _closed(berta, short)
    await _interrupted(floor, berta, coups)
    return ana


async def _to_a_turn(guest: Guest, table: TableId) -> None:
    await guest.sit(table, 1, 20_000)
    live = guest.live(table)

    def decides() -> bool:
        state = live.state
        return state.phase == "playing" and game_for(state.settings).legal(state.play, state.funds()) is not None

    for _ in range(ROUNDS_MAX):
        round_now = live.state.round
        taken = await guest.play(c.PlaceBets, table, bets=(c.Bet(box=1, spot="main", amount=500),))
        assert isinstance(taken, Ack), taken
        assert isinstance(await guest.play(c.Ready, table), Ack)
        await until(lambda: decides() or live.state.round > round_now)  # noqa: B023 - awaited at once
        if decides():
            return
    raise AssertionError("nobody had to decide")


async def _some_coups(guest: Guest, table: TableId) -> None:
    await guest.sit(table, 2, 30_000)
    live = guest.live(table)
    for _ in range(3):
        await guest.bet(table, 2, 1_000)
        round_now = live.state.round
        assert isinstance(await guest.play(c.Ready, table), Ack)
        await until(lambda: live.state.round > round_now)  # noqa: B023 - awaited at once
    await guest.bet(table, 2, 700)


async def _closed(guest: Guest, table: TableId) -> None:
    await _some_coups(guest, table)
    assert isinstance(await guest.play(c.Leave, table), Ack)
    await until(lambda: not guest.live(table).state.outgoing)
    closed = await guest.floor.close_table(guest.actor, c.CloseTable(id=0, table=table))
    assert isinstance(closed, Ack), closed


async def _interrupted(floor: TheFloor, guest: Guest, table: TableId) -> None:
    """The node dies after the wallet was debited, and after a cash-out was paid, each before the table heard of it."""
    store = floor._store
    started = await store.start_transfer(f"{guest.player}~never-credited", guest.player, table, 5_000)
    assert started != "not_enough"

    async def nothing(live: LiveTable) -> None:
        assert live.state.outgoing

    floor.transfers.pay_out = nothing  # type: ignore[method-assign]
    assert isinstance(await guest.play(c.CashOut, table, amount=2_000), Ack)
    (out,) = guest.live(table).state.outgoing
    assert await store.pay_out(out.transfer, out.player, table, out.amount) is not None
