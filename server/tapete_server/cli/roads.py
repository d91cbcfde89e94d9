"""The word `roads`: the five roads of a shoe of Punto Banco, from its coups."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

from tapete_client.road_text import road_lines
from tapete_client.terminal import in_colour
from tapete_client.texts.road_words import RoadWords, road_words
from tapete_client.texts.scene import system_language
from tapete_rules.roads import Cell, Coup, Roads, WrongCoup, read_coups, roads_of, write_coup

LINE_CHARS_MAX = 100_000

EPILOG = """\
A coup is B (banca), P (punto) or T (tie); after it n, b and p mark a natural, a pair of banca, a pair of punto:

  tapete roads BBPPPBPBB
  tapete roads "BBn PPbT P BP BB" --lang es
  tapete roads --json < shoes.txt                  one shoe a line, one line of JSON for each

Where the terminal is too narrow for a road, its newest columns are shown; COLUMNS=200 says that there is more room.
In JSON, a cell of `big_road` is its coup and a T for each tie; the other roads are R (red) and B (blue), `ask` is what the
next coup would add to the three of them (null: nothing). Exit status: 0, or 2 if something could not be read.
"""


def add_words(words: Any) -> None:
    plain = argparse.RawDescriptionHelpFormatter
    roads = words.add_parser(
        "roads", help="the five roads of a shoe of Punto Banco", epilog=EPILOG, formatter_class=plain
    )
    roads.add_argument("coups", nargs="*", help="the coups of a shoe; without them, a shoe a line from standard input")
    roads.add_argument("--json", action="store_true", help="the marks, as one line of JSON")
    roads.add_argument("--lang", choices=("es", "en"), default=None, help="language (default: the system's)")
    roads.set_defaults(run=run_roads)


def run_roads(options: argparse.Namespace) -> int:
    lang = options.lang or system_language()
    words = road_words(lang)
    if not options.coups and sys.stdin.isatty():
        return _say(words.no_coups)
    given = iter([" ".join(options.coups)]) if options.coups else _lines()
    status = 0
    for number, line in enumerate(given, 1):
        try:
            roads = roads_of(read_line(line, words))
        except ValueError as wrong:
            status = _say(str(wrong) if options.coups else words.line.format(number=number, problem=wrong))
        else:
            print(as_json(roads) if options.json else _as_text(roads, lang), flush=True)
    return status


def _say(problem: str) -> int:
    print(f"tapete: {problem}", file=sys.stderr)
    return 2


def _lines() -> Iterator[str]:
    """Each line of standard input; of one that is too long, enough to see that it is."""
    while line := sys.stdin.buffer.readline(LINE_CHARS_MAX + 1):
        whole = line
        while len(whole) > LINE_CHARS_MAX and not whole.endswith(b"\n") and whole:
            whole = sys.stdin.buffer.readline(LINE_CHARS_MAX + 1)
        yield line.decode("utf-8", "replace")


def read_line(line: str, words: RoadWords) -> tuple[Coup, ...]:
    """The coups of a line. Raises `ValueError` with what to do, in the reader's language."""
    if len(line) > LINE_CHARS_MAX:
        raise ValueError(words.too_long.format(chars=LINE_CHARS_MAX))
    try:
        return read_coups(line)
    except WrongCoup as wrong:
        raise ValueError(words.problems[wrong.problem].format(text=wrong.text, place=wrong.place)) from wrong


def as_json(roads: Roads) -> str:
    """The marks, on one line."""
    return json.dumps(
        {
            "big_road": [[_cell(cell) for cell in column] for column in roads.big_road],
            "big_eye_boy": roads.big_eye_boy,
            "small_road": roads.small_road,
            "cockroach_road": roads.cockroach_road,
            "ask": {"banca": roads.ask("banca"), "punto": roads.ask("punto")},
        }
    )


def _cell(cell: Cell) -> str:
    return write_coup(cell.coup) + "T" * cell.ties


def _as_text(roads: Roads, lang: str) -> str:
    width = shutil.get_terminal_size().columns
    return "\n".join(road_lines(roads, lang, width, colour=in_colour(sys.stdout, os.environ)))
