"""The scenario of the crash points: every request of every operation, both ways to go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.chaos.crash_points import OPERATIONS, SIDES, CrashPoints, Death, Operation
from tests.chaos.evening import Scale
from tests.chaos.figures import Outcome
from tests.chaos.venue import venue

Tell = Callable[[str], None]


async def points(
    operations: Sequence[Operation], ways: Sequence[bool], tell: Tell, sides: Sequence[bool] = SIDES
) -> tuple[list[Death], int]:
    """Each point of each operation, with its player back at another node or never again; and the audits that were made."""
    async with venue() as house:
        deaths = CrashPoints(house, await house.post("survivor"), lambda death: tell(str(death)))
        try:
            for operation in operations:
                for comes_back in ways:
                    await deaths.all_points(operation, comes_back=comes_back, sides=sides)
            await deaths.finish()
        finally:
            await deaths.close()
        return deaths.deaths, len(deaths.audits)


async def crash_points(scale: Scale, tell: Tell) -> Outcome:
    ways = (True, False) if scale.times > 1 else (True,)
    deaths, audits = await points(OPERATIONS, ways, tell)
    outcome = Outcome(
        "Crash points",
        "A node is killed at every request by which an operation changes the store: before it leaves, and when it is done and "
        "the node does not know. Then its player goes on elsewhere, or nobody does.",
    )
    for operation in OPERATIONS:
        outcome.counts[f"deaths in a {operation.name}"] = sum(death.operation == operation.name for death in deaths)
    outcome.counts["audits without a difference"] = audits
    outcome.faults = [fault for death in deaths for fault in death.faults]
    return outcome
