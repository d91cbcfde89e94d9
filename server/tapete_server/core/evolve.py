"""The state after an event. Never refuses, never draws, never looks at a clock: the same log gives the same state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tapete_protocol import events as e
from tapete_protocol.base import PlayerId, TableId
from tapete_protocol.chain import next_head
from tapete_protocol.frames import Batch
from tapete_rules.game import StakedBox
from tapete_server.core.games import from_wire, game_for
from tapete_server.core.state import RECENT_MAX, Bet, Contribution, Outgoing, Player, Staked, Table

_BET_EVENTS = (e.BetPlaced, e.PlayerReady, e.EntropyCommitted)


def evolve(table: Table, event: e.Event, at: int) -> Table:
    """`at`: the batch's time, in store milliseconds."""
    step = _STEPS.get(type(event))
    return step(table, event, at) if step else _felt(table, event)


def after_batch(table: Table | None, batch: Batch, payload: bytes) -> Table:
    """Fold a whole batch, with its version, head and author. `payload`: the very bytes of the batch."""
    if table is None:
        first = batch.events[0]
        assert isinstance(first, e.TableOpened), "a log begins with TableOpened"
        table = opened(batch.table, first, batch.prev)
    assert table.head == batch.prev, "a batch joins the head before it"
    table = replace(table, version=batch.v)
    for event in batch.events:
        table = evolve(table, event, batch.at)
    return sealed(table, batch, payload)


def sealed(table: Table, batch: Batch, payload: bytes) -> Table:
    """The folded state with what the batch as a whole adds: its author's sequence, and the new head."""
    if batch.by is not None and (player := table.player(batch.by.player)) is not None:
        bets = player.bet_commands + any(isinstance(event, _BET_EVENTS) for event in batch.events)
        noted = replace(player, seq=batch.by.seq, seq_version=batch.v, seq_digest=batch.by.digest, bet_commands=bets)
        table = table.with_player(noted)
    head = next_head(batch.prev, payload)
    closes = isinstance(batch.events[-1], e.BettingClosed)
    return replace(table, head=head, close_head=head if closes else table.close_head)


def opened(table: str, event: e.TableOpened, head: bytes) -> Table:
    """A table where nothing happened yet."""
    return Table(
        id=TableId(table), name=event.name, game=event.game, settings=event.settings, public=event.public,
        opener=event.opener, version=0, head=head, play=game_for(event.settings).initial(),
    )  # fmt: skip


def _nothing(table: Table, _event: Any, _at: int) -> Table:
    return table


def _settings(table: Table, event: e.SettingsChanged, _at: int) -> Table:
    return replace(table, settings=event.settings, queued_settings="", play=game_for(event.settings).initial())


def _settings_queued(table: Table, event: e.SettingsQueued, _at: int) -> Table:
    return replace(table, queued_settings=event.settings)


def _box_taken(table: Table, event: e.BoxTaken, at: int) -> Table:
    player = PlayerId(event.player)
    boxes = tuple(player if box == event.box else holder for box, holder in enumerate(table.boxes, 1))
    table = replace(table, boxes=boxes)
    if table.player(player) is None:
        arrival = Player(player, event.name, stint=event.stint, via=event.via, bet_at=at)
        table = replace(table, players=(*table.players, arrival))
    return table


def _box_freed(table: Table, event: e.BoxFreed, _at: int) -> Table:
    return replace(table, boxes=tuple(None if box == event.box else who for box, who in enumerate(table.boxes, 1)))


def _player_left(table: Table, event: e.PlayerLeft, _at: int) -> Table:
    players = tuple(player for player in table.players if player.id != event.player)
    contributions = tuple(one for one in table.contributions if one.player != event.player)
    return replace(table, players=players, contributions=contributions)


def _player(table: Table, player: str, **changes: Any) -> Table:
    found = table.player(player)
    assert found is not None, "an event names a player at the table"
    return table.with_player(replace(found, **changes))


def _leaving(table: Table, event: e.PlayerLeaving, _at: int) -> Table:
    return _player(table, event.player, leaving=True)


def _stack(table: Table, player: str, change: int) -> Table:
    found = table.player(player)
    assert found is not None, "chips move for a player at the table"
    return table.with_player(replace(found, stack=found.stack + change))


def _chips_in(table: Table, event: e.ChipsIn, _at: int) -> Table:
    table = _stack(table, event.player, event.amount)
    return replace(table, chips_in=table.chips_in + event.amount)


def _chips_out(table: Table, event: e.ChipsOut, _at: int) -> Table:
    out = Outgoing(event.transfer, PlayerId(event.player), event.amount)
    return replace(_stack(table, event.player, -event.amount), outgoing=(*table.outgoing, out))


def _chips_arrived(table: Table, event: e.ChipsArrived, _at: int) -> Table:
    arrived = sum(out.amount for out in table.outgoing if out.transfer == event.transfer)
    rest = tuple(out for out in table.outgoing if out.transfer != event.transfer)
    return replace(table, outgoing=rest, chips_out=table.chips_out + arrived)


def _round_opened(table: Table, event: e.RoundOpened, _at: int) -> Table:
    players = tuple(replace(player, ready=False, bet_commands=0) for player in table.players)
    return replace(
        table, round=event.round, nonce=event.nonce, commitment=event.commitment, opened_version=table.version,
        close_head=b"", words=0, extensions=0, phase="settled", players=players, contributions=(),
    )  # fmt: skip


def _betting_opened(table: Table, _event: e.BettingOpened, _at: int) -> Table:
    return replace(table, phase="betting")


def _bet_placed(table: Table, event: e.BetPlaced, at: int) -> Table:
    before = table.bets_of(event.box).get(event.spot, 0)
    rest = tuple(bet for bet in table.bets if (bet.box, bet.spot) != (event.box, event.spot))
    bets = (*rest, Bet(event.box, event.spot, event.amount)) if event.amount else rest
    table = replace(table, bets=tuple(sorted(bets, key=lambda bet: (bet.box, bet.spot))))
    return _player(_stack(table, event.player, before - event.amount), event.player, bet_at=at)


def _ready(table: Table, event: e.PlayerReady, _at: int) -> Table:
    return _player(table, event.player, ready=event.ready)


def _betting_closed(table: Table, event: e.BettingClosed, _at: int) -> Table:
    staked = tuple(Staked(b.box, PlayerId(b.player), sum(s.amount for s in b.stakes)) for b in event.bets)
    boxes = tuple(StakedBox(b.box, b.player, {s.spot: s.amount for s in b.stakes}) for b in event.bets)
    play = game_for(table.settings).begin(table.play, boxes)
    lowest = {bets.player: bets.box for bets in reversed(event.bets)}
    contributions = tuple(
        Contribution(PlayerId(one.player), one.commitment, box=lowest[one.player]) for one in event.commitments
    )
    return replace(table, phase="closing", bets=(), staked=staked, play=play, contributions=contributions)


def _entropy_committed(table: Table, event: e.EntropyCommitted, _at: int) -> Table:
    rest = (one for one in table.contributions if one.player != event.player)
    return replace(table, contributions=(*rest, Contribution(PlayerId(event.player), event.commitment)))


def _entropy_revealed(table: Table, event: e.EntropyRevealed, _at: int) -> Table:
    contributions = tuple(
        replace(one, entropy=event.entropy) if one.player == event.player else one for one in table.contributions
    )
    return _player(replace(table, contributions=contributions), event.player, misses=0)


def _entropy_closed(table: Table, event: e.EntropyClosed, _at: int) -> Table:
    contributions = tuple(replace(one, missing=one.player in event.missing) for one in table.contributions)
    players = tuple(
        replace(player, misses=player.misses + 1) if player.id in event.missing else player for player in table.players
    )
    return replace(table, contributions=contributions, players=players)


def _clock(table: Table, name: str, until: int) -> Table:
    rest = tuple(clock for clock in table.deadlines if clock[0] != name)
    return replace(table, deadlines=tuple(sorted((*rest, (name, until)))) if until else rest)


def _clock_set(table: Table, event: e.ClockSet, _at: int) -> Table:
    return _clock(table, event.clock, event.until_at)


def _clock_extended(table: Table, event: e.ClockExtended, _at: int) -> Table:
    """Only clocks of the round count: what a held box is given must not bring the round nearer to being void."""
    counted = not event.clock.startswith("hold:")
    return replace(_clock(table, event.clock, event.until_at), extensions=table.extensions + counted)


def _away(table: Table, event: e.PlayerAway, _at: int) -> Table:
    return _player(table, event.player, via="", held_until_at=event.held_until_at, lost_since_at=event.since_at)


def _back(table: Table, event: e.PlayerBack, _at: int) -> Table:
    return _player(table, event.player, via=event.via, held_until_at=0, lost_since_at=0, misses=0)


def _round_settled(table: Table, event: e.RoundSettled, _at: int) -> Table:
    recent = (*table.recent, event.result)[-RECENT_MAX:]
    return replace(table, phase="settled", recent=recent, commitment=b"")


def _round_voided(table: Table, _event: e.RoundVoided, _at: int) -> Table:
    for bet in table.bets:
        holder = table.boxes[bet.box - 1]
        assert holder is not None, "a bet lies on a held box"
        table = _stack(table, holder, bet.amount)
    for stake in table.staked:
        table = _stack(table, stake.owner, stake.amount)
    play = game_for(table.settings).clear(table.play)
    return replace(table, phase="settled", bets=(), staked=(), play=play, commitment=b"")


def _frozen(table: Table, event: e.TableFrozen, _at: int) -> Table:
    return replace(table, frozen=event.incident, deadlines=())


def _closed(table: Table, _event: e.TableClosed, _at: int) -> Table:
    return replace(table, closed=True, deadlines=())


def _felt(table: Table, event: Any) -> Table:
    table = replace(table, play=game_for(table.settings).evolve(table.play, from_wire(event)))
    match event:
        case e.CardDealt(word=word) | e.CardBurnt(word=word):
            return replace(table, words=word, phase="playing")
        case e.StakeAdded(box=box, owner=owner, amount=amount):
            staked = tuple(replace(s, amount=s.amount + amount) if s.box == box else s for s in table.staked)
            return _stack(replace(table, staked=staked), owner, -amount)
        case e.BoxSettled(box=box, owner=owner, returned=returned):
            stake = sum(one.amount for one in table.staked if one.box == box)
            rest = tuple(one for one in table.staked if one.box != box)
            return _stack(replace(table, staked=rest, bank=table.bank + stake - returned), owner, returned)
        case _:
            return table


_STEPS: dict[type, Callable[[Table, Any, int], Table]] = {
    e.TableOpened: _nothing,
    e.SettingsChanged: _settings,
    e.SettingsQueued: _settings_queued,
    e.BoxTaken: _box_taken,
    e.BoxFreed: _box_freed,
    e.PlayerLeft: _player_left,
    e.PlayerLeaving: _leaving,
    e.ChipsIn: _chips_in,
    e.ChipsOut: _chips_out,
    e.ChipsArrived: _chips_arrived,
    e.RoundOpened: _round_opened,
    e.BettingOpened: _betting_opened,
    e.BetPlaced: _bet_placed,
    e.PlayerReady: _ready,
    e.EntropyCommitted: _entropy_committed,
    e.BettingClosed: _betting_closed,
    e.EntropyRevealed: _entropy_revealed,
    e.EntropyClosed: _entropy_closed,
    e.ClockSet: _clock_set,
    e.ClockExtended: _clock_extended,
    e.PlayerAway: _away,
    e.PlayerBack: _back,
    e.PlayerTimedOut: _nothing,
    e.RoundSettled: _round_settled,
    e.RoundVoided: _round_voided,
    e.TableFrozen: _frozen,
    e.TableClosed: _closed,
}
