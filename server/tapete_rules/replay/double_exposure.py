"""One round of Double Exposure from a list of cards and decisions.

In: `{"game": "double_exposure", "bets": [{"box", "main", "blackjack", "sevens"}], "cards": [..],
"steps": [{"box", "hand", "action"}], "stack", "settings"}`; `stack` is what is left after these bets (absent: no
limit), `settings` a settings document (absent: the published game without limits on bets). All boxes are one player's.
Out: `{"steps", "dealer", "boxes", "cards_used", "net"}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from tapete_rules.cards import ListedCards
from tapete_rules.double_exposure.checks import ACTIONS, SPOTS
from tapete_rules.double_exposure.game import DoubleExposure
from tapete_rules.double_exposure.points import count, is_blackjack
from tapete_rules.double_exposure.settings import DoubleExposureSettings
from tapete_rules.double_exposure.settle import has_blackjack
from tapete_rules.double_exposure.state import BoxInPlay, DoubleExposureState, Hand
from tapete_rules.events import Action, Event, StakeAdded
from tapete_rules.game import Act, Deal, Refusal, StakedBox
from tapete_rules.replay.reading import (
    BET_MAX,
    LineError,
    bad_line,
    read_cards,
    read_choice,
    read_list,
    read_object,
    read_whole,
)

NOT_HERE = ("surrender", "insurance", "even_money")
"""Decisions of other tables that this game does not have: never legal, and refused like any other. (seed 004, features 6, 7)"""
PLAYER = "player"
BOXES_MAX = 4
HAND_MAX = 1000
NO_LIMIT = 1000 * BET_MAX
"""More than sixteen hands can cost."""


def replay(line: Mapping[str, Any]) -> dict[str, Any]:
    """The round that this line describes. Raises `LineError`, `SettingsError`, `OutOfCards` and `WrongCard`."""
    game = DoubleExposure(DoubleExposureSettings.from_plain(line.get("settings", {})))
    boxes = _read_bets(line)
    if "settings" in line:
        _check_limits(game, line, boxes)
    steps = [_read_step(step, f"steps[{place}]") for place, step in enumerate(read_list(line, "steps", optional=True))]
    table = _Table(game, boxes, ListedCards(read_cards(line)), _read_stack(line))
    answers = [table.step(act) for act in steps]
    return {"steps": answers} | table.outcome()


class _Table:
    """A table with one player, who owns every box."""

    def __init__(self, game: DoubleExposure, boxes: tuple[StakedBox, ...], cards: ListedCards, stack: int) -> None:
        self.game = game
        self.cards = cards
        self.stack = stack
        self.state = game.begin(game.initial(), boxes)
        events = game.decide(self.state, Deal(), cards, self._funds())
        assert not isinstance(events, Refusal), "there is a bet, and nothing was dealt yet"
        self._take(events)

    def step(self, act: Act) -> dict[str, Any]:
        """Tries one decision: what was legal at that moment, and whether it was taken."""
        turn = self.game.legal(self.state, self._funds())
        decided = self.game.decide(self.state, act, self.cards, self._funds())
        refused = isinstance(decided, Refusal)
        if not isinstance(decided, Refusal):
            self._take(decided)
        return {
            "box": act.box,
            "hand": act.hand,
            "legal": list(turn.legal) if turn else [],
            "accepted": not refused,
            "refusal": decided.code if isinstance(decided, Refusal) else None,
        }

    def outcome(self) -> dict[str, Any]:
        """The round's results. A hand that is still to decide is an error."""
        turn = self.state.turn
        if turn is not None:
            raise LineError("undecided", f"box {turn.box}, hand {turn.hand} has still to decide; add steps")
        boxes = [_box(box) for box in self.state.boxes]
        return {
            "dealer": _dealer(self.state),
            "boxes": boxes,
            "cards_used": self.cards.words,
            "net": sum(box["net"] for box in boxes),
        }

    def _funds(self) -> dict[str, int]:
        return {PLAYER: self.stack}

    def _take(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.state = self.game.evolve(self.state, event)
            if isinstance(event, StakeAdded):
                self.stack -= event.amount


def _read_bets(line: Mapping[str, Any]) -> tuple[StakedBox, ...]:
    bets = read_list(line, "bets")
    if not 1 <= len(bets) <= BOXES_MAX:
        raise bad_line("bets", f"must be a list of 1 to {BOXES_MAX} boxes")
    boxes: dict[int, StakedBox] = {}
    for place, entry in enumerate(bets):
        at = f"bets[{place}]"
        bet = read_object(entry, at, ("box", *SPOTS))
        box = read_whole(bet, "box", 1, BOXES_MAX, at=f"{at}.")
        if box in boxes:
            raise bad_line(f"{at}.box", f"names box {box} again")
        stakes = {"main": read_whole(bet, "main", 1, at=f"{at}.")}
        stakes |= {spot: read_whole(bet, spot, 0, at=f"{at}.", default=0) for spot in SPOTS[1:]}
        boxes[box] = StakedBox(box, PLAYER, {spot: stake for spot, stake in stakes.items() if stake})
    return tuple(boxes[box] for box in sorted(boxes))


def _read_stack(line: Mapping[str, Any]) -> int:
    return read_whole(line, "stack", 0) if "stack" in line else NO_LIMIT


def _check_limits(game: DoubleExposure, line: Mapping[str, Any], boxes: tuple[StakedBox, ...]) -> None:
    for box in boxes:
        refusal = game.check_stakes(box.stakes)
        if refusal:
            place = next(place for place, bet in enumerate(line["bets"]) if bet["box"] == box.box)
            detail = ", ".join(f"{name} {value}" for name, value in refusal.detail.items() if name != "spot")
            raise LineError(refusal.code, f"bets[{place}].{refusal.detail['spot']}: {detail}")


def _read_step(entry: object, at: str) -> Act:
    step = read_object(entry, at)
    box = read_whole(step, "box", 1, BOXES_MAX, at=f"{at}.")
    hand = read_whole(step, "hand", 0, HAND_MAX, at=f"{at}.")
    return Act(box, hand, cast("Action", read_choice(step, "action", (*ACTIONS, *NOT_HERE), at=f"{at}.")))


def _dealer(state: DoubleExposureState) -> dict[str, Any]:
    cards = state.dealer
    return {
        "cards": list(cards),
        "total": count(cards)[0],
        "blackjack": is_blackjack(cards),
        "drew": len(cards) > 2,
    }


def _box(box: BoxInPlay) -> dict[str, Any]:
    returned = box.returned
    assert returned is not None, "nothing is to be decided, so every box is settled"
    return {
        "box": box.box,
        "blackjack": has_blackjack(box),
        "hands": [_hand(hand) for hand in box.hands],
        "bonus": {bonus.spot: {"stake": bonus.stake, "returned": bonus.returned} for bonus in box.bonuses},
        "net": returned - box.staked,
    }


def _hand(hand: Hand) -> dict[str, Any]:
    points, soft = count(hand.cards)
    return {
        "cards": list(hand.cards),
        "total": points,
        "soft": soft,
        "stake": hand.stake,
        "doubled": hand.closed == "doubled",
        "outcome": hand.outcome,
        "returned": hand.returned,
    }
