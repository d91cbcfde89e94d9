"""The events of the table around the felt, one sentence each; None for what nobody needs to hear."""

from __future__ import annotations

from tapete_client.texts.felt import Saying
from tapete_client.texts.scene import Scene
from tapete_protocol import events as e


def _opened(event: e.TableOpened, scene: Scene) -> str:
    game = scene.words.games.get(event.game, event.game)
    return scene.words.table_opened.format(table=event.name, game=game)


def _box_taken(event: e.BoxTaken, scene: Scene) -> str:
    return scene.words.box_taken.format(name=event.name, box=event.box)


def _box_freed(event: e.BoxFreed, scene: Scene) -> str:
    return scene.words.box_freed[event.why].format(name=scene.player(event.player), box=event.box)


def _player_left(event: e.PlayerLeft, scene: Scene) -> str:
    return scene.words.player_left.format(name=scene.player(event.player))


def _player_leaving(event: e.PlayerLeaving, scene: Scene) -> str:
    return scene.words.player_leaving.format(name=scene.player(event.player))


def _chips_in(event: e.ChipsIn, scene: Scene) -> str:
    return scene.words.chips_in.format(name=scene.player(event.player), amount=scene.amount(event.amount))


def _chips_out(event: e.ChipsOut, scene: Scene) -> str:
    return scene.words.chips_out.format(name=scene.player(event.player), amount=scene.amount(event.amount))


def _betting_opened(event: e.BettingOpened, scene: Scene) -> str:
    return scene.words.betting_opened.format(round=event.round)


def _bet_placed(event: e.BetPlaced, scene: Scene) -> str:
    template = scene.words.bet_placed if event.amount else scene.words.bet_taken_back
    name, spot = scene.player(event.player), scene.spot(event.spot)
    return template.format(name=name, amount=scene.amount(event.amount), spot=spot, box=event.box)


def _ready(event: e.PlayerReady, scene: Scene) -> str:
    template = scene.words.ready if event.ready else scene.words.not_ready
    return template.format(name=scene.player(event.player))


def _clock(event: e.ClockSet, scene: Scene) -> str | None:
    seconds = _seconds(event.until_at - scene.at)
    if event.clock != "betting" or not scene.at or not seconds:
        return None
    return scene.words.bets_close_in.format(seconds=seconds)


def _extended(event: e.ClockExtended, scene: Scene) -> str:
    return scene.words.clock_extended.format(seconds=_seconds(event.by_ms))


def _away(event: e.PlayerAway, scene: Scene) -> str:
    return scene.words.away.format(name=scene.player(event.player))


def _back(event: e.PlayerBack, scene: Scene) -> str:
    return scene.words.back.format(name=scene.player(event.player))


def _timed_out(event: e.PlayerTimedOut, scene: Scene) -> str:
    return scene.words.timed_out.format(name=scene.player(event.player))


def _settled(event: e.RoundSettled, scene: Scene) -> str:
    return scene.words.round_settled.format(round=event.round)


def _voided(event: e.RoundVoided, scene: Scene) -> str:
    return scene.words.round_voided.format(round=event.round)


def _entropy_closed(event: e.EntropyClosed, scene: Scene) -> str | None:
    players = ", ".join(map(scene.player, event.missing))
    return scene.words.entropy_missing.format(players=players) if players else None


def _silent(event: e.Event, scene: Scene) -> None:  # noqa: ARG001 - a saying that says nothing
    return None


def _seconds(ms: int) -> int:
    return max(0, -(-ms // 1000))


TABLE_SAYINGS: dict[type[e.Event], Saying] = {
    e.TableOpened: _opened,
    e.SettingsChanged: lambda _, scene: scene.words.settings_changed,
    e.SettingsQueued: lambda _, scene: scene.words.settings_queued,
    e.BoxTaken: _box_taken,
    e.BoxFreed: _box_freed,
    e.PlayerLeft: _player_left,
    e.PlayerLeaving: _player_leaving,
    e.ChipsIn: _chips_in,
    e.ChipsOut: _chips_out,
    e.ChipsArrived: _silent,
    e.RoundOpened: _silent,
    e.BettingOpened: _betting_opened,
    e.BetPlaced: _bet_placed,
    e.PlayerReady: _ready,
    e.BettingClosed: lambda _, scene: scene.words.betting_closed,
    e.EntropyCommitted: _silent,
    e.EntropyRevealed: _silent,
    e.EntropyClosed: _entropy_closed,
    e.ClockSet: _clock,
    e.ClockExtended: _extended,
    e.PlayerAway: _away,
    e.PlayerBack: _back,
    e.PlayerTimedOut: _timed_out,
    e.RoundSettled: _settled,
    e.RoundVoided: _voided,
    e.TableFrozen: lambda _, scene: scene.words.frozen,
    e.TableClosed: lambda _, scene: scene.words.closed,
}
