"""Words for players, onlookers and bots."""

from __future__ import annotations

import argparse
import asyncio
import os
from typing import Any

import tapete_client.bots
import tapete_client.play
import tapete_client.watch
from tapete_client.bot import Pauses
from tapete_client.transport import DEFAULT_URL

PLAY_EPILOG = """\
At the prompt: `bet 1 10` (box 1, ten), `bet banca 5`, `ready`, `hit`, `stand`, `all`, `double`, `split`, `buy 100`,
`leave`, `help`, `quit`; the Spanish words work as well. Without a table, the open ones are listed.
"""


def add_words(words: Any) -> None:
    plain = argparse.RawDescriptionHelpFormatter
    play = words.add_parser("play", help="sit down at a table", epilog=PLAY_EPILOG, formatter_class=plain)
    play.add_argument("table", nargs="?", help="the table's id, as the lobby shows it")
    _common(play)
    play.add_argument("--name", help="how others see you")
    play.set_defaults(run=run_play)
    watch = words.add_parser("watch", help="what happens at a table, as sentences")
    watch.add_argument("table", help="the table's id, as the lobby shows it")
    _common(watch)
    watch.set_defaults(run=run_watch)
    bots = words.add_parser("bots", help="let bots play")
    bots.add_argument("table", nargs="?", help="the table's id; without one, bots spread over the public tables")
    bots.add_argument(
        "--url", action="append", metavar="URL", help=f"a node, may be given more than once ({DEFAULT_URL})"
    )
    bots.add_argument("--count", type=at_least_one, default=2, metavar="N", help="how many (default: 2)")
    bots.add_argument("--seed", type=int, default=1, metavar="N", help="the same decisions again (default: 1)")
    bots.add_argument("--rounds", type=int, default=None, metavar="N", help="leave after so many rounds")
    bots.add_argument("--no-pauses", action="store_true", help="as fast as the table goes, not as people do")
    bots.set_defaults(run=run_bots)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", default=DEFAULT_URL, metavar="URL", help=f"the node (default: {DEFAULT_URL})")
    parser.add_argument("--lang", choices=("es", "en"), default=None, help="language (default: the system's)")


def at_least_one(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not (number := int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return number


def run_play(options: argparse.Namespace) -> int:
    return asyncio.run(
        tapete_client.play.run(options.url, options.table, options.name, options.lang or system_language())
    )


def run_watch(options: argparse.Namespace) -> int:
    return asyncio.run(tapete_client.watch.run(options.url, options.table, options.lang or system_language()))


def run_bots(options: argparse.Namespace) -> int:
    urls = options.url or [DEFAULT_URL]
    pauses: Pauses = "none" if options.no_pauses else "human"
    tallies = asyncio.run(
        tapete_client.bots.run(urls, options.table, options.count, options.seed, pauses, options.rounds)
    )
    print(tapete_client.bots.summary(tallies))
    return 1 if any(tally.failure for tally in tallies) else 0


def system_language() -> str:
    """Spanish where the system speaks it, else English."""
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "es" if spoken.startswith("es") else "en"
