"""What sheets and plots of odds say, in English and in Spanish. A data file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OddsWords:
    decimal_point: str
    games: Mapping[str, str]
    edge: str
    optimal: str
    table: str
    returned: str
    variance: str
    deviation: str
    outcomes: str
    net: str
    chance: str
    bonus: str
    blackjack: str
    sevens: Mapping[str, str]
    bet: str
    spots: Mapping[str, str]
    counts: str
    count_names: Mapping[str, str]
    chart: str
    legend: str
    letters: Mapping[str, str]
    actions: Mapping[str, str]
    hard: str
    soft: str
    pair: str
    yours: str
    dealers: str
    approximations: str
    approximate: tuple[str, ...]
    working: str
    rule_changes: str
    house_rules: str
    changes: Mapping[str, str]
    worth_axis: str
    in_tens: str
    for_house: str
    for_player: str
    fast: str
    slow: str
    interval: str
    exact: str
    off: str
    replayed: str
    not_replayed: str
    took: str
    written: str
    exact_hand: str
    chart_hand: str
    very_bad: str
    playing: str
    best: str
    costs: str


EN = OddsWords(
    decimal_point=".",
    games={"double_exposure": "Double Exposure Blackjack", "punto_banco": "Punto Banco"},
    edge="House edge",
    optimal="best play",
    table="by the chart",
    returned="Return",
    variance="Variance",
    deviation="Standard deviation",
    outcomes="Outcomes of a round, in bets",
    net="net",
    chance="chance",
    bonus="Bonus bets",
    blackjack="blackjack",
    sevens={
        "always_hit": "sevens, 7-7 always hit",
        "table": "sevens, 7-7 by the chart",
        "never_hit": "sevens, 7-7 never hit",
    },
    bet="bet",
    spots={
        "punto": "punto", "banca": "banca", "tie": "tie", "punto_pair": "punto pair", "banca_pair": "banca pair",
        "main": "main bet", "blackjack": "bonus blackjack", "sevens": "bonus sevens",
    },
    counts="Ordered deals of six cards from a full shoe, counted exactly",
    count_names={
        "deals": "all deals", "punto": "punto wins", "banca": "banca wins", "tie": "tie",
        "banca_six": "banca wins with 6", "pair": "pair of one given side",
    },
    chart="The chart: your hand (rows) against the dealer's two cards (columns: h hard, s soft)",
    legend="H hit, S stand, D double, P split",
    letters={"hit": "H", "stand": "S", "double": "D", "split": "P"},
    actions={"hit": "hit", "stand": "stand", "stand_all": "stand on all", "double": "double", "split": "split"},
    hard="hard",
    soft="soft",
    pair="pair",
    yours="your hand",
    dealers="dealer's two cards",
    approximations="How exact this is",
    approximate=(
        "Six decks by composition: both dealer cards are known, and every card that is out is counted.",
        "Each hand of a split pair is played on its own cards; for such play the values are exact.",
        "A value of the chart is the mean over all cards that make the hand; the edges are worked out from the cards.",
        "Variance and outcomes take split hands as independent once the dealer's total is known; their means are exact.",
        "Chips suffice for every double and split.",
    ),
    working="working out the odds of these settings",
    rule_changes="House edge by one change of rules",
    house_rules="these rules",
    changes={
        "dealer_hits_soft_17": "dealer draws to soft 17",
        "double_any": "double on any two cards",
        "no_double_after_split": "no double after a split",
        "blackjack_tie": "blackjack wins a tie",
        "max_hands_2": "one split only",
        "max_hands_1": "no splits",
        "blackjack_3_2": "blackjack pays 3:2",
        "decks_8": "eight decks",
        "decks_2": "two decks",
    },
    worth_axis="value of the best action, in bets",
    in_tens="with the best play; each line is ten times the one below",
    for_house="the house has the edge →",
    for_player="← the player has it",
    fast="{rounds} rounds in {seconds} s: {rate} a second",
    slow="{rounds} rounds through the rules in {seconds} s: {rate} a second",
    interval="95 % interval",
    exact="exact",
    off="standard errors away",
    replayed="{count} of these rounds went through the rules as well, each to the same payments.",
    not_replayed="Every round went through the rules.",
    took="worked out in {seconds} s",
    written="written: {file}",
    exact_hand="{hand} against {dealer}, with {seen} other cards seen: worth of each decision, in bets",
    chart_hand="{hand} against {dealer}, by the chart: worth of each decision, in bets",
    very_bad="very bad",
    playing="playing",
    best="best",
    costs="costs",
)  # fmt: skip

ES = OddsWords(
    decimal_point=",",
    games={"double_exposure": "Double Exposure Blackjack", "punto_banco": "Punto Banco"},
    edge="Ventaja de la casa",
    optimal="jugando lo mejor",
    table="según la tabla",
    returned="Retorno",
    variance="Varianza",
    deviation="Desviación típica",
    outcomes="Resultados de una ronda, en apuestas",
    net="neto",
    chance="probabilidad",
    bonus="Bonos",
    blackjack="blackjack",
    sevens={
        "always_hit": "sietes, pidiendo siempre con 7-7",
        "table": "sietes, con 7-7 según la tabla",
        "never_hit": "sietes, sin pedir nunca con 7-7",
    },
    bet="apuesta",
    spots={
        "punto": "punto", "banca": "banca", "tie": "empate", "punto_pair": "pareja de punto",
        "banca_pair": "pareja de banca", "main": "apuesta principal", "blackjack": "bono blackjack",
        "sevens": "bono sietes",
    },
    counts="Repartos ordenados de seis cartas de un zapato entero, contados exactamente",
    count_names={
        "deals": "todos los repartos", "punto": "gana punto", "banca": "gana banca", "tie": "empate",
        "banca_six": "gana banca con 6", "pair": "pareja de un lado dado",
    },
    chart="La tabla: tu mano (filas) contra las dos cartas del crupier (columnas: d duras, b blandas)",
    legend="P pedir, X plantarse, D doblar, V dividir",
    letters={"hit": "P", "stand": "X", "double": "D", "split": "V"},
    actions={
        "hit": "pedir", "stand": "plantarse", "stand_all": "plantarse en todas", "double": "doblar", "split": "dividir",
    },
    hard="duro",
    soft="blando",
    pair="pareja",
    yours="tu mano",
    dealers="las dos cartas del crupier",
    approximations="Hasta qué punto es exacto",
    approximate=(
        "Seis mazos por composición: se conocen las dos cartas del crupier y se cuenta cada carta que ha salido.",
        "Cada mano de una pareja dividida se juega según sus propias cartas; para ese juego los valores son exactos.",
        "Un valor de la tabla es la media de todas las cartas que dan la mano; las ventajas salen de las cartas.",
        "Varianza y resultados toman por independientes las manos divididas, sabido el total del crupier.",
        "Hay fichas para cada doble y cada división.",
    ),
    working="calculando las probabilidades de estos ajustes",
    rule_changes="Ventaja de la casa al cambiar una regla",
    house_rules="estas reglas",
    changes={
        "dealer_hits_soft_17": "el crupier pide con 17 blando",
        "double_any": "doblar con dos cartas cualesquiera",
        "no_double_after_split": "sin doblar tras dividir",
        "blackjack_tie": "el blackjack gana el empate",
        "max_hands_2": "dividir una sola vez",
        "max_hands_1": "sin dividir",
        "blackjack_3_2": "el blackjack paga 3:2",
        "decks_8": "ocho mazos",
        "decks_2": "dos mazos",
    },
    worth_axis="valor de la mejor decisión, en apuestas",
    in_tens="jugando lo mejor; cada línea es diez veces la de debajo",
    for_house="la ventaja es de la casa →",
    for_player="← es del jugador",
    fast="{rounds} rondas en {seconds} s: {rate} por segundo",
    slow="{rounds} rondas por el reglamento en {seconds} s: {rate} por segundo",
    interval="intervalo del 95 %",
    exact="exacto",
    off="errores típicos de diferencia",
    replayed="{count} de estas rondas pasaron también por el reglamento, cada una con los mismos pagos.",
    not_replayed="Todas las rondas pasaron por el reglamento.",
    took="calculado en {seconds} s",
    written="escrito: {file}",
    exact_hand="{hand} contra {dealer}, con otras {seen} cartas vistas: lo que vale cada decisión, en apuestas",
    chart_hand="{hand} contra {dealer}, según la tabla: lo que vale cada decisión, en apuestas",
    very_bad="muy mala",
    playing="jugando",
    best="la mejor",
    costs="cuesta",
)  # fmt: skip


def odds_words(lang: str) -> OddsWords:
    return ES if lang.startswith("es") else EN
