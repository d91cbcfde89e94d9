"""Bets before the close: absolute amounts per box and spot, all or nothing."""

from __future__ import annotations

from tapete_protocol import events as e
from tapete_protocol.commands import PlaceBets, Ready
from tapete_server.core import reveals
from tapete_server.core.commands import FromPlayer, Refusal
from tapete_server.core.draft import Draft
from tapete_server.core.rounds import close_if_ready

BET_COMMANDS_MAX = 60
"""Bet commands of one player in one round, taking back a `Ready` among them: what a round's record has room for."""
STAKES_MAX = 10_000_000_000
"""All that may lie on a table: at the longest odds that settings may have, still far from 2^53."""
BANK_LOSS_MAX = 100_000_000_000_000
"""The bank of a table that has lost so much takes no more bets: what it pays has to be a number that everyone can hold."""


def _open_for_bets(draft: Draft) -> Refusal | None:
    table = draft.table
    if table.phase == "settled":
        return Refusal("betting_not_open", {"opens_at": table.deadline("pause")})
    closes = table.deadline("betting")
    if table.phase != "betting" or (closes and draft.now >= closes):
        return Refusal("betting_closed")
    draft.not_after = closes
    return None


def place_bets(draft: Draft, sender: FromPlayer, command: PlaceBets) -> Refusal | None:
    if refusal := _open_for_bets(draft):
        return refusal
    if command.commitment is not None and not draft.game.reveals:
        return Refusal("no_reveals")
    player = draft.player(sender.player)
    if player.bet_commands >= BET_COMMANDS_MAX:
        return Refusal("too_many_bets", {"max": BET_COMMANDS_MAX})
    wanted = _wanted(draft, sender, command)
    if isinstance(wanted, Refusal):
        return wanted
    changes = [
        (box, spot, amount, amount - draft.table.bets_of(box).get(spot, 0))
        for box, stakes in sorted(wanted.items())
        for spot, amount in stakes.items()
        if amount != draft.table.bets_of(box).get(spot, 0)
    ]
    needed = sum(change for *_, change in changes)
    if needed > player.stack:
        return Refusal("not_enough_in_stack", {"amount": needed, "stack": player.stack})
    if refusal := _beyond_the_bank(draft, needed):
        return refusal
    for box, spot, amount, _ in changes:
        draft.emit(e.BetPlaced(box, sender.player, spot, amount))
    if command.commitment is not None:
        reveals.commit(draft, sender.player, command.commitment)
    if changes and player.ready:
        draft.emit(e.PlayerReady(sender.player, ready=False))
    run_betting_clock(draft)
    close_if_ready(draft)  # the only one who was not ready may have taken all bets back
    return None


def _beyond_the_bank(draft: Draft, needed: int) -> Refusal | None:
    most = STAKES_MAX if draft.table.bank > -BANK_LOSS_MAX else 0
    laid = sum(bet.amount for bet in draft.table.bets) + needed
    return Refusal("bet_above_maximum", {"amount": laid, "maximum": most}) if needed > 0 and laid > most else None


def _wanted(draft: Draft, sender: FromPlayer, command: PlaceBets) -> dict[int, dict[str, int]] | Refusal:
    """All that would lie in each box that the command names, if that is allowed."""
    mine = draft.table.boxes_of(sender.player)
    wanted: dict[int, dict[str, int]] = {}
    for bet in command.bets:
        if bet.box not in mine:
            return Refusal("not_your_box", {"box": bet.box})
        if bet.spot not in draft.game.spots:
            return Refusal("unknown_spot", {"spot": bet.spot, "spots": list(draft.game.spots)})
        wanted.setdefault(bet.box, draft.table.bets_of(bet.box))[bet.spot] = bet.amount
    _bonuses_go_along(draft, command, wanted)
    for box, stakes in wanted.items():
        if refused := draft.game.check_stakes(stakes):
            return Refusal(refused.code, {"box": box, **refused.detail})
    return wanted


def _bonuses_go_along(draft: Draft, command: PlaceBets, wanted: dict[int, dict[str, int]]) -> None:
    """Taking back the bet that the others of its box need takes them back as well."""
    main = draft.game.spots[0]
    named = {bet.box for bet in command.bets if bet.spot != main and bet.amount}
    for bet in command.bets:
        if bet.spot == main and bet.amount == 0 and bet.box not in named:
            refused = draft.game.check_stakes(wanted[bet.box])
            if refused and refused.code == "bonus_without_main":
                wanted[bet.box] = dict.fromkeys(wanted[bet.box], 0)


def run_betting_clock(draft: Draft) -> None:
    """It starts with the first stake and nothing restarts it; without stakes it vanishes."""
    if not draft.table.bets:
        draft.clock("betting", 0)
    elif not draft.table.deadline("betting") and draft.times.betting_ms:
        draft.clock("betting", draft.now + draft.times.betting_ms)


def ready(draft: Draft, sender: FromPlayer, command: Ready) -> Refusal | None:
    if refusal := _open_for_bets(draft):
        return refusal
    if command.ready and not draft.table.has_stake(sender.player):
        return Refusal("nothing_staked")
    if not command.ready and draft.player(sender.player).bet_commands >= BET_COMMANDS_MAX:
        return Refusal("too_many_bets", {"max": BET_COMMANDS_MAX})
    if draft.player(sender.player).ready != command.ready:
        draft.emit(e.PlayerReady(sender.player, command.ready))
    close_if_ready(draft)
    return None
