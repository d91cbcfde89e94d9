"""The shared vectors: what is published, many odd shoes, and thousands more by their hashes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tapete_protocol.road_vectors import BLOCKS, _shoes
from tests.rules.roads.written import written

FILE = Path(__file__).parents[3] / "protocol/vectors/roads.json"
VECTORS: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("coups", "big_eye_boy", "small_road", "cockroach_road"),
    [
        ("BPP", "B", "", ""),
        ("BBPP", "R", "", ""),
        ("BPB", "R", "", ""),
        ("BPPPPB", "BRRB", None, None),
        ("BBPPPBPBB", "RBBBRB", "BBB", "BR"),
        ("BPBPBPBP", "RRRRRR", "RRRRR", "RRRR"),
        ("B" * 9 + "P" * 7 + "B", "RRRRRRB", None, None),
    ],
)
def test_what_is_known_from_elsewhere(
    coups: str, big_eye_boy: str, small_road: str | None, cockroach_road: str | None
) -> None:
    found = written(coups)
    assert found["big_eye_boy"] == big_eye_boy
    assert small_road in (None, found["small_road"])
    assert cockroach_road in (None, found["cockroach_road"])


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["why"])
def test_cases(case: dict[str, str]) -> None:
    assert written(case["coups"]) == {name: text for name, text in case.items() if name != "why"}


def test_shoes() -> None:
    assert len(VECTORS["shoes"]) >= 50
    for shoe in VECTORS["shoes"]:
        assert written(shoe["coups"]) == shoe


@pytest.mark.parametrize("block", VECTORS["blocks"], ids=lambda block: f"{block['seed']}-{block['again']}")
def test_blocks(block: dict[str, Any]) -> None:
    hashed = hashlib.sha256()
    for coups in _shoes(block["seed"], block["ties"], block["again"]):
        hashed.update(("|".join(written(coups).values()) + "\n").encode())
    assert hashed.hexdigest() == block["sha256"]


def test_the_shoes_of_the_blocks_are_varied() -> None:
    """Thousands, with streaks that turn and with every mark; the first ones are those that stand in full."""
    shoes = [coups for block in BLOCKS for coups in _shoes(*block)]
    assert len(set(shoes)) >= 2_000
    assert shoes[: len(VECTORS["shoes"])] == [shoe["coups"] for shoe in VECTORS["shoes"]]
    assert all(any(part in coups for coups in shoes) for part in ("BBBBBBBBBB", "PPPPPPPPPP", "Bnbp", "Tn", "TTTTT"))
