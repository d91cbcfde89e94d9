"""Naming things in a language: cards, totals, amounts, boxes, players."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tapete_client.texts.en import EN
from tapete_client.texts.es import ES
from tapete_client.texts.words import Words
from tapete_protocol.view import HandView, TableView

LANGUAGES: dict[str, Words] = {"en": EN, "es": ES}


def words_of(lang: str) -> Words:
    """`es`, `es-AR` and so on are Spanish; everything else is English."""
    return LANGUAGES.get(lang.partition("-")[0].partition("_")[0].lower(), EN)


def system_language() -> str:
    """The language of the terminal's user, as the system has it."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "es" if next((name for name in names if name), "").lower().startswith("es") else "en"


def money(amount: int, lang: str = "en") -> str:
    """Minor units as people write them: `1,234.50`, `1.234,50`."""
    words = words_of(lang)
    whole, cents = divmod(abs(amount), 100)
    grouped = f"{whole:,}".replace(",", words.thousands)
    return f"{'-' if amount < 0 else ''}{grouped}{words.decimal}{cents:02}"


def card_name(card: str, lang: str = "en") -> str:
    """`AS`: ace of spades."""
    words = words_of(lang)
    return words.card.format(rank=words.ranks.get(card[:1], card), suit=words.suits.get(card[1:], ""))


@dataclass(frozen=True, slots=True)
class Scene:
    """What a sentence is about: the table after the event, and before it, for those who are no longer there."""

    words: Words
    view: TableView
    before: TableView
    amount: Callable[[int], str]
    lang: str
    at: int

    def player(self, player: str | None) -> str:
        for view in (self.view, self.before):
            for one in view.players:
                if one.player == player:
                    return one.name
        return self.words.somebody

    def hand(self, box: int, hand: int) -> HandView | None:
        for view in (self.view, self.before):
            for felt in view.felt.boxes:
                if felt.box == box and hand < len(felt.hands):
                    return felt.hands[hand]
        return None

    def where(self, box: int, hand: int = 0) -> str:
        """Box, its player, and which hand where there are several."""
        split = any(felt.box == box and len(felt.hands) > 1 for felt in self.view.felt.boxes)
        if split:
            return self.words.box_hand.format(box=box, hand=hand + 1)
        holder = self.view.boxes[box - 1] if 0 < box <= len(self.view.boxes) else None
        if holder is None:
            return self.words.box.format(box=box)
        return self.words.box_of.format(box=box, name=self.player(holder))

    def total(self, total: int, *, soft: bool) -> str:
        return self.words.soft.format(total=total) if soft and total < 21 else str(total)

    def hand_total(self, box: int, hand: int) -> str:
        found = self.hand(box, hand)
        return self.total(found.total, soft=found.soft) if found else "?"

    def card(self, card: str) -> str:
        return card_name(card, self.lang)

    def spot(self, spot: str) -> str:
        return self.words.spots.get(spot, spot)

    def actions(self, legal: Sequence[str]) -> str:
        named = [self.words.actions.get(action, action) for action in legal]
        if len(named) < 2:
            return "".join(named)
        return self.words.alternative.format(most=", ".join(named[:-1]), last=named[-1])


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
