"""A command and a table make events, or a refusal: the one door to everything that a table does."""

from __future__ import annotations

from typing import assert_never

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_rules import game as rules
from tapete_rules.settings import SettingsError
from tapete_server.core import betting, clocks, money, reveals, rounds, seating
from tapete_server.core.commands import (
    Answer,
    AnyCommand,
    Close,
    ConfirmOut,
    CreditBuyIn,
    DeadlinePassed,
    Decision,
    Dice,
    Freeze,
    FromPlayer,
    GiveTime,
    HouseCommand,
    MarkAway,
    MarkBack,
    QueueSettings,
    Refusal,
    Repeat,
    VoidRound,
    Wait,
)
from tapete_server.core.draft import Draft
from tapete_server.core.games import game_for
from tapete_server.core.state import Table


def decide(table: Table, command: AnyCommand, now: int, dice: Dice) -> Answer:
    """`now`: store milliseconds. A frozen table takes nothing; what the house asks in vain has no events."""
    if isinstance(command, FromPlayer) and (early := _sequence(table, command)):
        return early
    if table.closed:
        return Refusal("no_such_table")
    if table.frozen and not isinstance(command, ConfirmOut):
        return Refusal("table_frozen", {"incident": table.frozen})
    draft = Draft(table, now, dice)
    refused = _player(draft, command) if isinstance(command, FromPlayer) else _house(draft, command)
    if refused is not None:
        return refused
    if draft.events:
        rounds.reopen_if_stale(draft)
    return Decision(tuple(draft.events), draft.table, draft.not_before, draft.not_after, now)


def _sequence(table: Table, sender: FromPlayer) -> Refusal | Repeat | None:
    """The last command repeated has its first answer; another stint or an older number is stale."""
    player, command = table.player(sender.player), sender.command
    if isinstance(command, c.Reveal):
        return None if player else Refusal("not_seated")
    if player is None:
        if isinstance(command, c.TakeBox) and command.stint == 0:
            return None
        return Repeat(table.version) if isinstance(command, c.Leave) else Refusal("not_seated")
    if command.seq == player.seq and sender.digest == player.seq_digest:
        return Repeat(player.seq_version)
    if command.stint != player.stint or command.seq <= player.seq:
        return Refusal("stale", {"stint": player.stint, "seq": player.seq})
    return None


def _player(draft: Draft, sender: FromPlayer) -> Refusal | None:
    command = sender.command
    if isinstance(command, c.Reveal):
        return reveals.reveal(draft, sender, command)
    player = draft.table.player(sender.player)
    if player is not None and player.via != sender.via:
        seating.mark_back(draft, MarkBack(sender.player, sender.via))
    match command:
        case c.TakeBox():
            return seating.take_box(draft, sender, command)
        case c.FreeBox():
            return seating.free_box(draft, sender, command)
        case c.Leave():
            seating.leave(draft, sender.player)
            return None
        case c.CashOut():
            return money.cash_out(draft, sender.player, command.amount)
        case c.PlaceBets():
            return betting.place_bets(draft, sender, command)
        case c.Ready():
            return betting.ready(draft, sender, command)
        case c.Act():
            return _act(draft, sender, command)
        case _:
            assert_never(command)


def _act(draft: Draft, sender: FromPlayer, command: c.Act) -> Refusal | None:
    table = draft.table
    turn = draft.game.legal(table.play, table.funds()) if table.phase == "playing" else None
    if turn is None:
        return Refusal("round_over")
    if turn.owner != sender.player:
        return Refusal("not_your_turn", {"box": turn.box, "hand": turn.hand})
    until = table.deadline("turn")
    if until and draft.now >= until:
        return Refusal("too_late", {"until_at": until})
    draft.not_after = until
    if refused := draft.felt(rules.Act(command.box, command.hand, command.action)):
        return refused
    rounds.go_on(draft)
    return None


def _house(draft: Draft, command: HouseCommand) -> Refusal | Wait | None:
    match command:
        case DeadlinePassed():
            return clocks.deadline_passed(draft, command)
        case CreditBuyIn():
            return money.credit(draft, command)
        case QueueSettings():
            return _queue_settings(draft, command.settings)
        case Close():
            return _close(draft, command)
        case _:
            _note(draft, command)
            return None


def _note(draft: Draft, command: ConfirmOut | MarkAway | MarkBack | GiveTime | VoidRound | Freeze) -> None:
    """What nobody can refuse; it may come to nothing."""
    match command:
        case ConfirmOut():
            money.confirm(draft, command)
        case MarkAway():
            seating.mark_away(draft, command)
        case MarkBack():
            seating.mark_back(draft, command)
        case GiveTime():
            seating.give_time(draft, command)
        case VoidRound():
            if (draft.table.round, draft.table.nonce) == (command.round, command.nonce):
                rounds.void(draft, command.why)
        case Freeze():
            draft.emit(e.TableFrozen(command.incident))
        case _:
            assert_never(command)


def _queue_settings(draft: Draft, settings: str) -> Refusal | None:
    """A document that no game takes, or another game's, would stop the table at its next round: it is refused now."""
    try:
        game = game_for(settings)
    except SettingsError as wrong:
        return Refusal("bad_settings", {"field": wrong.field, "problem": wrong.message})
    if game.name != draft.table.game:
        return Refusal("bad_settings", {"field": "game", "problem": f"must stay {draft.table.game}"})
    draft.emit(e.SettingsQueued(settings))
    return None


def _close(draft: Draft, command: Close) -> Refusal | None:
    table = draft.table
    if command.by != table.opener:
        return Refusal("not_opener")
    if any(player.stack for player in table.players) or table.bets or table.staked or table.outgoing:
        return Refusal("chips_on_table")
    for player in table.players:
        money.cash_out_and_go(draft, player.id, "closed")
    draft.emit(e.TableClosed(draft.table.bank))
    return None


def open_table(empty: Table, event: e.TableOpened, now: int, dice: Dice) -> tuple[tuple[e.Event, ...], Table]:
    """The events of a table's first batch (it opens, and its first round with it), and the state after them."""
    draft = Draft(empty, now, dice)
    draft.emit(event)
    rounds.open_round(draft)
    return tuple(draft.events), draft.table
