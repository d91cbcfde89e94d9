"""One thing of a record changed, whichever: the verifier says so, and where.

As it stands, the chain shows every change. Where whoever changed it has mended the chain, the rules and the cards show it: for
a change up to the close moves the head that the cards come from, and after it every event follows from the cards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest

from tapete_client import verify
from tapete_protocol.vectors import FOLDER
from tests.fairness.forging import Path, Record, events, mended, other, paths, replaced

GOOD: dict[str, list[dict[str, Any]]] = {
    one["why"]: one["records"] for one in json.loads((FOLDER / "records.json").read_text(encoding="utf-8"))["good"]
}
UNSEEN = {
    "ClockSet": {"clock", "until_at"},
    "ClockExtended": {"clock", "until_at", "by_ms"},
    "PlayerAway": {"player", "held_until_at", "since_at"},
    "PlayerBack": {"player", "via"},
    "BoxTaken": {"name", "stint", "via"},
    "BoxFreed": {"why"},
    "ChipsIn": {"transfer"},
    "ChipsOut": {"transfer"},
    "ChipsArrived": {"transfer"},
    "ThirdCardDecided": {"source"},
    "RoundVoided": {"why"},
    "PlayerReady": {"player", "ready"},
    "SettingsQueued": {"settings"},
    "EntropyRevealed": set(),
}
"""After the close, in a chain that was mended: what nothing else depends on. (Before it, the cards depend on everything.)"""


def record(why: str) -> Record:
    (first, *_) = verify.records_of(json.dumps(GOOD[why]).encode())
    return first


def fails(forged: Record) -> verify.Unproven | None:
    try:
        verify.verify(forged)
    except verify.Unproven as wrong:
        return wrong
    return None


def fields_of_batch(content: dict[str, Any]) -> Iterator[Path]:
    return (path for path in paths(content) if path)


def tampered(whole: Record) -> Iterator[tuple[int, Path, Record]]:
    """Each field of each kind of event changed, with its batch and path; in each batch once, where there are several alike."""
    for batch, payload in enumerate(whole["batches"]):
        content = msgpack.unpackb(payload)
        alike: set[Path] = set()
        for path in fields_of_batch(content):
            shape = (kind_at(content, path), *(step for step in path if isinstance(step, str)))
            if shape in alike:
                continue
            alike.add(shape)
            changed = msgpack.packb(replaced(content, path, other))
            batches = [*whole["batches"][:batch], changed, *whole["batches"][batch + 1 :]]
            yield batch, path, {**whole, "batches": batches}


def kind_at(content: dict[str, Any], path: Path) -> str:
    """The kind of the event that a path leads into."""
    return str(content["events"][path[1]]["t"]) if len(path) > 1 and path[0] == "events" else ""


@pytest.mark.parametrize("why", GOOD)
class TestEveryField:
    def test_as_it_stands(self, why: str) -> None:
        """The next batch does not join, or the head is another; or the field itself is wrong before that is looked at."""
        whole = record(why)
        assert fails(whole) is None
        known_last = whole["schema"] > 1
        for batch, path, forged in tampered(whole):
            if batch == len(whole["batches"]) - 1 and not known_last:
                continue  # the first release's records do not say what their last head was
            wrong = fails(forged)
            assert wrong is not None, (batch, path)
            assert wrong.round == whole["round"]
            named = (f"batches[{batch}]", f"batches[{batch + 1}].prev", f"batches[{batch + 1}].v", "head")
            assert wrong.where.startswith(named), (batch, path, str(wrong))

    def test_outside_of_the_batches(self, why: str) -> None:
        whole = record(why)
        for path in paths({name: value for name, value in whole.items() if name != "batches"}):
            forged = replaced(whole, path, other)
            wrong = fails(forged)
            if path in {("start", "coup"), ("start", "last_coup")} and wrong is None:
                continue  # which coup of its shoe it is shows only beside the record before
            if path[:2] == ("start", "stacks") and path[-1] == 1 and wrong is None:
                continue  # a stack that was one unit larger, and never in question: beside the record before it shows
            assert wrong is not None, path
            assert wrong.round == forged["round"] or path == ("round",)

    def test_with_the_chain_mended(self, why: str) -> None:
        whole = record(why)
        close = next((batch for batch, _, event in events(whole) if event["t"] == "BettingClosed"), 0)
        dealt = any(event["t"] == "CardDealt" for _, _, event in events(whole))
        own = {(batch, place) for batch, place, _ in events(whole)}
        for batch, path, forged in tampered(whole):
            if not forged_matters(whole, batch, path, close=close if dealt else -1, own=own):
                continue
            try:
                mended_now = mended(forged)
            except (KeyError, TypeError, ValueError):
                continue  # no chain can be made over it
            assert fails(mended_now) is not None, (batch, path, msgpack.unpackb(whole["batches"][batch]))


def forged_matters(whole: Record, batch: int, path: Path, *, close: int, own: set[tuple[int, int]]) -> bool:
    """Whether something else in the record depends on this field."""
    if path == ("prev",) and batch:
        return False  # it is mended
    if path[0] != "events":
        return path in {("table",), ("v",), ("t",)} or (batch <= close and batch > 0)
    if path == ("events",):
        return batch <= close
    place = int(path[1])
    if batch <= close:
        return True
    if (batch, place) not in own:
        return False  # of the round before or after
    event = msgpack.unpackb(whole["batches"][batch])["events"][place]
    if len(path) == 2:
        return event["t"] not in UNSEEN
    if path[2] == "t":
        return event["t"] not in UNSEEN
    if close < 0 and event["t"] not in (
        "RoundOpened",
        "RoundVoided",
        "BettingClosed",
        "EntropyRevealed",
        "EntropyClosed",
    ):
        return False
    return path[2] not in UNSEEN.get(event["t"], set()) | ({"nonce"} if event["t"] == "RoundOpened" else set())


def test_records_that_follow_each_other_are_held_against_each_other() -> None:
    series = verify.records_of(json.dumps(GOOD["punto banco, three coups from the shoe's first one"]).encode())
    proofs = list(verify.verify_all(series))
    assert all(isinstance(one, verify.Proof) and one.shoe_proven for one in proofs)
    for name, change in (
        ("left", lambda start: bytes([start["left"][0] ^ 1]) + start["left"][1:]),
        ("coup", lambda start: start["coup"] + 1),
        ("stacks", lambda start: [[player, amount + 1] for player, amount in start["stacks"]]),
    ):
        second = {**series[1], "start": {**series[1]["start"], name: change(series[1]["start"])}}
        _, wrong, _ = verify.verify_all([series[0], second, series[2]])
        assert isinstance(wrong, verify.Unproven)
        assert wrong.where == f"start.{name}"
    twisted = {**series[1], "batches": [series[0]["batches"][0], *series[1]["batches"][1:]]}
    _, wrong, _ = verify.verify_all([series[0], twisted, series[2]])
    assert isinstance(wrong, verify.Unproven)
    assert wrong.where == "batches[0]"


def test_in_the_middle_of_a_shoe_its_cards_are_the_records_word() -> None:
    middle = record("punto banco in the middle of a shoe")
    assert not verify.verify(middle).shoe_proven
    old = {name: value for name, value in middle.items() if name not in ("start", "head")} | {"schema": 1}
    wrong = fails(old)
    assert wrong is not None
    assert wrong.where == "start.left"
