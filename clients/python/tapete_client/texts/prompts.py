"""What the programs for a terminal say beside the events, in both languages. Data: longer than other files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompts:
    """Templates for `str.format`, as in `Words`."""

    phases: Mapping[str, str]
    heading: str
    free: str
    away: str
    ready: str
    deciding: str
    outcomes: Mapping[str, str]
    purse: str
    no_tables: str
    tables: str
    table_line: str
    choose: str
    seated: str
    looking_on: str
    no_such_table: str
    not_understood: str
    not_an_amount: str
    not_a_box: str
    too_many_words: str
    needs_amount: str
    needs_box: str
    examples: Mapping[str, str]
    no_such_box: str
    no_such_spot: str
    spots: Mapping[str, str]
    no_box: str
    your_turn: str
    place_bets: str
    nothing_to_decide: str
    looking: str
    unreachable: str
    broken: str
    held: str
    lost: str
    goodbye: str
    very_bad: str
    advised: str
    advised_exactly: str
    warnings_on: str
    warnings_off: str
    help: str


EN = Prompts(
    phases={
        "betting": "bets are open",
        "closing": "no more bets",
        "dealing": "cards are dealt",
        "playing": "in play",
        "settled": "about to begin",
    },
    heading="{table} · {game} · round {round} · {phase}",
    free="free",
    away="away",
    ready="ready",
    deciding="decides",
    outcomes={"win": "wins", "lose": "loses", "bust": "bust", "push": "push", "blackjack": "blackjack"},
    purse="You: {stack} at the table, {balance} in the wallet.",
    no_tables="There is no table at the moment.",
    tables="Tables:",
    table_line="  {table}: {name}, {game}, {minimum} to {maximum}, {players} playing, {free} free boxes",
    choose="Which table? Type its id.",
    seated="{name}, you sit at box {box}. Type `help` for what you can say.",
    looking_on="You look on. Type `box 1` to sit down, or `help`.",
    no_such_table="There is no table {table}.",
    not_understood="I do not understand “{text}”. Type `help` for what you can say.",
    not_an_amount="“{text}” is no amount: write 10 or 10.50.",
    not_a_box="“{text}” is no box: write its number.",
    too_many_words="“{text}” is too much. Type `help` for how to say it.",
    needs_amount="How much? For example: {example}",
    needs_box="Which box? For example: {example}",
    examples={"bet": "bet 10", "buy": "buy 100", "free": "free 1"},
    no_such_box="There is no box {box} here: the boxes are 1 to {boxes}.",
    no_such_spot="Nobody bets on “{spot}” here. The spots are: {spots}.",
    spots={
        "main": "main",
        "blackjack": "blackjack",
        "sevens": "sevens",
        "punto": "punto",
        "banca": "banca",
        "tie": "tie",
        "punto_pair": "punto pair",
        "banca_pair": "banca pair",
    },
    no_box="You have no box here. Type `box` to take a free one.",
    your_turn="Your turn: {legal}.",
    place_bets="Bet with `bet 10`, then say `ready`.",
    nothing_to_decide="No hand has anything to decide now.",
    looking="Looking for the house at {url} …",
    unreachable="No house answers. Is it open, and is the address right? ({reason})",
    broken="The connection is lost; looking for another one.",
    held="Your box and chips are held for a while.",
    lost="The connection is gone for good: {reason}",
    goodbye="Goodbye, {name}. In your wallet: {balance}.",
    very_bad=(
        "To {action} here costs {cost} on average: {best} is better. Type it again if you mean it; "
        "`warnings` turns these questions off."
    ),
    advised="What each decision is worth on average, by the chart of these rules:",
    advised_exactly="What each decision is worth on average, by the cards that are seen:",
    warnings_on="You are asked about very bad decisions again.",
    warnings_off="You are not asked about very bad decisions any more. `warnings` turns that on again.",
    help="""\
  bet 10             bet 10.00 in your first box; bet 0 takes it back
  bet 2 10           in box 2
  bet banca 5        on a spot: punto, banca, tie, punto pair, banca pair,
  bet 2 sevens 1     or main, blackjack, sevens (here in box 2)
  ready              do not wait for me
  hit, stand, all, double, split     decide (all: stand on all your hands)
  advice             what each decision is worth here; only you are told
  warnings           do not ask me about very bad decisions; again: do
  box 3, free 3      take a box, give it back
  buy 100, cash 50   chips from the wallet, and back to it
  top                more play money, when you have none
  table              show the table again
  leave              give back all boxes and look on
  quit               leave the table and the program""",
)

ES = Prompts(
    phases={
        "betting": "se puede apostar",
        "closing": "no va más",
        "dealing": "se reparte",
        "playing": "en juego",
        "settled": "enseguida empieza",
    },
    heading="{table} · {game} · ronda {round} · {phase}",
    free="libre",
    away="ausente",
    ready="listo",
    deciding="decide",
    outcomes={"win": "gana", "lose": "pierde", "bust": "se pasa", "push": "empata", "blackjack": "blackjack"},
    purse="Tú: {stack} en la mesa, {balance} en el monedero.",
    no_tables="Ahora mismo no hay ninguna mesa.",
    tables="Mesas:",
    table_line="  {table}: {name}, {game}, de {minimum} a {maximum}, {players} jugando, {free} casillas libres",
    choose="¿Qué mesa? Escribe su nombre corto.",
    seated="{name}, te sientas en la casilla {box}. Escribe `ayuda` para ver qué puedes decir.",
    looking_on="Miras la mesa. Escribe `casilla 1` para sentarte, o `ayuda`.",
    no_such_table="No hay ninguna mesa {table}.",
    not_understood="No entiendo «{text}». Escribe `ayuda` para ver qué puedes decir.",
    not_an_amount="«{text}» no es un importe: escribe 10 o 10,50.",
    not_a_box="«{text}» no es una casilla: escribe su número.",
    too_many_words="«{text}» sobra. Escribe `ayuda` para ver cómo se dice.",
    needs_amount="¿Cuánto? Por ejemplo: {example}",
    needs_box="¿Qué casilla? Por ejemplo: {example}",
    examples={"bet": "apostar 10", "buy": "comprar 100", "free": "dejar 1"},
    no_such_box="Aquí no hay casilla {box}: las casillas van de la 1 a la {boxes}.",
    no_such_spot="Aquí no se apuesta a «{spot}». Se apuesta a: {spots}.",
    spots={
        "main": "principal",
        "blackjack": "blackjack",
        "sevens": "sietes",
        "punto": "punto",
        "banca": "banca",
        "tie": "empate",
        "punto_pair": "pareja punto",
        "banca_pair": "pareja banca",
    },
    no_box="No tienes casilla aquí. Escribe `casilla` para ocupar una libre.",
    your_turn="Te toca: {legal}.",
    place_bets="Apuesta con `apostar 10` y luego di `listo`.",
    nothing_to_decide="Ahora ninguna mano tiene nada que decidir.",
    looking="Buscando la casa en {url} …",
    unreachable="No contesta ninguna casa. ¿Está abierta, y es esa la dirección? ({reason})",
    broken="Se ha perdido la conexión; se busca otra.",
    held="Tu casilla y tus fichas se guardan un rato.",
    lost="La conexión se ha perdido del todo: {reason}",
    goodbye="Adiós, {name}. En tu monedero: {balance}.",
    very_bad=(
        "Aquí {action} cuesta {cost} de media: mejor {best}. Escríbelo otra vez si va en serio; "
        "`avisos` apaga estas preguntas."
    ),
    advised="Lo que vale cada decisión de media, según la tabla de estas reglas:",
    advised_exactly="Lo que vale cada decisión de media, según las cartas que se ven:",
    warnings_on="Se te vuelve a preguntar por las decisiones muy malas.",
    warnings_off="Ya no se te pregunta por las decisiones muy malas. `avisos` lo enciende otra vez.",
    help="""\
  apostar 10         apuesta 10,00 en tu primera casilla; apostar 0 la retira
  apostar 2 10       en la casilla 2
  apostar banca 5    a punto, banca, empate, pareja punto, pareja banca,
  apostar 2 sietes 1     o principal, blackjack, sietes (aquí en la casilla 2)
  listo              por mí, que empiece
  pedir, plantarse, todas, doblar, dividir     decidir (todas: plantarse en todas)
  consejo            lo que vale aquí cada decisión; solo se te dice a ti
  avisos             no me preguntes por las decisiones muy malas; otra vez: sí
  casilla 3, dejar 3     ocupar una casilla, dejarla
  comprar 100, cobrar 50     fichas del monedero, y de vuelta a él
  recargar           más dinero de juego, cuando no te queda
  mesa               ver la mesa otra vez
  levantarse         dejar todas las casillas y mirar
  salir              dejar la mesa y el programa""",
)


def prompts_of(lang: str) -> Prompts:
    return ES if lang.lower().startswith("es") else EN
