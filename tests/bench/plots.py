"""Plots as SVG, in the colours of the house."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from tests.bench.figures import Plot

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 46, 54
FONT = 'font-family="sans-serif" font-size="12"'
COLOURS = ("#d4b26c", "#67cbc6", "#b7a0ea", "#ea9ac4", "#c8d67a", "#8cb8ea")
MARKS = ("M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0", "M-4,-4h8v8h-8z", "M0,-5l5,9h-10z", "M0,-5l5,5l-5,5l-5,-5z")
"""Nobody needs the colours to tell the lines apart."""


class Axis:
    """From values to places. `logarithmic` axes go by decades."""

    def __init__(self, values: Sequence[float], low: float, high: float, *, logarithmic: bool) -> None:
        self._log = logarithmic and min(values) > 0
        found = [self._scaled(value) for value in values]
        if self._log:
            self._first, self._last = float(math.floor(min(found))), float(math.ceil(max(found)))
        else:
            self._first, self._last = 0.0, max(found)
        if self._last <= self._first:
            self._last = self._first + 1
        self._low, self._high = low, high

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self._log else value

    def place(self, value: float) -> float:
        share = (self._scaled(value) - self._first) / (self._last - self._first)
        return self._low + share * (self._high - self._low)

    def marks(self) -> list[float]:
        if self._log:
            return [10.0**power for power in range(int(self._first), int(self._last) + 1)]
        return [self._first + (self._last - self._first) * step / 4 for step in range(5)]


def drawn(plot: Plot) -> str:
    points = [point for line in plot.lines.values() for point in line]
    across = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT, logarithmic=plot.logarithmic)
    up = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP, logarithmic=plot.logarithmic)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" {FONT}>',
        f"<title>{escape(plot.name)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#0d1a15"/>',
        _text(LEFT, 26, plot.name, "#f6f0e2", size=15),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, plot.x, "#b9c0b2", anchor="middle"),
        f'<g transform="translate(18,{(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)">',
        _text(0, 0, plot.y, "#b9c0b2", anchor="middle") + "</g>",
    ]
    for mark in across.marks():
        x = across.place(mark)
        parts += [
            _rule(x, TOP, x, HEIGHT - BOTTOM),
            _text(x, HEIGHT - BOTTOM + 16, _number(mark), "#a3ada2", anchor="middle"),
        ]
    for mark in up.marks():
        y = up.place(mark)
        parts += [_rule(LEFT, y, WIDTH - RIGHT, y), _text(LEFT - 6, y + 4, _number(mark), "#a3ada2", anchor="end")]
    for number, (name, line) in enumerate(plot.lines.items()):
        parts += _line(name, [(across.place(x), up.place(y)) for x, y in line], number)
    return "\n".join([*parts, "</svg>\n"])


def _line(name: str, places: Sequence[tuple[float, float]], number: int) -> list[str]:
    colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    key = TOP + 10 + 20 * number
    spots = [*places, (WIDTH - RIGHT + 16, key - 4)]
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(f'<path d="{mark}" transform="translate({x:.1f},{y:.1f})" fill="{colour}"/>' for x, y in spots),
        _text(WIDTH - RIGHT + 26, key, name, "#e6e1d1"),
    ]


def _number(value: float) -> str:
    """Three digits that count, and no powers of ten."""
    return f"{float(f'{value:.3g}'):,.10g}"


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#2a4f41"/>'


def _text(x: float, y: float, text: str, colour: str, *, anchor: str = "start", size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
    )
