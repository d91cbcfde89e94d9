"""Boxes: who sits where, who goes, who is away and who is back."""

from __future__ import annotations

from tapete_protocol import events as e
from tapete_protocol.commands import FreeBox, TakeBox
from tapete_rules.game import HousePlays
from tapete_server.core.commands import FromPlayer, GiveTime, MarkAway, MarkBack, Refusal
from tapete_server.core.draft import EXTENSIONS_MAX, Draft
from tapete_server.core.money import cash_out_and_go
from tapete_server.core.rounds import close_if_ready, go_on


def take_box(draft: Draft, sender: FromPlayer, command: TakeBox) -> Refusal | None:
    table = draft.table
    if table.boxes[command.box - 1] is not None:
        return Refusal("box_taken", {"box": command.box})
    mine = table.boxes_of(sender.player)
    if len(mine) >= draft.game.boxes_per_player:
        return Refusal("too_many_boxes", {"max": draft.game.boxes_per_player})
    player = table.player(sender.player)
    if player is not None and player.leaving:
        return Refusal("leaving")
    stint = player.stint if player else table.version
    draft.emit(e.BoxTaken(command.box, sender.player, sender.name, stint, sender.via))
    if player is None:
        draft.clock(f"idle:{sender.player}", draft.now + draft.times.idle_ms)
    return None


def free_box(draft: Draft, sender: FromPlayer, command: FreeBox) -> Refusal | None:
    table = draft.table
    if command.box not in table.boxes_of(sender.player):
        return Refusal("not_your_box", {"box": command.box})
    if table.bets_of(command.box) or any(stake.box == command.box for stake in table.staked):
        return Refusal("box_in_play", {"box": command.box})
    if len(table.boxes_of(sender.player)) == 1:
        leave(draft, sender.player)
        return None
    draft.emit(e.BoxFreed(command.box, sender.player, "freed"))
    return None


def leave(draft: Draft, player: str, why: e.Why = "left") -> None:
    """Before the close the stakes come back and all is cashed out; after it the hands stand until all is settled."""
    table = draft.table
    if draft.player(player).leaving:
        return
    if any(stake.owner == player for stake in table.staked):
        draft.emit(e.PlayerLeaving(player))
        if table.phase == "playing":
            draft.felt(HousePlays(player))
            if draft.table.phase == "playing":
                _turn_may_have_moved(draft, table.deadline("turn"))
        return
    for bet in table.bets:
        if table.boxes[bet.box - 1] == player:
            draft.emit(e.BetPlaced(bet.box, player, bet.spot, 0))
    cash_out_and_go(draft, player, why)
    if not draft.table.bets:
        draft.clock("betting", 0)
    close_if_ready(draft)


def _turn_may_have_moved(draft: Draft, turn_until: int) -> None:
    """Only when play went on does the next hand get time of its own."""
    moved = any(isinstance(event, e.TurnStarted | e.BoxSettled | e.HandClosed) for event in draft.events)
    if moved or turn_until == 0:
        go_on(draft)


def mark_away(draft: Draft, command: MarkAway) -> None:
    player = draft.table.player(command.player)
    if player is None or player.away or player.via != command.via:
        return
    until = draft.now + draft.times.hold_ms
    draft.emit(e.PlayerAway(player.id, until, command.since_at))
    draft.clock(f"hold:{player.id}", until)
    close_if_ready(draft)


def mark_back(draft: Draft, command: MarkBack) -> None:
    """Who comes back from a node that died while their clock ran gets the lost time back, at most a full clock."""
    player = draft.table.player(command.player)
    if player is None or player.via == command.via or command.instead_of not in {"", player.via}:
        return
    lost_ms = draft.now - player.lost_since_at if player.lost_since_at else command.lost_ms
    draft.emit(e.PlayerBack(player.id, command.via))
    draft.clock(f"hold:{player.id}", 0)
    _extend_turn(draft, player.id, lost_ms)


def give_time(draft: Draft, command: GiveTime) -> None:
    """To the very turn in which it was lost."""
    if command.until_at == draft.table.deadline("turn"):
        _extend_turn(draft, command.player, command.lost_ms)


def _extend_turn(draft: Draft, player: str, lost_ms: int) -> None:
    table = draft.table
    until = table.deadline("turn")
    turn = draft.game.legal(table.play, table.funds()) if table.phase == "playing" else None
    if lost_ms > 0 and turn and turn.owner == player and until and table.extensions < EXTENSIONS_MAX:
        by_ms = min(lost_ms, draft.times.turn_ms)
        draft.emit(e.ClockExtended("turn", until + by_ms, by_ms))


def no_longer_held(draft: Draft, player: str) -> None:
    """The time for which a dropped player's box is held is over."""
    if draft.table.player(player) is not None:
        leave(draft, player, "away")


def idle_too_long(draft: Draft, player: str) -> None:
    """A seat without a bet for the time that the table allows is freed; one that bets is looked at again later."""
    found = draft.table.player(player)
    if found is None:
        return
    due = found.bet_at + draft.times.idle_ms
    if draft.table.has_stake(player):
        draft.clock(f"idle:{player}", draft.now + draft.times.idle_ms)
    elif due > draft.now:
        draft.clock(f"idle:{player}", due)
    else:
        cash_out_and_go(draft, player, "idle")
