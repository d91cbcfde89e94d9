"""The shoe of a table whose settings are new: nothing is dealt from it yet."""

from __future__ import annotations

import json

from tapete_protocol.view import ShoeView

DECK_CARDS = 52
ABSENT: dict[str, dict[str, int]] = {
    "double_exposure": {"decks": 6},
    "punto_banco": {"decks": 8, "cut_card": 14},
}
"""What a settings document means that does not say; a game without a cut card has none here, and shows 0."""


def new_shoe(game: str, settings: str) -> ShoeView:
    absent = ABSENT.get(game, {})
    said = json.loads(settings)
    decks, cut_card = (said.get(name, absent[name]) if name in absent else 0 for name in ("decks", "cut_card"))
    return ShoeView(decks, decks * DECK_CARDS, dealt=0, coup=0, cut_card=cut_card)
