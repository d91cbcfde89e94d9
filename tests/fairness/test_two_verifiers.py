"""Two verifiers, written by two people from one document, say the same of the same records, good and forged."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random

import msgpack
import pytest

from tapete_protocol.vectors import FOLDER
from tests.fairness.evening import evenings
from tests.fairness.two_verifiers import forgeries, page_says, python_says

EVENINGS = int(os.environ.get("TAPETE_EVENINGS", "4"))
"""Tables played by chance, `ROUNDS` of each. More find more: 100 take some minutes."""
ROUNDS, FORGERIES_OF_A_ROUND = 20, 5
SEED = 20
RECORDS = json.loads((FOLDER / "records.json").read_text(encoding="utf-8"))

pytestmark = pytest.mark.timeout(600)


def verdicts_of(files: Iterable[Path]) -> dict[Path, list[bool]]:
    return {file: [one.proven for one in said] for file, said in page_says(files).items()}


def test_of_the_published_records(tmp_path: Path) -> None:
    files = {}
    for number, vector in enumerate([*RECORDS["good"], *RECORDS["bad"]]):
        name = tmp_path / f"{number}.json"
        name.write_text(json.dumps(vector.get("records") or vector["record"]))
        files[name] = ("records" in vector, vector["why"])
    said = verdicts_of(files)
    for name, (good, why) in files.items():
        assert said[name] == python_says(name), why
        assert all(said[name]) is good, why


def test_of_evenings_and_of_what_a_forger_makes_of_them(tmp_path: Path) -> None:
    rng = Random(SEED)
    good: dict[Path, int] = {}
    forged: dict[Path, str] = {}
    for table, evening in zip(range(EVENINGS), evenings(SEED, ROUNDS), strict=False):
        records = [msgpack.unpackb(packed) for packed in evening.records]
        good[tmp_path / f"{table}.msgpack"] = len(records)
        (tmp_path / f"{table}.msgpack").write_bytes(msgpack.packb(records))
        made = [one for record in records for one in forgeries(record, rng, FORGERIES_OF_A_ROUND)]
        for place, (what, forgery) in enumerate(made):
            name = tmp_path / f"{table}-{place}.msgpack"
            name.write_bytes(msgpack.packb(forgery))
            forged[name] = f"table {table}, round {forgery['round']}: {what}"
    said = verdicts_of([*good, *forged])
    for name, rounds in good.items():
        assert said[name] == python_says(name) == [True] * rounds
    verdicts: Counter[bool] = Counter()
    for name, what in forged.items():
        assert said[name] == python_says(name), what
        verdicts[said[name][0]] += 1
    assert verdicts[False] > len(forged) // 2
