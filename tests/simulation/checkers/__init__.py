"""What must never be, one invariant to a file."""

from __future__ import annotations

from tests.simulation.checkers.authorship import NobodyActsForAnother
from tests.simulation.checkers.calm import NothingIsInternal
from tests.simulation.checkers.checker import Checker
from tests.simulation.checkers.chips import ChipsAreConserved
from tests.simulation.checkers.clocks import EverythingInItsTime
from tests.simulation.checkers.deadlines import NoTableSitsStill
from tests.simulation.checkers.durability import AcknowledgedIsDurable
from tests.simulation.checkers.fair_deal import EveryRoundIsProven
from tests.simulation.checkers.manners import AClientFinishesWhatItBegan
from tests.simulation.checkers.outage import NobodyLosesByAnOutage
from tests.simulation.checkers.presence import NobodyIsAwayWhoIsHere
from tests.simulation.checkers.refusals import ARefusalIsTrue
from tests.simulation.checkers.replay import TheLogIsTheState
from tests.simulation.checkers.rights import NobodyTakesAnothersPlace
from tests.simulation.checkers.screens import NobodyHasAGap
from tests.simulation.checkers.seats import NoSeatIsHeldByNobody
from tests.simulation.checkers.secrecy import NoCardIsKnownBefore
from tests.simulation.checkers.settlement import EachStakeIsSettledOnce

ALL: tuple[type[Checker], ...] = (
    ChipsAreConserved,
    EachStakeIsSettledOnce,
    TheLogIsTheState,
    NobodyHasAGap,
    AcknowledgedIsDurable,
    NoCardIsKnownBefore,
    EveryRoundIsProven,
    NobodyActsForAnother,
    NobodyTakesAnothersPlace,
    ARefusalIsTrue,
    EverythingInItsTime,
    AClientFinishesWhatItBegan,
    NothingIsInternal,
    NobodyLosesByAnOutage,
    NoTableSitsStill,
    NoSeatIsHeldByNobody,
    NobodyIsAwayWhoIsHere,
)

__all__ = ["ALL", "Checker"]
