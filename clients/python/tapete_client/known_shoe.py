"""The coups of a table's shoe as far as this client knows them: the last results of a view, the rounds' records, and what
happens from then on. No network in here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, get_args

import msgpack
import msgspec

from tapete_client.news import Happened, News, Synced
from tapete_protocol import events as e
from tapete_protocol.view import CoupView, TableView
from tapete_rules.punto_banco.coup import Winner
from tapete_rules.roads import Coup

WINNERS: dict[str, Winner] = {winner: winner for winner in get_args(Winner)}


@dataclass(frozen=True, slots=True)
class KnownShoe:
    """`known_from` is the number in the shoe of the first of these coups; 1 means that all are here."""

    coups: tuple[Coup, ...] = ()
    known_from: int = 1

    @property
    def number(self) -> int:
        """Of the last coup in this shoe; 0 before the first."""
        return self.known_from - 1 + len(self.coups)

    def after(self, news: News) -> KnownShoe:
        """The shoe after what was told. Whatever went missing meanwhile is taken from the view when a round is settled."""
        match news:
            case Synced(view=view):
                return shoe_in(view)
            case Happened(event=e.ShoeOpened() | e.SettingsChanged()):
                return KnownShoe()
            case Happened(event=e.CoupDecided() as decided):
                return KnownShoe((*self.coups, _coup(decided)), self.known_from)
            case Happened(event=e.RoundSettled(), view=view) if self.number != view.felt.shoe.coup:
                return shoe_in(view)
            case _:
                return self

    def with_past(self, records: Sequence[Mapping[str, Any]], before_round: int) -> KnownShoe:
        """The same shoe with what the records of earlier rounds say: older coups, naturals and pairs. Records that do not
        lead up to `before_round`, or do not agree with what is known, change nothing. Raises `ValueError`, `LookupError`,
        `TypeError` or `AttributeError` for what are no records."""
        coups: list[Coup] = []
        for event in _events(records, before_round):
            if event["t"] == "ShoeOpened":
                coups.clear()
            elif event["t"] == "CoupDecided":
                coups.append(_coup(msgspec.convert(event, e.CoupDecided)))
        past = tuple(coups[-self.number :]) if self.number else ()
        agreed = [coup.winner for coup in past[-len(self.coups) :]] == [coup.winner for coup in self.coups]
        longer = len(past) >= len(self.coups)
        return KnownShoe(past, self.number - len(past) + 1) if agreed and longer else self


def shoe_in(view: TableView) -> KnownShoe:
    """What a view says: of its last results those that are of this shoe. The last coup is there with its marks."""
    if view.game != "punto_banco":
        return KnownShoe()
    felt = view.felt
    under_way = view.phase == "playing" and felt.punto is not None
    settled = felt.shoe.coup - under_way
    results = view.recent[-settled:] if settled else ()
    coups = [Coup(WINNERS[result]) for result in results if result in WINNERS]
    if coups and felt.coup is not None and not under_way and felt.coup.winner == coups[-1].winner:
        coups[-1] = _coup(felt.coup)
    return KnownShoe(tuple(coups), settled - len(coups) + 1)


def _coup(decided: e.CoupDecided | CoupView) -> Coup:
    return Coup(WINNERS[decided.winner], decided.natural, decided.banca_pair, decided.punto_pair)


def _events(records: Sequence[Mapping[str, Any]], before_round: int) -> Iterator[Mapping[str, Any]]:
    """Of the rounds that lead up to `before_round` without a gap, as plain maps: what else a newer node writes does not
    matter here. A batch may have a part of two rounds."""
    rounds = {record["round"]: record["record"] for record in records if record["round"] < before_round}
    joined = list(takewhile(rounds.__contains__, range(before_round - 1, 0, -1)))
    for number in reversed(joined):
        begun = False
        for batch in rounds[number]["batches"]:
            for event in msgpack.unpackb(bytes.fromhex(batch))["events"]:
                begun = event["round"] == number if event["t"] == "RoundOpened" else begun
                if begun:
                    yield event
