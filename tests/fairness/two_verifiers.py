"""The same files before both verifiers: the one of the Python client and the page's, run by Node."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgpack

from tapete_client import verify
from tests.fairness.forging import Record, mended, other

ROOT = Path(__file__).parents[2]
FILES_MAX = 2_000
"""Of one command: its line has an end."""
DECIDED = {
    "RoundOpened", "BettingClosed", "BetPlaced", "EntropyCommitted", "EntropyRevealed", "EntropyClosed", "CardDealt", "CardBurnt",
    "TurnStarted", "ActionsChanged", "StakeAdded", "HandSplit", "AllStood", "HandClosed", "DealerDone", "HandSettled",
    "SpotSettled", "BoxSettled", "ShoeOpened", "CutCardShown", "ThirdCardDecided", "CoupDecided", "RoundSettled", "RoundVoided",
}  # fmt: skip
"""Events of which the README says all that they have to hold."""


@dataclass(frozen=True, slots=True)
class Said:
    """Of one record; a file that holds none has one verdict all the same."""

    proven: bool
    why: str
    cpu_ms: float


def python_says(file: Path) -> list[bool]:
    """Of each record in the file, whether it is proven."""
    return [not isinstance(one, verify.Unproven) for one in verify.verify_all(verify.records_of(file.read_bytes()))]


def node() -> str:
    command = [sys.executable, str(ROOT / "deploy" / "web.py")]
    subprocess.run([*command, "fetch"], check=True, capture_output=True)
    return subprocess.run([*command, "node"], check=True, capture_output=True, text=True).stdout.strip()


def page_says(files: Iterable[Path]) -> dict[Path, list[Said]]:
    """The same, by the code of the page, with the processor time that each took."""
    program, names = node(), [str(file) for file in files]
    said: dict[Path, list[Said]] = {Path(name): [] for name in names}
    for first in range(0, len(names), FILES_MAX):
        command = [program, str(ROOT / "clients/web/prove.mjs"), "--json", *names[first : first + FILES_MAX]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        for line in done.stdout.splitlines():
            one = json.loads(line)
            said[Path(one["file"])].append(Said(one["proven"], one.get("why", ""), one.get("cpu_ms", 0.0)))
    return said


def forgeries(record: Record, rng: Random, count: int) -> Iterator[tuple[str, Record]]:
    """One field of one event of the round changed, or an event taken out, or told twice; and the chain made anew."""
    places = [
        (batch, place, event["t"])
        for batch, payload in enumerate(record["batches"])
        for place, event in enumerate(msgpack.unpackb(payload)["events"])
        if event["t"] in DECIDED and event.get("round", record["round"]) == record["round"] and batch > 0
    ]
    for _ in range(count if places else 0):
        batch, place, kind = rng.choice(places)
        content = msgpack.unpackb(record["batches"][batch])
        what = _forge(content["events"], place, rng)
        made = copy.deepcopy(record)
        made["batches"][batch] = msgpack.packb(content)
        yield f"{kind} in batch {batch}: {what}", mended(made)


def _forge(events: list[dict[str, Any]], place: int, rng: Random) -> str:
    match rng.randrange(8):
        case 0:
            events.pop(place)
            return "gone"
        case 1:
            events.insert(place, copy.deepcopy(events[place]))
            return "twice"
        case _:
            event = events[place]
            name = rng.choice([name for name in event if name not in ("t", "nonce", "why", "source")] or ["t"])
            event[name] = other(event[name])
            return f"{name} is {event[name]!r}"
