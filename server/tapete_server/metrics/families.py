"""Every metric of a node, with what it means: the table that operators read. Data; longer than other files.

Names follow Prometheus' conventions: the unit stands in the name, what only grows ends in `_total`. Amounts are whole minor
units of play money. Every label has a bounded number of values: codes, reasons, games, and at most `TABLES_LABELLED_MAX` tables.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from tapete_protocol.codes import CODES, CloseCode
from tapete_rules.catalogue import GAMES
from tapete_server.core.state import Table, imbalance
from tapete_server.gateway.hall import Hall
from tapete_server.histogram import Histogram
from tapete_server.metrics.text import Family, Sample, by, one, spread
from tapete_server.shell.actuary import Actuary
from tapete_server.shell.committer import AGAIN
from tapete_server.shell.floor import TheFloor

TABLES_LABELLED_MAX = 500
"""Tables with a line of their own; those whose equation does not hold come first."""


class StoreCounts(Protocol):
    """What the store's adapter has counted."""

    latency: Histogram
    failed: int

    @property
    def available(self) -> bool: ...
    def away_s(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Node:
    """Where the numbers are."""

    version: str
    floor: TheFloor
    hall: Hall
    store: StoreCounts


def families(node: Node) -> Iterator[Family]:
    yield from _node(node)
    yield from _tables(node.floor)
    yield from _store(node.store)
    yield from _gateway(node.hall)
    yield from _money(node.floor)


def _node(node: Node) -> Iterator[Family]:
    floor = node.floor
    about = (("version", node.version), ("node", floor.node))
    yield Family("tapete_build_info", "gauge", "Version and name of the node; always 1.", (Sample(1, about),))
    ready = not floor.faults and not node.hall.draining
    yield one("tapete_ready", "gauge", "1 while the node can serve, as /readyz says.", int(ready))
    yield spread(
        "tapete_event_loop_lag_seconds",
        "How late the event loop was, in seconds, sampled four times a second.",
        floor.loop_lag.histogram,
    )


def _tables(floor: TheFloor) -> Iterator[Family]:
    counts = floor.counts
    yield one("tapete_commits_total", "counter", "Batches that this node committed.", counts.commits)
    yield one(
        "tapete_commit_conflicts_total", "counter",
        "Commits that were refused because another node had been faster.", counts.conflicts,
    )  # fmt: skip
    yield by(
        "tapete_commit_retries_total", "counter", "Commands that were decided again, by why.",
        "reason", counted(counts.retries, AGAIN),
    )  # fmt: skip
    yield by(
        "tapete_rounds_settled_total", "counter", "Rounds that this node settled, by game.",
        "game", counted(counts.rounds_settled, GAMES),
    )  # fmt: skip
    voided = [
        Sample(number, (("game", game), ("reason", reason)))
        for (game, reason), number in sorted(counts.rounds_voided.items())
    ]
    yield Family(
        "tapete_rounds_voided_total",
        "counter",
        "Rounds whose stakes this node gave back, by game and why.",
        tuple(voided),
    )
    yield by(
        "tapete_clock_extensions_total", "counter", "Clocks that were extended because the house was late, by clock.",
        "clock", counted(counts.clocks_extended, ("betting", "turn", "hold")),
    )  # fmt: skip
    yield one(
        "tapete_table_jumps_total", "counter",
        "Tables that were read anew because batches were missing.", counts.jumps,
    )  # fmt: skip
    yield one(
        "tapete_table_rewinds_total", "counter",
        "Tables that were read anew because the store had gone back in time.", counts.rewinds,
    )  # fmt: skip
    yield one(
        "tapete_tables_frozen_total", "counter",
        "Tables that this node stopped because an invariant broke.", counts.tables_frozen,
    )  # fmt: skip
    yield one("tapete_tables_followed", "gauge", "Tables that this node follows.", len(floor.registry.tables))
    if floor.actuary is not None:
        yield from _odds(floor.actuary)


def _odds(actuary: Actuary) -> Iterator[Family]:
    yield one(
        "tapete_odds_wanted", "gauge", "Rules of tables whose odds are not known to this node.", len(actuary.wanted)
    )
    yield one("tapete_odds_worked_out_total", "counter", "Rules whose odds this node worked out.", actuary.worked_out)


def _store(store: StoreCounts) -> Iterator[Family]:
    yield one("tapete_store_available", "gauge", "1 while the store answers.", int(store.available))
    yield spread(
        "tapete_store_call_duration_seconds",
        "How long calls to the store took, in seconds, with all that they waited for.",
        store.latency,
    )
    yield one("tapete_store_calls_failed_total", "counter", "Calls to the store that got no answer.", store.failed)
    yield one(
        "tapete_store_away_seconds_total", "counter", "Seconds for which the store could not be worked with.",
        round(store.away_s(), 3),
    )  # fmt: skip


def _gateway(hall: Hall) -> Iterator[Family]:
    seen = hall.counters
    players, spectators = hall.rooms.watchers()
    yield one("tapete_connections", "gauge", "Connections that are open.", seen.connections)
    yield by(
        "tapete_watchers", "gauge", "Connections at tables, each counted at each table that it watches, by role.",
        "role", {"player": players, "spectator": spectators},
    )  # fmt: skip
    for name, help_, value in (
        ("tapete_connections_total", "Connections that were opened.", seen.connections_total),
        ("tapete_http_requests_total", "Requests, those that opened a WebSocket among them.", seen.requests_total),
        ("tapete_origins_refused_total", "WebSockets that a page of another origin wanted.", seen.origins_refused),
        ("tapete_commands_total", "Frames that clients sent.", seen.commands_total),
        ("tapete_sent_frames_total", "Frames that were sent, counted for each connection.", seen.frames_sent),
        ("tapete_sent_bytes_total", "Bytes of frames that were sent.", seen.bytes_sent),
        ("tapete_sweeps_total", "Times that all spectators of something were written to.", seen.sweeps),
        ("tapete_laggards_total", "Times that a connection fell behind and got a snapshot instead.", seen.laggards),
        ("tapete_slow_cut_total", "Connections that were cut off because they did not read.", seen.slow_cut),
        ("tapete_wire_errors_total", "Frames that no client may send; their connection was closed.", seen.wire_errors),
        ("tapete_internal_errors_total", "Mistakes of the node that a client was told of.", seen.internal_errors),
    ):
        yield one(name, "counter", help_, value)
    yield by(
        "tapete_refusals_total", "counter", "Commands that were refused, by code.",
        "code", counted(seen.refusals, CODES),
    )  # fmt: skip
    yield by(
        "tapete_closes_total", "counter", "Connections that the node closed, by the close code's name.",
        "code", counted(seen.closes, [code.name for code in CloseCode]),
    )  # fmt: skip


def _money(floor: TheFloor) -> Iterator[Family]:
    tables = [live.state for live in floor.registry.tables.values() if live.loaded and not live.gone]
    off = {table.id: imbalance(table) for table in tables}
    labelled = sorted(off, key=lambda table: (not off[table], table))[:TABLES_LABELLED_MAX]
    yield by(
        "tapete_table_imbalance_minor_units", "gauge",
        "Stacks, stakes, bank and cash-outs on their way, less chips in and plus chips out, in minor units: must be 0.",
        "table", {table: off[table] for table in labelled},
    )  # fmt: skip
    yield one(
        "tapete_tables_imbalanced", "gauge", "Followed tables whose equation does not hold: must be 0.",
        sum(map(bool, off.values())),
    )  # fmt: skip
    yield by(
        "tapete_transfers_open", "gauge", "Transfers on their way: buy-ins of this node, cash-outs of followed tables.",
        "direction", {"in": floor.transfers.driving, "out": cash_outs(tables)},
    )  # fmt: skip
    yield one(
        "tapete_transfers_stuck", "gauge", "Transfers of the house that a sweep found open for over five seconds.",
        floor.transfers.stuck,
    )  # fmt: skip
    yield from _house(floor)


def cash_outs(tables: list[Table]) -> int:
    return sum(len(table.outgoing) for table in tables)


def _house(floor: TheFloor) -> Iterator[Family]:
    """From one node of the house only, and only once it has found a quiet moment."""
    found, at_s = floor.house_sum.found, floor.house_sum.found_at_s
    if found is None:
        return
    age_s = asyncio.get_running_loop().time() - at_s
    for name, help_, value in (
        (
            "tapete_house_difference_minor_units",
            "Money of the house beyond what was minted: must be 0.",
            found.difference,
        ),
        ("tapete_house_faults", "Tables that the house's audit found at fault: must be 0.", len(found.faults)),
        ("tapete_house_wallets_minor_units", "Money in wallets, in minor units.", found.wallets),
        ("tapete_house_tables_minor_units", "Money at tables, their banks included, in minor units.", found.tables),
        ("tapete_house_underway_minor_units", "Money on its way to tables, in minor units.", found.underway),
        ("tapete_house_accounts", "Accounts that the house has.", found.accounts),
        ("tapete_house_audit_age_seconds", "Seconds since these figures of the house were found.", round(age_s, 1)),
    ):
        yield one(name, "gauge", help_, value)


def counted(counts: Mapping[str, int], known: Iterable[str]) -> dict[str, int]:
    """All known names, with 0 for what has not happened, and whatever else was counted."""
    return dict.fromkeys(known, 0) | dict(counts)
