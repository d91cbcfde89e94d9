"""The life of a shoe: opened, burnt, dealt from over many coups, and given up after the cut card."""

from __future__ import annotations

import random

import pytest

from tapete_rules.cards import CARDS, Card, Shoe
from tapete_rules.events import CardBurnt, CardDealt, CutCardShown, ShoeOpened
from tapete_rules.game import Deal, Refusal, StakedBox
from tapete_rules.punto_banco import PuntoBanco, PuntoBancoSettings, PuntoBancoState
from tests.rules.punto_banco.felt import Felt

FOUR, FIVE, SIX = "K T 7 6", "3 7 2 T 6", "2 3 2 A 5 6"
"""Coups of so many cards."""


class Dice:
    """Cards of chance from one seed."""

    def __init__(self, seed: int) -> None:
        self.words = 0
        self._dice = random.Random(seed)

    def draw(self, shoe: Shoe) -> Card:
        self.words += 1
        return shoe.at(self._dice.randrange(len(shoe)))


def _two_decks(cut_card: int) -> PuntoBancoSettings:
    return PuntoBancoSettings(decks=2, cut_card=cut_card, burn=False)


class TestOpening:
    def test_the_first_coup_opens_a_shoe_of_eight_decks(self) -> None:
        felt = Felt(FOUR).coup()
        assert felt.last[0] == ShoeOpened(8)
        assert len(felt.state.shoe) == 416 - 4

    def test_six_decks_are_a_setting(self) -> None:
        felt = Felt(FOUR, PuntoBancoSettings(decks=6, burn=False)).coup()
        assert felt.last[0] == ShoeOpened(6)
        assert len(felt.state.shoe) == 312 - 4

    def test_the_next_coup_comes_from_the_same_shoe(self) -> None:
        felt = Felt(f"{FOUR} {SIX}").coup().coup()
        assert felt.said(ShoeOpened) == []
        assert (len(felt.state.shoe), felt.state.coup) == (416 - 10, 2)


class TestBurn:
    @pytest.mark.parametrize(
        ("first", "burnt"), [("A", 1), ("2", 2), ("5", 5), ("9", 9), ("T", 10), ("J", 10), ("Q", 10), ("K", 10)]
    )
    def test_the_first_card_is_turned_and_says_how_many_follow(self, first: str, burnt: int) -> None:
        felt = Felt(" ".join([first, *["2"] * burnt, FOUR]), PuntoBancoSettings()).coup()
        cards = felt.said(CardBurnt)
        assert [event.word for event in cards] == list(range(1, burnt + 2))
        assert cards[0].card[0] == first
        assert felt.last[: burnt + 2] == (ShoeOpened(8), *cards)
        assert felt.said(CardDealt)[0].word == burnt + 2
        assert felt.state.burnt == tuple(event.card for event in cards)
        assert felt.game.view(felt.state)["shoe"]["dealt"] == burnt + 1 + 4

    def test_it_comes_with_the_first_coup_of_a_shoe_only(self) -> None:
        felt = Felt(f"A 2 {FOUR} {FOUR}", PuntoBancoSettings()).coup().coup()
        assert felt.said(CardBurnt) == []
        assert len(felt.state.burnt) == 2

    def test_burnt_cards_count_towards_the_cut_card(self) -> None:
        felt = Felt(f"A 2 {FOUR}", PuntoBancoSettings(cut_card=405)).coup()
        assert felt.said(CutCardShown) == []
        burnt_eleven = Felt(f"K {'2 ' * 10} {FOUR}", PuntoBancoSettings(cut_card=405)).coup()
        assert burnt_eleven.said(CutCardShown) == [CutCardShown(0)]


class TestCutCard:
    @pytest.mark.parametrize(("coup", "cards"), [(FOUR, 4), (FIVE, 5), (SIX, 6)])
    def test_when_it_shows_during_a_coup_that_coup_is_finished_and_one_more_is_dealt(
        self, coup: str, cards: int
    ) -> None:
        for gone in range(1, cards):
            felt = Felt(f"{coup} {FOUR} {FOUR}", _two_decks(104 - gone)).coup()
            place = felt.last.index(CutCardShown(1))
            before = [event for event in felt.last[:place] if isinstance(event, CardDealt)]
            assert len(before) == gone
            assert isinstance(felt.last[place + 1], CardDealt)
            assert len(felt.said(CardDealt)) == cards
            assert felt.game.view(felt.state)["shoe"]["last_coups"] == 1
            felt.coup()
            assert (felt.said(ShoeOpened), felt.said(CutCardShown)) == ([], [])
            assert felt.game.view(felt.state)["shoe"]["last_coups"] == 0
            assert felt.coup().said(ShoeOpened) == [ShoeOpened(2)]
            assert felt.state.coup == 1

    @pytest.mark.parametrize(("coup", "cards"), [(FOUR, 4), (FIVE, 5), (SIX, 6)])
    def test_when_it_would_be_the_first_card_of_a_coup_that_coup_is_the_last(self, coup: str, cards: int) -> None:
        felt = Felt(f"{coup} {FOUR} {FOUR}", _two_decks(104 - cards)).coup()
        assert felt.said(CutCardShown) == []
        assert felt.game.view(felt.state)["shoe"]["last_coups"] is None
        felt.coup()
        assert felt.last[0] == CutCardShown(0)
        assert felt.game.view(felt.state)["shoe"]["last_coups"] == 0
        assert felt.coup().said(ShoeOpened) == [ShoeOpened(2)]

    def test_a_new_shoe_is_full_and_its_coups_are_counted_anew(self) -> None:
        felt = Felt(f"{FOUR} {FOUR}", _two_decks(104)).coup().coup()
        assert felt.said(ShoeOpened) == [ShoeOpened(2)]
        assert felt.last[1] == CutCardShown(0)
        assert (len(felt.state.shoe), felt.state.coup) == (100, 1)

    def test_shoes_are_numbered_from_the_first_one_on(self) -> None:
        felt = Felt(f"{FOUR} {FOUR}", _two_decks(104))
        assert felt.game.view(felt.state)["shoe"]["number"] == 0
        numbers = [felt.game.view(felt.coup().state)["shoe"]["number"] for _ in range(2)]
        assert numbers == [1, 2]

    @pytest.mark.parametrize(("decks", "seed"), [(8, 1), (8, 2), (6, 3), (1, 4), (1, 5), (1, 6), (1, 7)])
    def test_it_shows_when_14_cards_are_left_burn_included(self, decks: int, seed: int) -> None:
        game, dice = PuntoBanco(PuntoBancoSettings(decks=decks)), Dice(seed)
        state = game.initial()
        left_over, shown_at = [], []
        for _ in range(200):
            before = state
            state, shown = _coup(game, state, dice)
            shown_at += shown
            if state.coup == 1 and before.coup:
                left_over.append(len(before.shoe))
        assert len(left_over) >= 2
        assert all(left == 14 for left, begun in shown_at if begun)
        assert {left for left, begun in shown_at if not begun} <= {14}
        assert all(3 <= left < 14 for left in left_over)

    def test_the_least_cut_card_leaves_enough_for_both_coups(self) -> None:
        """The cut card before the second card of a coup of six, and then another coup of six."""
        felt = Felt(f"{SIX} {SIX}", PuntoBancoSettings(cut_card=11))
        counts = [felt.cards.cards.count(card) for card in CARDS]
        felt.state = PuntoBancoState(Shoe(tuple(counts)), coup=70)
        assert felt.coup().said(CutCardShown) == [CutCardShown(1)]
        assert felt.coup().said(CutCardShown) == []
        assert (len(felt.state.shoe), felt.state.shoe_due) == (0, True)


def _coup(game: PuntoBanco, state: PuntoBancoState, dice: Dice) -> tuple[PuntoBancoState, list[tuple[int, bool]]]:
    """A coup with one bet: the state after it, and at each cut card the cards left and whether the coup had begun."""
    state = game.begin(state, (StakedBox(1, "ana", {"punto": 100}),))
    events = game.decide(state, Deal(), dice, {})
    assert not isinstance(events, Refusal)
    shown = []
    for event in events:
        if isinstance(event, CutCardShown):
            assert event.last_coups == (1 if state.punto else 0)
            shown.append((len(state.shoe), bool(state.punto)))
        state = game.evolve(state, event)
    return state, shown
