"""A table is never stuck, and no clock is left behind by what it was for."""

from __future__ import annotations

from tapete_server.core.games import game_for
from tapete_server.core.state import Table


def check_pulse(table: Table) -> None:
    """Exactly the clocks that somebody needs run, and where none runs there is somebody whose command goes on."""
    if table.frozen or table.closed:
        assert not table.deadlines
        return
    running = {name for name, _ in table.deadlines}
    assert running == _clocks_of_the_round(table) | _clocks_of_players(table)
    for player in table.players:
        assert bool(player.held_until_at) == player.away
        assert player.held_until_at == table.deadline(f"hold:{player.id}")
        assert table.boxes_of(player.id), "who has no box is not at the table"
        assert not player.leaving or any(stake.owner == player.id for stake in table.staked)
    assert table.phase in ("closing", "playing") or not table.staked
    assert table.phase == "betting" or not table.bets


def _clocks_of_the_round(table: Table) -> set[str]:
    game = game_for(table.settings)
    match table.phase:
        case "betting":
            if not table.bets:
                return set()
            stakers = [player for player in table.players if table.has_stake(player.id)]
            waited_for = [player for player in stakers if not (player.ready or player.away)]
            assert waited_for, "bets close as soon as nobody is waited for"
            return {"betting"} if table.deadline("betting") or game.times.betting_ms else set()
        case "closing":
            assert table.staked
            return {"deal"}
        case "playing":
            turn = game.legal(table.play, table.funds())
            assert turn is not None, "somebody has to decide"
            assert turn.legal
            owner = table.player(turn.owner)
            assert owner is not None
            assert not owner.leaving, "the house plays for who leaves"
            return {"turn"}
        case "settled":
            return {"pause"}
        case phase:
            raise AssertionError(phase)


def _clocks_of_players(table: Table) -> set[str]:
    idle = {f"idle:{player.id}" for player in table.players}
    hold = {f"hold:{player.id}" for player in table.players if player.away}
    return idle | hold | ({"out"} if table.outgoing else set())
