"""What the gateway counts, for `/metrics`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Counters:
    """`connections` is how many there are; the rest only grows."""

    connections: int = 0
    connections_total: int = 0
    requests_total: int = 0
    origins_refused: int = 0
    """Pages of other origins that wanted a WebSocket."""
    commands_total: int = 0
    frames_sent: int = 0
    bytes_sent: int = 0
    sweeps: int = 0
    """Times that all spectators of an audience were written to."""
    laggards: int = 0
    """Times that a connection fell behind and got a snapshot in place of batches."""
    slow_cut: int = 0
    wire_errors: int = 0
    internal_errors: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    closes: Counter[str] = field(default_factory=Counter)
