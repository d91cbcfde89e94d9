"""The short version: few of everything, and nothing but that all is delivered, once, in order, unaltered. No clock decides
whether it passes. The long one is `python -m tests.bench`."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tapete_protocol.chain import genesis_head, next_head
from tapete_protocol.codec import encode
from tapete_protocol.frames import Batch
from tests.bench import busy, connections, fanout, plots, report
from tests.bench.crowd import BadDelivery, Crowd
from tests.bench.figures import Figure, Goal, Outcome, Plot, Ratio
from tests.bench.native import NoCompiler, compiler
from tests.bench.references import LIMIT, Reference
from tests.bench.scale import SHORT

pytestmark = pytest.mark.timeout(300)  # of a machine that has much else to do
LISTENERS = 3


@pytest.fixture(autouse=True)
def _with_a_compiler() -> None:
    try:
        compiler()
    except NoCompiler as wrong:
        pytest.skip(str(wrong))


def quiet(_: str) -> None:
    """A test has no bar."""


def batches(count: int) -> list[bytes]:
    """A chain, as a node would send it."""
    head, made = genesis_head("green-room"), []
    for version in range(1, count + 1):
        made.append(encode(Batch(table="green-room", v=version, prev=head, at=version, events=())))
        head = next_head(head, made[-1])
    return made


def altered(made: list[bytes]) -> list[bytes]:
    return [*made[:2], made[2].replace(b"green", b"greed"), *made[3:]]


WRONG: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a batch is missing": lambda made: [*made[:2], *made[3:]],
    "a batch came twice": lambda made: [*made[:3], *made[2:]],
    "a batch does not join": altered,
    "a batch is missing ": lambda made: [made[0], made[2], made[1], *made[3:]],
}


def written(log: Path, frames: list[bytes]) -> None:
    log.write_bytes(b"".join(struct.pack("<I", len(frame)) + frame for frame in frames))


async def heard(log: Path, frames: list[bytes], stack: AsyncExitStack) -> None:
    """What the load client makes of these frames from a server that sends just them."""
    written(log, frames)
    server = await Reference(LIMIT, log).start(stack)
    crowd = await Crowd("raw", LISTENERS, [server.port]).start(stack)
    server.send(len(frames))
    await crowd.until(lambda look: look.batches >= LISTENERS * len(frames))


async def test_the_load_client_takes_what_is_right(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        await heard(tmp_path / "log", batches(300), stack)


@pytest.mark.parametrize("wrong", WRONG)
async def test_the_load_client_notices(wrong: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        with pytest.raises(BadDelivery, match=wrong.strip()):
            await heard(tmp_path / "log", WRONG[wrong](batches(6)), stack)


async def test_everything_reaches_a_crowd_and_those_of_the_references() -> None:
    outcome = await fanout.fan_out(SHORT, quiet)
    measured = next(iter(outcome.figures)).rounds
    assert not outcome.faults
    assert {"tapete", LIMIT} <= set(measured)
    assert len(measured) + len(outcome.notes) == 5


async def test_everything_reaches_a_full_house() -> None:
    assert not (await busy.company(SHORT, quiet)).faults


async def test_a_herd_resumes_where_it_was() -> None:
    assert not (await connections.herd(SHORT, quiet)).faults


async def test_who_stalls_costs_the_others_nothing() -> None:
    assert not (await connections.stalled(SHORT, quiet)).faults


def test_a_missed_goal_is_said() -> None:
    below = Ratio("work", [0.9, 1.0, 1.1], Goal(1.15, 1.35))
    above = Ratio("latency", [0.2, 0.3, 0.2], Goal(0.35, 0.15, most=True))
    told = report.markdown([Outcome("case", "Said.", ratios=[below, above])])
    assert "| work | 1 (0.95 to 1.05)  | ≥ 1.15, aim 1.35 | **missed** |" in told
    assert "| latency | 0.2 (0.2 to 0.25)  | ≤ 0.35, aim 0.15 | reached |" in told


def test_ratios_are_of_neighbours() -> None:
    figure = Figure("cost", "µs", {"ours": [1.0, 2.0, 4.0], "theirs": [2.0, 4.0, 8.0]})
    assert figure.over("theirs", "ours") == [2.0, 2.0, 2.0]


def test_a_plot_is_a_picture() -> None:
    picture = ET.fromstring(plots.drawn(Plot("Cost", "size", "µs", {"a": [(1, 2), (100, 3)], "b": [(1, 5)]})))
    assert picture.findtext("{http://www.w3.org/2000/svg}title") == "Cost"
    assert len(picture.findall("{http://www.w3.org/2000/svg}polyline")) == 2
