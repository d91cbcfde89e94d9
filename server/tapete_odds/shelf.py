"""Where worked-out odds are kept: those of the house's default tables come with the package, others are worked out once.

A document is found by the hash of the terms that it depends on, so tables with other limits or times share it.
"""

from __future__ import annotations

import json
import os
import zlib
from collections import OrderedDict
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tapete_odds import document
from tapete_odds.progress import Progress, nobody
from tapete_odds.terms import terms_hash
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.punto_banco import PuntoBancoSettings

SHIPPED = Path(__file__).parent / "shipped"
SHELF_DOCUMENTS_MAX = 64
"""Held in memory, of those read from files; and as many that were laid there."""
PACKED_BYTES_MAX = 1 << 18
UNPACKED_BYTES_MAX = 1 << 20
"""Of one document: some 28 and 90 kB are usual."""

_laid: OrderedDict[str, dict[str, Any]] = OrderedDict()

Settings = DoubleExposureSettings | PuntoBancoSettings


class NotWorkedOut(LookupError):
    """Nobody has worked out the odds of these settings, and this installation cannot: says what to do."""


def cache_folder() -> Path:
    """Of this user: `TAPETE_ODDS_CACHE`, or where the system keeps caches."""
    given = os.environ.get("TAPETE_ODDS_CACHE")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tapete" / "odds"


def can_work_out() -> bool:
    """Whether numpy is here: the extra `odds`."""
    return find_spec("numpy") is not None


def known(settings: Settings) -> dict[str, Any] | None:
    """The odds of these settings, if they are on a shelf or need none: Punto Banco is counted in a moment."""
    return _known(settings, str(cache_folder()))


@lru_cache(maxsize=SHELF_DOCUMENTS_MAX)
def _found(name: str, folder: str) -> dict[str, Any]:
    """Raises `LookupError`, which is not remembered."""
    for place in (SHIPPED, Path(folder)):
        with suppress(OSError, ValueError, RecursionError):
            read: dict[str, Any] = json.loads((place / f"{name}.json").read_text(encoding="utf-8"))
            if document.is_whole(read, name):
                return read
    raise LookupError(name)


def _known(settings: Settings, folder: str) -> dict[str, Any] | None:
    if isinstance(settings, PuntoBancoSettings):
        return document.punto_banco(settings)
    name = terms_hash(settings)
    if name in _laid:
        _laid.move_to_end(name)
        return _laid[name]
    with suppress(LookupError):
        return _found(name, folder)
    return None


def lay(worked_out: dict[str, Any]) -> None:
    """In this process's memory, for `known`; the one that nobody has asked for longest makes room."""
    _laid[worked_out["hash"]] = worked_out
    while len(_laid) > SHELF_DOCUMENTS_MAX:
        _laid.popitem(last=False)


def is_laid(name: str) -> bool:
    return name in _laid


def packed(worked_out: dict[str, Any]) -> bytes:
    """A document as it is kept and sent elsewhere."""
    return zlib.compress(json.dumps(worked_out, separators=(",", ":")).encode())


def unpacked(odds: bytes, name: str) -> dict[str, Any]:
    """What was `packed`. Raises `ValueError` if it is not the odds of that name, whole and within bounds."""
    if len(odds) > PACKED_BYTES_MAX:
        raise ValueError(f"{len(odds)} bytes are too many for odds")
    reading = zlib.decompressobj()
    try:
        text = reading.decompress(odds, UNPACKED_BYTES_MAX)
        read: dict[str, Any] = json.loads(text) if reading.eof else {}
    except (zlib.error, RecursionError) as wrong:
        raise ValueError(f"these are no odds: {wrong}") from wrong
    if not document.is_whole(read, name):
        raise ValueError("these are not the odds of these settings")
    return read


def odds_of(settings: Settings, progress: Progress = nobody) -> dict[str, Any]:
    """The odds of these settings, worked out if need be and kept. Raises `NotWorkedOut`."""
    found = known(settings)
    if found is not None:
        return found
    assert isinstance(settings, DoubleExposureSettings), "the other game is always known"
    if not can_work_out():
        raise NotWorkedOut(
            "these settings' odds are not worked out yet, and that needs numpy: pip install 'tapete[odds]', then once more"
        )
    worked_out = work_out(settings, progress)
    with suppress(OSError):
        keep(worked_out, cache_folder())
    return worked_out


def work_out(settings: DoubleExposureSettings, progress: Progress = nobody) -> dict[str, Any]:
    """From the cards, whatever the shelves have. Needs numpy."""
    from tapete_odds.solver.solve import solve  # noqa: PLC0415 - only here is numpy needed

    solution = solve(settings, progress)
    paid = settings.blackjack_odds[0] / settings.blackjack_odds[1]
    ways = {
        name: (way.mean, way.chances(paid)) for name, way in (("optimal", solution.optimal), ("table", solution.table))
    }
    return document.double_exposure(settings, solution.chart, ways)


def keep(worked_out: dict[str, Any], folder: Path) -> Path:
    """Whole or not at all: other processes read there meanwhile."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{worked_out['hash']}.json"
    half = file.with_suffix(f".{os.getpid()}")
    half.write_text(json.dumps(worked_out, separators=(",", ":")), encoding="utf-8")
    half.replace(file)
    return file
