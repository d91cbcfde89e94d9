"""The state after an event. The only place where a state changes once bets are closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tapete_rules.cards import Shoe
from tapete_rules.events import (
    BoxSettled,
    CardBurnt,
    CardDealt,
    CoupDecided,
    CutCardShown,
    Event,
    ShoeOpened,
    SpotSettled,
    ThirdCardDecided,
)
from tapete_rules.punto_banco.state import BoxInPlay, PuntoBancoState


def evolve(state: PuntoBancoState, event: Event) -> PuntoBancoState:
    """Never refuses, never draws. Events of other games are not for this felt."""
    match event:
        case ShoeOpened():
            return replace(state, shoe=Shoe.of(event.decks), burnt=(), coup=0, last_coup=None, shoes=state.shoes + 1)
        case CardBurnt():
            return replace(state, shoe=state.shoe.without(event.card), burnt=(*state.burnt, event.card))
        case CutCardShown():
            present = state.coup if state.coup_begun else state.coup + 1
            return replace(state, last_coup=present + event.last_coups)
        case CardDealt():
            return _card_dealt(state, event)
        case ThirdCardDecided():
            return replace(state, third=(*state.third, event))
        case CoupDecided():
            return replace(state, decided=event)
        case SpotSettled():
            return _in_box(state, event.box, lambda box: _spot_settled(box, event))
        case BoxSettled():
            return _in_box(state, event.box, lambda box: replace(box, returned=event.returned))
        case _:
            raise AssertionError(f"no event of Punto Banco: {event}")


def _card_dealt(state: PuntoBancoState, event: CardDealt) -> PuntoBancoState:
    """Punto's first card begins the coup, and so counts it."""
    coup = state.coup if state.coup_begun else state.coup + 1
    state = replace(state, shoe=state.shoe.without(event.card), coup=coup)
    if event.place == "punto":
        return replace(state, punto=(*state.punto, event.card))
    assert event.place == "banca", "there is no other place on this felt"
    return replace(state, banca=(*state.banca, event.card))


def _in_box(state: PuntoBancoState, number: int, change: Callable[[BoxInPlay], BoxInPlay]) -> PuntoBancoState:
    return replace(state, boxes=tuple(change(box) if box.box == number else box for box in state.boxes))


def _spot_settled(box: BoxInPlay, event: SpotSettled) -> BoxInPlay:
    bets = (
        replace(bet, outcome=event.outcome, returned=event.returned) if bet.spot == event.spot else bet
        for bet in box.bets
    )
    return replace(box, bets=tuple(bets))
