"""A long while of a whole cluster, with everything that nodes log at their most talkative: no secret is in it, and no card."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from random import Random

import pytest

from tapete_protocol.frames import Frame, Welcome
from tapete_server.adapters.logbook import JsonLine, TextLine
from tests.secrecy.search import Secrets, card_leaks
from tests.simulation.fate import draw
from tests.simulation.story import Story

WHILE_S = 900.0
TIMES = {"betting_ms": 12_000, "turn_ms": 10_000, "pause_ms": 5_000, "card_ms": 400}
LINES_MIN = 300


def token_in(frame: Frame | None) -> list[str]:
    return [frame.token] if isinstance(frame, Welcome) else []


@contextmanager
def listening(said: StringIO) -> Iterator[None]:
    """Everything that is logged, in both forms."""
    logger, handlers = logging.getLogger("tapete"), [logging.StreamHandler(said), logging.StreamHandler(said)]
    for handler, form in zip(handlers, (TextLine(), JsonLine()), strict=True):
        handler.setFormatter(form)
        logger.addHandler(handler)
    before = logger.level, logger.propagate
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        yield
    finally:
        logger.level, logger.propagate = before
        for handler in handlers:
            logger.removeHandler(handler)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", ["double_exposure", "punto_banco"])
def test_a_long_while_of_logs_tells_no_secret(game: str) -> None:
    settings = json.dumps({"game": game, "times": TIMES}, separators=(",", ":"))
    fate = replace(draw(Random(game)), game=game, settings=settings, blow_each_s=20.0, hit_chance=0.02)
    story, secrets, said = Story(7, fate, at_least_s=WHILE_S), Secrets(), StringIO()
    secrets.add("cluster key", story.world.key)
    story.world.chronicle.on_step.append(
        lambda step: secrets.add_round(story.world.key, step.table, step.after.round, step.after.nonce)
    )
    tokens: set[str] = set()
    story.world.network.on_sent.append(lambda _, payload: tokens.update(token_in(story.world.decoded(payload))))
    with listening(said):
        ending = story.play()
    for number, token in enumerate(tokens):
        secrets.add(f"token {number}", token)
    log = said.getvalue()
    assert ending.failure is None, ending.failure
    assert len(log.splitlines()) > LINES_MIN
    assert secrets.leaks(log) == []
    assert card_leaks(log) == []
