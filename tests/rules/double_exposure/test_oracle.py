"""The product against a second reading of the seed, on rounds of chance."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from tapete_rules.cards import CARDS
from tapete_rules.replay import answer
from tests.rules.double_exposure.oracle import Choice, Chooser, play

ACTIONS = ["hit", "stand", "stand_all", "double", "split"]
DECKS = {"every card": "A23456789TJQK", "pairs": "A78T", "aces": "AAAT9", "sevens": "777A3T", "low": "23456"}


def _cards(dice: random.Random, ranks: str) -> list[str]:
    """A shuffled shoe whose first cards are mostly of these ranks."""
    shoe = [str(card) for card in CARDS] * 6
    dice.shuffle(shoe)
    weights = Counter(ranks)
    shoe.sort(key=lambda card: dice.random() > (0.1 + weights[card[0]]) / 2)
    return shoe


def _chooser(dice: random.Random, liking: list[str]) -> Chooser:
    def choose(box: int, hand: int, legal: list[str]) -> list[Choice]:
        attempts = []
        if dice.random() < 0.3:
            other = (dice.randint(1, 4), dice.randint(0, 3), dice.choice(ACTIONS))
            if other[:2] != (box, hand) or other[2] not in legal:
                attempts.append(other)
        if dice.random() < 0.3:
            forbidden = [action for action in ACTIONS if action not in legal]
            attempts += [(box, hand, dice.choice(forbidden))] if forbidden else []
        liked = [action for action in liking if action in legal]
        return [*attempts, (box, hand, dice.choice(liked or legal))]

    return choose


@pytest.mark.parametrize("ranks", DECKS.values(), ids=DECKS.keys())
def test_a_thousand_rounds_go_as_a_plain_reading_of_the_seed_says(ranks: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(240):
        dice = random.Random(f"{ranks} {seed}")
        boxes = dice.sample((1, 2, 3, 4), dice.randint(1, 4))
        bets = [
            {
                "box": box,
                "main": dice.choice((100, 250, 1000)),
                "blackjack": dice.choice((0, 100)),
                "sevens": dice.choice((0, 200)),
            }
            for box in boxes
        ]
        liking = dice.choice([["split", "double"], ["hit"], ["hit", "stand"], ACTIONS])
        stack = dice.choice([None, 0, 100, 250, 1000, 1500])
        line, expected = play(bets, _cards(dice, ranks), stack, _chooser(dice, liking))
        assert json.loads(answer(json.dumps(line).encode())) == expected, json.dumps(line)
        seen.update(hand["outcome"] for box in expected["boxes"] for hand in box["hands"])
    assert min(seen["win"], seen["lose"]) > 20
