"""Words for whoever runs a house: `serve`, `audit`."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import tapete_client.bots
from tapete_server import config
from tapete_server.adapters.system import KeyFileError, SystemEntropy
from tapete_server.adapters.valkey import ValkeyError
from tapete_server.ports import StoreAway
from tapete_server.shell.audit import Audit, audit

BOTS_PER_TABLE = 2

AUDIT_EPILOG = """\
Counts every wallet, every table and every transfer on its way, and compares the sum with what was minted. Exit status 0 when
nothing is missing, 1 when something is, 2 when the store cannot be reached. Tables may go on meanwhile.
"""
SERVE_EPILOG = """\
Every setting is also an environment variable (TAPETE_PORT=9000) and a key of the file given with --config (port = 9000).
A second `tapete serve` with the same data directory joins the first one's tables as a second node.
"""


def add_words(words: Any) -> None:
    plain = argparse.RawDescriptionHelpFormatter
    serve = words.add_parser("serve", help="open a house here", epilog=SERVE_EPILOG, formatter_class=plain)
    config.add_flags(serve)
    serve.set_defaults(run=run_serve)
    check = words.add_parser(
        "audit", help="prove that every chip is somewhere", epilog=AUDIT_EPILOG, formatter_class=plain
    )
    config.add_flags(check)
    check.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    check.set_defaults(run=run_audit)


def load(options: argparse.Namespace) -> config.Config | None:
    try:
        return config.load(vars(options), os.environ)
    except config.ConfigError as wrong:
        print(f"tapete: {wrong}", file=sys.stderr)
        return None


def run_serve(options: argparse.Namespace) -> int:
    from tapete_server.app import CannotServe, run

    settings = load(options)
    if settings is None:
        return 2
    try:
        run(settings, bots_for_practice if settings.bots else None)
    except (CannotServe, ValkeyError, KeyFileError) as wrong:
        print(f"tapete: {wrong}", file=sys.stderr)
        return 2
    return 0


async def bots_for_practice(tables: Sequence[str], url: str) -> None:
    """Bots are clients like any others: they come in through the door."""
    chance = SystemEntropy()
    async with asyncio.TaskGroup() as playing:
        for table in tables:
            seed = int.from_bytes(chance.token_bytes(4), "big")
            playing.create_task(tapete_client.bots.run(url, table, BOTS_PER_TABLE, seed))


def run_audit(options: argparse.Namespace) -> int:
    settings = load(options)
    if settings is None:
        return 2
    try:
        found = asyncio.run(look(settings))
    except (StoreAway, ValkeyError) as wrong:
        print(f"tapete: the store cannot be reached: {wrong}", file=sys.stderr)
        return 2
    print(as_json(found) if options.json else as_table(found))
    return 1 if found.difference or found.faults else 0


async def look(settings: config.Config) -> Audit:
    from tapete_server.app import open_store

    embedded, store = await open_store(settings)
    try:
        return await audit(store)
    finally:
        await store.close()
        if embedded is not None:
            await asyncio.to_thread(embedded.stop)


def as_json(found: Audit) -> str:
    return json.dumps(
        {
            "minted": found.totals.minted, "burned": found.totals.burned, "house": found.totals.house,
            "wallets": found.wallets, "accounts": found.accounts, "tables": found.tables, "table_count": found.table_count,
            "underway": found.underway, "difference": found.difference, "moved": found.moved, "faults": list(found.faults),
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
    lines.append("every chip is accounted for" if not found.difference and not found.faults else "SOMETHING IS WRONG")
    return "\n".join(lines)
