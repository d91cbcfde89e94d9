"""The word `odds`: what every bet of a table is worth, and every decision."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from tapete_client.texts.scene import system_language
from tapete_odds import plots, shelf, text
from tapete_odds.advice import Advice, Position
from tapete_odds.changes import changed
from tapete_odds.seats import by_chart, by_composition
from tapete_odds.words import OddsWords, odds_words
from tapete_rules.cards import INDEX, Card
from tapete_rules.double_exposure import DoubleExposureSettings
from tapete_rules.double_exposure.checks import may_double
from tapete_rules.double_exposure.points import BEST, is_blackjack, total, value
from tapete_server.adapters.system import SystemClock
from tapete_server.cli.table_settings import Bar, Settings, add_options, settings_of

AMOUNT = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}|/[0-9]{1,6})?")
SEEN_MAX = 60
"""More cards than a table of sixteen hands ever shows."""

EPILOG = """\
  tapete odds double_exposure                                     edges, outcomes, bonus bets, the whole chart
  tapete odds punto_banco --tableau europacasino --decks 6 --json
  tapete odds double_exposure --settings table.json --plots .     the chart as a heat map and more, as SVG
  tapete odds double_exposure --hand 7S,7H --dealer TC,9D --seen 7C,2H --sevens 1
                                                                  one decision, by the very cards
  tapete odds double_exposure --changes                           what one change of the rules is worth, rule by rule

Double Exposure needs numpy for settings whose odds nobody has worked out yet: pip install 'tapete[odds]'. They are kept in
the user's cache (TAPETE_ODDS_CACHE names another folder); --fresh works them out again. Exit status: 0, or 2 if something
could not be read or worked out.
"""


def add_words(words: Any) -> None:
    plain = argparse.RawDescriptionHelpFormatter
    odds = words.add_parser("odds", help="exact edges, the chart, decisions", epilog=EPILOG, formatter_class=plain)
    add_options(odds)
    odds.add_argument("--json", action="store_true", help="one JSON object")
    odds.add_argument("--fresh", action="store_true", help="work it out again, whatever is kept")
    odds.add_argument(
        "--plots", metavar="FOLDER", help="write plots there, as SVG: for browsers, papers and slides, at any size"
    )
    odds.add_argument("--changes", action="store_true", help="the edge by one change of rules (with --plots: drawn)")
    odds.add_argument("--hand", metavar="CARDS", help="one decision: a hand, such as 7S,7H")
    odds.add_argument("--dealer", metavar="CARDS", default="", help="... the dealer's two cards")
    odds.add_argument("--seen", metavar="CARDS", default="", help="... all other cards on the table")
    odds.add_argument("--hands", type=int, default=1, metavar="N", help="... so many hands in the box (default: 1)")
    odds.add_argument(
        "--sevens", type=bets, default=Fraction(0), metavar="BETS", help="... the open bonus, in main bets"
    )
    odds.add_argument("--lang", choices=("es", "en"), default=None, help="language (default: the system's)")
    odds.set_defaults(run=run_odds)


def bets(given: str) -> Fraction:
    """A part of the main bet."""
    with suppress(ValueError, ZeroDivisionError):
        if AMOUNT.fullmatch(given):
            return Fraction(given)
    raise argparse.ArgumentTypeError(f"{given!r} is no amount: write 1, 0.5 or 1/20")


class CannotSay(ValueError):
    """What was asked cannot be answered: says what to do."""


def run_odds(options: argparse.Namespace) -> int:
    words = odds_words(options.lang or system_language())
    try:
        settings = settings_of(options)
        if options.hand is not None:
            return _one_decision(settings, options, words)
        odds = work_out(settings, words, fresh=options.fresh)
        print(json.dumps(odds) if options.json else text.sheet(odds, words))
        if options.plots:
            _draw(odds, Path(options.plots), words)
        if options.changes:
            _changes(settings, odds, options, words)
    except (OSError, ValueError, shelf.NotWorkedOut) as wrong:
        print(f"tapete: {wrong}", file=sys.stderr)
        return 2
    return 0


def work_out(settings: Settings, words: OddsWords, *, fresh: bool = False) -> dict[str, Any]:
    bar = Bar(words.working, SystemClock().monotonic)
    if fresh and isinstance(settings, DoubleExposureSettings) and shelf.can_work_out():
        return shelf.work_out(settings, bar)
    return shelf.odds_of(settings, bar)


def _draw(odds: dict[str, Any], folder: Path, words: OddsWords) -> None:
    if odds["game"] == "punto_banco":
        rows = [(words.spots[spot], bet["edge"]) for spot, bet in odds["edges"].items()]
        _write(folder / "edges.svg", plots.edges(words.edge, rows, words), words)
        return
    _write(folder / "chart.svg", plots.heat_map(odds, words), words)
    _write(folder / "outcomes.svg", plots.outcomes(odds, words), words)


def _changes(settings: Settings, odds: dict[str, Any], options: argparse.Namespace, words: OddsWords) -> None:
    if not isinstance(settings, DoubleExposureSettings):
        raise CannotSay("--changes: Punto Banco has no such rules; give other --settings instead")
    rows = [(words.house_rules, odds["edge"]["optimal"])]
    for name, other in changed(settings).items():
        rows.append((words.changes[name], work_out(other, words)["edge"]["optimal"]))
    print("\n".join([words.rule_changes, *text.changes(rows, words)]))
    if options.plots:
        _write(Path(options.plots) / "changes.svg", plots.compared(words.rule_changes, rows, words), words)


def _write(file: Path, drawing: str, words: OddsWords) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(drawing, encoding="utf-8")
    print(words.written.format(file=file), file=sys.stderr)


# --- one decision ---


def _one_decision(settings: Settings, options: argparse.Namespace, words: OddsWords) -> int:
    if not isinstance(settings, DoubleExposureSettings):
        raise CannotSay("--hand: nobody decides anything in Punto Banco")
    position, seen = _position(settings, options)
    if shelf.can_work_out():
        advice, exact = by_composition(settings, position, seen), True
    else:
        advice, exact = by_chart(settings, shelf.odds_of(settings), position), False
    if options.json:
        print(json.dumps({"exact": exact, "worth": dict(advice.worth), "very_bad": list(advice.very_bad)}))
        return 0
    heading = words.exact_hand if exact else words.chart_hand
    hand, dealer = (" ".join(cards) for cards in (position.cards, position.dealer))
    print("\n".join([heading.format(hand=hand, dealer=dealer, seen=len(seen)), *_lines(advice, words)]))
    return 0


def _lines(advice: Advice, words: OddsWords) -> Iterator[str]:
    ordered = sorted(advice.worth, key=lambda action: -advice.worth[action])
    rows = [
        (
            words.actions[action],
            text.number(advice.worth[action], 6, words),
            words.best if place == 0 else f"{words.costs} {text.number(advice.cost(action), 6, words)}",
            words.very_bad if action in advice.very_bad else "",
        )
        for place, action in enumerate(ordered)
    ]
    yield from text.columns(rows)


def _position(settings: DoubleExposureSettings, options: argparse.Namespace) -> tuple[Position, list[Card]]:
    hand, dealer, seen = (_cards(given, name) for given, name in (
        (options.hand, "--hand"), (options.dealer, "--dealer"), (options.seen, "--seen")
    ))  # fmt: skip
    if len(dealer) != 2 or len(hand) < 2:
        raise CannotSay("--hand needs two cards or more, and --dealer the dealer's two: --hand 7S,7H --dealer TC,9D")
    if not 1 <= options.hands <= settings.max_hands:
        raise CannotSay(f"--hands: from 1 to {settings.max_hands} at this table")
    _check_shoe(settings, [*hand, *dealer, *seen])
    if total(hand) >= BEST or is_blackjack(dealer):
        raise CannotSay("this hand has nothing to decide: it is 21, bust, or the dealer has blackjack")
    return Position(
        tuple(hand), tuple(dealer), _legal(settings, hand, options.hands), options.hands, options.sevens
    ), seen


def _legal(settings: DoubleExposureSettings, hand: list[Card], hands: int) -> tuple[str, ...]:
    """Chips suffice for everything."""
    legal = ["hit", "stand"]
    if may_double(settings, hand) and (hands == 1 or settings.double_after_split):
        legal.append("double")
    if len(hand) == 2 and value(hand[0]) == value(hand[1]) and hands < settings.max_hands:
        legal.append("split")
    return tuple(legal)


def _cards(given: str, name: str) -> list[Card]:
    cards = [Card(card.upper()) for card in given.replace(",", " ").split()]
    wrong = next((card for card in cards if card not in INDEX), None)
    if wrong is not None:
        raise CannotSay(f"{name}: {wrong!r} is no card; write rank and suit, such as 7S, TH or AD")
    if len(cards) > SEEN_MAX:
        raise CannotSay(f"{name}: that is more than {SEEN_MAX} cards")
    return cards


def _check_shoe(settings: DoubleExposureSettings, cards: list[Card]) -> None:
    for card in cards:
        if cards.count(card) > settings.decks:
            raise CannotSay(f"{card} is there {cards.count(card)} times, and the shoe has {settings.decks}")
