"""Every bound of the store, the unit last in its name."""

from __future__ import annotations

from dataclasses import dataclass

DAY_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class StoreLimits:
    """What the store may take, keep and wait for. The defaults are for a node beside its store."""

    socket_timeout_ms: int = 1_500
    """For one connect, or one pipeline and its replies; then the connection is dropped and never used again."""
    call_deadline_ms: int = 5_000
    """For one call with all its retries; then `StoreAway`."""
    probe_interval_ms: int = 250
    """Longest pause between two looks for a store that is away."""
    probe_first_ms: int = 20
    """Shortest pause between two looks; it doubles up to the interval, with jitter."""
    queue_commands_max: int = 20_000
    """Commands that wait for their turn; more are refused with `StoreAway`."""
    batch_commands_max: int = 256
    """Commands in one pipeline (a group of reads stays together)."""
    follow_health_ms: int = 2_000
    """Silence on the subscription after which the store is asked whether it is there."""
    subscribe_channels_max: int = 500
    """Channels in one SUBSCRIBE when everything is subscribed again."""
    stream_batches_max: int = 4_096
    """Batches kept of a table, about: a reconnection window and the round that is being played."""
    read_batches_max: int = 512
    """Batches fetched by one command; more are fetched by more commands."""
    heads_tables_max: int = 500
    """Tables of one shard whose versions one command asks for."""
    records_max: int = 500
    """Round records kept of a table."""
    due_tables_max: int = 1_000
    """Tables that `due` gives at once."""
    ledger_rows_max: int = 1_000
    """Rows kept of a player's ledger, about; the truth is the balance."""
    scan_accounts_max: int = 500
    """Accounts fetched by one command."""
    accounts_per_address_hour_max: int = 1_000
    """New accounts for one address in one hour."""
    remembered_s: int = DAY_S
    """How long the answer to a command without a table is kept."""
    mark_s: int = 7 * DAY_S
    """How long a finished transfer's marks are kept."""
    finished_s: int = 8 * DAY_S
    """How long a finished buy-in's status is kept: longer than its table-side mark, or a late repeat could be debited
    against a mark that still says `credited`."""
    closed_s: int = 3_600
    """How long a closed table remembers who closed it."""
    lapse_ms: int = 4_000
    """A node without a heartbeat for this long is dead."""
    beats_kept_ms: int = 60_000
    """How long a heartbeat is remembered."""
    node_name_s: int = DAY_S
    """How long the name behind an incarnation is kept."""
    odds_s: int = 60 * DAY_S
    """How long odds are kept that nobody asks for."""
    odds_claim_s: int = 30
    """How long a node may work odds out before it claims anew that it does."""
    witness_ms: int = 2_000
    """After the store came up anew, the nodes that were at work have so long to come back before it is doubted."""
    witness_look_ms: int = 25
    """Between two looks whether they have come."""
    crowd_s: int = 10
    """How long a node's count of spectators is good for."""
