"""Several bots at once, for practice tables, demonstrations and tests."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from random import Random, SystemRandom

from tapete_client.bot import Bot, Pauses, Tally
from tapete_client.dial import Dialer
from tapete_client.errors import ClientError
from tapete_client.policy import FEED_ITEMS_MAX, Patience
from tapete_client.session import Session
from tapete_client.transport import Transport, WebSockets

log = logging.getLogger("tapete.bots")

NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elena", "Fermín", "Gloria", "Hugo", "Inés", "Julio", "Lola", "Martín")


async def run(  # noqa: PLR0917 - as its command line has it
    urls: str | Sequence[str],
    table: str | None = None,
    count: int = 1,
    seed: int | None = None,
    pauses: Pauses = "human",
    rounds: int | None = None,
    *,
    transport: Transport | None = None,
) -> list[Tally]:
    """Let `count` bots play, at `table` or wherever the lobby has a free box; returns what each of them did.

    They are spread over the nodes, and one that fails does not stop the others. Bot `i` decides by `seed + i`.
    """
    nodes = (urls,) if isinstance(urls, str) else tuple(urls)
    seed = SystemRandom().getrandbits(32) if seed is None else seed

    async def one(number: int) -> Tally:
        first, name = number % len(nodes), f"{NAMES[number % len(NAMES)]} {number + 1}"
        rng = Random(f"{seed} {name}")  # noqa: S311 - ids and jitter, nothing secret
        dialer = Dialer((*nodes[first:], *nodes[:first]), transport or WebSockets(), rng, Patience(), name=name)
        try:
            async with Session(dialer, rng, FEED_ITEMS_MAX) as session:
                return await Bot(session, table, seed + number, pauses, rounds).run()
        except ClientError as failure:
            return Tally(name=name, failure=str(failure))
        except Exception as mistake:
            log.exception("a bot made a mistake", extra={"bot": name, "seed": seed + number})
            return Tally(name=name, failure=repr(mistake))

    return list(await asyncio.gather(*map(one, range(count))))


def summary(tallies: Sequence[Tally]) -> str:
    """One bot a line."""
    return "\n".join(map(_line, tallies))


def _line(tally: Tally) -> str:
    refused = f", refused {dict(tally.refused)}" if tally.refused else ""
    failure = f"; stopped: {tally.failure}" if tally.failure else ""
    place = tally.table or "no table"
    return f"{tally.name}: {tally.rounds} rounds at {place}, {tally.decisions} decisions{refused}{failure}"
