"""Whole records for whoever writes a verifier: good ones, series, and some with one thing changed.

`python -m tests.fairness.record_vectors --write` makes `protocol/vectors/records.json` anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tapete_protocol.vectors import FOLDER
from tests.fairness.evening import Evening
from tests.fairness.forging import Record, changed, events, find, mended, other, plain, unpacked

FILE = FOLDER / "records.json"
SEEDS = range(40)
ROUNDS = 12
BLACKJACK = '{"game":"double_exposure","reveals":true,"times":{"pause_ms":0}}'
PLAIN_BLACKJACK = '{"game":"double_exposure","times":{"pause_ms":0}}'
BACCARAT = '{"game":"punto_banco","reveals":true,"times":{"pause_ms":0}}'
EUROPA = (
    '{"game":"punto_banco","tableau":"europacasino","commission":false,"decks":1,"cut_card":20,"times":{"pause_ms":0}}'
)

Wanted = Callable[[Record], bool]


def played(settings: str) -> Iterator[Record]:
    for seed in SEEDS:
        evening = Evening(Random(seed), settings)
        for _ in range(ROUNDS):
            evening.play_round()
        yield from map(unpacked, evening.records)


def kinds(record: Record) -> list[str]:
    return [event["t"] for _, _, event in events(record)]


def has(*wanted: str) -> Wanted:
    return lambda record: set(wanted) <= set(kinds(record))


def revealed(record: Record, *, missing: bool) -> bool:
    closed = [event for _, _, event in events(record) if event["t"] == "EntropyClosed"]
    return (
        kinds(record).count("EntropyRevealed") >= 1 + (not missing)
        and bool(closed)
        and bool(closed[0]["missing"]) == missing
    )


def is_void_with_cards(record: Record) -> bool:
    return {"CardDealt", "RoundVoided"} <= set(kinds(record))


def is_void_without(record: Record) -> bool:
    return "BettingClosed" in kinds(record) and "CardDealt" not in kinds(record) and "RoundVoided" in kinds(record)


def is_in_a_shoe(record: Record) -> bool:
    return "CoupDecided" in kinds(record) and "ShoeOpened" not in kinds(record)


def smallest(records: list[Record], wanted: Wanted) -> Record:
    return min((one for one in records if wanted(one)), key=lambda one: sum(map(len, one["batches"])))


def good() -> dict[str, list[Record]]:
    """Each a series of consecutive rounds, most of them of one."""
    blackjack, quiet = list(played(BLACKJACK)), list(played(PLAIN_BLACKJACK))
    baccarat, europa = list(played(BACCARAT)), list(played(EUROPA))
    first = smallest(quiet, has("RoundSettled"))
    old = {key: value for key, value in first.items() if key not in ("start", "head")} | {"schema": 1}
    return {
        "double exposure without reveals": [first],
        "double exposure without reveals, as the first release wrote it": [old],
        "double exposure, all revealed": [
            smallest(blackjack, lambda one: revealed(one, missing=False) and has("TurnStarted", "RoundSettled")(one))
        ],
        "double exposure, one missing": [smallest(blackjack, lambda one: revealed(one, missing=True))],
        "double exposure, a split and a double": [smallest(blackjack, has("HandSplit", "StakeAdded", "RoundSettled"))],
        "double exposure, out of time": [smallest(blackjack, has("PlayerTimedOut", "RoundSettled"))],
        "double exposure, void with cards on the table": [smallest(blackjack, is_void_with_cards)],
        "double exposure, void before its cards": [smallest(blackjack, is_void_without)],
        "punto banco, three coups from the shoe's first one": baccarat[:3],
        "punto banco in the middle of a shoe": [smallest(baccarat, is_in_a_shoe)],
        "punto banco, the cut card, without commission, by the rule of europacasino": [
            smallest(europa, has("CutCardShown", "ThirdCardDecided"))
        ],
    }


def bad(records: dict[str, list[Record]]) -> list[dict[str, Any]]:
    """`field` is what has to be named: the whole of it, or its beginning."""
    record = records["double exposure, all revealed"][0]
    shoe = records["punto banco in the middle of a shoe"][0]
    made = [
        _bad(
            "the settings are others",
            {**record, "settings": record["settings"].replace("true", "false")},
            "settings_hash",
        ),
        _bad("the last head is another", {**record, "head": other(record["head"])}, "head"),
        _bad("a stack is another", _stack_changed(record), "start.stacks"),
        _bad(
            "the shoe has one card more",
            {**shoe, "start": _one_more(shoe["start"])},
            f"batches[{len(shoe['batches']) - 1}].events[",
        ),
        _bad(
            "a batch is missing", {**record, "batches": record["batches"][:1] + record["batches"][2:]}, "batches[1].v"
        ),
    ]
    for kind, name in (
        ("RoundOpened", "commitment"), ("EntropyCommitted", "commitment"), ("EntropyRevealed", "entropy"),
        ("EntropyClosed", "missing"), ("CardDealt", "card"), ("CardDealt", "word"), ("TurnStarted", "legal"),
        ("HandSettled", "returned"), ("BoxSettled", "returned"), ("RoundSettled", "result"), ("RoundSettled", "secret"),
    ):  # fmt: skip
        batch, place, _ = find(record, kind)

        def change(content: dict[str, Any], place: int = place, name: str = name) -> None:
            content["events"][place][name] = other(content["events"][place][name])

        raw = changed(record, batch, change)
        last = len(record["batches"]) - 1
        made.append(_bad(f"{kind}.{name} is another", raw, "head" if batch == last else f"batches[{batch + 1}].prev"))
        field = {
            "RoundOpened": _field(record, "RoundSettled", "secret"),
            "EntropyCommitted": _field(record, "BettingClosed", "commitments"),
        }
        named = field.get(kind, f"batches[{batch}].events[{place}].{name}")
        made.append(_bad(f"{kind}.{name} is another, and the chain is mended", mended(raw), named))
    return made


def _bad(why: str, record: Record, field: str) -> dict[str, Any]:
    return {"why": why, "field": field, "record": plain(record)}


def _field(record: Record, kind: str, name: str) -> str:
    batch, place, _ = find(record, kind)
    return f"batches[{batch}].events[{place}].{name}"


def _stack_changed(record: Record) -> Record:
    stacks = [[player, amount] for player, amount in record["start"]["stacks"]]
    return {**record, "start": {**record["start"], "stacks": stacks[1:]}}


def _one_more(start: dict[str, Any]) -> dict[str, Any]:
    left = list(start["left"])
    left[next(place for place, count in enumerate(left) if count < 8)] += 1
    return {**start, "left": bytes(left)}


def written() -> str:
    records = good()
    content = {
        "good": [{"why": why, "records": [plain(one) for one in series]} for why, series in records.items()],
        "bad": bad(records),
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    if "--write" in arguments:
        FILE.write_text(written(), encoding="utf-8")
        return 0
    current = FILE.read_text(encoding="utf-8") == written()
    sys.stdout.write("current\n" if current else "not current: records.json\n")
    return 0 if current else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
