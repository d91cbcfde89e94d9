"""The croupier: deals a whole coup and settles it, event by event.

Each event is folded into the state at once, so what is decided is decided on the very state that a replay would have.
"""

from __future__ import annotations

from tapete_rules.cards import Card, CardSource
from tapete_rules.events import (
    BoxSettled,
    CardBurnt,
    CardDealt,
    CoupDecided,
    CutCardShown,
    Event,
    ShoeOpened,
    Side,
    SpotSettled,
    ThirdCardDecided,
)
from tapete_rules.punto_banco.coup import SIDES, is_natural, third_card, total, value, winner
from tapete_rules.punto_banco.evolve import evolve
from tapete_rules.punto_banco.settings import PuntoBancoSettings
from tapete_rules.punto_banco.settle import settle
from tapete_rules.punto_banco.state import BoxInPlay, PuntoBancoState
from tapete_rules.punto_banco.tableaux import TABLEAUX


class Croupier:
    """At work for one coup. `events` is what has happened, `state` what it comes to."""

    def __init__(self, settings: PuntoBancoSettings, state: PuntoBancoState, cards: CardSource) -> None:
        self.settings = settings
        self.state = state
        self.events: list[Event] = []
        self._cards = cards

    def deal(self) -> None:
        """Two cards each, then the third cards that the tableau orders; then every bet is settled."""
        if self.state.shoe_due:
            self._open_shoe()
        for side in SIDES * 2:
            self._card(side)
        for side in SIDES:
            self._third_card(side)
        coup = self._decide()
        for box in self.state.boxes:
            self._settle_box(box, coup)

    def _open_shoe(self) -> None:
        """The first card is turned and says how many more are burnt: tens and figures ten."""
        self._say(ShoeOpened(self.settings.decks))
        if self.settings.burn:
            for _ in range(value(self._burn()) or 10):
                self._burn()

    def _burn(self) -> Card:
        card = self._cards.draw(self.state.shoe)
        self._say(CardBurnt(card, self._cards.words))
        return card

    def _card(self, side: Side) -> None:
        self._look_for_the_cut_card()
        card = self._cards.draw(self.state.shoe)
        points = total(_values((*self._hand(side), card)))
        self._say(CardDealt(side, 0, 0, card, points, soft=False, word=self._cards.words))

    def _look_for_the_cut_card(self) -> None:
        """In a coup: one more follows. In place of a coup's first card: that coup is the last."""
        if self.state.last_coup is None and len(self.state.shoe) <= self.settings.cut_card:
            self._say(CutCardShown(1 if self.state.coup_begun else 0))

    def _third_card(self, side: Side) -> None:
        tableau = TABLEAUX[self.settings.tableau]
        decision = third_card(tableau, side, _values(self.state.punto), _values(self.state.banca))
        if decision is None:
            return
        source = tableau.source(decision.cell)
        self._say(ThirdCardDecided(side, decision.draws, decision.row, decision.column, source))
        if decision.draws:
            self._card(side)

    def _decide(self) -> CoupDecided:
        punto, banca = _values(self.state.punto), _values(self.state.banca)
        coup = CoupDecided(
            winner(punto, banca),
            total(punto),
            total(banca),
            natural=is_natural(punto) or is_natural(banca),
            punto_pair=_is_pair(self.state.punto),
            banca_pair=_is_pair(self.state.banca),
        )
        self._say(coup)
        return coup

    def _settle_box(self, box: BoxInPlay, coup: CoupDecided) -> None:
        sum_returned = 0
        for bet in box.bets:
            outcome, returned = settle(self.settings, bet.spot, bet.stake, coup)
            self._say(SpotSettled(box.box, bet.spot, outcome, bet.stake, returned))
            sum_returned += returned
        self._say(BoxSettled(box.box, box.owner, box.staked, sum_returned))

    def _hand(self, side: Side) -> tuple[Card, ...]:
        return self.state.punto if side == "punto" else self.state.banca

    def _say(self, event: Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)


def _values(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(value(card) for card in cards)


def _is_pair(cards: tuple[Card, ...]) -> bool:
    """The first two cards are of equal rank; a ten and a king are no pair."""
    return cards[0][0] == cards[1][0]
