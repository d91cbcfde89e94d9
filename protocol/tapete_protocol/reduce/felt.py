"""The felt's part of `reduce`: cards, hands, turns, settlements, and the shoe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict, replace

from tapete_protocol import events as e
from tapete_protocol.reduce import boxes
from tapete_protocol.reduce.players import Step, stack_changed
from tapete_protocol.reduce.shoe import DECK_CARDS
from tapete_protocol.view import CoupView, Felt, ShoeView, SideView, TableView, ThirdView, TurnView

FeltStep = Callable[[Felt, Any], Felt]


def begun(felt: Felt, closed: e.BettingClosed) -> Felt:
    """The last round's cards are taken up, and the boxes with bets take part in the next."""
    return Felt(shoe=felt.shoe, boxes=tuple(boxes.staked_box(bets) for bets in closed.bets))


def cleared(felt: Felt) -> Felt:
    """The round is void: cards and boxes are taken up, the shoe stays."""
    return Felt(shoe=felt.shoe)


def _left_shoe(shoe: ShoeView) -> ShoeView:
    return replace(shoe, left=shoe.left - 1, dealt=shoe.dealt + 1)


def _with_card(side: SideView | None, event: e.CardDealt) -> SideView:
    return SideView((*(side.cards if side else ()), event.card), event.total, soft=event.soft)


def _coup_begun(felt: Felt) -> Felt:
    """Punto's first card: one coup more, and one less to come where they are counted down."""
    shoe = felt.shoe
    last_coups = None if shoe.last_coups is None else shoe.last_coups - 1
    return replace(felt, shoe=replace(shoe, coup=shoe.coup + 1, last_coups=last_coups))


def _card_dealt(felt: Felt, event: e.CardDealt) -> Felt:
    felt = replace(felt, shoe=_left_shoe(felt.shoe))
    match event.place:
        case "box":
            return replace(boxes.card_in_hand(felt, event), turn=None)
        case "dealer":
            return replace(felt, dealer=_with_card(felt.dealer, event))
        case "punto":
            felt = felt if felt.punto else _coup_begun(felt)
            return replace(felt, punto=_with_card(felt.punto, event))
        case "banca":
            return replace(felt, banca=_with_card(felt.banca, event))


def _turn_started(felt: Felt, event: e.TurnStarted) -> Felt:
    return replace(felt, turn=TurnView(event.box, event.hand, event.owner, event.legal))


def _actions_changed(felt: Felt, event: e.ActionsChanged) -> Felt:
    return replace(felt, turn=replace(felt.turn, legal=event.legal)) if felt.turn else felt


def _hand_split(felt: Felt, event: e.HandSplit) -> Felt:
    return replace(boxes.in_box(felt, event.box, lambda box: boxes.split(box, event.hand)), turn=None)


def _all_stood(felt: Felt, event: e.AllStood) -> Felt:
    return replace(felt, standing=(*felt.standing, event.owner))


def _hand_closed(felt: Felt, event: e.HandClosed) -> Felt:
    return replace(boxes.closed(felt, event), turn=None)


def _dealer_done(felt: Felt, _: e.DealerDone) -> Felt:
    return replace(felt, dealer_done=True)


def _box_settled(felt: Felt, event: e.BoxSettled) -> Felt:
    return boxes.in_box(felt, event.box, lambda box: replace(box, returned=event.returned))


def _shoe_opened(felt: Felt, event: e.ShoeOpened) -> Felt:
    left, number = event.decks * DECK_CARDS, felt.shoe.number + 1
    shoe = ShoeView(event.decks, left, dealt=0, coup=0, cut_card=felt.shoe.cut_card, number=number)
    return replace(felt, shoe=shoe)


def _card_burnt(felt: Felt, event: e.CardBurnt) -> Felt:
    shoe = _left_shoe(felt.shoe)
    return replace(felt, shoe=replace(shoe, burnt=(*shoe.burnt, event.card)))


def _cut_card_shown(felt: Felt, event: e.CutCardShown) -> Felt:
    """Counted after the present coup; before its first card, that one is still to come, too."""
    last_coups = event.last_coups if felt.punto else event.last_coups + 1
    return replace(felt, shoe=replace(felt.shoe, last_coups=last_coups))


def _third_card_decided(felt: Felt, event: e.ThirdCardDecided) -> Felt:
    return replace(felt, third=(*felt.third, ThirdView(**asdict(event))))


def _coup_decided(felt: Felt, event: e.CoupDecided) -> Felt:
    return replace(felt, coup=CoupView(**asdict(event)))


def _on_felt(step: FeltStep) -> Step:
    """For events that change nothing but the felt."""
    return lambda view, event: replace(view, felt=step(view.felt, event))


def _playing(step: FeltStep) -> Step:
    """For cards: the round is being played from the first one on."""
    return lambda view, event: replace(view, phase="playing", felt=step(view.felt, event))


def _stake_from_stack(view: TableView, event: e.StakeAdded) -> TableView:
    return stack_changed(replace(view, felt=boxes.stake_added(view.felt, event)), event.owner, -event.amount)


def _box_to_stack(view: TableView, event: e.BoxSettled) -> TableView:
    return stack_changed(replace(view, felt=_box_settled(view.felt, event)), event.owner, event.returned)


FELT_STEPS: dict[type[e.Event], Step] = {
    e.CardDealt: _playing(_card_dealt),
    e.TurnStarted: _on_felt(_turn_started),
    e.ActionsChanged: _on_felt(_actions_changed),
    e.StakeAdded: _stake_from_stack,
    e.HandSplit: _on_felt(_hand_split),
    e.AllStood: _on_felt(_all_stood),
    e.HandClosed: _on_felt(_hand_closed),
    e.DealerDone: _on_felt(_dealer_done),
    e.HandSettled: _on_felt(boxes.hand_settled),
    e.SpotSettled: _on_felt(boxes.spot_settled),
    e.BoxSettled: _box_to_stack,
    e.ShoeOpened: _on_felt(_shoe_opened),
    e.CardBurnt: _playing(_card_burnt),
    e.CutCardShown: _on_felt(_cut_card_shown),
    e.ThirdCardDecided: _on_felt(_third_card_decided),
    e.CoupDecided: _on_felt(_coup_decided),
}
