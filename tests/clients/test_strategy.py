"""Bots' strategies: legal bets and legal actions over thousands of hands, and sense in the decisions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tapete_client.strategy import STRATEGIES
from tapete_client.strategy import double_exposure as de
from tapete_client.strategy.stakes import fitting_bet, smallest_bet
from tapete_protocol.view import Felt, TurnView
from tapete_rules.cards import Card, Shoe
from tapete_rules.catalogue import GAMES, game_of
from tapete_rules.game import Act, Deal, Game, Refusal, StakedBox

STACK = 50_000
UNKNOWN = {"game": "double_exposure", "decks": 7}
"""Rules whose odds nobody has worked out: bots count endless decks then."""


@pytest.fixture(autouse=True)
def no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPETE_ODDS_CACHE", str(tmp_path))


class RandomCards:
    def __init__(self, seed: int) -> None:
        self.words = 0
        self._rng = Random(seed)

    def draw(self, shoe: Shoe) -> Card:
        self.words += 1
        return shoe.at(self._rng.randrange(len(shoe)))


def play_round(game: Game[Any], state: Any, rng: Random, cards: RandomCards) -> tuple[Any, int]:
    """One round as bots play it, from the bets to the end; returns the state and how many decisions there were."""
    strategy = STRATEGIES[game.name]
    boxes: list[StakedBox] = []
    for box in range(1, game.boxes_per_player + 1):
        bets = strategy.bets(game, (box,), STACK, rng)
        stakes = {spot: amount for (_, spot), amount in bets.items()}
        assert stakes
        assert game.check_stakes(stakes) is None
        boxes.append(StakedBox(box, "p", stakes))
    state = game.begin(state, tuple(boxes))
    funds, decisions = {"p": STACK}, 0
    command: Any = Deal()
    while not game.over(state) or isinstance(command, Deal):
        events = game.decide(state, command, cards, funds)
        assert not isinstance(events, Refusal), (command, events)
        for event in events:
            state = game.evolve(state, event)
        turn = game.legal(state, funds)
        if turn is None:
            break
        felt = msgspec.convert(game.view(state), Felt)
        asked = TurnView(box=turn.box, hand=turn.hand, owner=turn.owner, legal=turn.legal)
        action: Any = strategy.decide(game, felt, asked)
        assert action in turn.legal
        command, decisions = Act(turn.box, turn.hand, action), decisions + 1
    assert game.over(state)
    return state, decisions


@pytest.mark.parametrize(("name", "rounds"), [("double_exposure", 500), ("punto_banco", 1_500)])
def test_only_legal_bets_and_actions(name: str, rounds: int) -> None:
    assert set(STRATEGIES) == set(GAMES)
    game, rng, cards = game_of({"game": name}), Random(11), RandomCards(12)
    state, decisions = game.initial(), 0
    for _ in range(rounds):
        state, more = play_round(game, state, rng, cards)
        decisions += more
    assert decisions > 1_500 or name == "punto_banco"


class TestBets:
    def test_fit_the_tables_limits(self) -> None:
        game = game_of({"game": "double_exposure", "chips": [200, 1000], "main_min": 500, "main_max": 3000})
        assert smallest_bet(game, "main") == 600
        assert fitting_bet(game, "main", 10_000) == 3000
        assert fitting_bet(game, "sevens", 1, {"main": 600}) == 200
        assert smallest_bet(game, "sevens") == 0

    def test_none_without_the_money(self) -> None:
        for name, strategy in STRATEGIES.items():
            game = game_of({"game": name})
            assert strategy.bets(game, (1,), 99, Random(1)) == {}
            assert strategy.bets(game, (), STACK, Random(1)) == {}
            assert strategy.bets(game, (1,), 100, Random(1))

    def test_never_more_than_the_stack(self) -> None:
        for name, strategy in STRATEGIES.items():
            game, rng = game_of({"game": name}), Random(3)
            for stack in range(100, 1_500, 7):
                assert sum(strategy.bets(game, (1, 2, 3, 4), stack, rng).values()) <= stack

    def test_the_same_seed_bets_the_same(self) -> None:
        for name, strategy in STRATEGIES.items():
            game = game_of({"game": name})
            once, again = Random(5), Random(5)
            for _ in range(50):
                assert strategy.bets(game, (1,), STACK, once) == strategy.bets(game, (1,), STACK, again)


class TestDoubleExposure:
    @pytest.mark.parametrize(
        ("hand", "dealer", "expected"),
        [
            ((20, False), (20, False), "hit"),  # a tie loses, so standing is a sure loss
            ((20, False), (19, False), "stand"),
            ((18, False), (20, False), "hit"),
            ((12, False), (16, False), "stand"),
            ((5, False), (16, False), "hit"),
            ((11, False), (16, False), "double"),
            ((11, False), (20, False), "hit"),
            ((17, True), (18, False), "hit"),
            ((19, True), (18, False), "stand"),
        ],
    )
    def test_decides_sensibly(self, hand: de.Points, dealer: de.Points, expected: str) -> None:
        double = ("double",) if 9 <= hand[0] <= 11 else ()
        assert _decide(hand, dealer, ("stand", "hit", "stand_all", *double)) == expected

    def test_splits_tens_against_a_weak_dealer_and_not_against_a_strong_one(self) -> None:
        legal = ("hit", "stand", "stand_all", "split")
        assert _decide((20, False), (13, False), legal, "TH") == "split"
        assert _decide((20, False), (19, False), legal, "TH") == "stand"

    def test_a_hand_that_cannot_bust_never_stands_on_a_sure_loss(self) -> None:
        for total in range(4, 12):
            for dealer in range(17, 22):
                assert _decide((total, False), (dealer, False), ("hit", "stand", "stand_all")) == "hit"

    def test_chances_add_up(self) -> None:
        for total in range(4, 22):
            assert sum(chance for _, chance in de.dealer_ends((total, False))) == pytest.approx(1)
        assert de.add((11, True), 10) == (21, True)
        assert de.add((17, True), 10) == (17, False)
        assert de.add((20, False), 1) == (21, False)
        assert de.add((0, False), 1) == (11, True)

    def test_chooses_only_among_what_is_legal(self) -> None:
        assert _decide((11, False), (16, False), ("stand",)) == "stand"


def _decide(hand: de.Points, dealer: de.Points, legal: tuple[str, ...], card: str = "2C") -> str:
    view = game_of({"game": "double_exposure"})
    felt = msgspec.convert(view.view(view.initial()), Felt)
    mine = {"cards": [card, card], "total": hand[0], "soft": hand[1], "stake": 100}
    raw = {
        **msgspec.to_builtins(felt),
        "dealer": {"cards": [], "total": dealer[0], "soft": dealer[1]},
        "boxes": [{"box": 1, "staked": 100, "hands": [mine]}],
    }
    felt, turn = msgspec.convert(raw, Felt), TurnView(box=1, hand=0, owner="p", legal=legal)
    return de.decide(game_of(UNKNOWN), felt, turn)


@pytest.mark.parametrize(
    ("cards", "dealer", "sevens", "expected"),
    [
        (("TC", "2D"), ("TH", "6C"), 0, "stand"),
        (("TC", "TD"), ("7H", "6C"), 0, "split"),
        (("7C", "7D"), ("TH", "5C"), 0, "split"),
        (("7C", "7D"), ("TH", "5C"), 100, "hit"),
        (("TC", "6D", "3H"), ("TH", "TC"), 0, "hit"),
    ],
)
def test_by_the_exact_odds_where_they_are_known(
    cards: tuple[str, ...], dealer: tuple[str, ...], sevens: int, expected: str
) -> None:
    game = game_of({"game": "double_exposure"})
    legal = ("hit", "stand", "stand_all") + (("split",) if cards[0][0] == cards[1][0] else ())
    mine = {"cards": list(cards), "total": 0, "soft": False, "stake": 100}
    raw = {
        **game.view(game.initial()),
        "dealer": {"cards": list(dealer), "total": 0, "soft": False},
        "boxes": [{"box": 1, "staked": 100, "hands": [mine], "spots": [{"spot": "sevens", "stake": sevens}]}],
    }
    turn = TurnView(box=1, hand=0, owner="p", legal=legal)
    assert de.decide(game, msgspec.convert(raw, Felt), turn) == expected


def test_random_cards_are_of_the_shoe() -> None:
    shoe = Shoe.of(1)
    cards = RandomCards(1)
    for _ in range(52):
        shoe = shoe.without(cards.draw(shoe))
    assert shoe == replace(shoe, counts=(0,) * 52)
