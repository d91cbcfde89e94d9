"""One event, one sentence, in Spanish or English: for everything that speaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from tapete_client import news as n
from tapete_client.texts.felt import FELT_SAYINGS, Saying
from tapete_client.texts.scene import Scene, capital, money, words_of
from tapete_client.texts.table import TABLE_SAYINGS
from tapete_protocol import events as e
from tapete_protocol.view import TableView

SAYINGS: dict[type[e.Event], Saying] = {**TABLE_SAYINGS, **FELT_SAYINGS}


def say(
    event: e.Event,
    view: TableView,
    lang: str = "en",
    *,
    amount: Callable[[int], str] | None = None,
    before: TableView | None = None,
    at: int = 0,
) -> str | None:
    """`event` in a sentence, or None for what nobody needs to hear.

    `view` is the table after it, `before` the one before it (which still knows who left), `at` the store's time of its
    batch (without it no countdown is told). `amount` writes money otherwise than `money` does.
    """
    scene = Scene(words_of(lang), view, before or view, amount or (lambda chips: money(chips, lang)), lang, at)
    sentence = SAYINGS[type(event)](event, scene)
    return None if sentence is None else capital(sentence)


def tell(news: n.News, lang: str = "en") -> str | None:
    """Any news in a sentence: an event, or what happened to the connection."""
    words = words_of(lang)
    match news:
        case n.Happened():
            return say(news.event, news.view, lang, before=news.before, at=news.at)
        case n.Synced(rewound=rewound):
            return words.rewound if rewound else words.synced
        case n.Reconnected():
            return words.reconnected
        case n.StoreChanged(available=available):
            return words.store_back if available else words.store_away
        case n.ControlChanged(held=held):
            return words.control_held if held else words.control_lost
        case n.Missed(count=count):
            return words.missed.format(count=count)
        case n.PartMissing(round=number, early_ms=early_ms, taken=taken):
            return (words.part_taken if taken else words.part_missing).format(round=number, early_ms=early_ms)
        case n.CrowdChanged():
            return None
        case _:
            assert_never(news)
