"""Refusals of the rules: bets that no spot takes, and what a hand may not do."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from tapete_protocol.events import TurnStarted
from tapete_protocol.frames import Snapshot
from tests.integration.provoked.stage import BACCARAT, BLACKJACK, Attempt, Stage, cards_of, play_until, provokes

FOUR_BOXES = [{"box": box, "spot": "main", "amount": 100} for box in (1, 2, 3, 4)]


def any_turn(_: TurnStarted, __: Snapshot) -> bool:
    return True


async def bet(stage: Stage, spot: str, amount: int, **more: int) -> Attempt:
    player, table = await stage.venue.seated(BLACKJACK, **more)
    bets = [{"box": 1, "spot": spot, "amount": amount}]
    return Attempt(stage.venue, player, player.placed("PlaceBets", table, bets=bets), table)


@provokes("unknown_spot")
async def a_bet_on_a_spot_of_the_other_game(stage: Stage) -> AsyncGenerator[Attempt, None]:
    yield await bet(stage, "punto", 100)


@provokes("bet_below_minimum")
async def a_bet_below_the_minimum(stage: Stage) -> AsyncGenerator[Attempt, None]:
    yield await bet(stage, "main", 400, main_min=500)


@provokes("bet_above_maximum")
async def a_bet_above_the_maximum(stage: Stage) -> AsyncGenerator[Attempt, None]:
    yield await bet(stage, "main", 600, main_max=500)


@provokes("bet_not_in_chips")
async def a_bet_between_two_chips(stage: Stage) -> AsyncGenerator[Attempt, None]:
    yield await bet(stage, "main", 150)


@provokes("bonus_without_main")
async def a_bonus_bet_alone(stage: Stage) -> AsyncGenerator[Attempt, None]:
    yield await bet(stage, "sevens", 100)


@provokes("round_over")
async def a_decision_while_bets_are_open(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    yield Attempt(stage.venue, player, player.placed("Act", table, box=1, hand=0, action="stand"), table)


@provokes("not_your_turn")
async def a_decision_for_another_box(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK, boxes=4)
    turn = await play_until(player, table, FOUR_BOXES, any_turn)
    command = player.placed("Act", table, box=turn.box % 4 + 1, hand=0, action="stand")
    yield Attempt(stage.venue, player, command, table)


@provokes("illegal_action")
async def a_split_of_no_pair(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    turn = await play_until(player, table, FOUR_BOXES[:1], lambda turn, _: "split" not in turn.legal)
    command = player.placed("Act", table, box=turn.box, hand=turn.hand, action="split")
    yield Attempt(stage.venue, player, command, table)


@provokes("not_enough_chips")
async def a_double_without_a_stack(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK, boxes=4)
    turn = await play_until(player, table, FOUR_BOXES, lambda turn, _: "double" in turn.legal)
    stack = next(one.stack for one in (await player.watch(table)).view.players if one.player == player.player)
    await player.act("CashOut", table, amount=stack)
    hand = cards_of(await player.watch(table), turn)
    assert hand.total in (9, 10, 11), "the cards allow it"
    await stage.settled(player)
    command = player.placed("Act", table, box=turn.box, hand=turn.hand, action="double")
    yield Attempt(stage.venue, player, command, table)


@provokes("betting_closed")
async def a_bet_after_no_more_bets(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    await play_until(player, table, FOUR_BOXES[:1], any_turn)
    yield Attempt(stage.venue, player, player.placed("PlaceBets", table, bets=FOUR_BOXES[:1]), table)


@provokes("betting_not_open")
async def a_bet_in_the_pause(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BACCARAT, times={"pause_ms": 600_000})
    bets = [{"box": 1, "spot": "punto", "amount": 100}]
    await player.act("PlaceBets", table, bets=bets)
    await player.act("Ready", table)
    await stage.phase(player, table, "settled")
    yield Attempt(stage.venue, player, player.placed("PlaceBets", table, bets=bets), table)


@provokes("nothing_staked")
async def ready_without_a_bet(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    yield Attempt(stage.venue, player, player.placed("Ready", table), table)


@provokes("too_many_bets")
async def sixty_one_changes_of_mind(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    for turn in range(60):
        bets = [{"box": 1, "spot": "main", "amount": 100 + 100 * (turn % 2)}]
        await player.act("PlaceBets", table, bets=bets)
    yield Attempt(stage.venue, player, player.placed("PlaceBets", table, bets=FOUR_BOXES[:1]), table)


@provokes("box_in_play")
async def a_box_given_back_with_a_bet_on_it(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK, boxes=2)
    await player.act("PlaceBets", table, bets=FOUR_BOXES[:1])
    yield Attempt(stage.venue, player, player.placed("FreeBox", table, box=1), table)


@provokes("leaving")
async def a_box_taken_on_the_way_out(stage: Stage) -> AsyncGenerator[Attempt, None]:
    player, table = await stage.venue.seated(BLACKJACK)
    other = await stage.venue.player("Beto")
    await other.sit(table, 2, 1_000)
    while True:  # the other's turn has to keep the round open after the player has left it
        await other.act("PlaceBets", table, bets=[{"box": 2, "spot": "main", "amount": 100}])
        await player.act("PlaceBets", table, bets=FOUR_BOXES[:1])
        await other.act("Ready", table)
        await player.act("Ready", table)
        shown = await stage.phase(player, table, "playing", "betting")
        turn = shown.view.felt.turn
        if shown.view.phase == "playing" and turn is not None:
            if turn.box == 1:
                await player.act("Act", table, box=1, hand=turn.hand, action="stand_all")
                shown = await player.watch(table)
                turn = shown.view.felt.turn if shown.view.phase == "playing" else None
            if turn is not None:
                break
    await player.act("Leave", table)
    yield Attempt(stage.venue, player, player.placed("TakeBox", table, box=3), table)
