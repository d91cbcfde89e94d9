"""Cards written down beforehand instead of the round's stream, for tests that are about something else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tapete_rules.cards import Card, ListedCards
from tapete_server.core import draft

Rig = Callable[[str], None]


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Rig:
    """The rounds from now on have these cards, in the order in which they are dealt."""

    def rigged(cards: str) -> None:
        listed = tuple(Card(card) for card in cards.split())
        monkeypatch.setattr(draft, "Stream", lambda _secret, _salt, words: ListedCards(listed, words))

    return rigged
