"""A second, plain reading of the seed that plays a whole round, with nothing of the product in it.

It knows no events and no states. `play` is given a way to choose, and returns the replay line of the round it played,
with the answer that the line has to get.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

Choice = tuple[int, int, str]
Chooser = Callable[[int, int, list[str]], list[Choice]]
"""Given box, hand and what is legal: attempts, of which only the last one is legal for that hand."""

Hand = dict[str, Any]


def best(cards: list[str]) -> tuple[int, bool]:
    """The best total by trying every value of every ace, and whether an ace is eleven in it."""
    values = [[1, 11] if card[0] == "A" else [10 if card[0] in "TJQK" else int(card[0])] for card in cards]
    totals = [(sum(picked), 11 in picked) for picked in itertools.product(*values)]
    good = [total for total in totals if total[0] <= 21]
    return max(good) if good else min(totals)


def fits(hand: Hand, hands: int) -> list[str]:
    """Everything that the cards allow, whatever it costs. (seed 004, rules 5 and 8)"""
    cards = ["T" if card[0] in "TJQK" else card[0] for card in hand["cards"]]
    if len(cards) > 2:
        return ["hit", "stand", "stand_all"]
    ace = hands > 1 and cards[0] == "A"
    doubles = "A" not in cards and best(hand["cards"])[0] in (9, 10, 11)
    splits = cards[0] == cards[1] and hands < 4
    return (
        ([] if ace else ["hit"])
        + ["stand", "stand_all"]
        + (["double"] if doubles and not ace else [])
        + (["split"] if splits else [])
    )


class Round:
    def __init__(self, bets: list[dict[str, int]], cards: list[str], stack: int | None, choose: Chooser) -> None:
        self.bets = sorted(bets, key=lambda bet: bet["box"])
        self.cards = cards
        self.choose = choose
        self.left = 10**15 if stack is None else stack
        self.used = 0
        self.steps: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        self.dealer: list[str] = []
        self.all_stand = False
        self.rows: dict[int, list[Hand]] = {
            bet["box"]: [{"cards": [], "stake": bet["main"], "doubled": False}] for bet in self.bets
        }
        for _ in range(2):
            for row in self.rows.values():
                row[0]["cards"].append(self.draw())
            self.dealer.append(self.draw())
        self.first_cards = {box: "".join(card[0] for card in row[0]["cards"]) for box, row in self.rows.items()}
        self.naturals = [box for box, row in self.rows.items() if best(row[0]["cards"])[0] == 21]
        self.dealer_natural = best(self.dealer)[0] == 21

    def draw(self) -> str:
        self.used += 1
        return self.cards[self.used - 1]

    def play_boxes(self) -> None:
        for box, row in self.rows.items():
            at = 0
            while at < len(row) and box not in self.naturals and not self.dealer_natural:
                while self.decide(box, at):
                    pass
                at += 1

    def decide(self, box: int, at: int) -> bool:
        """One decision of a hand; whether it may have another one."""
        row = self.rows[box]
        hand = row[at]
        if len(hand["cards"]) == 1:
            hand["cards"].append(self.draw())
        if hand["doubled"] or best(hand["cards"])[0] >= 21 or self.all_stand:
            return False
        allowed = fits(hand, len(row))
        legal = [action for action in allowed if action not in ("double", "split") or self.left >= hand["stake"]]
        if "hit" not in legal and "split" not in legal:
            return False
        attempts = self.choose(box, at, legal)
        for attempt in attempts:
            self.note(attempt, (box, at), legal, allowed)
        return self.carry_out(attempts[-1][2], row, at)

    def note(self, attempt: Choice, turn: tuple[int, int], legal: list[str], allowed: list[str]) -> None:
        box, at, action = attempt
        refusal = None
        if (box, at) != turn:
            refusal = "not_your_turn"
        elif action not in legal:
            refusal = "not_enough_chips" if action in allowed else "illegal_action"
        self.steps.append({"box": box, "hand": at, "action": action})
        self.answers.append({"box": box, "hand": at, "legal": legal, "accepted": not refusal, "refusal": refusal})

    def carry_out(self, action: str, row: list[Hand], at: int) -> bool:
        hand = row[at]
        if action in ("stand", "stand_all"):
            self.all_stand = action == "stand_all"
            return False
        if action in ("double", "split"):
            self.left -= hand["stake"]
        if action == "split":
            row.insert(at + 1, {"cards": [hand["cards"].pop()], "stake": hand["stake"], "doubled": False})
            return True
        if action == "double":
            hand["stake"] *= 2
            hand["doubled"] = True
        hand["cards"].append(self.draw())
        return True

    def play_dealer(self) -> None:
        open_hands = [
            hand
            for box, row in self.rows.items()
            for hand in row
            if box not in self.naturals and best(hand["cards"])[0] <= 21
        ]
        while open_hands and not self.dealer_natural and best(self.dealer)[0] < 17:
            self.dealer.append(self.draw())

    def pay(self, bet: dict[str, int]) -> dict[str, Any]:
        box = bet["box"]
        for hand in self.rows[box]:
            hand["total"], hand["soft"] = best(hand["cards"])
            hand["outcome"] = self.outcome(hand, box in self.naturals)
            hand["returned"] = hand["stake"] * {"win": 2, "blackjack": 2, "push": 1}.get(hand["outcome"], 0)
        bonus = {
            spot: {"stake": bet[spot], "returned": bet[spot] * factor}
            for spot, factor in (("blackjack", 20 * (box in self.naturals)), ("sevens", self.sevens(box)))
            if bet[spot]
        }
        net = sum(part["returned"] - part["stake"] for part in (*self.rows[box], *bonus.values()))
        return {
            "box": box,
            "blackjack": box in self.naturals,
            "hands": self.rows[box],
            "bonus": bonus,
            "net": net,
        }

    def outcome(self, hand: Hand, natural: bool) -> str:
        if natural:
            return "push" if self.dealer_natural else "blackjack"
        if hand["total"] > 21:
            return "bust"
        dealer = best(self.dealer)[0]
        won = dealer > 21 or (hand["total"] > dealer and not self.dealer_natural)
        return "win" if won else "lose"

    def sevens(self, box: int) -> int:
        if not self.first_cards[box].startswith("7"):
            return 0
        if self.first_cards[box] != "77":
            return 9
        row = self.rows[box]
        return 251 if len(row) == 1 and "".join(card[0] for card in row[0]["cards"]) == "777" else 41


def play(bets: list[dict[str, int]], cards: list[str], stack: int | None, choose: Chooser) -> tuple[Any, Any]:
    """Seed 004 from the deal to the last payment, and one step too many. (rules 4 to 10)"""
    played = Round(bets, cards, stack, choose)
    played.play_boxes()
    played.steps.append({"box": 4, "hand": 0, "action": "hit"})
    played.answers.append({"box": 4, "hand": 0, "legal": [], "accepted": False, "refusal": "round_over"})
    played.play_dealer()
    boxes = [played.pay(bet) for bet in played.bets]
    line = {"game": "double_exposure", "bets": bets, "cards": cards, "steps": played.steps}
    return line if stack is None else line | {"stack": stack}, {
        "steps": played.answers,
        "dealer": {
            "cards": played.dealer,
            "total": best(played.dealer)[0],
            "blackjack": played.dealer_natural,
            "drew": len(played.dealer) > 2,
        },
        "boxes": boxes,
        "cards_used": played.used,
        "net": sum(box["net"] for box in boxes),
    }
