"""One coup of Punto Banco from a list of cards.

In: `{"game": "punto_banco", "tableau", "commission", "bets": {"punto", "banca", "tie", "punto_pair", "banca_pair"},
"cards": [..], "settings"}`. Absent: the tableau `reglamento`, commission, no bet, and the standard game without limits
on bets; the line's `tableau` and `commission` go before those of its `settings`. Cards are the coup's own, in order of
dealing: nothing is burnt.
Out: `{"punto": {"cards", "total", "natural"}, "banca": .., "winner", "cards_used", "returned": {every spot}, "net"}`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tapete_rules.cards import Card, ListedCards, WrongCard
from tapete_rules.game import Deal, Refusal, StakedBox
from tapete_rules.punto_banco.checks import SPOTS
from tapete_rules.punto_banco.coup import is_natural, total, value
from tapete_rules.punto_banco.game import PuntoBanco
from tapete_rules.punto_banco.settings import PuntoBancoSettings
from tapete_rules.punto_banco.state import PuntoBancoState
from tapete_rules.punto_banco.tableaux import TABLEAUX
from tapete_rules.replay.reading import LineError, bad_line, read_cards, read_choice, read_object, read_whole

BOX = 1
PLAYER = "player"


def replay(line: Mapping[str, Any]) -> dict[str, Any]:
    """The coup that this line describes. Raises `LineError`, `SettingsError`, `OutOfCards` and `WrongCard`."""
    game = PuntoBanco(_read_settings(line))
    stakes = _read_bets(line)
    if "settings" in line:
        _check_limits(game, stakes)
    cards = ListedCards(_read_cards(line, game.settings.decks))
    state = _play(game, stakes, cards)
    returned = dict.fromkeys(SPOTS, 0) | {bet.spot: bet.returned for bet in state.boxes[0].bets}
    assert state.decided is not None, "a coup is dealt to its end"
    return {
        "punto": _side(state.punto),
        "banca": _side(state.banca),
        "winner": state.decided.winner,
        "cards_used": cards.words,
        "returned": returned,
        "net": sum(returned.values()) - sum(stakes.values()),
    }


def _play(game: PuntoBanco, stakes: Mapping[str, int], cards: ListedCards) -> PuntoBancoState:
    state = game.begin(game.initial(), (StakedBox(BOX, PLAYER, stakes),))
    events = game.decide(state, Deal(), cards, {})
    assert not isinstance(events, Refusal), "nothing was dealt yet"
    for event in events:
        state = game.evolve(state, event)
    return state


def _read_settings(line: Mapping[str, Any]) -> PuntoBancoSettings:
    settings = replace(PuntoBancoSettings.from_plain(line.get("settings", {})), burn=False)
    if "tableau" in line:
        settings = replace(settings, tableau=read_choice(line, "tableau", TABLEAUX))
    if "commission" in line:
        if not isinstance(line["commission"], bool):
            raise bad_line("commission", "must be true or false")
        settings = replace(settings, commission=line["commission"])
    return settings


def _read_bets(line: Mapping[str, Any]) -> dict[str, int]:
    bets = read_object(line.get("bets", {}), "bets", SPOTS)
    return {spot: read_whole(bets, spot, 0, at="bets.", default=0) for spot in SPOTS}


def _check_limits(game: PuntoBanco, stakes: Mapping[str, int]) -> None:
    refusal = game.check_stakes(stakes)
    if refusal:
        detail = ", ".join(f"{name} {value}" for name, value in refusal.detail.items() if name != "spot")
        raise LineError(refusal.code, f"bets.{refusal.detail['spot']}: {detail}")


def _read_cards(line: Mapping[str, Any], decks: int) -> tuple[Card, ...]:
    """Cards after the coup's last one are left over, but they too come from the shoe."""
    cards = read_cards(line)
    card, times = max(Counter(cards).items(), key=lambda entry: entry[1], default=("", 0))
    if times > decks:
        raise WrongCard(f"cards has {card} {times} times, and a shoe of {decks} decks has it {decks} times")
    return cards


def _side(cards: tuple[Card, ...]) -> dict[str, Any]:
    values = [value(card) for card in cards]
    return {"cards": list(cards), "total": total(values), "natural": is_natural(values)}
