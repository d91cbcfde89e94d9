"""A second, plain reading of the seed: one procedure that plays a whole round, with nothing of the product in it.

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


def best(cards: list[str]) -> tuple[int, bool]:
    """The best total by trying every value of every ace, and whether an ace is eleven in it."""
    values = [[1, 11] if card[0] == "A" else [10 if card[0] in "TJQK" else int(card[0])] for card in cards]
    totals = [(sum(picked), 11 in picked) for picked in itertools.product(*values)]
    good = [total for total in totals if total[0] <= 21]
    return max(good) if good else min(totals)


def play(bets: list[dict[str, int]], cards: list[str], stack: int | None, choose: Chooser) -> tuple[Any, Any]:
    """Seed 004 from the deal to the last payment. (rules 4 to 10)"""
    shoe = iter(cards)
    used: list[str] = []
    steps: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    left = float("inf") if stack is None else stack

    def draw() -> str:
        used.append(next(shoe))
        return used[-1]

    hands = {bet["box"]: [{"cards": [], "stake": bet["main"], "doubled": False}] for bet in bets}
    seats = sorted(hands)
    dealer: list[str] = []
    for _ in range(2):
        for box in seats:
            hands[box][0]["cards"].append(draw())
        dealer.append(draw())
    natural = {box: best(hands[box][0]["cards"])[0] == 21 for box in seats}
    dealer_natural = best(dealer)[0] == 21
    third_seven = {box: False for box in seats}
    split_sevens = {box: False for box in seats}

    all_stand = False
    for box in [] if dealer_natural else [box for box in seats if not natural[box]]:
        row = hands[box]
        at = 0
        while at < len(row):
            hand = row[at]
            if len(hand["cards"]) == 1:
                hand["cards"].append(draw())
            while True:
                total, soft = best(hand["cards"])
                if total >= 21 or hand["doubled"]:
                    break
                two = len(hand["cards"]) == 2
                tens = ["T" if card[0] in "TJQK" else card[0] for card in hand["cards"]]
                aces = len(row) > 1 and hand["cards"][0][0] == "A"
                may_split = two and tens[0] == tens[1] and len(row) < 4 and left >= hand["stake"]
                if all_stand or (aces and not may_split):
                    break
                legal = [] if aces else ["hit"]
                legal += ["stand", "stand_all"]
                if two and not soft and 9 <= total <= 11 and left >= hand["stake"]:
                    legal.append("double")
                if may_split:
                    legal.append("split")
                poor = {
                    "double": two and not soft and 9 <= total <= 11,
                    "split": two and tens[0] == tens[1] and len(row) < 4,
                }
                attempts = choose(box, at, list(legal))
                for other_box, other_hand, action in attempts:
                    steps.append({"box": other_box, "hand": other_hand, "action": action})
                    if (other_box, other_hand) != (box, at):
                        refusal = "not_your_turn"
                    elif action in legal:
                        refusal = None
                    else:
                        refusal = "not_enough_chips" if poor.get(action) else "illegal_action"
                    answers.append(
                        {
                            "box": other_box,
                            "hand": other_hand,
                            "legal": legal,
                            "accepted": not refusal,
                            "refusal": refusal,
                        }
                    )
                action = attempts[-1][2]
                if action == "hit":
                    hand["cards"].append(draw())
                    third_seven[box] |= len(row) == 1 and [card[0] for card in hand["cards"]] == ["7"] * 3
                elif action == "double":
                    left -= hand["stake"]
                    hand["stake"] *= 2
                    hand["doubled"] = True
                    hand["cards"].append(draw())
                elif action == "split":
                    left -= hand["stake"]
                    split_sevens[box] |= tens == ["7", "7"]
                    row.insert(at + 1, {"cards": [hand["cards"].pop()], "stake": hand["stake"], "doubled": False})
                    hand["cards"].append(draw())
                else:
                    all_stand = action == "stand_all"
                    break
            at += 1
    steps.append({"box": seats[0], "hand": 0, "action": "hit"})
    answers.append({"box": seats[0], "hand": 0, "legal": [], "accepted": False, "refusal": "round_over"})

    everyone = [hand for box in seats for hand in hands[box] if not natural[box]]
    if not dealer_natural and any(best(hand["cards"])[0] <= 21 for hand in everyone):
        while best(dealer)[0] < 17:
            dealer.append(draw())
    points = best(dealer)[0]
    boxes = []
    for bet in sorted(bets, key=lambda bet: bet["box"]):
        box = bet["box"]
        for hand in hands[box]:
            hand["total"], hand["soft"] = best(hand["cards"])
            if natural[box]:
                hand["outcome"] = "push" if dealer_natural else "blackjack"
            elif hand["total"] > 21:
                hand["outcome"] = "bust"
            elif not dealer_natural and (points > 21 or hand["total"] > points):
                hand["outcome"] = "win"
            else:
                hand["outcome"] = "lose"
            hand["returned"] = hand["stake"] * {"win": 2, "blackjack": 2, "push": 1}.get(hand["outcome"], 0)
        first = hands[box][0]["cards"]
        sevens = 2 if split_sevens[box] else 0
        if not sevens and first[0][0] == "7":
            sevens = 3 if third_seven[box] else 2 if first[1][0] == "7" and len(hands[box]) == 1 else 1
        bonus = {}
        if bet["blackjack"]:
            bonus["blackjack"] = {"stake": bet["blackjack"], "returned": bet["blackjack"] * 20 if natural[box] else 0}
        if bet["sevens"]:
            bonus["sevens"] = {"stake": bet["sevens"], "returned": bet["sevens"] * [0, 9, 41, 251][sevens]}
        both = [*hands[box], *bonus.values()]
        net = sum(part["returned"] - part["stake"] for part in both)
        boxes.append({"box": box, "blackjack": natural[box], "hands": hands[box], "bonus": bonus, "net": net})
    line = {"game": "double_exposure", "bets": bets, "cards": cards, "steps": steps}
    if stack is not None:
        line["stack"] = stack
    return line, {
        "steps": answers,
        "dealer": {"cards": dealer, "total": points, "blackjack": dealer_natural, "drew": len(dealer) > 2},
        "boxes": boxes,
        "cards_used": len(used),
        "net": sum(box["net"] for box in boxes),
    }
