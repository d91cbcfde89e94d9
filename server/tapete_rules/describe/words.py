"""What a sheet says, in English and in Spanish. A data file: labels first, then sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """One language. `labels`: settings, payouts and spots by their names in a settings document."""

    labels: Mapping[str, str]
    settings: str
    times: str
    paytable: str
    yes: str
    no: str
    decimal_point: str
    group_mark: str
    bets: str
    bet_columns: tuple[str, str, str, str, str]
    banca_with_commission: str
    banca_without_commission: str
    edge_note: str
    favours: str
    counts: str
    count_labels: tuple[str, str, str, str, str, str]
    tableau: str
    legend: str
    punto_rule: tuple[str, str]
    banca_looks_at: Mapping[str, str]
    banca_corner: str
    stood: str
    naturals: str
    notes: str
    seed: str
    marks: Mapping[str, str]

    def label(self, name: str) -> str:
        """A name in words; one that has none is written as it is."""
        return self.labels.get(name, name.replace("_", " "))


EN = Words(
    labels={
        "double_exposure": "Double Exposure Blackjack",
        "punto_banco": "Punto Banco",
        "decks": "Decks in the shoe",
        "chips": "Chips",
        "main_min": "Least main bet",
        "main_max": "Largest main bet",
        "bonus_max": "Largest bonus bet",
        "max_hands": "Most hands in a box after splits",
        "tie_max": "Largest bet on the tie",
        "pair_max": "Largest bet on a pair",
        "tableau": "Tableau of the third card",
        "commission": "Commission on banca",
        "commission_rate": "Part of a win that is commission",
        "burn": "First card turned, and as many burnt",
        "cut_card": "Cards behind the cut card",
        "blackjack_odds": "Blackjack",
        "bonus_blackjack_odds": "Bonus blackjack",
        "seven_odds": "Bonus sevens: first card a seven",
        "two_sevens_odds": "Bonus sevens: first two cards sevens",
        "three_sevens_odds": "Bonus sevens: first three cards sevens",
        "dealer_hits_soft_17": "Dealer draws to a soft 17",
        "double_on": "Two cards that may double",
        "double_after_split": "Doubling after a split",
        "blackjack_tie": "Blackjack against blackjack",
        "hard_9_to_11": "hard 9 to 11",
        "low_9_to_11": "9 to 11, an ace counting one",
        "any": "any",
        "push": "the bet comes back",
        "win": "is paid",
        "reveals": "Players have a part in the cards",
        "betting_ms": "Bets are taken for",
        "closing_ms": "Players' part is waited for, at most",
        "turn_ms": "To think about a decision",
        "pause_ms": "From the settlement to the next bets",
        "card_ms": "Between two cards",
        "hold_ms": "A box is held for a lost connection",
        "idle_ms": "A seat may stay without a bet",
        "punto": "punto",
        "banca": "banca",
        "tie": "tie",
        "punto_pair": "punto pair",
        "banca_pair": "banca pair",
    },
    settings="Settings",
    times="Pace",
    paytable="Paytable",
    yes="yes",
    no="no",
    decimal_point=".",
    group_mark=",",
    bets="Bets",
    bet_columns=("bet", "pays", "least", "most", "house edge"),
    banca_with_commission="{odds} (1:1 less {part}/{whole})",
    banca_without_commission="1:1, with 6 {odds}",
    edge_note="House edge: average loss in % of the stake, exact for a full shoe, to four decimals.",
    favours="The bet on {spot} favours the bettor, by {edge}.",
    counts="Ordered deals of six cards from a full shoe, counted exactly",
    count_labels=("punto wins", "banca wins", "  of these with 6", "tie", "pair of one given side", "all deals"),
    tableau="Tableau {name}",
    legend="D: draws, S: stands; the letter is the note. The row is the total of the side's own two cards.",
    punto_rule=("total", "punto"),
    banca_looks_at={
        "third_card": "Banca looks at the value of punto's third card.",
        "three_card_total": "Banca looks at the total of punto's three cards.",
    },
    banca_corner="banca",
    stood="punto stood",
    naturals="An 8 or 9 in the first two cards of either side ends the coup: {notes}.",
    notes="Notes",
    seed="seed",
    marks={"reading": "reading", "reconstructed": "reconstructed"},
)

ES = Words(
    labels={
        "double_exposure": "Double Exposure Blackjack",
        "punto_banco": "Punto Banco",
        "decks": "Mazos en el zapato",
        "chips": "Fichas",
        "main_min": "Apuesta principal mínima",
        "main_max": "Apuesta principal máxima",
        "bonus_max": "Apuesta máxima a un bono",
        "max_hands": "Manos por casilla tras dividir, como máximo",
        "tie_max": "Apuesta máxima al empate",
        "pair_max": "Apuesta máxima a una pareja",
        "tableau": "Cuadro de la tercera carta",
        "commission": "Comisión sobre la banca",
        "commission_rate": "Parte de la ganancia que es comisión",
        "burn": "Se descubre la primera carta y se queman otras tantas",
        "cut_card": "Cartas detrás de la carta de corte",
        "blackjack_odds": "Blackjack",
        "bonus_blackjack_odds": "Bono blackjack",
        "seven_odds": "Bono sietes: un siete de primera",
        "two_sevens_odds": "Bono sietes: dos sietes de primeras",
        "three_sevens_odds": "Bono sietes: tres sietes de primeras",
        "dealer_hits_soft_17": "El crupier pide con 17 blando",
        "double_on": "Dos cartas con las que se dobla",
        "double_after_split": "Doblar después de dividir",
        "blackjack_tie": "Blackjack contra blackjack",
        "hard_9_to_11": "9 a 11 duros",
        "low_9_to_11": "9 a 11, contando uno el as",
        "any": "cualesquiera",
        "push": "la apuesta se devuelve",
        "win": "se paga",
        "reveals": "Los jugadores participan en las cartas",
        "betting_ms": "Se admiten apuestas durante",
        "closing_ms": "Se espera la parte de los jugadores, como mucho",
        "turn_ms": "Para pensar una decisión",
        "pause_ms": "De los pagos a las apuestas siguientes",
        "card_ms": "Entre carta y carta",
        "hold_ms": "Se guarda la casilla a quien pierde la conexión",
        "idle_ms": "Se puede estar sentado sin apostar",
        "punto": "punto",
        "banca": "banca",
        "tie": "empate",
        "punto_pair": "pareja de punto",
        "banca_pair": "pareja de banca",
    },
    settings="Ajustes",
    times="Ritmo",
    paytable="Pagos",
    yes="sí",
    no="no",
    decimal_point=",",
    group_mark=".",
    bets="Apuestas",
    bet_columns=("apuesta", "paga", "mínimo", "máximo", "ventaja de la casa"),
    banca_with_commission="{odds} (1:1 menos {part}/{whole})",
    banca_without_commission="1:1, con 6 {odds}",
    edge_note="Ventaja de la casa: pérdida media en % de lo apostado, exacta con un zapato entero, a cuatro decimales.",
    favours="La apuesta a {spot} favorece al que apuesta, en un {edge}.",
    counts="Repartos ordenados de seis cartas de un zapato entero, contados exactamente",
    count_labels=(
        "gana punto",
        "gana banca",
        "  de ellos con 6",
        "empate",
        "pareja de un lado dado",
        "todos los repartos",
    ),
    tableau="Cuadro {name}",
    legend="D: pide, S: se planta; la letra es la nota. La fila es el total de las dos cartas propias.",
    punto_rule=("total", "punto"),
    banca_looks_at={
        "third_card": "La banca mira el valor de la tercera carta del punto.",
        "three_card_total": "La banca mira el total de las tres cartas del punto.",
    },
    banca_corner="banca",
    stood="punto plantado",
    naturals="Un 8 o 9 en las dos primeras cartas de cualquier lado acaba el coup: {notes}.",
    notes="Notas",
    seed="semilla",
    marks={"reading": "lectura", "reconstructed": "reconstruido"},
)

WORDS: Mapping[str, Words] = {"es": ES, "en": EN}
