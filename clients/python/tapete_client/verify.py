"""Checks records of rounds: were these cards dealt as the house was bound to deal them, and was everything paid as it should?

One file that needs nothing but Python: no line of the server, of the rules or of any library is used, so that a mistake there
cannot hide itself here. It is longer than other files for that reason. What it checks is in `protocol/README.md`, *Fair
deal*, point by point.

    python verify.py FILE..        records as JSON or MessagePack: one, or a list; several files are taken in order of rounds
    python verify.py http://node/t/TABLE/N           a round of a node, as its page links to it, or as /api/rounds/TABLE/N
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import hmac
import json
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit, urlunsplit

BYTES_MAX = 256 * 1024 * 1024
"""Of one file or answer."""
ANSWER_S_MAX = 30.0
DEPTH_LEVELS_MAX = 16
ITEMS_MAX = 65_536
ECHO_CHARS_MAX = 80

Event = dict[str, Any]


class Unproven(Exception):
    """A round that is not what it says. `where` is the field, such as `batches[2].events[5].card`."""

    def __init__(self, where: str, why: str, number: int = 0) -> None:
        super().__init__(f"round {number}: {where}: {why}")
        self.where, self.why, self.round = where, why, number


class Unreadable(Exception):
    """What was given is no record at all."""


# --- MessagePack, as far as the wire uses it ---------------------------------------------------------------------------


class Reader:
    """One value from bytes. Raises `Unreadable` for what the wire does not have: floats, extensions, keys that are no text."""

    def __init__(self, packed: bytes) -> None:
        self.packed, self.at = packed, 0

    def take(self, size: int) -> bytes:
        if self.at + size > len(self.packed):
            raise Unreadable("the bytes end too early")
        self.at += size
        return self.packed[self.at - size : self.at]

    def number(self, size: int, *, signed: bool = False) -> int:
        return int.from_bytes(self.take(size), "big", signed=signed)

    def value(self, depth: int = 0) -> Any:
        if depth > DEPTH_LEVELS_MAX:
            raise Unreadable("nested too deep")
        kind = self.number(1)
        if kind < 0x80:
            return kind
        if kind >= 0xE0:
            return kind - 0x100
        if kind < 0x90:
            return self.map(kind & 15, depth)
        if kind < 0xA0:
            return self.list(kind & 15, depth)
        if kind < 0xC0:
            return self.text(kind & 31)
        return self.long(kind, depth)

    def long(self, kind: int, depth: int) -> Any:
        match kind:
            case 0xC0 | 0xC2 | 0xC3:
                return {0xC0: None, 0xC2: False, 0xC3: True}[kind]
            case 0xC4 | 0xC5 | 0xC6:
                return self.take(self.number(1 << (kind - 0xC4)))
            case 0xCC | 0xCD | 0xCE | 0xCF:
                return self.number(1 << (kind - 0xCC))
            case 0xD0 | 0xD1 | 0xD2 | 0xD3:
                return self.number(1 << (kind - 0xD0), signed=True)
            case 0xD9 | 0xDA | 0xDB:
                return self.text(self.number(1 << (kind - 0xD9)))
            case 0xDC | 0xDD:
                return self.list(self.number(2 << (kind - 0xDC)), depth)
            case 0xDE | 0xDF:
                return self.map(self.number(2 << (kind - 0xDE)), depth)
            case _:
                raise Unreadable(f"a kind of value that the wire does not have: 0x{kind:02x}")

    def text(self, size: int) -> str:
        try:
            return self.take(size).decode()
        except UnicodeDecodeError:
            raise Unreadable("a text is not UTF-8") from None

    def list(self, size: int, depth: int) -> list[Any]:
        if size > ITEMS_MAX:
            raise Unreadable("a list is too long")
        return [self.value(depth + 1) for _ in range(size)]

    def map(self, size: int, depth: int) -> dict[str, Any]:
        if size > ITEMS_MAX:
            raise Unreadable("a map is too big")
        made: dict[str, Any] = {}
        for _ in range(size):
            key = self.value(depth + 1)
            if not isinstance(key, str) or key in made:
                raise Unreadable("a key is no text, or comes twice")
            made[key] = self.value(depth + 1)
        return made


def unpack(packed: bytes) -> Any:
    reader = Reader(packed)
    made = reader.value()
    if reader.at != len(packed):
        raise Unreadable("bytes follow after the end")
    return made


# --- hashes, and the stream of cards -----------------------------------------------------------------------------------

RANKS, SUITS = "A23456789TJQK", "CDHS"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
PLACES = {card: place for place, card in enumerate(CARDS)}


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def tagged(tag: str, *parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(2, "big") + part for part in (tag.encode(), *parts))


class Stream:
    """The words of a round, from its secret and its salt."""

    def __init__(self, secret: bytes, salt: bytes) -> None:
        self.key = hmac.digest(salt, secret, "sha256")
        self.block, self.blocks, self.rest, self.words = b"", 0, b"", 0

    def word(self) -> int:
        if not self.rest:
            self.blocks += 1
            if self.blocks > 255:
                raise Unproven("stream", "is used up")
            self.block = hmac.digest(self.key, self.block + b"tapete/1/cards" + bytes([self.blocks]), "sha256")
            self.rest = self.block
        word, self.rest = self.rest[:4], self.rest[4:]
        self.words += 1
        return int.from_bytes(word, "big")

    def draw(self, left: list[int]) -> str:
        """Takes the card out of `left`, 52 counts."""
        cards = sum(left)
        if not cards:
            raise Unproven("stream", "the shoe is empty")
        while (word := self.word()) >= (1 << 32) // cards * cards:
            pass
        place = word % cards
        for at, count in enumerate(left):
            if place < count:
                left[at] -= 1
                return CARDS[at]
            place -= count
        raise AssertionError("the place is below the number of cards")


# --- settings ----------------------------------------------------------------------------------------------------------

CHIPS = [100, 500, 2500, 10_000]
ABSENT: dict[str, dict[str, Any]] = {
    "double_exposure": {
        "reveals": False, "decks": 6, "chips": CHIPS, "main_min": 100, "main_max": 50_000, "bonus_max": 2_000,
        "blackjack_odds": [1, 1], "bonus_blackjack_odds": [19, 1], "seven_odds": [8, 1], "two_sevens_odds": [40, 1],
        "three_sevens_odds": [250, 1], "max_hands": 4, "dealer_hits_soft_17": False, "double_on": "hard_9_to_11",
        "double_after_split": True, "blackjack_tie": "push",
    },
    "punto_banco": {
        "reveals": False, "decks": 8, "chips": CHIPS, "main_min": 100, "main_max": 100_000, "tie_max": None,
        "pair_max": None, "tableau": "reglamento", "commission": True, "commission_rate": [1, 20],
        "banca_six_odds": [1, 2], "punto_odds": [1, 1], "tie_odds": [8, 1], "pair_odds": [11, 1], "burn": True,
        "cut_card": 14,
    },
}  # fmt: skip
NAMES = {
    "tableau": ("reglamento", "europacasino", "casinoonnet"),
    "double_on": ("hard_9_to_11", "low_9_to_11", "any"),
    "blackjack_tie": ("push", "win"),
}
SPOTS = {
    "double_exposure": ("main", "blackjack", "sevens"),
    "punto_banco": ("punto", "banca", "tie", "punto_pair", "banca_pair"),
}


def settings_of(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
        settings = {**ABSENT[document["game"]], **document}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Unproven("settings", "is no settings document of a game that is known here") from None
    for name, absent in ABSENT[settings["game"]].items():
        if not _is_like(settings[name], absent) or settings[name] not in NAMES.get(name, (settings[name],)):
            raise Unproven("settings", f"{name} is not as it has to be")
    for name in ("tie_max", "pair_max"):
        if name in settings and settings[name] is None:
            chip = settings["chips"][0]
            settings[name] = settings["main_max"] // 8 // chip * chip
    return settings


def _is_like(value: Any, absent: Any) -> bool:
    """Of the same kind: numbers from 0, lists of numbers from 1."""
    if isinstance(absent, list):
        whole = isinstance(value, list) and all(type(number) is int and number > 0 for number in value)
        return whole and (len(value) == 2 or (absent is CHIPS and len(value) > 0))
    if absent is None:
        return value is None or (type(value) is int and value >= 0)
    return type(value) is type(absent) and (type(value) is not int or value >= 0)


def limits_of(settings: Mapping[str, Any], spot: str) -> tuple[int, int]:
    chip = settings["chips"][0]
    if spot in ("main", "punto", "banca"):
        return settings["main_min"], settings["main_max"]
    most = settings[
        "bonus_max" if settings["game"] == "double_exposure" else "tie_max" if spot == "tie" else "pair_max"
    ]
    return (chip, most) if most >= chip else (0, 0)


def win(stake: int, odds: Sequence[int]) -> int:
    return stake + stake * odds[0] // odds[1]


# --- Double Exposure ---------------------------------------------------------------------------------------------------

ORDER = ("hit", "stand", "stand_all", "double", "split")


def blackjack_value(card: str) -> int:
    return 1 if card[0] == "A" else int(card[0]) if card[0].isdigit() else 10


def count(cards: Sequence[str]) -> tuple[int, bool]:
    hard = sum(map(blackjack_value, cards))
    soft = hard <= 11 and any(card[0] == "A" for card in cards)
    return hard + 10 * soft, soft


def is_blackjack(cards: Sequence[str]) -> bool:
    return len(cards) == 2 and count(cards)[0] == 21


@dataclass
class Hand:
    cards: list[str]
    stake: int
    closed: str = ""
    settled: bool = False
    returned: int = 0


@dataclass
class Seat:
    """A box in the round. `bonuses`: spot to stake; `paid`: spot to what came back, once that is settled."""

    box: int
    owner: str
    hands: list[Hand]
    bonuses: dict[str, int]
    staked: int
    paid: dict[str, int] = field(default_factory=dict)

    @property
    def split(self) -> bool:
        return len(self.hands) > 1


Draw = Callable[[list[int]], tuple[str, int]]
"""The next card of the stream, and the words used."""
Ahead = Callable[[int], Event]
"""The event on the felt that comes so many after the present one in the log; empty after the last."""


class Felt:
    """A game in play. `due` are the events that have to come next; what a player decides is read off the log.

    `chips` are the stacks at the table, or None where the record does not say: then `ahead` tells what a stack allowed.
    """

    over = False
    result = ""

    def __init__(self, settings: Mapping[str, Any], draw: Draw, chips: dict[str, int] | None, ahead: Ahead) -> None:
        self.settings, self.draw, self.chips, self.ahead = settings, draw, chips, ahead
        self.due: list[Event] = []

    def say(self, kind: str, **fields: Any) -> None:
        self.due.append({"t": kind, **fields})

    def pay(self, owner: str, amount: int) -> None:
        if self.chips is not None:
            self.chips[owner] = self.chips.get(owner, 0) + amount

    def decided(self, event: Event, house_may: set[str]) -> None:  # noqa: ARG002 - of use where players decide
        """Read a decision off the event that follows from it, and say what is due."""
        raise Unproven("t", f"{event['t']} does not follow from anything")

    def funds_changed(self, *, told: bool) -> None:
        """A stack changed while cards are out. `told`: the log says that what is legal did, too."""


class DoubleExposure(Felt):
    turn: tuple[Seat, int] | None = None

    def begin(self, bets: Sequence[Mapping[str, Any]]) -> None:
        self.dealer: list[str] = []
        self.standing: dict[str, str] = {}
        self.dealer_done = False
        self.legal: list[str] = []
        self.seats = []
        for one in bets:
            stakes = {stake["spot"]: stake["amount"] for stake in one["stakes"]}
            main = stakes.pop("main")
            seat = Seat(one["box"], one["player"], [Hand([], main)], stakes, main + sum(stakes.values()))
            self.seats.append(seat)

    def deal(self) -> None:
        self.left = [self.settings["decks"]] * 52
        self.say("ShoeOpened", decks=self.settings["decks"])
        for _ in range(2):
            for seat in self.seats:
                self.card(seat, 0)
            self.card(None, 0)
        if is_blackjack(self.dealer):
            self.end_dealer()
        for seat in self.seats:
            if is_blackjack(seat.hands[0].cards):
                self.close(seat, 0, "blackjack")
            elif self.dealer_done:
                self.close(seat, 0, "dealer_blackjack")
            else:
                self.look_at_bonuses(seat)
        self.go_on()

    def card(self, seat: Seat | None, hand: int) -> None:
        card, word = self.draw(self.left)
        cards = seat.hands[hand].cards if seat else self.dealer
        cards.append(card)
        total, soft = count(cards)
        place, box = ("box", seat.box) if seat else ("dealer", 0)
        self.say("CardDealt", place=place, box=box, hand=hand, card=card, total=total, soft=soft, word=word)

    def close(self, seat: Seat, number: int, why: str) -> None:
        self.turn = None
        seat.hands[number].closed = why
        by = self.standing.get(seat.owner, "player")
        self.say("HandClosed", box=seat.box, hand=number, why=why, by=by)
        if why in ("bust", "blackjack", "dealer_blackjack"):
            self.settle(seat, number)
        self.look_at_bonuses(seat)

    def settle(self, seat: Seat, number: int) -> None:
        hand = seat.hands[number]
        outcome, hand.returned = self.outcome(hand)
        hand.settled = True
        self.say("HandSettled", box=seat.box, hand=number, outcome=outcome, stake=hand.stake, returned=hand.returned)

    def outcome(self, hand: Hand) -> tuple[str, int]:
        if hand.closed == "bust":
            return "bust", 0
        if hand.closed == "blackjack":
            if is_blackjack(self.dealer) and self.settings["blackjack_tie"] == "push":
                return "push", hand.stake
            return "blackjack", win(hand.stake, self.settings["blackjack_odds"])
        dealer = count(self.dealer)[0]
        if dealer > 21 or count(hand.cards)[0] > dealer:
            return "win", 2 * hand.stake
        return "lose", 0

    def look_at_bonuses(self, seat: Seat) -> None:
        first = seat.hands[0]
        for spot, stake in seat.bonuses.items():
            if spot in seat.paid:
                continue
            odds: Sequence[int] | None = None
            if spot == "blackjack":
                odds = self.settings["bonus_blackjack_odds"] if not seat.split and is_blackjack(first.cards) else None
            else:
                sevens = self.sevens(seat)
                if sevens == 2 and not seat.split and not first.closed and len(first.cards) == 2:
                    continue
                steps = ("seven_odds", "two_sevens_odds", "three_sevens_odds")
                odds = self.settings[steps[sevens - 1]] if sevens else None
            seat.paid[spot] = win(stake, odds) if odds else 0
            self.say(
                "SpotSettled", box=seat.box, spot=spot, outcome="win" if odds else "lose", stake=stake,
                returned=seat.paid[spot],
            )  # fmt: skip

    @staticmethod
    def sevens(seat: Seat) -> int:
        cards = seat.hands[0].cards
        if seat.split:
            return 2 if cards[0][0] == "7" else 0
        in_a_row = 0
        while in_a_row < min(3, len(cards)) and cards[in_a_row][0] == "7":
            in_a_row += 1
        return in_a_row

    def go_on(self) -> None:
        while (found := self.first_open()) is not None:
            seat, number = found
            if len(seat.hands[number].cards) == 1:
                self.second_card(seat, number)
            elif seat.owner in self.standing:
                self.close(seat, number, "stood")
            else:
                self.start_turn(seat, number)
                return
        self.finish()

    def first_open(self, owner: str = "") -> tuple[Seat, int] | None:
        for seat in self.seats:
            for number, hand in enumerate(seat.hands):
                if not hand.closed and owner in ("", seat.owner):
                    return seat, number
        return None

    def second_card(self, seat: Seat, number: int) -> None:
        self.card(seat, number)
        hand = seat.hands[number]
        if count(hand.cards)[0] == 21:
            self.close(seat, number, "twenty_one")
        elif hand.cards[0][0] == "A" and (seat.owner in self.standing or "split" not in self.allowed(seat, number)):
            self.close(seat, number, "split_aces")

    def start_turn(self, seat: Seat, number: int) -> None:
        self.turn, self.legal = (seat, number), self.allowed(seat, number)
        self.say("TurnStarted", box=seat.box, hand=number, owner=seat.owner, legal=self.legal)

    def allowed(self, seat: Seat, number: int) -> list[str]:
        hand = seat.hands[number]
        two = len(hand.cards) == 2
        values = [blackjack_value(card) for card in hand.cards]
        may = {
            "hit": not (seat.split and hand.cards[0][0] == "A"),
            "stand": True,
            "stand_all": True,
            "double": two and self.doubles(seat, hand) and self.can_pay(seat, hand, "double"),
            "split": two
            and values[0] == values[1]
            and len(seat.hands) < self.settings["max_hands"]
            and self.can_pay(seat, hand, "split"),
        }
        return [action for action in ORDER if may[action]]

    def doubles(self, seat: Seat, hand: Hand) -> bool:
        if seat.split and (hand.cards[0][0] == "A" or not self.settings["double_after_split"]):
            return False
        soft = count(hand.cards)[1]
        low = 9 <= sum(map(blackjack_value, hand.cards)) <= 11
        on = self.settings["double_on"]
        return on == "any" or (low and (not soft or on == "low_9_to_11"))

    def can_pay(self, seat: Seat, hand: Hand, action: str) -> bool:
        if self.chips is not None:
            return self.chips.get(seat.owner, 0) >= hand.stake
        return action in self.ahead(len(self.due)).get("legal", ())

    def dealer_draws(self) -> bool:
        total, soft = count(self.dealer)
        return total < 17 or (total == 17 and soft and self.settings["dealer_hits_soft_17"])

    def finish(self) -> None:
        if not self.dealer_done:
            if any(not hand.settled for seat in self.seats for hand in seat.hands):
                while self.dealer_draws():
                    self.card(None, 0)
            self.end_dealer()
        for seat in self.seats:
            for number, hand in enumerate(seat.hands):
                if not hand.settled:
                    self.settle(seat, number)
            returned = sum(hand.returned for hand in seat.hands) + sum(seat.paid.values())
            self.say("BoxSettled", box=seat.box, owner=seat.owner, staked=seat.staked, returned=returned)
            self.pay(seat.owner, returned)
        total = count(self.dealer)[0]
        self.result = "blackjack" if is_blackjack(self.dealer) else "bust" if total > 21 else str(total)
        self.over = True

    def end_dealer(self) -> None:
        self.dealer_done = True
        total, soft = count(self.dealer)
        drew = len(self.dealer) > 2
        self.say("DealerDone", total=total, soft=soft, blackjack=is_blackjack(self.dealer), drew=drew)

    def decided(self, event: Event, house_may: set[str]) -> None:
        kind = event["t"]
        if kind == "AllStood" and event.get("by") == "house":
            self.house_plays(event.get("owner"), house_may)
            return
        if self.turn is None:
            super().decided(event, house_may)
            return
        seat, number = self.turn
        action = {
            "HandClosed": "stand", "AllStood": "stand_all", "CardDealt": "hit", "StakeAdded": "double",
            "HandSplit": "split",
        }.get(kind)  # fmt: skip
        if action is None:
            super().decided(event, house_may)
        elif action not in self.legal:
            raise Unproven("t", f"{kind}: {action} is not legal for this hand, but {', '.join(self.legal)}")
        else:
            self.act(seat, number, str(action))

    def act(self, seat: Seat, number: int, action: str) -> None:
        self.turn = None
        hand = seat.hands[number]
        match action:
            case "hit":
                self.hit(seat, number)
            case "stand":
                self.close(seat, number, "stood")
            case "stand_all":
                self.say("AllStood", owner=seat.owner, by="player")
                self.standing[seat.owner] = "player"
                self.close(seat, number, "stood")
            case "double":
                self.stake(seat, number, hand.stake)
                self.card(seat, number)
                self.close(seat, number, "doubled")
            case _:
                self.say("HandSplit", box=seat.box, hand=number)
                left, right = hand.cards
                seat.hands[number : number + 1] = [Hand([left], hand.stake), Hand([right], 0)]
                self.stake(seat, number + 1, hand.stake)
                self.look_at_bonuses(seat)
        self.go_on()

    def hit(self, seat: Seat, number: int) -> None:
        self.card(seat, number)
        total = count(seat.hands[number].cards)[0]
        if total > 21:
            self.close(seat, number, "bust")
        elif total == 21:
            self.close(seat, number, "twenty_one")
        else:
            self.look_at_bonuses(seat)

    def stake(self, seat: Seat, number: int, amount: int) -> None:
        seat.hands[number].stake += amount
        seat.staked += amount
        self.say("StakeAdded", box=seat.box, hand=number, owner=seat.owner, amount=amount)
        self.pay(seat.owner, -amount)

    def house_plays(self, owner: Any, house_may: set[str]) -> None:
        if owner not in house_may:
            raise Unproven("owner", f"the house stands for {owner!r}, who neither ran out of time nor is leaving")
        if owner in self.standing or self.first_open(owner) is None:
            raise Unproven("owner", f"{owner!r} has nothing to stand")
        self.say("AllStood", owner=owner, by="house")
        self.standing[owner] = "house"
        if self.turn is not None and self.turn[0].owner == owner:
            self.close(*self.turn, "stood")
            self.go_on()

    def funds_changed(self, *, told: bool) -> None:
        if self.turn is None or (self.chips is None and not told):
            return
        seat, number = self.turn
        legal = self.allowed(seat, number)
        if legal != self.legal:
            self.legal = legal
            self.say("ActionsChanged", box=seat.box, hand=number, legal=legal)


# --- Punto Banco -------------------------------------------------------------------------------------------------------

BANCA_DRAWS = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7), 7: ()}
"""On what banca draws with so many points; with 0, 1 and 2 always."""


def points(cards: Sequence[str]) -> int:
    return sum(1 if card[0] == "A" else int(card[0]) if card[0].isdigit() else 0 for card in cards) % 10


@dataclass
class Shoe:
    """`coup`: the last one that was dealt from it. `last`: the one after which it is done, once that is known. `proven`: it
    was opened in a record that was checked."""

    left: list[int]
    coup: int = 0
    last: int | None = None
    proven: bool = True


class PuntoBanco(Felt):
    def __init__(
        self, settings: Mapping[str, Any], draw: Draw, chips: dict[str, int] | None, ahead: Ahead, shoe: Shoe | None
    ) -> None:
        super().__init__(settings, draw, chips, ahead)
        self.shoe = shoe

    def begin(self, bets: Sequence[Mapping[str, Any]]) -> None:
        self.bets = bets
        self.hands: dict[str, list[str]] = {"punto": [], "banca": []}

    def deal(self) -> None:
        if self.shoe is None and self.ahead(0).get("t") != "ShoeOpened":
            raise Unproven(
                "start.left", "nothing says what this shoe had left: give the records since it was opened, too"
            )
        if self.shoe is None or self.shoe.coup in (0, self.shoe.last):
            self.open_shoe()
        assert self.shoe is not None
        self.present = self.shoe.coup + 1
        for side in ("punto", "banca") * 2:
            self.card(side)
        self.shoe.coup = self.present
        if not any(points(hand) >= 8 for hand in self.hands.values()):
            self.third("punto")
            self.third("banca")
        self.decide()

    def open_shoe(self) -> None:
        decks = self.settings["decks"]
        self.shoe = Shoe([decks] * 52)
        self.say("ShoeOpened", decks=decks)
        if self.settings["burn"]:
            for _ in range(points([self.burn()]) or 10):
                self.burn()

    def burn(self) -> str:
        assert self.shoe is not None
        card, word = self.draw(self.shoe.left)
        self.say("CardBurnt", card=card, word=word)
        return card

    def card(self, side: str) -> None:
        shoe = self.shoe
        assert shoe is not None
        if shoe.last is None and sum(shoe.left) <= self.settings["cut_card"]:
            last_coups = 1 if self.hands["punto"] else 0
            shoe.last = self.present + last_coups
            self.say("CutCardShown", last_coups=last_coups)
        card, word = self.draw(shoe.left)
        hand = self.hands[side]
        hand.append(card)
        self.say("CardDealt", place=side, box=0, hand=0, card=card, total=points(hand), soft=False, word=word)

    def third(self, side: str) -> None:
        punto = self.hands["punto"]
        row, column = points(self.hands[side]), -1
        if side == "punto":
            draws = row <= 5
        elif len(punto) == 2:
            draws = row <= (5 if self.settings["tableau"] == "reglamento" else 2)
        else:
            column = points(punto[2:] if self.settings["tableau"] == "reglamento" else punto)
            draws = row <= 2 or column in BANCA_DRAWS[row]
        self.say("ThirdCardDecided", side=side, draws=draws, row=row, column=column)
        if draws:
            self.card(side)

    def decide(self) -> None:
        hands = self.hands
        punto, banca = points(hands["punto"]), points(hands["banca"])
        winner = "tie" if punto == banca else "punto" if punto > banca else "banca"
        pairs = {f"{side}_pair": hand[0][0] == hand[1][0] for side, hand in hands.items()}
        natural = any(points(hand[:2]) >= 8 for hand in hands.values())
        self.say("CoupDecided", winner=winner, punto=punto, banca=banca, natural=natural, **pairs)
        won = {spot for spot, pair in pairs.items() if pair} | {winner}
        for one in self.bets:
            self.settle(one, won)
        self.result, self.over = winner, True

    def settle(self, bets: Mapping[str, Any], won: set[str]) -> None:
        staked = returned = 0
        for stake in bets["stakes"]:
            spot, amount = stake["spot"], stake["amount"]
            if "tie" in won and spot in ("punto", "banca"):
                outcome, back = "push", amount
            elif spot in won:
                outcome, back = "win", win(amount, self.odds(spot))
            else:
                outcome, back = "lose", 0
            self.say("SpotSettled", box=bets["box"], spot=spot, outcome=outcome, stake=amount, returned=back)
            staked, returned = staked + amount, returned + back
        self.say("BoxSettled", box=bets["box"], owner=bets["player"], staked=staked, returned=returned)
        self.pay(bets["player"], returned)

    def odds(self, spot: str) -> Sequence[int]:
        settings: Mapping[str, Any] = self.settings
        if spot == "banca" and settings["commission"]:
            part, whole = settings["commission_rate"]
            return whole - part, whole
        if spot == "banca":
            six: list[int] = settings["banca_six_odds"]
            return six if points(self.hands["banca"]) == 6 else (1, 1)
        found: list[int] = settings["pair_odds" if spot.endswith("_pair") else f"{spot}_odds"]
        return found


# --- a record ----------------------------------------------------------------------------------------------------------

FIELDS: dict[str, dict[str, type]] = {
    "TableOpened": {"game": str, "settings": str},
    "SettingsChanged": {"settings": str},
    "BoxTaken": {"box": int, "player": str},
    "BoxFreed": {"box": int, "player": str},
    "PlayerLeft": {"player": str},
    "PlayerLeaving": {"player": str},
    "ChipsIn": {"player": str, "amount": int},
    "ChipsOut": {"player": str, "amount": int},
    "RoundOpened": {"round": int, "nonce": bytes, "commitment": bytes},
    "BettingOpened": {"round": int},
    "BetPlaced": {"box": int, "player": str, "spot": str, "amount": int},
    "EntropyCommitted": {"player": str, "commitment": bytes},
    "BettingClosed": {"round": int, "bets": list},
    "EntropyRevealed": {"player": str, "entropy": bytes},
    "EntropyClosed": {"round": int, "missing": list},
    "PlayerTimedOut": {"player": str},
    "RoundSettled": {"round": int, "result": str, "secret": bytes},
    "RoundVoided": {"round": int, "why": str, "secret": bytes},
    "SettingsQueued": {},
    "ChipsArrived": {},
    "PlayerReady": {},
    "ClockSet": {},
    "ClockExtended": {},
    "PlayerAway": {},
    "PlayerBack": {},
    "TableFrozen": {},
    "TableClosed": {},
}  # fmt: skip
"""What is looked at in the events that are not on the felt."""
ON_FELT = frozenset(
    (
        "CardDealt", "TurnStarted", "ActionsChanged", "StakeAdded", "HandSplit", "AllStood", "HandClosed", "DealerDone",
        "HandSettled", "SpotSettled", "BoxSettled", "ShoeOpened", "CardBurnt", "CutCardShown", "ThirdCardDecided",
        "CoupDecided",
    )
)  # fmt: skip
RECORD: dict[str, type] = {
    "schema": int, "table": str, "round": int, "settings": str, "settings_hash": bytes, "batches": list,
}  # fmt: skip


def kept(thing: Any, name: str, kind: type, where: str) -> Any:
    """A field that has to be there, and of this kind."""
    value = thing.get(name) if isinstance(thing, dict) else None
    if type(value) is not kind:
        raise Unproven(f"{where}{name}", "is missing" if value is None else f"is no {kind.__name__}")
    return value


def differ(where: str, said: Any, due: Any) -> NoReturn:
    raise Unproven(where, f"is {echo(said)}, and has to be {echo(due)}")


def echo(value: Any) -> str:
    text = value.hex() if isinstance(value, bytes) else repr(value)
    return text if len(text) <= ECHO_CHARS_MAX else text[:ECHO_CHARS_MAX] + ".."


@dataclass(frozen=True)
class Logged:
    """An event, and where it stands: number of its batch, place in it."""

    batch: int
    place: int
    event: Event
    last: bool
    """Of its batch."""

    def where(self, name: str) -> str:
        return f"batches[{self.batch}].events[{self.place}].{name}"


@dataclass
class Standing:
    """The table as it stands: who holds which box, and (None: nobody says) each stack. `shoe` of Punto Banco, if known."""

    boxes: list[str | None] | None
    chips: dict[str, int] | None
    shoe: Shoe | None


@dataclass
class Proof:
    """What a record proves. `start` and `end`: the table as the round was opened, and as the next one was (None: it was not)."""

    table: str
    round: int
    game: str
    settings: str
    result: str
    cards: int
    commitments: int
    missing: tuple[str, ...]
    entropies: tuple[bytes, ...]
    reveals: bool
    staked: int
    returned: int
    voided: str
    head: bytes
    shoe_proven: bool
    first: bytes = field(repr=False)
    last: bytes = field(repr=False)
    end: Standing | None = field(repr=False)


class Round:
    """One record, event by event."""

    def __init__(self, record: Mapping[str, Any], before: Proof | None) -> None:
        self.record, self.before = record, before
        for name, kind in RECORD.items():
            kept(record, name, kind, "")
        if record["schema"] not in (1, 2):
            raise Unproven("schema", f"{record['schema']} is not known here")
        self.table, self.number = record["table"], record["round"]
        if sha256(record["settings"].encode()) != record["settings_hash"]:
            differ("settings_hash", record["settings_hash"], sha256(record["settings"].encode()))
        self.settings = settings_of(record["settings"])
        self.game = self.settings["game"]
        if before is not None and record["batches"][:1] != [before.last]:
            raise Unproven("batches[0]", f"is not the last batch of round {before.round}")
        self.log, self.heads = self._chain()
        self.at = 0
        self.open: Event = {}
        self.closed: Event | None = None
        self.close_head = b""
        self.ended: Event | None = None
        self.bets: dict[tuple[int, str], int] = {}
        self.committed: dict[str, bytes] = {}
        self.entropy: dict[str, bytes] = {}
        self.order: list[tuple[int, str, bytes]] = []
        self.missing: tuple[str, ...] | None = None
        self.cards = self.returned = 0
        self.house_may: set[str] = set()
        self.felt: DoubleExposure | PuntoBanco | None = None
        self.stream: Stream | None = None
        self.now = self._start()
        self.end: Standing | None = None
        self.shoe_proven = False

    # - the chain -

    def _chain(self) -> tuple[list[Logged], list[bytes]]:
        """All events, and the head after each batch."""
        log: list[Logged] = []
        heads: list[bytes] = []
        for number, payload in enumerate(self.record["batches"]):
            where = f"batches[{number}]."
            if type(payload) is not bytes:
                raise Unproven(where[:-1], "is no bytes")
            try:
                batch = unpack(payload)
            except Unreadable as broken:
                raise Unproven(where[:-1], str(broken)) from None
            self._joins(batch, number, heads[-1] if heads else None)
            heads.append(sha256(batch["prev"], payload))
            events = kept(batch, "events", list, where)
            for place, event in enumerate(events):
                kind = kept(event, "t", str, f"{where}events[{place}].")
                logged = Logged(number, place, event, place == len(events) - 1)
                if kind not in ON_FELT and kind not in FIELDS:
                    raise Unproven(logged.where("t"), f"{echo(kind)} is no event that is known here")
                for name, form in FIELDS.get(kind, {}).items():
                    kept(event, name, form, logged.where(""))
                log.append(logged)
        if not heads:
            raise Unproven("batches", "there are none")
        said = self.record.get("head")
        if said != heads[-1] and (said is not None or self.record["schema"] > 1):
            differ("head", said, heads[-1])
        return log, heads

    def _joins(self, batch: Any, number: int, head: bytes | None) -> None:
        where = f"batches[{number}]."
        for name, kind in (("t", str), ("table", str), ("v", int), ("prev", bytes), ("at", int)):
            kept(batch, name, kind, where)
        if batch["t"] != "Batch":
            differ(f"{where}t", batch["t"], "Batch")
        if batch["table"] != self.table:
            differ(f"{where}table", batch["table"], self.table)
        if number == 0:
            self.version = batch["v"]
            if self.version == 1:
                head = sha256(b"tapete/1/genesis", self.table.encode())
        if batch["v"] != self.version + number:
            differ(f"{where}v", batch["v"], self.version + number)
        if head is not None and batch["prev"] != head:
            differ(f"{where}prev", batch["prev"], head)

    # - the start -

    def _start(self) -> Standing:
        before = self.before.end if self.before else None
        if self.record["schema"] == 1:
            return copy.deepcopy(before) or Standing(None, None, None)
        start = kept(self.record, "start", dict, "")
        boxes = kept(start, "boxes", list, "start.")
        if len(boxes) != 4 or not all(one is None or isinstance(one, str) for one in boxes):
            raise Unproven("start.boxes", "is no list of four players or nil")
        chips: dict[str, int] = {}
        for pair in kept(start, "stacks", list, "start."):
            if not (isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is str and type(pair[1]) is int):
                raise Unproven("start.stacks", "is no list of players and amounts")
            chips[pair[0]] = pair[1]
        if {one for one in boxes if one} != set(chips) or min(chips.values(), default=0) < 0:
            raise Unproven("start.stacks", "is not a stack for each who holds a box")
        made = Standing(list(boxes), chips, self._shoe(start))
        if before is not None:
            self._follows(made, before)
        return made

    def _shoe(self, start: dict[str, Any]) -> Shoe | None:
        if self.game != "punto_banco":
            return None
        left, coup = kept(start, "left", bytes, "start."), kept(start, "coup", int, "start.")
        last = kept(start, "last_coup", int, "start.") if start.get("last_coup") is not None else None
        if len(left) != 52 or max(left) > self.settings["decks"]:
            raise Unproven("start.left", "is not what a shoe of these decks can have left")
        return Shoe(list(left), coup, last, proven=coup in (0, last))

    def _follows(self, made: Standing, before: Standing) -> None:
        """The start is what the record before came to."""
        if before.boxes is not None and made.boxes != before.boxes:
            differ("start.boxes", made.boxes, before.boxes)
        if before.chips is not None and made.chips != before.chips:
            differ("start.stacks", made.chips, before.chips)
        shoe, known = made.shoe, before.shoe
        if shoe is None or known is None:
            return
        for name, said, due in (("left", shoe.left, known.left), ("coup", shoe.coup, known.coup)):
            if said != due:
                differ(f"start.{name}", said, due)
        if shoe.last != known.last:
            differ("start.last_coup", shoe.last, known.last)
        shoe.proven = shoe.proven or known.proven

    # - event by event -

    def check(self) -> Proof:
        opened = [one for one in self.log if one.event["t"] == "RoundOpened" and one.event["round"] == self.number]
        if len(opened) != 1 or opened[0].batch != 0:
            raise Unproven("round", f"{self.number} is not opened in the first batch, once")
        self.open = opened[0].event
        settings = [one for one in self.log if one.event["t"] in ("TableOpened", "SettingsChanged")]
        ends = [
            one
            for one in self.log
            if one.event["t"] in ("RoundSettled", "RoundVoided") and one.event["round"] == self.number
        ]
        if len(ends) != 1 or ends[0].batch != len(self.heads) - 1:
            raise Unproven("round", f"{self.number} does not end in the last batch, once")
        self._bound(ends[0])
        for one in settings:
            if self.log.index(one) < self.log.index(opened[0]) and one.event["settings"] != self.record["settings"]:
                differ(one.where("settings"), one.event["settings"], self.record["settings"])
        for at in range(self.log.index(opened[0]) + 1, len(self.log)):
            self.at = at
            if self._next(self.log[at]):
                break
        return self._proof()

    def _bound(self, end: Logged) -> None:
        """The house's secret is the one that it was bound to."""
        self.secret = end.event["secret"]
        if sha256(self.secret) != self.open["commitment"]:
            raise Unproven(end.where("secret"), "is not what the house was bound to when the round was opened")

    def _next(self, one: Logged) -> bool:
        """Whether the next round is open, and with it all is said."""
        kind = one.event["t"]
        if kind in ON_FELT:
            self._on_felt(one)
        elif self.ended is not None and kind == "RoundOpened":
            self._next_opened(one)
            return True
        else:
            getattr(self, f"_{kind}", lambda _: None)(one)
        if one.last and self.felt is not None and self.felt.due:
            raise Unproven(one.where("t"), f"the batch ends, and {self.felt.due[0]['t']} has to come")
        if one.last and (poor := [player for player, stack in (self.now.chips or {}).items() if stack < 0]):
            raise Unproven(one.where("amount"), f"the batch ends, and {poor[0]!r} has paid more than the stack had")
        return False

    def _next_opened(self, one: Logged) -> None:
        if one.event["round"] != self.number + 1:
            differ(one.where("round"), one.event["round"], self.number + 1)
        self.end = self.now

    def _on_felt(self, one: Logged) -> None:
        felt, event = self._dealt(one), one.event
        if self.ended is not None:
            raise Unproven(one.where("t"), f"{event['t']} after the round's end")
        try:
            if not felt.due and not felt.over:
                felt.decided(event, self.house_may)
        except Unproven as wrong:
            raise Unproven(one.where(wrong.where) if "." not in wrong.where else wrong.where, wrong.why) from None
        if not felt.due:
            raise Unproven(one.where("t"), f"{event['t']} does not follow from anything")
        due = felt.due.pop(0)
        for name, value in due.items():
            if name not in event or event[name] != value or type(event[name]) is not type(value):
                differ(one.where(name), event.get(name), value)
        self.cards += event["t"] in ("CardDealt", "CardBurnt")
        if event["t"] == "BoxSettled":
            self.returned += event["returned"]

    def _dealt(self, one: Logged) -> DoubleExposure | PuntoBanco:
        """The felt; with its first event the cards are dealt."""
        if self.felt is None:
            raise Unproven(one.where("t"), f"{one.event['t']} before bets are closed")
        if self.stream is None:
            if one.batch == self.close_batch:
                raise Unproven(one.where("t"), "a card in the batch that closes the bets")
            if self.settings["reveals"] and self.missing is None:
                raise Unproven(one.where("t"), f"{one.event['t']} before EntropyClosed")
            self.stream = Stream(self.secret, self._salt())
            try:
                self.felt.deal()
            except Unproven as wrong:
                raise Unproven(one.where(wrong.where) if "." not in wrong.where else wrong.where, wrong.why) from None
        return self.felt

    def _draw(self, left: list[int]) -> tuple[str, int]:
        assert self.stream is not None
        return self.stream.draw(left), self.stream.words

    def _ahead(self, many: int) -> Event:
        """From the present event on if it is on the felt, else from the next one that is."""
        for one in self.log[self.at :]:
            if one.event["t"] in ON_FELT:
                if many == 0:
                    return one.event
                many -= 1
        return {}

    def _salt(self) -> bytes:
        settings_hash = sha256(self.record["settings"].encode())
        if not self.settings["reveals"]:
            return sha256(tagged("tapete/1/salt", self.close_head, settings_hash))
        parts = [
            bytes([box, player in self.entropy]) + self.entropy.get(player, commitment)
            for box, player, commitment in self.order
        ]
        return sha256(tagged("tapete/2/salt", self.close_head, settings_hash, *parts))

    # - who is at the table -

    def _BoxTaken(self, one: Logged) -> None:  # noqa: N802 - named after its event, as all of these
        if self.now.boxes is None or self.now.chips is None:
            return
        box = self._box(one)
        if self.now.boxes[box] is not None:
            raise Unproven(one.where("box"), f"{self.now.boxes[box]!r} holds it")
        self.now.boxes[box] = one.event["player"]
        self.now.chips.setdefault(one.event["player"], 0)

    def _BoxFreed(self, one: Logged) -> None:  # noqa: N802
        if self.now.boxes is None:
            return
        box = self._box(one)
        if self.now.boxes[box] != one.event["player"]:
            differ(one.where("player"), one.event["player"], self.now.boxes[box])
        self.now.boxes[box] = None

    def _box(self, one: Logged) -> int:
        if not 1 <= one.event["box"] <= 4:
            differ(one.where("box"), one.event["box"], "1 to 4")
        return int(one.event["box"]) - 1

    def _PlayerLeft(self, one: Logged) -> None:  # noqa: N802
        player = one.event["player"]
        if self.closed is None:
            self.committed.pop(player, None)
        if self.now.chips is not None and self.now.chips.pop(player, 0) != 0:
            raise Unproven(one.where("player"), f"{player!r} leaves, and has a stack still")

    def _PlayerLeaving(self, one: Logged) -> None:  # noqa: N802
        self.house_may.add(one.event["player"])

    def _PlayerTimedOut(self, one: Logged) -> None:  # noqa: N802
        turn = self.felt.turn if isinstance(self.felt, DoubleExposure) else None
        if turn is None or turn[0].owner != one.event["player"]:
            raise Unproven(one.where("player"), f"it is not the turn of {one.event['player']!r}")
        self.house_may.add(one.event["player"])

    def _ChipsIn(self, one: Logged) -> None:  # noqa: N802
        if one.event["amount"] <= 0:
            raise Unproven(one.where("amount"), "is no amount")
        self._chips(one, one.event["player"], one.event["amount"])
        self._funds_changed()

    def _ChipsOut(self, one: Logged) -> None:  # noqa: N802
        if one.event["amount"] <= 0:
            raise Unproven(one.where("amount"), "is no amount")
        self._chips(one, one.event["player"], -one.event["amount"])
        if self.ended is None:
            self._funds_changed()

    def _funds_changed(self) -> None:
        if self.felt is not None and self.stream is not None:
            batch = self.log[self.at].batch
            told = any(one.batch == batch and one.event["t"] == "ActionsChanged" for one in self.log[self.at :])
            self.felt.funds_changed(told=told)

    def _chips(self, one: Logged, player: str, change: int) -> None:
        chips = self.now.chips
        if chips is None:
            return
        if player not in chips:
            raise Unproven(one.where("player"), f"{player!r} is not at the table")
        chips[player] += change

    def _SettingsChanged(self, one: Logged) -> None:  # noqa: N802
        """Before the opening of the next round: a new felt."""
        if self.ended is None:
            raise Unproven(one.where("t"), "settings change between rounds only")
        settings = settings_of(one.event["settings"])
        self.now.shoe = Shoe([settings["decks"]] * 52) if settings["game"] == "punto_banco" else None

    # - bets, and what the players give -

    def _BettingOpened(self, one: Logged) -> None:  # noqa: N802
        if one.event["round"] != self.number:
            differ(one.where("round"), one.event["round"], self.number)

    def _BetPlaced(self, one: Logged) -> None:  # noqa: N802
        event = one.event
        if self.closed is not None:
            raise Unproven(one.where("t"), "a bet after the close")
        if event["spot"] not in SPOTS[self.game] or event["amount"] < 0:
            raise Unproven(one.where("spot"), f"{event['amount']} on {event['spot']!r} is no bet")
        if self.now.boxes is not None and self.now.boxes[self._box(one)] != event["player"]:
            differ(one.where("player"), event["player"], self.now.boxes[self._box(one)])
        spot = event["box"], event["spot"]
        self._chips(one, event["player"], self.bets.get(spot, 0) - event["amount"])
        self.bets[spot] = event["amount"]

    def _EntropyCommitted(self, one: Logged) -> None:  # noqa: N802
        if not self.settings["reveals"] or self.closed is not None:
            raise Unproven(one.where("t"), "a commitment where none is taken")
        self._bytes_32(one, "commitment")
        self.committed[one.event["player"]] = one.event["commitment"]

    @staticmethod
    def _bytes_32(one: Logged, name: str) -> None:
        if len(one.event[name]) != 32:
            raise Unproven(one.where(name), "has not 32 bytes")

    def _BettingClosed(self, one: Logged) -> None:  # noqa: N802
        event = one.event
        if self.closed is not None or event["round"] != self.number:
            raise Unproven(one.where("round"), "bets are closed once, in this round")
        if not one.last:
            raise Unproven(one.where("t"), "BettingClosed does not end its batch")
        bets = self._laid(one)
        if event["bets"] != bets:
            differ(one.where("bets"), event["bets"], bets)
        lowest = {bet["player"]: bet["box"] for bet in reversed(bets)}
        self.order = sorted(
            (box, player, self.committed[player]) for player, box in lowest.items() if player in self.committed
        )
        commitments = [{"player": player, "commitment": commitment} for _, player, commitment in self.order]
        if event.get("commitments", []) != commitments:
            differ(one.where("commitments"), event.get("commitments"), commitments)
        self.closed, self.close_head, self.close_batch = event, self.heads[one.batch], one.batch
        self.felt = self._felt()
        self.felt.begin(bets)

    def _felt(self) -> DoubleExposure | PuntoBanco:
        if self.game == "double_exposure":
            return DoubleExposure(self.settings, self._draw, self.now.chips, self._ahead)
        return PuntoBanco(self.settings, self._draw, self.now.chips, self._ahead, self.now.shoe)

    def _laid(self, one: Logged) -> list[dict[str, Any]]:
        """The bets that lie there, in order, each within the limits."""
        owners = self._owners(one)
        made: list[dict[str, Any]] = []
        for box in range(1, 5):
            stakes: list[dict[str, Any]] = [
                {"spot": spot, "amount": self.bets[box, spot]}
                for spot in SPOTS[self.game]
                if self.bets.get((box, spot))
            ]
            for stake in stakes:
                low, high = limits_of(self.settings, stake["spot"])
                if not low <= stake["amount"] <= high or stake["amount"] % self.settings["chips"][0]:
                    raise Unproven(one.where("bets"), f"{stake['amount']} on {stake['spot']} is not within the limits")
            if stakes and self.game == "double_exposure" and stakes[0]["spot"] != "main":
                raise Unproven(one.where("bets"), "a bonus bet without a main bet")
            if stakes:
                made.append({"box": box, "player": owners[box], "stakes": stakes})
        if not made:
            raise Unproven(one.where("bets"), "bets are closed, and there are none")
        return made

    def _owners(self, one: Logged) -> dict[int, Any]:
        """Who laid what lies in each box."""
        boxes = self.now.boxes
        if boxes is not None:
            return dict(enumerate(boxes, 1))
        laid = [logged.event for logged in self.log[: self.log.index(one)] if logged.event["t"] == "BetPlaced"]
        return {event["box"]: event["player"] for event in laid}

    def _EntropyRevealed(self, one: Logged) -> None:  # noqa: N802
        player, entropy = one.event["player"], one.event["entropy"]
        if not self.settings["reveals"] or self.closed is None or self.missing is not None:
            raise Unproven(one.where("t"), "a reveal outside of its time")
        self._bytes_32(one, "entropy")
        bound = {player: commitment for _, player, commitment in self.order}
        if player not in bound or player in self.entropy:
            raise Unproven(one.where("player"), f"nothing is to be revealed by {player!r}")
        number = self.number.to_bytes(8, "big")
        made = sha256(tagged("tapete/1/entropy", self.table.encode(), number, player.encode(), entropy))
        if made != bound[player]:
            raise Unproven(one.where("entropy"), f"is not what {player!r} was bound to")
        self.entropy[player] = entropy

    def _EntropyClosed(self, one: Logged) -> None:  # noqa: N802
        if not self.settings["reveals"] or self.closed is None or self.missing is not None:
            raise Unproven(one.where("t"), "the reveals are closed once, after the bets")
        if one.event["round"] != self.number:
            differ(one.where("round"), one.event["round"], self.number)
        missing = [player for _, player, _ in self.order if player not in self.entropy]
        if one.event["missing"] != missing:
            differ(one.where("missing"), one.event["missing"], missing)
        self.missing = tuple(missing)

    # - the end -

    def _RoundSettled(self, one: Logged) -> None:  # noqa: N802
        if self.felt is None or not self.felt.over or self.felt.due:
            raise Unproven(one.where("t"), "the round is settled before its end")
        if one.event["result"] != self.felt.result:
            differ(one.where("result"), one.event["result"], self.felt.result)
        self._ended(one)

    def _RoundVoided(self, one: Logged) -> None:  # noqa: N802
        if self.felt is not None and (self.felt.over or self.felt.due):
            raise Unproven(one.where("t"), "a round is void in the middle of what follows, or after its end")
        if isinstance(self.felt, DoubleExposure):
            back = [(seat.owner, seat.staked) for seat in self.felt.seats]
        else:
            owners = self._owners(one)
            back = [(owners[box], amount) for (box, _), amount in self.bets.items()]
        for player, amount in back:
            if amount:
                self._chips(one, player, amount)
        self._ended(one)

    def _ended(self, one: Logged) -> None:
        self.ended = one.event
        if isinstance(self.felt, PuntoBanco):
            self.now.shoe = self.felt.shoe
        self.shoe_proven = self.stream is None or self.now.shoe is None or self.now.shoe.proven

    def _proof(self) -> Proof:
        assert self.ended is not None
        seats = self.felt.seats if isinstance(self.felt, DoubleExposure) else []
        staked = sum(seat.staked for seat in seats) if seats else sum(self.bets.values())
        return Proof(
            table=self.table, round=self.number, game=self.game, settings=self.record["settings"],
            result=self.ended.get("result", ""), cards=self.cards, commitments=len(self.order),
            missing=self.missing or (), entropies=tuple(self.entropy.values()), reveals=self.settings["reveals"],
            staked=staked, returned=self.returned, voided=self.ended.get("why", ""), head=self.heads[-1],
            shoe_proven=self.shoe_proven,
            first=self.record["batches"][0], last=self.record["batches"][-1], end=self.end,
        )  # fmt: skip


def verify(record: Mapping[str, Any], before: Proof | None = None) -> Proof:
    """Checks a record; `before` is the proof of the round before it at the same table, if there is one. Raises `Unproven`."""
    number = record.get("round")
    number = number if type(number) is int else 0
    try:
        return Round(record, before).check()
    except Unproven as wrong:
        raise Unproven(wrong.where, wrong.why, number) from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as wrong:
        raise Unproven("record", f"is not as a record has to be: {wrong!r}", number) from wrong


def verify_all(records: Iterable[Mapping[str, Any]]) -> Iterator[Proof | Unproven]:
    """Each record, in order of tables and rounds; each is held against the one before it, if that is here and proven."""
    last: Proof | None = None
    for record in sorted(records, key=lambda one: (str(one.get("table")), _whole(one.get("round")))):
        joins = last is not None and (last.table, last.round + 1) == (record.get("table"), record.get("round"))
        try:
            last = verify(record, last if joins else None)
            yield last
        except Unproven as wrong:
            last = None
            yield wrong


def _whole(value: Any) -> int:
    return value if type(value) is int else 0


# --- reading and telling -----------------------------------------------------------------------------------------------

WORDS = {
    "en": {
        "proven": "round {round} of {table}: proven. {what}",
        "settled": "{result}; {cards} cards, {staked} staked, {returned} returned{reveals}",
        "voided": "void ({why}); {cards} cards{reveals}",
        "reveals": "; {revealed} of {committed} players' parts are in the cards",
        "missing": "; MISSING: {players}",
        "shoe": "  The shoe's cards are taken from the record: give the rounds since it was opened to prove them, too.",
        "mine": "  Your bytes are in these cards.",
        "not_mine": "  Your bytes are not in these cards.",
        "failed": "round {round}: NOT PROVEN. {where}: {why}",
        "sum": "{proven} of {all} rounds proven. Last head: {head}",
        "nothing": "There is no record in that.",
        "not_there": "{source}: the node has no record of that. It keeps the last rounds of each table only.",
    },
    "es": {
        "proven": "ronda {round} de {table}: demostrada. {what}",
        "settled": "{result}; {cards} cartas, {staked} apostado, {returned} devuelto{reveals}",
        "voided": "anulada ({why}); {cards} cartas{reveals}",
        "reveals": "; {revealed} de {committed} partes de jugadores están en las cartas",
        "missing": "; FALTAN: {players}",
        "shoe": "  Las cartas del zapato se toman del registro: da las rondas desde que se abrió para demostrarlas también.",
        "mine": "  Tus bytes están en estas cartas.",
        "not_mine": "  Tus bytes no están en estas cartas.",
        "failed": "ronda {round}: NO DEMOSTRADA. {where}: {why}",
        "sum": "{proven} de {all} rondas demostradas. Última cabeza: {head}",
        "nothing": "Ahí no hay ningún registro.",
        "not_there": "{source}: el nodo no tiene registro de eso. Guarda solo las últimas rondas de cada mesa.",
    },
}
LIMITS = {
    "en": """\
What this does not prove:
- that a part which is called missing did not come. The house knows its secret, and can choose among at most 2^k deals by
  calling some of k players' parts missing (16 at the most). Whoever's part it was sees that: clients say so.
- that the players are others than the house. One honest player whose part is in the cards is enough.
- at a table without players' parts: that the house did not choose how to write the log before the close.
- that everybody is shown the same log: compare the last head with somebody else's.
- that a void round was void for a good reason, who sits in a box, and what a wallet holds.""",
    "es": """\
Lo que esto no demuestra:
- que una parte que consta como ausente no llegó. La casa conoce su secreto y puede elegir entre 2^k repartos como mucho, dando
  por ausentes partes de k jugadores (16 a lo sumo). El jugador afectado lo ve: los clientes lo dicen.
- que los jugadores no son la propia casa. Basta un jugador honrado cuya parte esté en las cartas.
- en una mesa sin partes de los jugadores: que la casa no eligió cómo escribir el diario antes del cierre.
- que a todos se les muestra el mismo diario: compara la última cabeza con la de otra persona.
- que una ronda anulada lo fue con razón, quién ocupa una casilla y qué hay en un monedero.""",
}


def records_of(given: bytes) -> list[dict[str, Any]]:
    """The records in a file or an answer: JSON or MessagePack, one or a list of them. Raises `Unreadable`."""
    if len(given) > BYTES_MAX:
        raise Unreadable("that is too long")
    if given[:1].isspace() or given[:1] in (b"{", b"["):
        try:
            found = json.loads(given)
        except (ValueError, RecursionError) as wrong:
            raise Unreadable(f"that is no JSON: {wrong}") from None
        return [_from_hex(record) for record in _listed(found)]
    return _listed(unpack(given))


def _listed(found: Any) -> list[dict[str, Any]]:
    many = found if isinstance(found, list) else [found]
    records = [one["record"] if isinstance(one, dict) and "record" in one else one for one in many]
    if not all(isinstance(one, dict) and "batches" in one for one in records):
        raise Unreadable("that is no record of a round")
    return records


def _from_hex(record: dict[str, Any]) -> dict[str, Any]:
    """A record of JSON, its bytes as bytes."""

    def as_bytes(value: Any) -> Any:
        try:
            return bytes.fromhex(value) if isinstance(value, str) else value
        except ValueError:
            return value

    made = dict(record)
    for name in ("settings_hash", "head"):
        if name in made:
            made[name] = as_bytes(made[name])
    if isinstance(made["batches"], list):
        made["batches"] = [as_bytes(batch) for batch in made["batches"]]
    if isinstance(made.get("start"), dict) and "left" in made["start"]:
        made["start"] = {**made["start"], "left": as_bytes(made["start"]["left"])}
    return made


def address_of(link: str) -> str:
    """Of the record behind the link to a round or to its check, as a node's page has them; any other address is its own."""
    parts = urlsplit(link)
    page = re.fullmatch(r"(.*)/t/([a-z0-9][a-z0-9-]{0,31}/[0-9]{1,15})(?:/check)?/?", parts.path)
    return urlunsplit(parts._replace(path=f"{page[1]}/api/rounds/{page[2]}")) if page else link


def fetched(source: str) -> bytes:
    """A file's bytes, or the answer of a node. Raises `OSError`."""
    if source.startswith(("http://", "https://")):
        here = urlsplit(source).hostname in ("localhost", "127.0.0.1", "::1")
        direct = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if here else []))
        with direct.open(address_of(source), timeout=ANSWER_S_MAX) as answer:
            return bytes(answer.read(BYTES_MAX + 1))
    return sys.stdin.buffer.read(BYTES_MAX + 1) if source == "-" else Path(source).read_bytes()


def told(proof: Proof, words: Mapping[str, str], mine: bytes) -> str:
    """A proof as a line, or two."""
    reveals = ""
    if proof.reveals:
        revealed = proof.commitments - len(proof.missing)
        reveals = words["reveals"].format(revealed=revealed, committed=proof.commitments)
        if proof.missing:
            reveals += words["missing"].format(players=", ".join(proof.missing))
    kind = "voided" if proof.voided else "settled"
    what = words[kind].format(
        result=proof.result, cards=proof.cards, staked=_money(proof.staked), returned=_money(proof.returned),
        why=proof.voided, reveals=reveals,
    )  # fmt: skip
    lines = [words["proven"].format(round=proof.round, table=proof.table, what=what)]
    if not proof.shoe_proven:
        lines.append(words["shoe"])
    if mine:
        lines.append(words["mine" if mine in proof.entropies else "not_mine"])
    return "\n".join(lines)


def _money(minor: int) -> str:
    return f"{minor // 100}.{minor % 100:02}"


def progress(done: int, all_: int) -> None:
    """A bar on standard error, where somebody looks on and there is something to wait for."""
    if sys.stderr.isatty() and all_ > 20:
        filled = 40 * done // all_
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done}/{all_}" + ("\n" if done == all_ else ""))
        sys.stderr.flush()


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", nargs="+", metavar="FILE|URL", help="records as JSON or MessagePack; - for standard input"
    )
    parser.add_argument("--mine", metavar="HEX", help="32 bytes that you gave: are they in the cards?")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for programs")
    parser.add_argument("--lang", choices=("es", "en"), default="en", help="language (default: en)")


def run(options: argparse.Namespace) -> int:
    """0: all is proven. 1: something is not. 2: there was nothing to check."""
    words, source, records = WORDS[options.lang], "--mine", []
    try:
        mine = bytes.fromhex(options.mine or "")
        for source in options.source:
            records += records_of(fetched(source))
    except (OSError, ValueError, Unreadable) as wrong:
        absent = isinstance(wrong, urllib.error.HTTPError) and wrong.code == 404
        sys.stderr.write(f"tapete: {words['not_there'].format(source=source) if absent else f'{source}: {wrong}'}\n")
        return 2
    if not records:
        sys.stderr.write(f"tapete: {words['nothing']}\n")
        return 2
    proven, head = 0, b""
    for number, one in enumerate(verify_all(records), 1):
        good = isinstance(one, Proof)
        proven, head = proven + good, one.head if isinstance(one, Proof) else head
        if options.json:
            print(json.dumps(_plain(one)))
        elif isinstance(one, Proof):
            print(told(one, words, mine))
        else:
            print(words["failed"].format(round=one.round, where=one.where, why=one.why))
        progress(number, len(records))
    if not options.json:
        print(words["sum"].format(proven=proven, all=len(records), head=head.hex() or "-"))
        print(LIMITS[options.lang])
    return 0 if proven == len(records) else 1


def _plain(one: Proof | Unproven) -> dict[str, Any]:
    if isinstance(one, Unproven):
        return {"round": one.round, "proven": False, "field": one.where, "why": one.why}
    return {
        "round": one.round, "proven": True, "table": one.table, "game": one.game, "result": one.result,
        "voided": one.voided, "cards": one.cards, "staked": one.staked, "returned": one.returned,
        "reveals": one.reveals, "commitments": one.commitments, "missing": list(one.missing),
        "shoe_proven": one.shoe_proven, "head": one.head.hex(),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="verify", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser)
    return run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
