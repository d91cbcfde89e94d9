"""The command line: `tapete WORD ..`, each word with a `--help` that teaches."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

ROOMS = {
    "serve": "house", "audit": "house", "settings": "house",
    "play": "clients", "watch": "clients", "bots": "clients",
    "rules": "rules", "replay": "rules", "verify": "rules",
    "odds": "odds", "simulate": "simulate",
    "roads": "roads",
}  # fmt: skip
"""Which module has a word. Only that one is loaded: who wants five roads does not wait for a server."""

Run = Callable[[argparse.Namespace], int]

DESCRIPTION = """\
tapete: a real-time table server for casino card games. Play money only.

  tapete serve                     open a house here, with an embedded store and tables of both games
  tapete play                      sit down at a table of a running house
  tapete watch blackjack           see what happens at a table, as sentences
  tapete bots punto-banco          let bots play there
  tapete rules punto_banco         how a game is played here, its paytable and its exact edges
  tapete odds double_exposure      what every bet and every decision is worth, exactly
  tapete simulate punto_banco      the same by playing rounds out, with confidence intervals
  tapete replay < hands.jsonl      check hands against the rules
  tapete roads BBPPPBPBB           the five roads of a shoe of Punto Banco
  tapete verify FILE|URL           prove that rounds were dealt and paid fairly
  tapete audit                     prove that every chip is somewhere
  tapete settings TABLE FILE       change a table's settings from its next round on
"""


def parser(word: str | None = None) -> argparse.ArgumentParser:
    """For all words, or for one."""
    made = argparse.ArgumentParser(
        prog="tapete", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words = made.add_subparsers(title="words", metavar="WORD", required=True)
    for room in (ROOMS[word],) if word in ROOMS else dict.fromkeys(ROOMS.values()):
        import_module(f"tapete_server.cli.{room}").add_words(words)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = parser(given[0] if given else None).parse_args(given)
    run: Run = options.run
    try:
        return run(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone: nothing to say to anybody
        return 141
