"""What the roads in a terminal say, in both languages. Data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tapete_rules.roads.coups import Problem


@dataclass(frozen=True, slots=True)
class RoadWords:
    """Templates for `str.format`. `letters` are those of the sides, `red` and `blue` those of the derived roads."""

    bead_plate: str
    big_road: str
    big_eye_boy: str
    small_road: str
    cockroach_road: str
    letters: Mapping[str, str]
    red: str
    blue: str
    nothing: str
    cropped: str
    cropped_short: str
    ask: Mapping[str, str]
    counts: str
    legend: str
    marks: Mapping[str, str]
    part: str
    problems: Mapping[Problem, str]
    line: str
    no_coups: str
    too_long: str


EN = RoadWords(
    bead_plate="Bead Plate",
    big_road="Big Road",
    big_eye_boy="Big Eye Boy",
    small_road="Small Road",
    cockroach_road="Cockroach Road",
    letters={"banca": "B", "punto": "P", "tie": "T"},
    red="R",
    blue="B",
    nothing="-",
    cropped="{title}, the last {columns} columns",
    cropped_short="… {title}",
    ask={"banca": "If banca wins now:", "punto": "If punto wins now:"},
    counts="{coups} coups: banca {banca}, punto {punto}, ties {tie}; pairs of banca {banca_pair}, of punto {punto_pair}; "
    "naturals {natural}",
    legend="B banca, P punto, T tie; R red (as before), B blue (not so); {marks}",
    marks={
        "natural": "* natural",
        "banca_pair": "' pair of banca",
        "punto_pair": ". pair of punto",
        "tie": "/ a tie after it (/2: two)",
    },
    part="Only the coups from number {coup} of this shoe are known here.",
    problems={
        "letter": "“{text}” (letter {place}) is no coup: write B for banca, P for punto, T for a tie, and after it n, b or p "
        "for a natural or a pair of banca or punto.",
        "mark_first": "“{text}” (letter {place}) marks a coup, and there is none before it: write B, P or T first.",
        "mark_twice": "“{text}” (letter {place}) marks the same coup twice: write it once, or the next coup as B, P or T.",
        "too_many": "There are more than {place} coups: give one shoe at a time.",
    },
    line="line {number}: {problem}",
    no_coups="Which coups? For example: tapete roads BBPPPBPBB",
    too_long="The line is longer than {chars} characters: write one shoe a line.",
)

ES = RoadWords(
    bead_plate="Plato de cuentas",
    big_road="Gran camino",
    big_eye_boy="Ojo grande",
    small_road="Camino pequeño",
    cockroach_road="Cucaracha",
    letters={"banca": "B", "punto": "P", "tie": "E"},
    red="R",
    blue="A",
    nothing="-",
    cropped="{title}, las últimas {columns} columnas",
    cropped_short="… {title}",
    ask={"banca": "Si ahora gana banca:", "punto": "Si ahora gana punto:"},
    counts="{coups} coups: banca {banca}, punto {punto}, empates {tie}; parejas de banca {banca_pair}, de punto "
    "{punto_pair}; naturales {natural}",
    legend="B banca, P punto, E empate; R rojo (como antes), A azul (ya no); {marks}",
    marks={
        "natural": "* natural",
        "banca_pair": "' pareja de banca",
        "punto_pair": ". pareja de punto",
        "tie": "/ le sigue un empate (/2: dos)",
    },
    part="Aquí solo se conocen los coups de este zapato desde el {coup}.",
    problems={
        "letter": "«{text}» (letra {place}) no es ningún coup: escribe B de banca, P de punto o T de empate, y detrás n, b o "
        "p si es un natural o hay pareja de banca o de punto.",
        "mark_first": "«{text}» (letra {place}) marca un coup, y antes no hay ninguno: escribe primero B, P o T.",
        "mark_twice": "«{text}» (letra {place}) marca dos veces el mismo coup: escríbelo una vez, o el coup siguiente con B, "
        "P o T.",
        "too_many": "Hay más de {place} coups: da los de un solo zapato.",
    },
    line="línea {number}: {problem}",
    no_coups="¿Qué coups? Por ejemplo: tapete roads BBPPPBPBB",
    too_long="La línea pasa de {chars} caracteres: escribe un zapato por línea.",
)


def road_words(lang: str) -> RoadWords:
    return ES if lang.lower().startswith("es") else EN
