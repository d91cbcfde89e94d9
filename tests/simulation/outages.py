"""When what was not there: the store, a process, somebody's own device or network. Noted by whatever took it away."""

from __future__ import annotations

from dataclasses import dataclass, field

STORE = "store"
Span = tuple[float, float]
EVER_S = float("inf")


@dataclass
class Outages:
    """Spans in seconds of the story, by name: `STORE`, a host's name, or a person's."""

    spans: dict[str, list[Span]] = field(default_factory=dict)
    _open: dict[str, list[float]] = field(default_factory=dict)

    def begin(self, who: str, now_s: float) -> None:
        self._open.setdefault(who, []).append(now_s)

    def end(self, who: str, now_s: float) -> None:
        if began := self._open.get(who):
            self.spans.setdefault(who, []).append((began.pop(), now_s))

    def note(self, who: str, first_s: float, last_s: float) -> None:
        self.spans.setdefault(who, []).append((first_s, last_s))

    def of(self, who: str, first_s: float, last_s: float) -> list[Span]:
        """What of that time it was away, perhaps in pieces that overlap."""
        spans = [*self.spans.get(who, ()), *((began, EVER_S) for began in self._open.get(who, ()))]
        cut = ((max(first, first_s), min(last, last_s)) for first, last in spans)
        return [(first, last) for first, last in cut if first < last]


def length_s(spans: list[Span]) -> float:
    """Of all of them together, counting no moment twice."""
    total_s, reached_s = 0.0, float("-inf")
    for first, last in sorted(spans):
        total_s += max(0.0, last - max(first, reached_s))
        reached_s = max(reached_s, last)
    return total_s


def person_of(host: str) -> str:
    """A device is called after its owner, with a number; a second one has a mark."""
    return host.partition(".")[0].rstrip("'")
