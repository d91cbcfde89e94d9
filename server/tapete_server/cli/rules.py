"""Words for which no house has to be open: `rules`, `replay`, `verify`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tapete_client import verify
from tapete_rules import replay
from tapete_rules.describe import describe
from tapete_server.cli.table_settings import add_options, document_of

REPLAY_EPILOG = """\
One JSON object a line in, one out; a line that cannot be served gets an "error", and the next one is served all
the same.

  {"game": "double_exposure", "bets": [{"box": 1, "main": 1000}], "cards": ["AS", "TH", "8D", "7C"],
   "steps": [{"box": 1, "hand": 0, "action": "stand"}]}                             (on one line)
  {"game": "punto_banco", "bets": {"banca": 1000}, "cards": ["3S", "7H", "2D", "TC", "6C"]}

Cards stand in the order in which they leave the shoe; amounts are minor units (1000 is 10.00).
"""

VERIFY_EPILOG = """\
  tapete verify http://127.0.0.1:8080/t/blackjack/7                             one round, by its link
  tapete verify "http://127.0.0.1:8080/api/tables/punto-banco/rounds?last=100"  the last hundred, one after the other
  tapete verify rounds.json                                                     what was saved of either

The file that does this, tapete_client/verify.py, needs nothing but Python: it can be copied and read on its own.
Exit status: 0 all is proven, 1 something is not, 2 there was nothing to check.
"""


def add_words(words: Any) -> None:
    plain = argparse.RawDescriptionHelpFormatter
    rules = words.add_parser("rules", help="a game's settings, paytable, tableaux and exact edges")
    add_options(rules)
    rules.add_argument("--lang", choices=("es", "en"), default="en", help="language (default: en)")
    rules.set_defaults(run=run_rules)
    replay = words.add_parser(
        "replay", help="check hands against the rules", epilog=REPLAY_EPILOG, formatter_class=plain
    )
    replay.set_defaults(run=run_replay)
    proofs = words.add_parser(
        "verify", help="prove that rounds were dealt and paid fairly", epilog=VERIFY_EPILOG, formatter_class=plain
    )
    verify.add_options(proofs)
    proofs.set_defaults(run=verify.run)


def run_rules(options: argparse.Namespace) -> int:
    try:
        print(describe(document_of(options), options.lang))
    except (OSError, ValueError) as wrong:
        print(f"tapete: {wrong}", file=sys.stderr)
        return 2
    return 0


def run_replay(_: argparse.Namespace) -> int:
    replay.run(sys.stdin.buffer, sys.stdout.buffer)
    return 0
