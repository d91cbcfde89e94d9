"""Each bug can still be planted: its place in today's code is there, once, and what comes of it compiles."""

from __future__ import annotations

import ast

import pytest

from tests.simulation.teeth.__main__ import NO_BUG, hunt
from tests.simulation.teeth.copies import PACKAGES, NotThere, patched
from tests.simulation.teeth.planted import BUGS, Bug, Edit

BUGS_MIN = 18


@pytest.mark.parametrize("bug", BUGS, ids=[one.name for one in BUGS])
def test_it_can_be_planted(bug: Bug) -> None:
    for file, text in patched(bug.edits).items():
        assert file.startswith(PACKAGES), "only production code is tried"
        ast.parse(text)
        assert len(bug.breaks) > 10


def test_a_copy_without_a_bug_is_well() -> None:
    assert hunt(NO_BUG, first=1, seeds=2).failure == "", "else every bug is caught at once, by nobody"


def test_names_are_names() -> None:
    assert len({one.name for one in BUGS}) == len(BUGS) >= BUGS_MIN


def test_a_place_that_is_gone_is_found() -> None:
    with pytest.raises(NotThere):
        patched((Edit("server/tapete_server/core/decide.py", "no such line", ""),))
