"""The simulated store answers as the real one, whatever it is asked in whatever order."""

from __future__ import annotations

import asyncio
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import pytest

from tapete_server.adapters.redis_store import StoreLimits, money
from tapete_server.ports import Store
from tests.server.store.contract import MakeStore
from tests.simulation.store import wallets
from tests.simulation.store.moves import TABLES, Call, Moves
from tests.simulation.store.sim_store import SimStore
from tests.simulation.store.vault import Vault
from tests.simulation.store.wire import PerfectWire

LIMITS = StoreLimits(
    records_max=6, due_tables_max=2, read_batches_max=3, accounts_per_address_hour_max=2, lapse_ms=10**9
)
"""Small ones, so that they are met; and nobody lapses but who retires."""
EPOCH_MS = 1_700_000_000_000
"""A clock that began long ago, as the real one."""
STEPS = 1_000
CLOCKS = {"time_ms", "started_ms"}
IN_ANY_ORDER = ("open_transfers", "unsettled_pay_outs", "stale_accounts")


def plain(answer: Any) -> Any:
    """Without what the two clocks say."""
    if is_dataclass(answer):
        of = {field.name: plain(getattr(answer, field.name)) for field in fields(answer) if field.name not in CLOCKS}
        return (type(answer).__name__, of)
    if isinstance(answer, list):
        return [plain(one) for one in answer]
    return answer


def unordered(answer: Any) -> Any:
    """A list of transfers or players has no order of its own."""
    if isinstance(answer, list) and answer and not isinstance(answer[0], tuple):
        return sorted(map(plain, answer), key=repr)
    return plain(answer)


async def answer_of(store: Store, call: Call) -> Any:
    """What it says; or what it raises, without the words of the server's own that a message may end in."""
    try:
        return unordered(await call(store))
    except (ValueError, LookupError, RuntimeError) as error:
        return type(error).__name__, str(error).partition(":")[0]


@pytest.mark.parametrize("seed", range(3))
async def test_the_same_answers(make_store: MakeStore, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for counting in (money, wallets):  # the two stores' hours do not begin together
        monkeypatch.setattr(counting, "HOUR_MS", 10**15)
    loop = asyncio.get_running_loop()
    real = await make_store(LIMITS, shards=2)
    simulated = SimStore(Vault(lambda: EPOCH_MS + int(loop.time() * 1_000), LIMITS), PerfectWire())
    await simulated.start()
    moves = Moves(Random(seed))
    kinds: dict[str, int] = {}
    for number in range(STEPS):
        name, call = moves.draw()
        expected = await answer_of(real, call)
        assert await answer_of(simulated, call) == expected, f"seed {seed}, step {number}: {name}"
        kinds[repr(expected)[:12]] = kinds.get(repr(expected)[:12], 0) + 1
        heads = await simulated.heads(TABLES)
        for table in TABLES:
            moves.stands(table, heads.get(table))
    for outcome in ("('Done'", "('Conflict'", "('Duplicate'", "('TooLate'", "('TooEarly'", "('NoTable'", "('ScriptErr"):
        assert any(kind.startswith(outcome) for kind in kinds), f"{outcome} was never met: {sorted(kinds)}"
    for transfer in await real.open_transfers(0):
        await real.finish_transfer(transfer, await real.refuse_transfer(transfer))
    for transfer in moves.transfers:
        await real._tidy(transfer)  # type: ignore[attr-defined]  # marks of what never began
    await simulated.close()
