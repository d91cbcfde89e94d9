"""Plots of odds as SVG: the chart as a heat map, outcomes, the edge by one change of rules. Our own few lines of drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import Any
from xml.sax.saxutils import escape

from tapete_odds.document import chosen
from tapete_odds.names import DEALERS, PLAYERS
from tapete_odds.text import number, percent, points, row_name
from tapete_odds.words import OddsWords

CELL_PX, ROW_PX = 30, 22
LEFT_PX, TOP_PX = 120, 84
GOOD, BAD, EVEN = (23, 105, 170), (178, 58, 36), (247, 244, 236)
INK, PAPER, LINE = "#1c1c1c", "#fffdf8", "#d8d2c4"
WORTH_MAX = 1.0
"""Bets at which a colour is full."""
MINUS = "\N{MINUS SIGN}"
FONT = "font-family='Liberation Sans, Arial, sans-serif'"


def _text(x: float, y: float, text: str, *, size: int = 12, anchor: str = "middle", fill: str = INK) -> str:
    return f"<text x='{x:g}' y='{y:g}' font-size='{size}' text-anchor='{anchor}' fill='{fill}'>{escape(text)}</text>"


def _box(where: tuple[float, float], width: float, height: float, fill: str, title: str = "") -> str:
    inside = f"<title>{escape(title)}</title>" if title else ""
    x, y = where
    return f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}' fill='{fill}'>{inside}</rect>"


def _page(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:g} {height:g}' width='{width:g}' "
        f"height='{height:g}' role='img' {FONT}><title>{escape(title)}</title>"
    )
    return "\n".join([head, _box((0, 0), width, height, PAPER), *parts, "</svg>", ""])


def _colour(worth: float) -> str:
    """From red by paper to blue."""
    part = max(-1.0, min(1.0, worth / WORTH_MAX))
    end = GOOD if part > 0 else BAD
    mixed = (round(even + abs(part) * (full - even)) for even, full in zip(EVEN, end, strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)


def heat_map(odds: Mapping[str, Any], words: OddsWords) -> str:
    """The chart: the letter of the best action on the colour of its value; every value when one points at a cell."""
    width, height = LEFT_PX + CELL_PX * len(DEALERS) + 20, TOP_PX + ROW_PX * len(PLAYERS) + 76
    parts = [_text(LEFT_PX, 28, words.games["double_exposure"], size=18, anchor="start")]
    parts.append(_text(LEFT_PX, 50, words.chart, anchor="start"))
    for column, dealer in enumerate(DEALERS):
        kind = words.hard if dealer.startswith("hard") else words.soft
        parts.append(_text(LEFT_PX + CELL_PX * (column + 0.5), TOP_PX - 8, f"{kind[0]}{dealer.split()[1]}", size=11))
    for row, player in enumerate(PLAYERS):
        y = TOP_PX + ROW_PX * row
        parts.append(_text(LEFT_PX - 8, y + 15, row_name(player, words), anchor="end"))
        for column, dealer in enumerate(DEALERS):
            worth = odds["strategy"][player][dealer]
            parts.extend(_cell(LEFT_PX + CELL_PX * column, y, f"{player}: {dealer}", worth, words))
    parts.extend(_scale(height - 48, words))
    return _page(width, height, words.chart, parts)


def _cell(x: float, y: float, name: str, worth: Mapping[str, float], words: OddsWords) -> list[str]:
    best = chosen(worth)
    values = ", ".join(f"{words.actions[action]} {number(value, 4, words)}" for action, value in worth.items())
    light = abs(worth[best]) > 0.6
    return [
        _box((x, y), CELL_PX - 1, ROW_PX - 1, _colour(worth[best]), f"{name}: {values}"),
        _text(x + CELL_PX / 2, y + 15, words.letters[best], fill="#ffffff" if light else INK),
    ]


def _scale(y: float, words: OddsWords) -> list[str]:
    steps = [step / 10 for step in range(-10, 11)]
    parts = [_box((LEFT_PX + 18 * at, y), 18, 12, _colour(worth)) for at, worth in enumerate(steps)]
    for at, worth in ((0, f"{MINUS}1"), (10, "0"), (20, "+1")):
        parts.append(_text(LEFT_PX + 18 * at + 9, y + 28, worth, size=11))
    for line, text in enumerate((words.worth_axis, words.legend)):
        parts.append(_text(LEFT_PX + 18 * len(steps) + 14, y + 11 + 18 * line, text, anchor="start"))
    return parts


def outcomes(odds: Mapping[str, Any], words: OddsWords) -> str:
    """How often a round ends with how much, by the best play, on a logarithmic scale of tens."""
    chances = {float(net): chance for net, chance in odds["outcomes"]["optimal"].items()}
    nets = sorted(chances)
    width, height, foot, decades = 110 + 50 * len(nets), 380, 320, 7
    step = 250 / decades
    parts = [_text(width / 2, 24, words.outcomes, size=16), _text(width / 2, 44, words.in_tens, size=11)]
    for decade in range(decades + 1):
        y = foot - step * decade
        parts.append(_box((76, y), width - 96, 1, LINE))
        parts.append(
            _text(70, y + 4, percent(10.0 ** (decade - decades), words, max(0, 5 - decade)), size=10, anchor="end")
        )
    for at, net in enumerate(nets):
        high = max(1.0, step * (decades + _log10(chances[net])))
        x, fill = 90 + 50 * at, "#1769aa" if net > 0 else "#b23a24" if net < 0 else "#8a8578"
        chance = percent(chances[net], words, _places(chances[net]))
        parts.append(_box((x, foot - high), 34, high, fill, f"{_signed(net)}: {percent(chances[net], words, 6)}"))
        parts.append(_box((x + 17 - 2.7 * len(chance), foot - high - 15), 5.4 * len(chance), 12, PAPER))
        parts.append(_text(x + 17, foot - high - 6, chance, size=10))
        parts.append(_text(x + 17, foot + 18, _signed(net)))
    return _page(width, height, words.outcomes, [*parts, _text(width / 2, height - 16, words.net)])


def _signed(net: float) -> str:
    return f"{net:+g}".replace("-", MINUS) if net else "0"


def _places(chance: float) -> int:
    """Of a percentage, so that two figures are seen."""
    return max(2, 1 - floor(_log10(100 * chance)))


def _log10(value: float) -> float:
    return log10(value) if value > 0 else -99.0


BAR_ROW_PX, BAR_LEFT_PX, BAR_WIDE_PX = 34, 300, 380
BAR_TOP_PX = 60
FIGURES_PX = (780, 880)
"""Where figures end: a row's own, and what it differs by from the first one's."""

Row = tuple[str, float]
"""What it is, and the house's edge in it."""


def edges(title: str, rows: Sequence[Row], words: OddsWords) -> str:
    """House edges, one bar each; to the left of nothing the bettor has the edge."""
    return _bars(title, rows, [(percent(value, words),) for _, value in rows], words)


def compared(title: str, rows: Sequence[Row], words: OddsWords) -> str:
    """As `edges`; the first is what the others are compared with, from the worst for the player to the best."""
    first, *others = rows
    ordered = [first, *sorted(others, key=lambda row: -row[1])]
    figures = [(percent(value, words), points(value - first[1], words)) for _, value in ordered]
    return _bars(title, ordered, [(figures[0][0],), *figures[1:]], words, against=first[1])


def _bars(
    title: str,
    rows: Sequence[Row],
    figures: Sequence[tuple[str, ...]],
    words: OddsWords,
    *,
    against: float | None = None,
) -> str:
    """`against`: the first row is of another kind, and its value a line through the others."""
    width, foot = 900, BAR_TOP_PX + BAR_ROW_PX * len(rows)
    most, least = max(0.0, *(value for _, value in rows)), min(0.0, *(value for _, value in rows))
    unit = BAR_WIDE_PX / (most - least or 1.0)
    zero = BAR_LEFT_PX - unit * least
    parts = [_text(BAR_LEFT_PX, 34, title, size=16, anchor="start")]
    if against is not None:
        parts.append(_box((zero + unit * against, BAR_TOP_PX - 8), 1, foot - BAR_TOP_PX + 8, "#a49d8c"))
    for at, ((name, value), told) in enumerate(zip(rows, figures, strict=True)):
        y, length = BAR_TOP_PX + BAR_ROW_PX * at, abs(unit * value)
        fill = "#5f5a50" if against is not None and at == 0 else "#b23a24" if value > 0 else "#1769aa"
        parts.append(_text(BAR_LEFT_PX - 12, y + 16, name, anchor="end"))
        parts.append(
            _box((zero if value > 0 else zero - length, y), max(length, 1), 22, fill, percent(value, words, 6))
        )
        for x, figure in zip(FIGURES_PX, told, strict=False):
            parts.append(_text(x, y + 16, figure.replace("-", MINUS), anchor="end"))
    parts.append(_box((zero, BAR_TOP_PX - 8), 1, foot - BAR_TOP_PX + 8, INK))
    parts.append(_text(zero + 6, foot + 14, words.for_house, size=11, anchor="start"))
    if least < 0:
        parts.append(_text(zero - 6, foot + 14, words.for_player, size=11, anchor="end"))
    return _page(width, foot + 28, title, parts)
