"""A search for secrets in what was said: logs, metrics, answers. Used by tests and by the simulation.

    secrets = Secrets()
    secrets.add("cluster key", key)
    secrets.add_round(key, "blackjack", 7, nonce)
    assert secrets.leaks(log) == [] == card_leaks(log)

It takes one pass over the text however many secrets there are. A finding names the secret and the line; it does not repeat
the secret.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from tapete_server.core.stream import round_secret

SECRET_BYTES_MIN = 8
PREFIX_CHARS = 16
"""So much of a spelling is looked up at every place of a text; half a spelling counts as the whole: nobody may have 64 bits."""

CARD = r"(?<![A-Za-z0-9])[A2-9TJQK][CDHS](?![A-Za-z0-9])"
CARDS = re.compile(rf"{CARD}(?:[\s,;'\"]+{CARD})+|\bcards?['\"]?\s*[=:]\s*['\"\[(]*{CARD}")
"""Two cards side by side, or one that is called so. A log never names a card: there is nobody who needs it there."""


class Secrets:
    """Whatever must not be seen, in every way in which a program may write it down."""

    def __init__(self) -> None:
        self._spellings: dict[str, list[tuple[str, str]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._spellings.values()))

    def add(self, what: str, secret: bytes | str) -> None:
        """`what` names it in a finding. Text is also looked for as it is."""
        raw = secret.encode() if isinstance(secret, str) else secret
        assert len(raw) >= SECRET_BYTES_MIN, f"{what} is too short to be told from anything else"
        for spelling in dict.fromkeys(spellings(raw)):
            self._spellings.setdefault(spelling[:PREFIX_CHARS], []).append((what, spelling))

    def add_round(self, key: bytes, table: str, number: int, nonce: bytes) -> None:
        """The secret from which the cards of a round come: for as long as the round is open."""
        self.add(f"secret of round {number} of {table}", round_secret(key, table, number, nonce))

    def leaks(self, said: str | bytes) -> list[str]:
        """The secrets that are in a text, or in bytes, with the number of the line."""
        text = said.decode("latin-1") if isinstance(said, bytes) else said
        return [f"line {text.count(chr(10), 0, at) + 1}: {what}" for at, what in self._places(text)]

    def _places(self, text: str) -> Iterator[tuple[int, str]]:
        lengths = sorted({len(prefix) for prefix in self._spellings})
        for size in lengths:
            known = {prefix: those for prefix, those in self._spellings.items() if len(prefix) == size}
            for at in range(len(text) - size + 1):
                for what, spelling in known.get(text[at : at + size], ()):
                    if text.startswith(spelling[: max(size, len(spelling) // 2)], at):
                        yield at, what


def spellings(raw: bytes) -> Iterator[str]:
    """Hexadecimal in every style, base64, numbers, what `repr` and JSON make of it, and the bytes as they are."""
    for pairs in ("", " ", ":"):
        digits = raw.hex(pairs) if pairs else raw.hex()
        yield from (digits, digits.upper())
    yield base64.b64encode(raw).decode().rstrip("=")
    yield base64.urlsafe_b64encode(raw).decode().rstrip("=")
    yield from (", ".join(map(str, raw)), ",".join(map(str, raw)))
    yield repr(raw)[2:-1]
    yield raw.decode("latin-1")


def card_leaks(log: str) -> list[str]:
    """Lines of a log in which cards are named."""
    return [f"line {number}: {line[:200]}" for number, line in enumerate(log.splitlines(), 1) if CARDS.search(line)]
