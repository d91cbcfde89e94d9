"""Sentences for every event, in both languages."""

from __future__ import annotations

import re
import string
from dataclasses import fields
from typing import get_args

import pytest

from tapete_client import ControlChanged, CrowdChanged, Missed, News, Reconnected, StoreChanged, Synced
from tapete_client.texts import LANGUAGES, card_name, money, say, tell, words_of
from tapete_client.texts.prompts import EN, ES
from tapete_client.texts.say import SAYINGS
from tapete_protocol import events as e
from tapete_protocol import frames as f
from tapete_protocol.codes import message
from tapete_protocol.examples import AT, EVENTS, FRAMES
from tapete_protocol.view import TableView
from tapete_rules.cards import CARDS
from tapete_rules.catalogue import GAMES, game_of

VIEWS: list[TableView] = [frame.view for frame in FRAMES if isinstance(frame, f.Snapshot)]
BLACKJACK, BACCARAT = VIEWS
SILENT = {e.ChipsArrived, e.RoundOpened, e.ClockSet, e.EntropyCommitted, e.EntropyRevealed, e.EntropyClosed}


@pytest.mark.parametrize("lang", LANGUAGES)
class TestEveryEvent:
    def test_has_a_saying(self, lang: str) -> None:
        assert set(SAYINGS) == set(get_args(e.Event))
        assert {type(event) for event in EVENTS} == set(SAYINGS), lang

    @pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
    @pytest.mark.parametrize("view", VIEWS, ids=lambda view: str(view.game))
    def test_is_one_sentence(self, event: e.Event, view: TableView, lang: str) -> None:
        sentence = say(event, view, lang, at=AT)
        if sentence is None:
            assert type(event) in SILENT
            return
        assert re.fullmatch(r"[A-ZÁÉÍÓÚÑ¿].*\.", sentence), sentence
        assert not re.search(r"[{}]|None|p-ana|p-ben", sentence), sentence

    @pytest.mark.parametrize(
        ("kind", "field", "words"),
        [
            (e.BoxFreed, "why", ("left", "freed", "idle", "away", "closed")),
            (e.HandClosed, "why", get_args(e.Closing)),
            (e.HandSettled, "outcome", get_args(e.Outcome)),
            (e.SpotSettled, "outcome", get_args(e.Outcome)),
            (e.CoupDecided, "winner", ("punto", "banca", "tie")),
            (e.CardDealt, "place", get_args(e.Place)),
        ],
    )
    def test_has_words_for_every_value(
        self, kind: type[e.Event], field: str, words: tuple[str, ...], lang: str
    ) -> None:
        example = next(event for event in EVENTS if type(event) is kind)
        values = {name: getattr(example, name) for name in example.__struct_fields__}
        said = [say(kind(**{**values, field: word}), BLACKJACK, lang) for word in words]
        assert all(said)

    def test_every_phrase_is_there_and_names_the_same_things(self, lang: str) -> None:
        for field in fields(words_of(lang)):
            phrases = [getattr(words, field.name) for words in LANGUAGES.values()]
            if isinstance(phrases[0], str):
                assert len({frozenset(_names(phrase)) for phrase in phrases}) == 1, field.name
                assert all(phrases)
            else:
                assert len({frozenset(phrase) for phrase in phrases}) == 1, field.name

    def test_every_card_spot_and_game_has_a_name(self, lang: str) -> None:
        assert len({card_name(card, lang) for card in CARDS}) == 52
        for name in GAMES:
            game = game_of({"game": name})
            assert name in words_of(lang).games
            assert set(game.spots) <= set(words_of(lang).spots)

    def test_what_happens_to_the_connection_is_said_too(self, lang: str) -> None:
        news: list[News] = [Synced(1, 0, BLACKJACK, rewound) for rewound in (True, False)]
        news += [Reconnected("n1"), *map(StoreChanged, (True, False)), *map(ControlChanged, (True, False)), Missed(3)]
        said = [tell(one, lang) for one in news]
        assert len(set(said)) == len(said)
        assert tell(CrowdChanged(3), lang) is None


class TestSentences:
    def test_a_card_with_its_total(self) -> None:
        dealt = e.CardDealt(place="box", box=2, hand=0, card="7S", total=18, soft=True, word=1)
        assert say(dealt, BLACKJACK, "es") == "Casilla 2 (Ana): siete de picas, 18 blando."
        assert say(dealt, BLACKJACK, "en") == "Box 2 (Ana): seven of spades, soft 18."

    def test_bancas_third_card_with_its_cell(self) -> None:
        third = e.ThirdCardDecided(side="banca", draws=True, row=5, column=6, source="reglamento (seed 002, B)")
        assert say(third, BACCARAT, "en") == "Banca draws: row 5, column 6 of the tableau reglamento (seed 002, B)."
        stood = e.ThirdCardDecided(side="banca", draws=False, row=6, column=-1, source="reglamento")
        assert say(stood, BACCARAT, "es") == "Banca se planta: fila 6, columna «punto se plantó» del cuadro reglamento."

    def test_who_left_is_still_named(self) -> None:
        left = e.PlayerLeft(player="p-ana")
        after = BACCARAT
        assert say(left, after, "en", before=BLACKJACK) == "Ana leaves the table."
        assert say(left, after, "en") == "A player leaves the table."

    def test_a_countdown_counts_from_its_batch(self) -> None:
        clock = e.ClockSet(clock="betting", until_at=AT + 15_000)
        assert say(clock, BLACKJACK, "en", at=AT) == "Bets close in 15 s."
        assert say(clock, BLACKJACK, "en") is None

    def test_amounts_can_be_written_otherwise(self) -> None:
        bet = e.BetPlaced(box=2, player="p-ana", spot="main", amount=1_000)
        assert say(bet, BLACKJACK, "en", amount=lambda chips: f"{chips} chips") == (
            "Ana has 1000 chips on the main bet in box 2."
        )

    @pytest.mark.parametrize(
        ("amount", "es", "en"),
        [
            (0, "0,00", "0.00"),
            (5, "0,05", "0.05"),
            (123_456_789, "1.234.567,89", "1,234,567.89"),
            (-150, "-1,50", "-1.50"),
        ],
    )
    def test_money(self, amount: int, es: str, en: str) -> None:
        assert (money(amount, "es"), money(amount, "en-GB")) == (es, en)

    def test_refusals_are_said_by_the_list_of_codes(self) -> None:
        assert message("bet_below_minimum", "es", {"minimum": 100}) != message(
            "bet_below_minimum", "en", {"minimum": 100}
        )

    def test_the_prompts_name_the_same_things(self) -> None:
        for field in fields(EN):
            ours, theirs = getattr(EN, field.name), getattr(ES, field.name)
            if isinstance(ours, str):
                assert _names(ours) == _names(theirs), field.name
            else:
                assert set(ours) == set(theirs)


def _names(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}
