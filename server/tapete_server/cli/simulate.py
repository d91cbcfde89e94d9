"""The word `simulate`: rounds played out, beside the exact figures."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from tapete_client.texts.scene import system_language
from tapete_odds import shelf, text
from tapete_odds.simulation import NotByTheRules, Simulated, simulate
from tapete_odds.words import OddsWords, odds_words
from tapete_server.adapters.system import SystemClock
from tapete_server.cli.odds import CannotSay, work_out
from tapete_server.cli.table_settings import Bar, add_options, settings_of

ROUNDS_DEFAULT = 1_000_000
ROUNDS_MAX = 10**10
REPLAYED_OF_EACH = 20
"""Rounds of each batch that go through the rules as well."""

EPILOG = """\
  tapete simulate double_exposure --rounds 10000000      by the chart, thousands of rounds at once
  tapete simulate punto_banco --all-by-the-rules         slowly: each round through the rules of the server

The fast play is held to the rules: of each batch some rounds are dealt again, card by card, to the rules that the tables of a
house have, and must end with the same payments. The same seed plays the same rounds. Needs numpy. Exit status: 0; 1 if a mean
is further from the exact one than --errors standard errors, or the fast play is not by the rules; 2 if something could
not be read or done.
"""


def add_words(words: Any) -> None:
    plain = argparse.RawDescriptionHelpFormatter
    played = words.add_parser(
        "simulate", help="rounds played out, with confidence intervals", epilog=EPILOG, formatter_class=plain
    )
    add_options(played)
    played.add_argument("--rounds", type=rounds, default=ROUNDS_DEFAULT, metavar="N", help="(default: a million)")
    played.add_argument("--seed", type=int, default=1, metavar="N", help="the same rounds again (default: 1)")
    played.add_argument("--all-by-the-rules", action="store_true", help="slowly: each round through the rules")
    played.add_argument("--errors", type=float, default=4.0, metavar="N", help="standard errors allowed (default: 4)")
    played.add_argument("--json", action="store_true", help="one JSON object")
    played.add_argument("--lang", choices=("es", "en"), default=None, help="language (default: the system's)")
    played.set_defaults(run=run_simulate)


def rounds(given: str) -> int:
    if not given.isascii() or not given.isdigit() or not 1 <= int(given) <= ROUNDS_MAX:
        raise argparse.ArgumentTypeError(f"{given!r} is no whole number from 1 to {ROUNDS_MAX}")
    return int(given)


def run_simulate(options: argparse.Namespace) -> int:
    words = odds_words(options.lang or system_language())
    clock = SystemClock()
    try:
        settings = settings_of(options)
        if not shelf.can_work_out():
            raise CannotSay("simulate needs numpy: pip install 'tapete[odds]'")
        odds = work_out(settings, words)
        started_s = clock.monotonic()
        found = simulate(
            settings, odds.get("strategy", {}), options.rounds, options.seed,
            replayed_of_each=REPLAYED_OF_EACH, only_rules=options.all_by_the_rules,
            progress=Bar(words.playing, clock.monotonic),
        )  # fmt: skip
    except NotByTheRules as wrong:
        print(f"tapete: {wrong}", file=sys.stderr)
        return 1
    except (OSError, ValueError, shelf.NotWorkedOut) as wrong:
        print(f"tapete: {wrong}", file=sys.stderr)
        return 2
    seconds, edges = clock.monotonic() - started_s, exact_edges(odds)
    print(as_json(found, edges, seconds) if options.json else as_text(found, edges, seconds, words))
    return 1 if any(abs(tally.off_by(-edges[bet])) > options.errors for bet, tally in found.tallies.items()) else 0


def exact_edges(odds: Mapping[str, Any]) -> dict[str, float]:
    """Of each bet as it is played here: by the chart."""
    if odds["game"] == "punto_banco":
        return {spot: bet["edge"] for spot, bet in odds["edges"].items()}
    bonus = odds["bonus"]
    return {
        "main": odds["edge"]["table"],
        "blackjack": bonus["blackjack"]["edge"],
        "sevens": bonus["sevens"]["table"]["edge"],
    }


def as_json(found: Simulated, edges: Mapping[str, float], seconds: float) -> str:
    bets = {
        bet: {
            "rounds": tally.rounds, "edge": -tally.mean, "standard_error": tally.standard_error,
            "interval": [-high for high in reversed(tally.interval)], "exact": edges[bet],
            "standard_errors_away": tally.off_by(-edges[bet]), "variance": tally.variance,
            "outcomes": {f"{net:g}": times for net, times in sorted(tally.nets.items())},
        }
        for bet, tally in found.tallies.items()
    }  # fmt: skip
    return json.dumps({"rounds": found.rounds, "seconds": seconds, "replayed": found.replayed, "bets": bets})


def as_text(found: Simulated, edges: Mapping[str, float], seconds: float, words: OddsWords) -> str:
    rows = [(words.bet, words.edge, words.interval, words.exact, words.off)]
    for bet, tally in found.tallies.items():
        low, high = (text.percent(-end, words) for end in reversed(tally.interval))
        off = text.number(tally.off_by(-edges[bet]), 2, words)
        rows.append(
            (
                words.spots[bet],
                text.percent(-tally.mean, words),
                f"{low} … {high}",
                text.percent(edges[bet], words),
                off,
            )
        )
    line = words.slow if found.replayed == found.rounds else words.fast
    rate = f"{found.rounds / max(seconds, 1e-9):,.0f}"
    said = line.format(rounds=f"{found.rounds:,}", seconds=text.number(seconds, 1, words), rate=rate)
    proof = words.not_replayed if found.replayed == found.rounds else words.replayed.format(count=f"{found.replayed:,}")
    return "\n".join([said, *text.columns(rows), proof])
