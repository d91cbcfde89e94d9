"""What happened, in order: the last of it in columns for whoever looks into a failure, all of it as one hash."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

KEPT_LINES = 400


@dataclass
class Trace:
    """Lines of (virtual seconds, who, what, more). Two runs of one seed have the same digest, or chance got in."""

    lines: deque[tuple[float, str, str, str]] = field(default_factory=lambda: deque(maxlen=KEPT_LINES))
    counts: Counter[str] = field(default_factory=Counter)
    _hash: Any = field(default_factory=hashlib.blake2b)

    def say(self, at: float, who: str, what: str, more: str = "") -> None:
        self.lines.append((at, who, what, more))
        self.counts[what] += 1
        self._hash.update(f"{at:.6f} {who} {what} {more}\n".encode())

    @property
    def digest(self) -> str:
        return str(self._hash.hexdigest()[:16])

    def last(self, count: int) -> str:
        """The last lines, in columns."""
        rows = list(self.lines)[-count:]
        who = max((len(row[1]) for row in rows), default=0)
        what = max((len(row[2]) for row in rows), default=0)
        return "\n".join(f"{at:10.4f}  {name:<{who}}  {did:<{what}}  {more}" for at, name, did, more in rows)
