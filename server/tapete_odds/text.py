"""Odds as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from tapete_odds.document import chosen
from tapete_odds.names import DEALERS, PLAYERS
from tapete_odds.words import OddsWords

Row = tuple[str, ...]


def number(value: float, places: int, words: OddsWords) -> str:
    return f"{value:.{places}f}".replace(".", words.decimal_point)


def percent(value: float, words: OddsWords, places: int = 4) -> str:
    return f"{number(100 * value, places, words)} %"


def points(value: float, words: OddsWords, places: int = 4) -> str:
    """A difference of two edges, in points of a per cent."""
    return f"{'-' if value < 0 else '+'}{number(abs(100 * value), places, words)}"


def changes(rows: Sequence[tuple[str, float]], words: OddsWords) -> list[str]:
    """Edges by one change of rules; the first row is what the others are compared with."""
    first = rows[0][1]
    differ = ("", *(points(edge - first, words) for _, edge in rows[1:]))
    return columns([(name, percent(edge, words), more) for (name, edge), more in zip(rows, differ, strict=True)])


def columns(rows: Sequence[Row]) -> list[str]:
    """Two spaces in; the first column flush left, the others flush right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for first, *others in rows:
        flush = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join(["", first.ljust(widths[0]), *flush]).rstrip())
    return lines


def sheet(odds: Mapping[str, Any], words: OddsWords) -> str:
    """All that is known of a table's odds."""
    parts = punto_banco(odds, words) if odds["game"] == "punto_banco" else double_exposure(odds, words)
    terms = [f"{name} {_plain(value)}" for name, value in odds["terms"].items() if name != "game"]
    return "\n\n".join([f"{words.games[odds['game']]}: {', '.join(terms)}", *parts])


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ":".join(map(str, value)) if isinstance(value, list) else str(value)


def punto_banco(odds: Mapping[str, Any], words: OddsWords) -> list[str]:
    rows = [(words.bet, words.edge, words.returned, words.variance, words.exact)]
    for spot, bet in odds["edges"].items():
        rows.append(
            (
                words.spots[spot],
                percent(bet["edge"], words),
                percent(bet["return"], words),
                number(bet["variance"], 4, words),
                bet["exact"],
            )
        )
    counts = [
        (words.count_names[name], f"{ways:,}", percent(ways / odds["counts"]["deals"], words))
        for name, ways in odds["counts"].items()
    ]
    return ["\n".join(columns(rows)), "\n".join([words.counts, *columns(counts)])]


def double_exposure(odds: Mapping[str, Any], words: OddsWords) -> list[str]:
    ways = ("optimal", "table")
    main: list[Row] = [
        ("", words.optimal, words.table),
        (words.edge, *(percent(odds["edge"][way], words) for way in ways)),
        (words.returned, *(percent(odds["return"][way], words) for way in ways)),
        (words.variance, *(number(odds["variance"][way], 4, words) for way in ways)),
        (words.deviation, *(number(sqrt(odds["variance"][way]), 4, words) for way in ways)),
    ]
    return [
        "\n".join(columns(main)),
        "\n".join([words.outcomes, *columns(_outcomes(odds, words))]),
        "\n".join([words.bonus, *columns(_bonus(odds, words))]),
        "\n".join([words.chart, *chart(odds["strategy"], words), f"  {words.legend}"]),
        "\n".join([words.approximations, *(f"  {line}" for line in words.approximate)]),
    ]


def _outcomes(odds: Mapping[str, Any], words: OddsWords) -> list[Row]:
    optimal, table = odds["outcomes"]["optimal"], odds["outcomes"]["table"]
    rows: list[Row] = [(words.net, words.optimal, words.table)]
    return rows + [
        (f"{float(net):+g}", *(percent(way.get(net, 0.0), words) for way in (optimal, table)))
        for net in sorted({*optimal, *table}, key=float)
    ]


def _bonus(odds: Mapping[str, Any], words: OddsWords) -> list[Row]:
    named = [(words.blackjack, odds["bonus"]["blackjack"])]
    named += [(words.sevens[way], bet) for way, bet in odds["bonus"]["sevens"].items()]
    return [(words.bet, words.edge, words.exact)] + [
        (name, percent(bet["edge"], words), bet["exact"]) for name, bet in named
    ]


def dealer_heads() -> list[str]:
    return [f"{name[0]}{name.split()[1]}" for name in DEALERS]


def row_name(player: str, words: OddsWords) -> str:
    kind, size = player.split()
    return f"{ {'hard': words.hard, 'soft': words.soft, 'pair': words.pair}[kind] } {size}"


def chart(strategy: Mapping[str, Any], words: OddsWords) -> list[str]:
    """A letter for each hand against each of the dealer's."""
    kinds = {"hard": words.hard[0], "soft": words.soft[0]}
    rows: list[Row] = [("", *(f"{kinds[name.split()[0]]}{name.split()[1]}" for name in DEALERS))]
    for player in PLAYERS:
        letters = (words.letters[chosen(strategy[player][dealer])] for dealer in DEALERS)
        rows.append((row_name(player, words), *letters))
    return columns([tuple(f"{cell:>3}" if place else cell for place, cell in enumerate(row)) for row in rows])
