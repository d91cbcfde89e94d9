"""The table's part of `reduce`: boxes, players, chips, bets, clocks, and the round's phases."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tapete_protocol import events as e
from tapete_protocol.limits import RECENT_RESULTS_MAX
from tapete_protocol.reduce.felt import begun, cleared
from tapete_protocol.reduce.players import Step, in_player, stack_changed
from tapete_protocol.reduce.shoe import new_shoe
from tapete_protocol.view import BetView, ContributionView, Felt, PlayerView, TableView


def _nothing(view: TableView, _: Any) -> TableView:
    return view


def _opened(view: TableView, event: e.TableOpened) -> TableView:
    """Whoever has a view has it from a snapshot; this is the table as it was on its first day."""
    return replace(
        view, name=event.name, game=event.game, settings=event.settings, public=event.public, opener=event.opener
    )


def _settings_changed(view: TableView, event: e.SettingsChanged) -> TableView:
    return replace(view, settings=event.settings, felt=Felt(shoe=new_shoe(view.game, event.settings)))


def _box_taken(view: TableView, event: e.BoxTaken) -> TableView:
    view = _box_held(view, event.box, event.player)
    if any(one.player == event.player for one in view.players):
        return view
    return replace(view, players=(*view.players, PlayerView(event.player, event.name, 0)))


def _box_held(view: TableView, box: int, player: str | None) -> TableView:
    return replace(view, boxes=tuple(player if number == box else one for number, one in enumerate(view.boxes, 1)))


def _box_freed(view: TableView, event: e.BoxFreed) -> TableView:
    return _box_held(view, event.box, None)


def _player_left(view: TableView, event: e.PlayerLeft) -> TableView:
    contributions = tuple(one for one in view.contributions if one.player != event.player)
    players = tuple(one for one in view.players if one.player != event.player)
    return replace(view, players=players, contributions=contributions)


def _player_leaving(view: TableView, event: e.PlayerLeaving) -> TableView:
    return in_player(view, event.player, lambda one: replace(one, leaving=True))


def _chips_in(view: TableView, event: e.ChipsIn) -> TableView:
    return stack_changed(view, event.player, event.amount)


def _chips_out(view: TableView, event: e.ChipsOut) -> TableView:
    return stack_changed(view, event.player, -event.amount)


def _round_opened(view: TableView, event: e.RoundOpened) -> TableView:
    players = tuple(replace(one, ready=False) for one in view.players)
    return replace(
        view, round=event.round, commitment=event.commitment, phase="settled", players=players, contributions=()
    )


def _betting_opened(view: TableView, _: e.BettingOpened) -> TableView:
    return replace(view, phase="betting")


def _bet_placed(view: TableView, event: e.BetPlaced) -> TableView:
    """The stack pays for the difference to what lay there before."""
    before = sum(bet.amount for bet in view.bets if (bet.box, bet.spot) == (event.box, event.spot))
    rest = [bet for bet in view.bets if (bet.box, bet.spot) != (event.box, event.spot)]
    bets = [*rest, BetView(event.box, event.spot, event.amount)] if event.amount else rest
    view = replace(view, bets=tuple(sorted(bets, key=lambda bet: (bet.box, bet.spot))))
    return stack_changed(view, event.player, before - event.amount)


def _player_ready(view: TableView, event: e.PlayerReady) -> TableView:
    return in_player(view, event.player, lambda one: replace(one, ready=event.ready))


def _entropy_committed(view: TableView, event: e.EntropyCommitted) -> TableView:
    rest = (one for one in view.contributions if one.player != event.player)
    return replace(view, contributions=(*rest, ContributionView(event.player, event.commitment)))


def _betting_closed(view: TableView, event: e.BettingClosed) -> TableView:
    contributions = tuple(ContributionView(one.player, one.commitment) for one in event.commitments)
    felt = begun(view.felt, event)
    return replace(view, phase="closing", bets=(), felt=felt, contributions=contributions)


def _entropy_revealed(view: TableView, event: e.EntropyRevealed) -> TableView:
    def revealed(one: ContributionView) -> ContributionView:
        return replace(one, entropy=event.entropy) if one.player == event.player else one

    return replace(view, contributions=tuple(map(revealed, view.contributions)))


def _entropy_closed(view: TableView, event: e.EntropyClosed) -> TableView:
    contributions = tuple(replace(one, missing=one.player in event.missing) for one in view.contributions)
    return replace(view, contributions=contributions)


def _clock(view: TableView, event: e.ClockSet | e.ClockExtended) -> TableView:
    rest = [clock for clock in view.clocks if clock[0] != event.clock]
    clocks = [*rest, (event.clock, event.until_at)] if event.until_at else rest
    return replace(view, clocks=tuple(sorted(clocks)))


def _player_away(view: TableView, event: e.PlayerAway) -> TableView:
    return in_player(view, event.player, lambda one: replace(one, away=True, held_until_at=event.held_until_at))


def _player_back(view: TableView, event: e.PlayerBack) -> TableView:
    return in_player(view, event.player, lambda one: replace(one, away=False, held_until_at=0))


def _round_settled(view: TableView, event: e.RoundSettled) -> TableView:
    recent = (*view.recent, event.result)[-RECENT_RESULTS_MAX:]
    return replace(view, phase="settled", recent=recent, commitment=b"")


def _round_voided(view: TableView, _: e.RoundVoided) -> TableView:
    """What lies on the felt and is not settled goes back to whoever holds its box: no box is freed under a stake."""
    staked = [(bet.box, bet.amount) for bet in view.bets]
    staked += [(box.box, box.staked) for box in view.felt.boxes if box.returned is None]
    for number, amount in staked:
        holder = view.boxes[number - 1]
        view = stack_changed(view, holder, amount) if holder else view
    return replace(view, phase="settled", bets=(), commitment=b"", felt=cleared(view.felt))


def _frozen(view: TableView, event: e.TableFrozen) -> TableView:
    return replace(view, frozen=event.incident, clocks=())


def _closed(view: TableView, _: e.TableClosed) -> TableView:
    return replace(view, clocks=())


TABLE_STEPS: dict[type[e.Event], Step] = {
    e.TableOpened: _opened,
    e.SettingsChanged: _settings_changed,
    e.SettingsQueued: _nothing,
    e.BoxTaken: _box_taken,
    e.BoxFreed: _box_freed,
    e.PlayerLeft: _player_left,
    e.PlayerLeaving: _player_leaving,
    e.ChipsIn: _chips_in,
    e.ChipsOut: _chips_out,
    e.ChipsArrived: _nothing,
    e.RoundOpened: _round_opened,
    e.BettingOpened: _betting_opened,
    e.BetPlaced: _bet_placed,
    e.PlayerReady: _player_ready,
    e.EntropyCommitted: _entropy_committed,
    e.BettingClosed: _betting_closed,
    e.EntropyRevealed: _entropy_revealed,
    e.EntropyClosed: _entropy_closed,
    e.ClockSet: _clock,
    e.ClockExtended: _clock,
    e.PlayerAway: _player_away,
    e.PlayerBack: _player_back,
    e.PlayerTimedOut: _nothing,
    e.RoundSettled: _round_settled,
    e.RoundVoided: _round_voided,
    e.TableFrozen: _frozen,
    e.TableClosed: _closed,
}
