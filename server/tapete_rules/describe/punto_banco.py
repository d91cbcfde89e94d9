"""The sheet of Punto Banco: settings, bets with their exact edges, counts, and the tableau with its sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapete_rules.describe.sheet import (
    amount,
    columns,
    grouped,
    odds,
    percent,
    section,
    settings_table,
    times_table,
)
from tapete_rules.describe.words import Words
from tapete_rules.punto_banco.checks import SPOTS
from tapete_rules.punto_banco.enumeration import count, edges
from tapete_rules.punto_banco.game import PuntoBanco
from tapete_rules.punto_banco.settings import NAME, PuntoBancoSettings
from tapete_rules.punto_banco.tableaux import TABLEAUX, Cell, Note, Tableau


def describe(document: Mapping[str, Any], words: Words) -> str:
    settings = PuntoBancoSettings.from_plain(document)
    plain = settings.to_plain()
    tableau = TABLEAUX[settings.tableau]
    parts = (
        words.label(NAME),
        settings_table(plain, words),
        _bets(settings, words),
        _counts(settings, words),
        _tableau(tableau, words),
        section(words.notes, columns([(letter, _note(note, words)) for letter, note in tableau.notes.items()])),
        times_table(plain, words),
    )
    return "\n\n".join(parts)


def _bets(settings: PuntoBancoSettings, words: Words) -> str:
    """What each bet pays, its limits, and what it costs; a bet that favours the bettor is named."""
    costs, favoured = edges(settings), PuntoBanco(settings).favours_player()
    pays = {
        "punto": odds(settings.punto_odds),
        "banca": _banca_pays(settings, words),
        "tie": odds(settings.tie_odds),
        "punto_pair": odds(settings.pair_odds),
        "banca_pair": odds(settings.pair_odds),
    }
    rows: list[tuple[str, ...]] = [words.bet_columns]
    for spot in SPOTS:
        least, most = (amount(limit, words) for limit in settings.limits(spot))
        rows.append((words.label(spot), pays[spot], least, most, percent(costs[spot], words)))
    named = [
        "  " + words.favours.format(spot=words.label(spot), edge=percent(-costs[spot], words))
        for spot in SPOTS
        if spot in favoured
    ]
    return section(words.bets, [*columns(rows, right=(2, 3, 4)), f"  {words.edge_note}", *named])


def _banca_pays(settings: PuntoBancoSettings, words: Words) -> str:
    if settings.commission:
        part, whole = settings.commission_rate
        return words.banca_with_commission.format(odds=odds(settings.banca_odds(9)), part=part, whole=whole)
    return words.banca_without_commission.format(odds=odds(settings.banca_six_odds))


def _counts(settings: PuntoBancoSettings, words: Words) -> str:
    counts = count(settings.decks, settings.tableau)
    figures = (counts.punto, counts.banca, counts.banca_six, counts.tie, counts.pair, counts.deals)
    rows = [(label, grouped(figure, words)) for label, figure in zip(words.count_labels, figures, strict=True)]
    return section(words.counts, columns(rows, right=(1,)))


def _tableau(tableau: Tableau, words: Words) -> str:
    """Punto's rule and banca's table, laid out as in the rules."""
    total, punto = words.punto_rule
    punto_rows = [
        (total, *(str(points) for points in range(len(tableau.punto)))),
        (punto, *(_cell(cell) for cell in tableau.punto)),
    ]
    banca_rows = [(words.banca_corner, *(str(column) for column in range(10)), words.stood)]
    banca_rows += [(str(points), *(_cell(cell) for cell in row)) for points, row in enumerate(tableau.banca)]
    lines = [
        f"  {words.legend}",
        "",
        *columns(punto_rows),
        "",
        f"  {words.banca_looks_at[tableau.looks_at]}",
        *columns(banca_rows),
        "",
        f"  {words.naturals.format(notes=', '.join(tableau.naturals))}",
    ]
    return section(words.tableau.format(name=tableau.name), lines)


def _cell(cell: Cell) -> str:
    return ("D" if cell.draws else "S") + cell.letter


def _note(note: Note, words: Words) -> str:
    mark = f" ({words.marks[note.mark]})" if note.mark else ""
    return f"{words.seed} {note.seed}, {note.part}{mark}: {note.words}"
