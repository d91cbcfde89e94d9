"""The croupier: carries a round on from one decision to the next, event by event.

Each event is folded into the state at once, so what is decided is decided on the very state that a replay would have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from tapete_rules.cards import CardSource
from tapete_rules.double_exposure.checks import legal_actions, of_split_aces
from tapete_rules.double_exposure.evolve import evolve
from tapete_rules.double_exposure.points import BEST, count, dealer_draws, is_blackjack, total
from tapete_rules.double_exposure.settings import DoubleExposureSettings
from tapete_rules.double_exposure.settle import settle_bonus, settle_hand
from tapete_rules.double_exposure.state import DoubleExposureState
from tapete_rules.events import (
    Action,
    AllStood,
    BoxSettled,
    By,
    CardDealt,
    Closing,
    DealerDone,
    Event,
    HandClosed,
    HandSettled,
    HandSplit,
    Place,
    ShoeOpened,
    SpotSettled,
    StakeAdded,
    TurnStarted,
)


class Croupier:
    """At work for one command. `events` is what has happened, `state` what it comes to."""

    def __init__(
        self,
        settings: DoubleExposureSettings,
        state: DoubleExposureState,
        cards: CardSource,
        funds: Mapping[str, int],
    ) -> None:
        self.settings = settings
        self.state = state
        self.events: list[Event] = []
        self._cards = cards
        self._funds = dict(funds)

    def deal(self) -> None:
        """Two cards to each box and to the dealer, all face up; blackjacks are decided at once.

        (D3 to D6; seed 004, features 1, 3, 8 and 9, rules 4 and 5)
        """
        self._say(ShoeOpened(self.settings.decks))
        for _ in range(2):
            for box in self.state.boxes:
                self._card("box", box.box)
            self._card("dealer")
        dealer_blackjack = is_blackjack(self.state.dealer)
        if dealer_blackjack:
            self._dealer_done()
        for box in self.state.boxes:
            if is_blackjack(box.hands[0].cards):
                self._close(box.box, 0, "blackjack")
            elif dealer_blackjack:
                self._close(box.box, 0, "dealer_blackjack")
            else:
                self._bonuses(box.box)
        self._go_on()

    def act(self, box: int, hand: int, action: Action) -> None:
        """A legal decision of the hand whose turn it is, and all that follows by itself. (D7 to D13)"""
        match action:
            case "hit":
                self._hit(box, hand)
            case "stand":
                self._close(box, hand, "stood")
            case "stand_all":
                self._say(AllStood(self.state.box(box).owner, "player"))
                self._close(box, hand, "stood")
            case "double":
                self._stake(box, hand, self.state.hand(box, hand).stake)
                self._card("box", box, hand)
                self._close(box, hand, "doubled")
            case "split":
                self._split(box, hand)
            case _:
                assert_never(action)
        self._go_on()

    def house_plays(self, owner: str) -> None:
        """All remaining hands of this player stand; the one that is deciding does so now. (D13)"""
        if self.state.first_open(owner) is None or self.state.stands_by(owner):
            return
        self._say(AllStood(owner, "house"))
        turn = self.state.turn
        if turn is not None and turn.owner == owner:
            self._close(turn.box, turn.hand, "stood")
            self._go_on()

    def _go_on(self) -> None:
        """Up to the next hand that has a choice, or to the end of the round. (D10; seed 004, rule 8)"""
        while (first := self.state.first_open()) is not None:
            box, hand = first
            if len(box.hands[hand].cards) == 1:
                self._second_card(box.box, hand)
            elif self.state.stands_by(box.owner):
                self._close(box.box, hand, "stood")
            else:
                self._say(TurnStarted(box.box, hand, box.owner, self._legal(box.box, hand)))
                return
        self._finish()

    def _hit(self, box: int, hand: int) -> None:
        """Past 21 the bet is lost, on 21 the hand stands by itself. (D7; seed 004, rule 6)"""
        self._card("box", box, hand)
        points = total(self.state.hand(box, hand).cards)
        if points > BEST:
            self._close(box, hand, "bust")
        elif points == BEST:
            self._close(box, hand, "twenty_one")
        else:
            self._bonuses(box)

    def _split(self, box: int, hand: int) -> None:
        """Two hands of one card, the new one with a bet equal to the box's. (D9; seed 004, feature 5 and rule 8)"""
        stake = self.state.hand(box, hand).stake
        self._say(HandSplit(box, hand))
        self._stake(box, hand + 1, stake)
        self._bonuses(box)

    def _second_card(self, box: int, hand: int) -> None:
        """A split hand comes into play; 21 closes it, and so does any card on an ace, unless it may be split again.

        (D10 to D12; seed 004, rule 8)
        """
        self._card("box", box, hand)
        seat = self.state.box(box)
        if total(seat.hands[hand].cards) == BEST:
            self._close(box, hand, "twenty_one")
        elif of_split_aces(seat, seat.hands[hand]) and not self._splits_again(box, hand):
            self._close(box, hand, "split_aces")

    def _splits_again(self, box: int, hand: int) -> bool:
        """Another ace on a split ace: is there a choice?"""
        standing = self.state.stands_by(self.state.box(box).owner)
        return not standing and "split" in self._legal(box, hand)

    def _finish(self) -> None:
        """The dealer plays, if there is a hand to compare with; what is left is settled. (D14; seed 004, rule 9)"""
        if not self.state.dealer_done:
            if any(hand.outcome is None for box in self.state.boxes for hand in box.hands):
                while dealer_draws(self.state.dealer, hits_soft_17=self.settings.dealer_hits_soft_17):
                    self._card("dealer")
            self._dealer_done()
        for box in self.state.boxes:
            for number, hand in enumerate(box.hands):
                if hand.outcome is None:
                    self._settle(box.box, number)
            self._settle_box(box.box)

    def _close(self, box: int, hand: int, why: Closing) -> None:
        by: By = self.state.stands_by(self.state.box(box).owner) or "player"
        self._say(HandClosed(box, hand, why, by))
        if why in ("bust", "blackjack", "dealer_blackjack"):
            self._settle(box, hand)
        self._bonuses(box)

    def _settle(self, box: int, hand: int) -> None:
        closed = self.state.hand(box, hand)
        outcome, returned = settle_hand(self.settings, closed, self.state.dealer)
        self._say(HandSettled(box, hand, outcome, closed.stake, returned))

    def _bonuses(self, box: int) -> None:
        """Bonus bets are settled as soon as no card can change them any more. (D16, D17; seed 004, rule 10)"""
        seat = self.state.box(box)
        for bonus in seat.bonuses:
            settled = None if bonus.outcome else settle_bonus(self.settings, seat, bonus)
            if settled:
                self._say(SpotSettled(box, bonus.spot, settled[0], bonus.stake, settled[1]))

    def _settle_box(self, box: int) -> None:
        seat = self.state.box(box)
        assert all(hand.outcome for hand in seat.hands), "a box is settled after its hands"
        assert all(bonus.outcome for bonus in seat.bonuses), "a box is settled after its bonus bets"
        returned = sum(hand.returned for hand in seat.hands) + sum(bonus.returned for bonus in seat.bonuses)
        self._say(BoxSettled(box, seat.owner, seat.staked, returned))

    def _dealer_done(self) -> None:
        cards = self.state.dealer
        points, soft = count(cards)
        self._say(DealerDone(points, soft, is_blackjack(cards), drew=len(cards) > 2))

    def _stake(self, box: int, hand: int, amount: int) -> None:
        owner = self.state.box(box).owner
        self._funds[owner] = self._funds.get(owner, 0) - amount
        self._say(StakeAdded(box, hand, owner, amount))

    def _card(self, place: Place, box: int = 0, hand: int = 0) -> None:
        card = self._cards.draw(self.state.shoe)
        held = self.state.dealer if place == "dealer" else self.state.hand(box, hand).cards
        points, soft = count((*held, card))
        self._say(CardDealt(place, box, hand, card, points, soft, self._cards.words))

    def _legal(self, box: int, hand: int) -> tuple[Action, ...]:
        seat = self.state.box(box)
        return legal_actions(self.settings, seat, seat.hands[hand], self._funds.get(seat.owner, 0))

    def _say(self, event: Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)
