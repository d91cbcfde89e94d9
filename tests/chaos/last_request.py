"""A wire to the store on which the node dies: before its n-th request leaves, or after it was done and before the reply."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import hiredis

from tapete_server.adapters.redis_store import scripts
from tapete_server.adapters.redis_store.connection import pack
from tests.chaos.relay import Relay, Wire

NAMES = {script.sha.encode(): script.name for script in scripts.ALL}
BODIES = {script.body: script.name for script in scripts.ALL}
NOT_COUNTED = {"heads", "HMGET t", "HMGET a", "GET x", "serve_table", "crowd"}
"""What changes no money and no hand, and is asked by the clock as well, at any moment: who dies at it dies at the next."""
Words = list[bytes]


def label(words: Words) -> str:
    """What a request is: a script's name, or the command and the kind of its key."""
    if words[0] == b"EVALSHA":
        return NAMES[words[1]]
    if words[0] == b"EVAL":
        return BODIES[words[1]]
    return f"{words[0].decode()} {words[1].partition(b':')[0].decode()}"


class LastRequest(Relay):
    """Counts the requests that concern one of `about`, and has the node killed at one of them.

    `seen`: the labels of those requests, in their order, since `arm`; `died_at`: the label of the last one.
    """

    def __init__(self, target: Path, door: Path, kill: Callable[[], None]) -> None:
        super().__init__(target, door)
        self.seen: list[str] = []
        self.died_at: str | None = None
        self._kill = kill
        self._about: Collection[bytes] = ()
        self._number, self._after = 0, False
        self._talks: dict[Wire, _Talk] = {}

    def arm(self, about: Collection[str], number: int, *, after: bool) -> None:
        """`number` from 1. `after`: when it was done, before the node knows."""
        self._about = [one.encode() for one in about]
        self._number, self._after = number, after
        self.seen = []

    def disarm(self) -> None:
        self._about = ()

    def sent(self, wire: Wire, chunk: bytes) -> bytes:
        talk = self._talks.setdefault(wire, _Talk())
        on: list[bytes] = []
        for words in talk.requests(chunk):
            if self.died_at is not None:
                return b"".join(on)
            last = self._counts(talk, words) and len(self.seen) == self._number
            if last and not self._after:
                self._die()
                return b"".join(on)
            on.append(pack(tuple(words)))
            if last:
                talk.last_reply = talk.asked
        return b"".join(on)

    def said(self, wire: Wire, chunk: bytes) -> bytes:
        talk = self._talks.setdefault(wire, _Talk())
        talk.hear(chunk)
        if talk.last_reply is None or self.died_at is not None:
            return b"" if self.died_at is not None else chunk
        if talk.answered >= talk.last_reply:
            self._die()
        return b""

    def _counts(self, talk: _Talk, words: Words) -> bool:
        if talk.subscribes or not any(one in word for word in words for one in self._about):
            return False
        if (what := label(words)) in NOT_COUNTED:
            return False
        self.seen.append(what)
        return True

    def _die(self) -> None:
        self.died_at = self.seen[-1]
        self._kill()


class _Talk:
    """Requests and replies of one connection, counted."""

    def __init__(self) -> None:
        self._requests, self._replies = hiredis.Reader(), hiredis.Reader()
        self.asked = self.answered = 0
        self.subscribes = False
        self.last_reply: int | None = None

    def requests(self, chunk: bytes) -> list[Words]:
        self._requests.feed(chunk)
        found: list[Words] = []
        while (words := self._requests.gets()) is not False:
            self.asked += 1
            self.subscribes = self.subscribes or words[0] in {b"SUBSCRIBE", b"UNSUBSCRIBE"}
            found.append(words)
        return found

    def hear(self, chunk: bytes) -> None:
        self._replies.feed(chunk)
        while self._replies.gets() is not False:
            self.answered += 1
