"""Tables that live through everything that can happen at one: what is recorded of a release, without a store.

Cards come from the round's own stream, so a story plays on until it has seen what it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.base import PlayerId
from tapete_protocol.fair import entropy_commitment
from tapete_server.core.codec import pack_table
from tapete_server.core.commands import Close, ConfirmOut, Freeze, FromPlayer, MarkAway, MarkBack, QueueSettings
from tapete_server.core.state import Table
from tests.released.shelf import TableLog
from tests.server.core.table_driver import TableDriver

ROUNDS_MAX = 80
BLOBS_MAX = 40
"""Of one table: one for each kind of situation, up to so many."""
PREFERRED = ("split", "double", "hit", "stand")


class Story(TableDriver):
    """A driver that keeps a blob of every kind of situation that it comes through."""

    def __init__(self, game: str, **settings: object) -> None:
        self.blobs: dict[int, bytes] = {}
        self._situations: set[object] = set()
        super().__init__(game, **settings)  # type: ignore[arg-type]

    def _note(self, events: tuple[e.Event, ...], payload: bytes) -> None:
        super()._note(events, payload)
        found = situation(self.table)
        if found not in self._situations and len(self.blobs) < BLOBS_MAX:
            self._situations.add(found)
            self.blobs[self.table.version] = pack_table(self.table)

    def recorded(self) -> TableLog:
        self.blobs[self.table.version] = pack_table(self.table)
        return TableLog(self.key, self.payloads, self.blobs, self.table.head)

    def seen(self, *kinds: type[e.Event]) -> bool:
        return {type(event) for event in self.events} >= set(kinds)


def situation(table: Table) -> object:
    clocks = frozenset(name.partition(":")[0] for name, _ in table.deadlines)
    flags = (bool(table.bets), bool(table.outgoing), bool(table.queued_settings), bool(table.extensions))
    players = frozenset((player.away, player.leaving, player.ready) for player in table.players)
    return table.phase, clocks, flags, players, len(table.players), table.frozen, table.closed


def play_hand(story: Story) -> None:
    """The hand whose turn it is takes one card at most, and splits and doubles when it may."""
    turn = story.turn
    assert turn is not None
    took = any(isinstance(event, e.CardDealt) for event in story.last)
    order = [action for action in PREFERRED if not (took and action == "hit")]
    story.act(next(action for action in order if action in turn.legal))


def to_betting(story: Story) -> None:
    if story.table.phase == "settled":
        story.fire("pause")


def finish(story: Story) -> None:
    while story.turn is not None:
        play_hand(story)


def until(story: Story, *kinds: type[e.Event], round_: Callable[[Story], None]) -> None:
    """Plays such rounds until all these kinds of events have come."""
    for _ in range(ROUNDS_MAX):
        if story.seen(*kinds):
            return
        round_(story)
    missing = [kind.__name__ for kind in kinds if not story.seen(kind)]
    raise AssertionError(f"{missing} did not come in {ROUNDS_MAX} rounds")


def double_exposure() -> Story:
    story = Story("double_exposure")
    story.sit("ana", 1, 2)
    story.sit("berta", 3)
    until(story, e.HandSplit, e.StakeAdded, e.SpotSettled, e.BoxSettled, e.DealerDone, round_=_blackjack_round)
    _clocks(story)
    _chips_in_mid_hand(story)
    _come_and_go(story)
    return story


def _bets(story: Story) -> None:
    to_betting(story)
    story.bet("ana", 1)
    story.bet("ana", 2, 1500)
    story.bet("berta", 3, 2000)


def _blackjack_round(story: Story) -> None:
    _bets(story)
    for spot in story.game.spots[1:]:
        story.bet("berta", 3, 200, spot)
    story.deal()
    finish(story)


def _to_a_turn(story: Story) -> None:
    """Until somebody has to decide."""
    for _ in range(ROUNDS_MAX):
        if story.turn is not None:
            return
        _bets(story)
        story.deal()
    raise AssertionError("nobody had to decide")


def _clocks(story: Story) -> None:
    """Run out, late, away and back, and a round that is void after too many extensions."""
    _bets(story)
    story.fire("betting")
    story.fire("deal")
    finish(story)
    _to_a_turn(story)
    story.fire("turn", late_ms=3_000)
    story.fire("turn")
    finish(story)
    _to_a_turn(story)
    turn = story.turn
    assert turn is not None
    player, via = PlayerId(turn.owner), story.player(turn.owner).via
    story.submit(MarkAway(player, via, since_at=story.now - 1_500))
    story.now += 1_000
    story.submit(MarkBack(player, "n2.1"))
    story.act("stand_all")
    finish(story)
    _to_a_turn(story)
    while story.turn is not None:
        story.fire("turn", late_ms=3_000)


def _chips_in_mid_hand(story: Story) -> None:
    """With an empty stack a hand may not double; it may when chips arrive."""
    story.sit("carla", 4, chips=1_000)
    for _ in range(ROUNDS_MAX):
        to_betting(story)
        if story.player("carla").stack < 1_000:
            story.buy_in("carla", 1_000 - story.player("carla").stack)
        story.play("carla", c.CashOut, amount=story.player("carla").stack - 1_000)
        story.bet("carla", 4)
        story.deal()
        if story.turn is not None:
            story.buy_in("carla", 5_000)
        finish(story)
        if story.seen(e.ActionsChanged):
            return
    raise AssertionError("chips never changed what a hand may do")


def _come_and_go(story: Story) -> None:
    """A void round, cash-outs, new settings, boxes freed and left, a seat that is held no longer."""
    _to_a_turn(story)
    story.void()
    _settle_cash_outs(story)
    story.submit(QueueSettings('{"game":"double_exposure","decks":8,"times":{"turn_ms":9000}}'))
    _blackjack_round(story)
    to_betting(story)
    story.play("ana", c.FreeBox, box=2)
    story.play("berta", c.CashOut, amount=1_000)
    _settle_cash_outs(story)
    _to_a_turn_of(story, "berta")
    story.play("berta", c.Leave)
    finish(story)
    to_betting(story)
    story.submit(MarkAway(PlayerId("ana"), story.player("ana").via))
    story.fire("hold:ana")
    _settle_cash_outs(story)


def _to_a_turn_of(story: Story, player: str) -> None:
    for _ in range(ROUNDS_MAX):
        to_betting(story)
        story.bet("ana", 1)
        story.bet(player, 3, 2000)
        story.deal()
        while story.turn is not None and story.turn.owner != player:
            play_hand(story)
        if story.turn is not None:
            return
    raise AssertionError(f"{player} never had to decide")


def _settle_cash_outs(story: Story) -> None:
    for out in story.table.outgoing:
        story.submit(ConfirmOut(out.transfer))


def punto_banco() -> Story:
    """A short shoe, so that the cut card comes and a new shoe is opened."""
    story = Story("punto_banco", decks=1, cut_card=38)
    story.sit("ana", 1)
    story.sit("berta", 3)
    until(
        story, e.ShoeOpened, e.CardBurnt, e.CutCardShown, e.ThirdCardDecided, e.CoupDecided, e.SpotSettled,
        round_=_coup,
    )  # fmt: skip
    for _ in range(3):
        _coup(story)
    to_betting(story)
    story.bet("ana", 1, 500, "punto")
    story.fire("betting", late_ms=4_000)
    story.void()
    to_betting(story)
    story.submit(QueueSettings('{"game":"punto_banco","commission":false,"decks":6}'))
    _coup(story)
    story.fire("pause")
    story.fire("idle:ana", late_ms=400_000)
    _settle_cash_outs(story)
    return story


def _coup(story: Story) -> None:
    to_betting(story)
    for player, box in (("ana", 1), ("berta", 3)):
        for spot in story.game.spots[box - 1 :]:
            story.bet(player, box, 500, spot)
    story.deal()


def reveals() -> Story:
    """Players with a part in the cards: all of them, one missing, nobody bound to anything, late, and void."""
    story = Story("punto_banco", reveals=True, times={"pause_ms": 0})
    story.sit("ana", 1)
    story.sit("berta", 3)
    for given in (("ana", "berta"), ("berta",), ()):
        _bound(story)
        for player in given:
            _reveal(story, player)
        story.fire("closing" if story.table.deadline("closing") else "deal")
    _coup(story)
    _bound(story)
    story.fire("closing", late_ms=5_000)
    story.void()
    return story


def _entropy(player: str, number: int) -> bytes:
    return sha256(f"{player} {number}".encode()).digest()


def _bound(story: Story) -> None:
    to_betting(story)
    number = story.table.round
    for player, box in (("ana", 1), ("berta", 3)):
        commitment = entropy_commitment("mesa", number, player, _entropy(player, number))
        story.play(player, c.PlaceBets, bets=(c.Bet(box, "punto", 500),), commitment=commitment)
    for player in ("ana", "berta"):
        story.ready(player)


def _reveal(story: Story, player: str) -> None:
    number = story.table.round
    command = c.Reveal(id=1, table="mesa", round=number, entropy=_entropy(player, number))
    story.submit(FromPlayer(PlayerId(player), player.title(), "n1.1", command, b""))


def frozen() -> Story:
    """An invariant broke in the middle of a hand; the stakes lie where they lay."""
    story = Story("double_exposure")
    story.sit("ana", 1)
    for _ in range(ROUNDS_MAX):
        if story.turn is not None:
            break
        to_betting(story)
        story.bet("ana", 1)
        story.deal()
    story.submit(Freeze("chips do not add up: +1 (after version 12)"))
    return story


def closed() -> Story:
    story = Story("punto_banco")
    story.sit("ana", 1)
    _coup_of_one(story)
    story.play("ana", c.Leave)
    _settle_cash_outs(story)
    story.submit(Close("house"))
    return story


def _coup_of_one(story: Story) -> None:
    story.bet("ana", 1, 1000, "banca")
    story.deal()


STORIES = (double_exposure, punto_banco, reveals, frozen, closed)
