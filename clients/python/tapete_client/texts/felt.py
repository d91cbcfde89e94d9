"""The events of the felt, one sentence each: what a croupier would call out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapete_client.texts.scene import Scene, capital
from tapete_protocol import events as e

Saying = Callable[[Any, Scene], str | None]
"""The sentence for an event of the kind that it stands beside."""


def _at(scene: Scene, box: int, hand: int) -> str:
    return capital(scene.where(box, hand))


def _dealt(event: e.CardDealt, scene: Scene) -> str:
    place = _at(scene, event.box, event.hand) if event.place == "box" else scene.words.places[event.place]
    total = scene.total(event.total, soft=event.soft)
    return scene.words.card_dealt.format(place=place, card=scene.card(event.card), total=total)


def _turn(event: e.TurnStarted, scene: Scene) -> str:
    total = scene.hand_total(event.box, event.hand)
    hand = _at(scene, event.box, event.hand)
    return scene.words.turn.format(hand=hand, total=total, legal=scene.actions(event.legal))


def _actions(event: e.ActionsChanged, scene: Scene) -> str:
    hand = _at(scene, event.box, event.hand)
    return scene.words.actions_changed.format(hand=hand, legal=scene.actions(event.legal))


def _stake_added(event: e.StakeAdded, scene: Scene) -> str:
    name, added = scene.player(event.owner), scene.amount(event.amount)
    return scene.words.stake_added.format(name=name, amount=added, box=event.box)


def _split(event: e.HandSplit, scene: Scene) -> str:
    return scene.words.split.format(hand=capital(scene.words.box.format(box=event.box)))


def _all_stood(event: e.AllStood, scene: Scene) -> str:
    return scene.words.all_stood[event.by].format(name=scene.player(event.owner))


def _closed(event: e.HandClosed, scene: Scene) -> str:
    where, total = scene.where(event.box, event.hand), scene.hand_total(event.box, event.hand)
    if event.why == "stood" and event.by == "house":
        return scene.words.stood_by_house.format(where=where, total=total)
    return scene.words.hand_closed[event.why].format(hand=capital(where), total=total)


def _dealer(event: e.DealerDone, scene: Scene) -> str:
    if event.blackjack:
        return scene.words.dealer_blackjack
    template = scene.words.dealer_bust if event.total > 21 else scene.words.dealer_total
    return template.format(total=scene.total(event.total, soft=event.soft))


def _hand_settled(event: e.HandSettled, scene: Scene) -> str:
    stake, returned = scene.amount(event.stake), scene.amount(event.returned)
    hand = _at(scene, event.box, event.hand)
    return scene.words.hand_settled[event.outcome].format(hand=hand, stake=stake, returned=returned)


def _spot_settled(event: e.SpotSettled, scene: Scene) -> str:
    stake, returned = scene.amount(event.stake), scene.amount(event.returned)
    box, spot = capital(scene.words.box.format(box=event.box)), scene.spot(event.spot)
    return scene.words.spot_settled[event.outcome].format(hand=box, spot=spot, stake=stake, returned=returned)


def _box_settled(event: e.BoxSettled, scene: Scene) -> str:
    box = capital(scene.words.box_of.format(box=event.box, name=scene.player(event.owner)))
    staked, returned = scene.amount(event.staked), scene.amount(event.returned)
    return scene.words.box_settled.format(hand=box, staked=staked, returned=returned)


def _shoe(event: e.ShoeOpened, scene: Scene) -> str:
    return scene.words.shoe_opened.format(decks=event.decks)


def _burnt(event: e.CardBurnt, scene: Scene) -> str:
    return scene.words.burnt.format(card=scene.card(event.card))


def _cut_card(event: e.CutCardShown, scene: Scene) -> str:
    if event.last_coups == 0:
        return scene.words.cut_card_last
    template = scene.words.cut_card_one_more if event.last_coups == 1 else scene.words.cut_card_more
    return template.format(coups=event.last_coups)


def _third(event: e.ThirdCardDecided, scene: Scene) -> str:
    words = scene.words
    if event.side == "punto":
        return (words.punto_draws if event.draws else words.punto_stands).format(row=event.row)
    column = words.punto_stood if event.column < 0 else event.column
    template = words.banca_draws if event.draws else words.banca_stands
    return template.format(row=event.row, column=column, source=event.source)


def _coup(event: e.CoupDecided, scene: Scene) -> str:
    words = scene.words
    said = [words.winner[event.winner].format(punto=event.punto, banca=event.banca)]
    said += [words.natural] if event.natural else []
    said += [words.pairs["punto"]] if event.punto_pair else []
    said += [words.pairs["banca"]] if event.banca_pair else []
    return " ".join(said)


FELT_SAYINGS: dict[type[e.Event], Saying] = {
    e.CardDealt: _dealt,
    e.TurnStarted: _turn,
    e.ActionsChanged: _actions,
    e.StakeAdded: _stake_added,
    e.HandSplit: _split,
    e.AllStood: _all_stood,
    e.HandClosed: _closed,
    e.DealerDone: _dealer,
    e.HandSettled: _hand_settled,
    e.SpotSettled: _spot_settled,
    e.BoxSettled: _box_settled,
    e.ShoeOpened: _shoe,
    e.CardBurnt: _burnt,
    e.CutCardShown: _cut_card,
    e.ThirdCardDecided: _third,
    e.CoupDecided: _coup,
}
