"""Why a command was refused and why a connection was closed: the one list, as data, with words that say what to do.

Data: longer than other files. In a template `{field}` is a field of the refusal's detail; a part in `[...]` is left out
when a field in it is missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

Language = Literal["en", "es"]

AMOUNTS = frozenset({"amount", "minimum", "maximum", "chip", "needed", "stack", "balance", "below"})
"""Fields of a detail that are amounts: whole minor units on the wire, shown in units of 100."""


@dataclass(frozen=True, slots=True)
class Code:
    """A refusal. `retry`: the very same command may succeed a little later, without anybody changing it. `detail`: the
    fields that its detail may have."""

    name: str
    en: str
    es: str
    retry: bool = False
    detail: tuple[str, ...] = ()


class CloseCode(IntEnum):
    """Why the node closed a connection. Up to 4499: come back after a while. From 4500 on: do not, it happens again."""

    GOING_AWAY = 4000
    SLOW_CONSUMER = 4001
    IDLE = 4002
    INTERNAL = 4003
    NODE_FULL = 4004
    BAD_FRAME = 4500
    TOO_BIG = 4501
    BAD_SUBPROTOCOL = 4502
    FLOOD = 4503

    @property
    def advice(self) -> str:
        """In English, for the close frame (at most 123 bytes) and for logs."""
        return CLOSES[self].en

    @property
    def comes_back(self) -> bool:
        return comes_back(self)


FINAL_FROM = 4500
FINAL_TO = 4999


def comes_back(code: int | None) -> bool:
    """Is it any use to connect again after this close code (None: the connection broke)?"""
    return code is None or not FINAL_FROM <= code <= FINAL_TO


@dataclass(frozen=True, slots=True)
class Close:
    """`delay_ms`: wait between half of this and all of it, at random, before the first try; 0: there is no next try."""

    en: str
    es: str
    delay_ms: int


CLOSES: dict[CloseCode, Close] = {
    CloseCode.GOING_AWAY: Close(
        "The node is stopping. Connect again: another node takes over.",
        "El nodo se detiene. Vuelve a conectar: otro nodo sigue con la partida.",
        1000,
    ),
    CloseCode.SLOW_CONSUMER: Close(
        "This connection reads too slowly. Connect again; a snapshot brings you up to date.",
        "Esta conexión lee demasiado despacio. Vuelve a conectar: recibirás la mesa tal como está.",
        2000,
    ),
    CloseCode.IDLE: Close(
        "No Hello came in time, or no sign of life. Connect again and send Hello first.",
        "No llegó el Hello a tiempo, o ninguna señal de vida. Vuelve a conectar y envía primero Hello.",
        1000,
    ),
    CloseCode.INTERNAL: Close(
        "The node made a mistake. Connect again; nothing of yours is lost.",
        "El nodo cometió un error. Vuelve a conectar: no se ha perdido nada tuyo.",
        2000,
    ),
    CloseCode.NODE_FULL: Close(
        "The node has no room for more connections. Try again in a while, or another node.",
        "El nodo no admite más conexiones. Prueba dentro de un rato, o en otro nodo.",
        15000,
    ),
    CloseCode.BAD_FRAME: Close(
        "A frame was not one msgpack map as the protocol has it. Mend the client.",
        "Una trama no era un mapa msgpack como pide el protocolo. Hay que corregir el cliente.",
        0,
    ),
    CloseCode.TOO_BIG: Close(
        "A frame was bigger than a command may be. Mend the client.",
        "Una trama era mayor de lo que puede ser una orden. Hay que corregir el cliente.",
        0,
    ),
    CloseCode.BAD_SUBPROTOCOL: Close(
        "This node speaks the subprotocol tapete.v1 only. Offer it when connecting.",
        "Este nodo solo habla el subprotocolo tapete.v1. Ofrécelo al conectar.",
        0,
    ),
    CloseCode.FLOOD: Close(
        "Too many commands, and on after being asked to slow down. Mend the client.",
        "Demasiadas órdenes, incluso tras pedir que aflojara. Hay que corregir el cliente.",
        0,
    ),
}

_ALL = (
    # --- the rules ---
    Code(
        "not_your_turn",
        "Another hand decides now[: box {box}]. Wait until it is this hand's turn.",
        "Ahora decide otra mano[: la de la casilla {box}]. Espera el turno de esta.",
        detail=("box", "hand"),
    ),
    Code(
        "round_over",
        "No hand has anything to decide now. Wait for the next round.",
        "Ninguna mano tiene nada que decidir ahora. Espera a la próxima ronda.",
    ),
    Code(
        "illegal_action",
        "This hand may not do that now. Choose one of the legal actions[: {legal}].",
        "Esta mano no puede hacer eso ahora. Elige una de las acciones permitidas[: {legal}].",
        detail=("action", "legal"),
    ),
    Code(
        "not_enough_chips",
        "This needs more chips at the table than you have[: {needed}, not {stack}]. Buy in, or choose another action.",
        "Para esto te faltan fichas en la mesa[: hacen falta {needed}, tienes {stack}]. Compra, o elige otra acción.",
        detail=("action", "needed", "stack", "legal"),
    ),
    Code(
        "unknown_spot",
        "There is no such spot at this table. Bet on one of its spots[: {spots}].",
        "Esta mesa no tiene ese lugar de apuesta. Apuesta en uno de los suyos[: {spots}].",
        detail=("box", "spot", "spots"),
    ),
    Code(
        "bet_below_minimum",
        "The bet is below the minimum[ of {minimum}]. Raise it, or take it back.",
        "La apuesta no llega al mínimo[ de {minimum}]. Súbela o retírala.",
        detail=("box", "spot", "amount", "minimum"),
    ),
    Code(
        "bet_above_maximum",
        "The bet is above the maximum[ of {maximum}]. Lower it.",
        "La apuesta supera el máximo[ de {maximum}]. Bájala.",
        detail=("box", "spot", "amount", "maximum"),
    ),
    Code(
        "bet_not_in_chips",
        "The bet cannot be laid in this table's chips. Bet a multiple of the lowest chip[, {chip}].",
        "La apuesta no se puede hacer con las fichas de esta mesa. Apuesta un múltiplo de la ficha menor[, {chip}].",
        detail=("box", "spot", "amount", "chip"),
    ),
    Code(
        "bonus_without_main",
        "A bonus bet needs a main bet in the same box. Bet on main as well.",
        "Una apuesta extra necesita una apuesta principal en la misma casilla. Haz también la principal.",
        detail=("box", "spot"),
    ),
    Code(
        "bad_amount",
        "An amount is a whole number of minor units, 0 or more. Send 0 to take a bet back.",
        "Un importe es un número entero de unidades menores, 0 o más. Envía 0 para retirar una apuesta.",
        detail=("box", "spot", "amount"),
    ),
    # --- the table ---
    Code(
        "no_such_table",
        "There is no such table. Choose another one in the lobby.",
        "Esa mesa no existe. Elige otra en la sala.",
        detail=("table",),
    ),
    Code(
        "table_frozen",
        "This table is stopped until an operator has looked at it. Your chips are safe; play at another table.",
        "Esta mesa está parada hasta que la revise el responsable. Tus fichas están a salvo; juega en otra mesa.",
        detail=("incident",),
    ),
    Code(
        "box_taken",
        "Somebody holds this box. Choose a free one.",
        "Esta casilla ya tiene jugador. Elige una libre.",
        detail=("box",),
    ),
    Code(
        "not_your_box",
        "This box is not yours. Sit down at it first, or use one of your own.",
        "Esta casilla no es tuya. Siéntate antes en ella o usa una de las tuyas.",
        detail=("box",),
    ),
    Code(
        "not_seated",
        "You are not at this table. Take a box first.",
        "No estás en esta mesa. Ocupa antes una casilla.",
    ),
    Code(
        "leaving",
        "You are leaving this table when the round is settled. Come back after that.",
        "Dejas esta mesa en cuanto se liquide la ronda. Vuelve después.",
    ),
    Code(
        "too_many_boxes",
        "You hold as many boxes as a player may[: {max}]. Give one back first.",
        "Ya tienes todas las casillas que puede tener un jugador[: {max}]. Deja antes alguna.",
        detail=("max",),
    ),
    Code(
        "box_in_play",
        "There is a stake on this box. Take the bets back, or wait until the round is settled.",
        "Hay una apuesta en esta casilla. Retira las apuestas o espera a que se liquide la ronda.",
        detail=("box",),
    ),
    Code(
        "betting_closed",
        "Bets are closed. Bet again in the next round.",
        "No va más: las apuestas están cerradas. Apuesta en la próxima ronda.",
    ),
    Code(
        "no_reveals",
        "This table's cards come without the players' part. Bet without a commitment.",
        "En esta mesa las cartas salen sin la parte de los jugadores. Apuesta sin compromiso.",
    ),
    Code(
        "no_advice",
        "The odds of this table's rules are not worked out here. Decide without; the operator can have them worked out.",
        "Las probabilidades de esta mesa no están calculadas aquí. Decide sin ellas; el operador puede calcularlas.",
    ),
    Code(
        "nothing_committed",
        "You are not bound to anything in this round. Send a commitment with your bet in the next one.",
        "No tienes ningún compromiso en esta ronda. Envía uno con tu apuesta en la próxima.",
        detail=("round",),
    ),
    Code(
        "reveal_too_early",
        "Bets are still open. Reveal when they are closed.",
        "Las apuestas siguen abiertas. Revela cuando estén cerradas.",
        detail=("round",),
    ),
    Code(
        "reveal_too_late",
        "The cards of that round are fixed. Reveal within the time after the close.",
        "Las cartas de esa ronda ya están fijadas. Revela dentro del plazo tras el cierre.",
        detail=("round",),
    ),
    Code(
        "reveal_mismatch",
        "These are not the bytes that you are bound to. Send those that the commitment was made of.",
        "Estos no son los bytes de tu compromiso. Envía aquellos de los que lo hiciste.",
        detail=("round",),
    ),
    Code(
        "betting_not_open",
        "Bets are not open yet. Wait for the next round to open.",
        "Las apuestas aún no están abiertas. Espera a que se abra la próxima ronda.",
        detail=("opens_at",),
    ),
    Code(
        "too_late",
        "The time for this decision is over: the house plays for you. Decide again in the next round.",
        "Se acabó el tiempo para decidir: la casa juega por ti. Podrás decidir en la próxima ronda.",
        detail=("until_at",),
    ),
    Code(
        "nothing_staked",
        "You have no bet in this round. Bet first, then say that you are ready.",
        "No tienes ninguna apuesta en esta ronda. Apuesta primero y luego di que estás listo.",
    ),
    Code(
        "too_many_bets",
        "You changed your bets too often in this round[ ({max} times)]. What lies there counts.",
        "Has cambiado tus apuestas demasiadas veces en esta ronda[ ({max})]. Vale lo que hay en el tapete.",
        detail=("max",),
    ),
    Code(
        "stale",
        "This command was made for an earlier state of yours at the table. Look at the table and send it anew.",
        "Esta orden corresponde a una situación anterior en la mesa. Mira la mesa y envíala de nuevo.",
        detail=("stint", "seq"),
    ),
    Code(
        "busy",
        "Many people act at this table at this moment. Try again at once.",
        "Mucha gente actúa en esta mesa en este momento. Inténtalo otra vez.",
        retry=True,
    ),
    Code(
        "in_flight",
        "As many cash-outs are on their way from this table as there may be. Wait until one has arrived.",
        "Van de camino tantas fichas de esta mesa como puede haber. Espera a que lleguen unas al monedero.",
        retry=True,
    ),
    # --- money ---
    Code(
        "not_enough_money",
        "Your wallet does not have that much[: {balance}]. Take less.",
        "Tu monedero no tiene tanto[: {balance}]. Toma menos.",
        detail=("amount", "balance"),
    ),
    Code(
        "not_enough_in_stack",
        "Your stack does not have that much[: {stack}]. Take less, or buy in.",
        "Tu pila no tiene tanto[: {stack}]. Toma menos o compra fichas.",
        detail=("amount", "stack"),
    ),
    Code(
        "buy_in_refused",
        "The table could not take the chips; they are back in your wallet. Take a box, then buy in again.",
        "La mesa no pudo aceptar las fichas; están de vuelta en tu monedero. Ocupa una casilla y compra otra vez.",
        detail=("why",),
    ),
    Code(
        "enough_money",
        "You still have enough to play. More comes when you have less[ than {below}], chips at tables included.",
        "Aún tienes bastante para jugar. Habrá más cuando tengas menos[ de {below}], contando las fichas de las mesas.",
        detail=("balance", "below"),
    ),
    Code(
        "too_many_accounts",
        "Too many new players came from this address. Go on with an earlier session, or try again later.",
        "Demasiados jugadores nuevos desde esta dirección. Sigue con una sesión anterior o prueba más tarde.",
        retry=True,
    ),
    # --- the session ---
    Code(
        "not_signed_in",
        "The first frame has to be a Hello. Send it, then this command again.",
        "La primera trama tiene que ser un Hello. Envíalo y repite la orden.",
    ),
    Code(
        "already_signed_in",
        "This connection has signed in. Open another connection to sign in as somebody else.",
        "Esta conexión ya ha iniciado sesión. Abre otra conexión para entrar como otra persona.",
    ),
    Code(
        "bad_token",
        "This session is not known or has run out. Sign in without a token to begin a new one.",
        "Esta sesión no se conoce o ha caducado. Entra sin token para empezar una nueva.",
    ),
    Code(
        "bad_name",
        "A name has 1 to {max} visible characters[, and this one does not: {name}]. Choose another one.",
        "Un nombre tiene de 1 a {max} caracteres visibles[, y este no: {name}]. Elige otro.",
        detail=("max", "name"),
    ),
    Code(
        "unsupported",
        "This node does not know that command or field[: {what}]. Use what the protocol lists.",
        "Este nodo no conoce esa orden o ese campo[: {what}]. Usa los del protocolo.",
        detail=("what",),
    ),
    Code(
        "malformed_command",
        "A field of the command is missing or wrong[: {field}, {problem}]. Correct it and send the command again.",
        "Falta un campo de la orden o está mal[: {field}, {problem}]. Corrígelo y envía la orden de nuevo.",
        detail=("field", "problem"),
    ),
    Code(
        "rate_limited",
        "Too many commands. Wait a moment, then go on more slowly.",
        "Demasiadas órdenes. Espera un momento y sigue más despacio.",
        retry=True,
    ),
    Code(
        "too_many_tables",
        "That is as many tables as there may be[: {max}]. Leave or close one first.",
        "Ya son todas las mesas que puede haber[: {max}]. Deja o cierra antes alguna.",
        detail=("max",),
    ),
    Code(
        "not_watching",
        "This connection does not watch that table. Send Watch first.",
        "Esta conexión no sigue esa mesa. Envía antes Watch.",
        detail=("table",),
    ),
    Code(
        "not_opener",
        "Only the player who opened this table may do that. Ask that player.",
        "Solo puede hacerlo quien abrió la mesa. Pídeselo.",
    ),
    Code(
        "chips_on_table",
        "Somebody has chips at this table. It can be closed when all have left.",
        "Alguien tiene fichas en esta mesa. Se podrá cerrar cuando todos se hayan ido.",
    ),
    Code(
        "bad_settings",
        "A setting of the table cannot be so[: {field} {problem}]. Correct it.",
        "Un ajuste de la mesa no puede ser así[: {field} {problem}]. Corrígelo.",
        detail=("field", "problem"),
    ),
    Code(
        "player_edge",
        "With these settings a bet favours the player[: {spots}], and this node refuses that. Choose other settings.",
        "Con estos ajustes una apuesta favorece al jugador[: {spots}], y este nodo no lo admite. Elige otros.",
        detail=("spots",),
    ),
    Code(
        "unavailable",
        "The store cannot be reached at this moment. Nothing is lost and the clocks stand still; try again shortly.",
        "El almacén no responde en este momento. No se pierde nada y los relojes están parados; prueba en un momento.",
        retry=True,
    ),
    Code(
        "internal",
        "The node made a mistake, and nothing changed. Try again; if it goes on, tell the operator[: {incident}].",
        "El nodo cometió un error y nada ha cambiado. Prueba otra vez; si sigue, avisa al responsable[: {incident}].",
        retry=True,
        detail=("incident",),
    ),
    Code(
        "draining",
        "This node is stopping. Connect again: another node takes over.",
        "Este nodo se detiene. Vuelve a conectar: otro nodo sigue con la partida.",
        retry=True,
    ),
)

CODES: dict[str, Code] = {code.name: code for code in _ALL}

_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_FIELD = re.compile(r"\{(\w+)\}")
_DEFAULTS: Mapping[str, Mapping[str, Any]] = {"bad_name": {"max": 24}}


def message(code: str, lang: str = "en", detail: Mapping[str, Any] | None = None) -> str:
    """What to tell a person. A code that this release does not know (a newer node's) is its own message."""
    known = CODES.get(code)
    if known is None:
        return code
    spanish = lang.partition("-")[0] == "es"
    values = {**_DEFAULTS.get(code, {}), **(detail or {})}

    def optional(part: re.Match[str]) -> str:
        whole = all(field in values for field in _FIELD.findall(part[1]))
        return part[1] if whole else ""

    def field(part: re.Match[str]) -> str:
        return _shown(part[1], values.get(part[1], ""), "," if spanish else ".")

    return _FIELD.sub(field, _OPTIONAL.sub(optional, known.es if spanish else known.en))


def _shown(name: str, value: Any, point: str) -> str:
    if name in AMOUNTS and isinstance(value, int):
        return _money(value, point)
    if isinstance(value, list | tuple):
        return ", ".join(str(one) for one in value)
    return str(value)


def _money(amount: int, point: str) -> str:
    whole, cents = divmod(abs(amount), 100)
    sign = "-" if amount < 0 else ""
    return f"{sign}{whole}{point}{cents:02}" if cents else f"{sign}{whole}"
