"""Clocks that ran out. Firing twice is harmless; firing late is the house's fault and never the player's loss."""

from __future__ import annotations

from tapete_protocol import events as e
from tapete_rules.game import HousePlays
from tapete_server.core.commands import DeadlinePassed, Wait
from tapete_server.core.draft import EXTENSIONS_MAX, Draft
from tapete_server.core.money import OUT_RETRY_MS
from tapete_server.core.rounds import close_betting, deal, go_on, void
from tapete_server.core.seating import idle_too_long, no_longer_held

LATE_MS = 2_000
"""A clock that fires later than this is extended instead."""


def deadline_passed(draft: Draft, command: DeadlinePassed) -> Wait | None:
    name, at = command.name, command.at
    if not at or draft.table.deadline(name) != at:
        return None
    if draft.now < at:
        return Wait(at)
    draft.not_before = at
    kind, _, player = name.partition(":")
    if kind in ("betting", "closing", "turn", "hold") and draft.now - at > LATE_MS:
        _extend(draft, name, kind, draft.now - at)
        return None
    draft.clock(name, 0)
    _run_out(draft, kind, player)
    return None


def _run_out(draft: Draft, kind: str, player: str) -> None:
    """What follows when a clock runs out."""
    match kind:
        case "betting":
            if draft.table.bets:
                close_betting(draft)
        case "closing" | "deal":
            deal(draft)
        case "turn":
            _time_out(draft)
        case "pause":
            draft.emit(e.BettingOpened(draft.table.round))
        case "hold":
            no_longer_held(draft, player)
        case "idle":
            idle_too_long(draft, player)
        case "out":  # somebody will pay out now; should it fail, look again
            draft.clock("out", draft.now + OUT_RETRY_MS)
        case _:
            pass  # a clock of no kind that this release knows is only stopped


def _extend(draft: Draft, name: str, kind: str, late_ms: int) -> None:
    if kind != "hold" and draft.table.extensions >= EXTENSIONS_MAX:
        void(draft, "interrupted")
        return
    by_ms = min(late_ms, getattr(draft.times, f"{kind}_ms"))
    draft.emit(e.ClockExtended(name, draft.now + by_ms, by_ms))
    if kind == "hold":
        player = draft.player(name.partition(":")[2])
        draft.emit(e.PlayerAway(player.id, draft.now + by_ms, player.lost_since_at))


def _time_out(draft: Draft) -> None:
    """The player's remaining hands of the round stand, by the house."""
    turn = draft.game.legal(draft.table.play, draft.table.funds())
    if turn is None:
        return
    draft.emit(e.PlayerTimedOut(turn.owner))
    draft.felt(HousePlays(turn.owner))
    go_on(draft)
