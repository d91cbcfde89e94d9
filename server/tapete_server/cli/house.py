"""Words for whoever runs a house: `serve`, `audit`, `settings`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import tapete_client.bots
from tapete_protocol import codes
from tapete_protocol.base import TableId
from tapete_server import app, config, crew
from tapete_server.adapters.redis_store import RedisStore
from tapete_server.adapters.system import KeyFileError, SystemClock, SystemEntropy, cluster_key, jitter
from tapete_server.adapters.valkey import ValkeyError
from tapete_server.core.codec import UnreadableTable
from tapete_server.core.commands import Refusal
from tapete_server.ports import StoreAway
from tapete_server.shell.audit import Audit, audit
from tapete_server.shell.committer import Accepted
from tapete_server.shell.operator import Operator

Found = TypeVar("Found")

BOTS_PER_TABLE = 2
STORE_SETTINGS = ("store", "data", "fsync", "key_file", "shards")
WRONG = (app.CannotServe, StoreAway, ValkeyError, KeyFileError, UnreadableTable)

AUDIT_EPILOG = """\
Counts every wallet, every table and every transfer on its way, and compares the sum with what was minted. Exit status 0
when nothing is missing, 1 when something is, 2 when the store cannot be reached, 3 when money moved in every look and
nothing can be said. Tables may go on meanwhile.
"""
SERVE_EPILOG = """\
Every setting is also an environment variable (TAPETE_PORT=9000) and a key of the file given with --config
(port = 9000). A second `tapete serve` with the same data directory joins the first one's tables as a second node.
"""
SETTINGS_EPILOG = """\
The document is JSON, as `tapete rules GAME --settings FILE` takes it. It is in force from the next round on that opens at
the table; the round that is open now is played to its end as it began. Give --data or --store and --key-file as the
house's nodes have them.
"""


def add_words(words: Any) -> None:
    serve = _word(words, "serve", "open a house here", SERVE_EPILOG, run_serve)
    config.add_flags(serve)
    check = _word(words, "audit", "prove that every chip is somewhere", AUDIT_EPILOG, run_audit)
    config.add_flags(check, STORE_SETTINGS)
    check.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    change = _word(words, "settings", "change a table's settings from its next round on", SETTINGS_EPILOG, run_settings)
    change.add_argument("table", metavar="TABLE", help="the table's id, as the lobby shows it")
    change.add_argument("document", metavar="FILE", help="settings document (JSON)")
    config.add_flags(change, (*STORE_SETTINGS, "refuse_player_edge"))


def _word(
    words: Any, name: str, says: str, epilog: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    made: argparse.ArgumentParser = words.add_parser(name, help=says, epilog=epilog, formatter_class=plain)
    made.set_defaults(run=run)
    return made


def say(wrong: object) -> int:
    """On standard error, with the exit status of what could not be tried."""
    print(f"tapete: {wrong}", file=sys.stderr)
    return 2


def run_serve(options: argparse.Namespace) -> int:
    try:
        settings = config.load(vars(options), os.environ)
        if settings.workers > 1:
            crew.run(settings)
        else:
            app.run(settings, bots_for_practice if settings.bots else None)
    except (config.ConfigError, *WRONG) as wrong:
        return say(wrong)
    return 0


async def bots_for_practice(tables: Sequence[str], url: str) -> None:
    """Bots are clients like any others: they come in through the door."""
    chance = SystemEntropy()
    async with asyncio.TaskGroup() as playing:
        for table in tables:
            seed = int.from_bytes(chance.token_bytes(4), "big")
            playing.create_task(tapete_client.bots.run(url, table, BOTS_PER_TABLE, seed))


def run_audit(options: argparse.Namespace) -> int:
    try:
        settings = config.load(vars(options), os.environ)
        if not settings.store and not (settings.data_directory / "appendonlydir").exists():
            return say(f"there is no house in {settings.data_directory}: give --data or --store as its nodes have them")
        found = asyncio.run(with_store(settings, audit))
    except (config.ConfigError, *WRONG) as wrong:
        return say(wrong)
    print(as_json(found) if options.json else as_table(found))
    if found.difference and found.moved and not found.faults:
        return 3
    return 1 if found.difference or found.faults else 0


def run_settings(options: argparse.Namespace) -> int:
    try:
        settings = config.load(vars(options), os.environ)
        key = cluster_key(app.key_path(settings), make=False)
        document = Path(options.document).read_text(encoding="utf-8")
        found = asyncio.run(with_store(settings, lambda store: _queue(store, key, options.table, document, settings)))
    except (config.ConfigError, OSError, UnicodeError, *WRONG) as wrong:
        return say(wrong)
    if isinstance(found, Refusal):
        say(codes.message(found.code, "en", dict(found.detail)))
        return 1
    print(f"queued for the next round of {options.table}")
    return 0


async def _queue(
    store: RedisStore, key: bytes, table: str, document: str, settings: config.Config
) -> Accepted | Refusal:
    operator = Operator(store, SystemClock(), SystemEntropy(), key, jitter())
    refuse = settings.refuse_player_edge
    return await operator.queue_settings(TableId(table), document, refuse_player_edge=refuse)


async def with_store(settings: config.Config, work: Callable[[RedisStore], Coroutine[Any, Any, Found]]) -> Found:
    async with contextlib.AsyncExitStack() as stack:
        _, store = await app.open_store(settings, stack)
        return await work(store)


def as_json(found: Audit) -> str:
    return json.dumps(
        {
            "minted": found.totals.minted, "burned": found.totals.burned, "house": found.totals.house,
            "wallets": found.wallets, "accounts": found.accounts,
            "tables": found.tables, "table_count": found.table_count,
            "underway": found.underway, "difference": found.difference,
            "moved": found.moved, "faults": list(found.faults),
        }
    )  # fmt: skip


def money(amount: int) -> str:
    sign, whole, cents = "-" if amount < 0 else "", *divmod(abs(amount), 100)
    return f"{sign}{whole:,}.{cents:02}"


def as_table(found: Audit) -> str:
    rows = [
        (f"wallets ({found.accounts} accounts)", found.wallets),
        (f"tables ({found.table_count})", found.tables),
        ("on the way", found.underway),
        ("house", found.totals.house),
        ("minted less burned", found.totals.minted - found.totals.burned),
        ("difference", found.difference),
    ]
    lines = [f"{name:<28}{money(amount):>18}" for name, amount in rows]
    if found.moved:
        lines.append("the house did not stand still during any look; run it again for a final word")
    lines.extend(f"FAULT  {fault}" for fault in found.faults)
    if not found.difference and not found.faults:
        lines.append("every chip is accounted for")
    elif found.faults or not found.moved:
        lines.append("SOMETHING IS WRONG")
    return "\n".join(lines)
