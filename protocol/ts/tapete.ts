// The messages between a client and a node, their codes and limits. Made by `python -m tapete_protocol.typescript`: do
// not edit. `protocol/README.md` says what they mean.

export const SUBPROTOCOL = "tapete.v1";

export const LIMITS = {
  COMMAND_BYTES_MAX: 4096,
  COMMAND_STR_BYTES_MAX: 4096,
  COMMAND_BIN_BYTES_MAX: 64,
  COMMAND_ARRAY_ITEMS_MAX: 32,
  COMMAND_MAP_FIELDS_MAX: 32,
  FRAME_BYTES_MAX: 1048576,
  FRAME_STR_BYTES_MAX: 65536,
  FRAME_BIN_BYTES_MAX: 65536,
  FRAME_ARRAY_ITEMS_MAX: 4096,
  FRAME_MAP_FIELDS_MAX: 256,
  DEPTH_LEVELS_MAX: 16,
  HELLO_MS_MAX: 10000,
  HEARTBEAT_MS: 10000,
  SILENCE_MS_MAX: 30000,
  CROWD_MS: 1000,
  LOBBY_MS: 1000,
  RESYNC_MS_MIN: 5000,
  PLAYER_NAME_CHARS_MAX: 24,
  TABLE_NAME_CHARS_MAX: 40,
  MARKS_IN_A_ROW_MAX: 2,
  ECHO_CHARS_MAX: 64,
  RECENT_RESULTS_MAX: 24,
} as const;

export const CLOSE_CODES = {
  GOING_AWAY: 4000,
  SLOW_CONSUMER: 4001,
  IDLE: 4002,
  INTERNAL: 4003,
  NODE_FULL: 4004,
  BAD_FRAME: 4500,
  TOO_BIG: 4501,
  BAD_SUBPROTOCOL: 4502,
  FLOOD: 4503,
} as const;

/** For each close code: what to tell, and how long to wait at most before coming back (0: do not). */
export const CLOSES = {
  4000: { en: "The node is stopping. Connect again: another node takes over.", es: "El nodo se detiene. Vuelve a conectar: otro nodo sigue con la partida.", delay_ms: 1000 },
  4001: { en: "This connection reads too slowly. Connect again; a snapshot brings you up to date.", es: "Esta conexión lee demasiado despacio. Vuelve a conectar: recibirás la mesa tal como está.", delay_ms: 2000 },
  4002: { en: "No Hello came in time, or no sign of life. Connect again and send Hello first.", es: "No llegó el Hello a tiempo, o ninguna señal de vida. Vuelve a conectar y envía primero Hello.", delay_ms: 1000 },
  4003: { en: "The node made a mistake. Connect again; nothing of yours is lost.", es: "El nodo cometió un error. Vuelve a conectar: no se ha perdido nada tuyo.", delay_ms: 2000 },
  4004: { en: "The node has no room for more connections. Try again in a while, or another node.", es: "El nodo no admite más conexiones. Prueba dentro de un rato, o en otro nodo.", delay_ms: 15000 },
  4500: { en: "A frame was not one msgpack map as the protocol has it. Mend the client.", es: "Una trama no era un mapa msgpack como pide el protocolo. Hay que corregir el cliente.", delay_ms: 0 },
  4501: { en: "A frame was bigger than a command may be. Mend the client.", es: "Una trama era mayor de lo que puede ser una orden. Hay que corregir el cliente.", delay_ms: 0 },
  4502: { en: "This node speaks the subprotocol tapete.v1 only. Offer it when connecting.", es: "Este nodo solo habla el subprotocolo tapete.v1. Ofrécelo al conectar.", delay_ms: 0 },
  4503: { en: "Too many commands, and on after being asked to slow down. Mend the client.", es: "Demasiadas órdenes, incluso tras pedir que aflojara. Hay que corregir el cliente.", delay_ms: 0 },
} as const;

/** For each refusal: message templates, and whether the same command may succeed a little later. */
export const CODES = {
  not_your_turn: { en: "Another hand decides now[: box {box}]. Wait until it is this hand's turn.", es: "Ahora decide otra mano[: la de la casilla {box}]. Espera el turno de esta.", retry: false, detail: ["box", "hand"] },
  round_over: { en: "No hand has anything to decide now. Wait for the next round.", es: "Ninguna mano tiene nada que decidir ahora. Espera a la próxima ronda.", retry: false, detail: [] },
  illegal_action: { en: "This hand may not do that now. Choose one of the legal actions[: {legal}].", es: "Esta mano no puede hacer eso ahora. Elige una de las acciones permitidas[: {legal}].", retry: false, detail: ["action", "legal"] },
  not_enough_chips: { en: "This needs more chips at the table than you have[: {needed}, not {stack}]. Buy in, or choose another action.", es: "Para esto te faltan fichas en la mesa[: hacen falta {needed}, tienes {stack}]. Compra, o elige otra acción.", retry: false, detail: ["action", "needed", "stack", "legal"] },
  unknown_spot: { en: "There is no such spot at this table. Bet on one of its spots[: {spots}].", es: "Esta mesa no tiene ese lugar de apuesta. Apuesta en uno de los suyos[: {spots}].", retry: false, detail: ["box", "spot", "spots"] },
  bet_below_minimum: { en: "The bet is below the minimum[ of {minimum}]. Raise it, or take it back.", es: "La apuesta no llega al mínimo[ de {minimum}]. Súbela o retírala.", retry: false, detail: ["box", "spot", "amount", "minimum"] },
  bet_above_maximum: { en: "The bet is above the maximum[ of {maximum}]. Lower it.", es: "La apuesta supera el máximo[ de {maximum}]. Bájala.", retry: false, detail: ["box", "spot", "amount", "maximum"] },
  bet_not_in_chips: { en: "The bet cannot be laid in this table's chips. Bet a multiple of the lowest chip[, {chip}].", es: "La apuesta no se puede hacer con las fichas de esta mesa. Apuesta un múltiplo de la ficha menor[, {chip}].", retry: false, detail: ["box", "spot", "amount", "chip"] },
  bonus_without_main: { en: "A bonus bet needs a main bet in the same box. Bet on main as well.", es: "Una apuesta extra necesita una apuesta principal en la misma casilla. Haz también la principal.", retry: false, detail: ["box", "spot"] },
  bad_amount: { en: "An amount is a whole number of minor units, 0 or more. Send 0 to take a bet back.", es: "Un importe es un número entero de unidades menores, 0 o más. Envía 0 para retirar una apuesta.", retry: false, detail: ["box", "spot", "amount"] },
  no_such_table: { en: "There is no such table. Choose another one in the lobby.", es: "Esa mesa no existe. Elige otra en la sala.", retry: false, detail: ["table"] },
  table_frozen: { en: "This table is stopped until an operator has looked at it. Your chips are safe; play at another table.", es: "Esta mesa está parada hasta que la revise el responsable. Tus fichas están a salvo; juega en otra mesa.", retry: false, detail: ["incident"] },
  box_taken: { en: "Somebody holds this box. Choose a free one.", es: "Esta casilla ya tiene jugador. Elige una libre.", retry: false, detail: ["box"] },
  not_your_box: { en: "This box is not yours. Sit down at it first, or use one of your own.", es: "Esta casilla no es tuya. Siéntate antes en ella o usa una de las tuyas.", retry: false, detail: ["box"] },
  not_seated: { en: "You are not at this table. Take a box first.", es: "No estás en esta mesa. Ocupa antes una casilla.", retry: false, detail: [] },
  leaving: { en: "You are leaving this table when the round is settled. Come back after that.", es: "Dejas esta mesa en cuanto se liquide la ronda. Vuelve después.", retry: false, detail: [] },
  too_many_boxes: { en: "You hold as many boxes as a player may[: {max}]. Give one back first.", es: "Ya tienes todas las casillas que puede tener un jugador[: {max}]. Deja antes alguna.", retry: false, detail: ["max"] },
  box_in_play: { en: "There is a stake on this box. Take the bets back, or wait until the round is settled.", es: "Hay una apuesta en esta casilla. Retira las apuestas o espera a que se liquide la ronda.", retry: false, detail: ["box"] },
  betting_closed: { en: "Bets are closed. Bet again in the next round.", es: "No va más: las apuestas están cerradas. Apuesta en la próxima ronda.", retry: false, detail: [] },
  no_reveals: { en: "This table's cards come without the players' part. Bet without a commitment.", es: "En esta mesa las cartas salen sin la parte de los jugadores. Apuesta sin compromiso.", retry: false, detail: [] },
  no_advice: { en: "The odds of this table's rules are not worked out here. Decide without; the operator can have them worked out.", es: "Las probabilidades de esta mesa no están calculadas aquí. Decide sin ellas; el operador puede calcularlas.", retry: false, detail: [] },
  nothing_committed: { en: "You are not bound to anything in this round. Send a commitment with your bet in the next one.", es: "No tienes ningún compromiso en esta ronda. Envía uno con tu apuesta en la próxima.", retry: false, detail: ["round"] },
  reveal_too_early: { en: "Bets are still open. Reveal when they are closed.", es: "Las apuestas siguen abiertas. Revela cuando estén cerradas.", retry: false, detail: ["round"] },
  reveal_too_late: { en: "The cards of that round are fixed. Reveal within the time after the close.", es: "Las cartas de esa ronda ya están fijadas. Revela dentro del plazo tras el cierre.", retry: false, detail: ["round"] },
  reveal_mismatch: { en: "These are not the bytes that you are bound to. Send those that the commitment was made of.", es: "Estos no son los bytes de tu compromiso. Envía aquellos de los que lo hiciste.", retry: false, detail: ["round"] },
  betting_not_open: { en: "Bets are not open yet. Wait for the next round to open.", es: "Las apuestas aún no están abiertas. Espera a que se abra la próxima ronda.", retry: false, detail: ["opens_at"] },
  too_late: { en: "The time for this decision is over: the house plays for you. Decide again in the next round.", es: "Se acabó el tiempo para decidir: la casa juega por ti. Podrás decidir en la próxima ronda.", retry: false, detail: ["until_at"] },
  nothing_staked: { en: "You have no bet in this round. Bet first, then say that you are ready.", es: "No tienes ninguna apuesta en esta ronda. Apuesta primero y luego di que estás listo.", retry: false, detail: [] },
  too_many_bets: { en: "You changed your bets too often in this round[ ({max} times)]. What lies there counts.", es: "Has cambiado tus apuestas demasiadas veces en esta ronda[ ({max})]. Vale lo que hay en el tapete.", retry: false, detail: ["max"] },
  stale: { en: "This command was made for an earlier state of yours at the table. Look at the table and send it anew.", es: "Esta orden corresponde a una situación anterior en la mesa. Mira la mesa y envíala de nuevo.", retry: false, detail: ["stint", "seq"] },
  busy: { en: "Many people act at this table at this moment. Try again at once.", es: "Mucha gente actúa en esta mesa en este momento. Inténtalo otra vez.", retry: true, detail: [] },
  in_flight: { en: "As many cash-outs are on their way from this table as there may be. Wait until one has arrived.", es: "Van de camino tantas fichas de esta mesa como puede haber. Espera a que lleguen unas al monedero.", retry: true, detail: [] },
  not_enough_money: { en: "Your wallet does not have that much[: {balance}]. Take less.", es: "Tu monedero no tiene tanto[: {balance}]. Toma menos.", retry: false, detail: ["amount", "balance"] },
  not_enough_in_stack: { en: "Your stack does not have that much[: {stack}]. Take less, or buy in.", es: "Tu pila no tiene tanto[: {stack}]. Toma menos o compra fichas.", retry: false, detail: ["amount", "stack"] },
  buy_in_refused: { en: "The table could not take the chips; they are back in your wallet. Take a box, then buy in again.", es: "La mesa no pudo aceptar las fichas; están de vuelta en tu monedero. Ocupa una casilla y compra otra vez.", retry: false, detail: ["why"] },
  enough_money: { en: "You still have enough to play. More comes when you have less[ than {below}], chips at tables included.", es: "Aún tienes bastante para jugar. Habrá más cuando tengas menos[ de {below}], contando las fichas de las mesas.", retry: false, detail: ["balance", "below"] },
  too_many_accounts: { en: "Too many new players came from this address. Go on with an earlier session, or try again later.", es: "Demasiados jugadores nuevos desde esta dirección. Sigue con una sesión anterior o prueba más tarde.", retry: true, detail: [] },
  not_signed_in: { en: "The first frame has to be a Hello. Send it, then this command again.", es: "La primera trama tiene que ser un Hello. Envíalo y repite la orden.", retry: false, detail: [] },
  already_signed_in: { en: "This connection has signed in. Open another connection to sign in as somebody else.", es: "Esta conexión ya ha iniciado sesión. Abre otra conexión para entrar como otra persona.", retry: false, detail: [] },
  bad_token: { en: "This session is not known or has run out. Sign in without a token to begin a new one.", es: "Esta sesión no se conoce o ha caducado. Entra sin token para empezar una nueva.", retry: false, detail: [] },
  bad_name: { en: "A name has 1 to {max} visible characters[, and this one does not: {name}]. Choose another one.", es: "Un nombre tiene de 1 a {max} caracteres visibles[, y este no: {name}]. Elige otro.", retry: false, detail: ["max", "name"] },
  unsupported: { en: "This node does not know that command or field[: {what}]. Use what the protocol lists.", es: "Este nodo no conoce esa orden o ese campo[: {what}]. Usa los del protocolo.", retry: false, detail: ["what"] },
  malformed_command: { en: "A field of the command is missing or wrong[: {field}, {problem}]. Correct it and send the command again.", es: "Falta un campo de la orden o está mal[: {field}, {problem}]. Corrígelo y envía la orden de nuevo.", retry: false, detail: ["field", "problem"] },
  rate_limited: { en: "Too many commands. Wait a moment, then go on more slowly.", es: "Demasiadas órdenes. Espera un momento y sigue más despacio.", retry: true, detail: [] },
  too_many_tables: { en: "That is as many tables as there may be[: {max}]. Leave or close one first.", es: "Ya son todas las mesas que puede haber[: {max}]. Deja o cierra antes alguna.", retry: false, detail: ["max"] },
  not_watching: { en: "This connection does not watch that table. Send Watch first.", es: "Esta conexión no sigue esa mesa. Envía antes Watch.", retry: false, detail: ["table"] },
  not_opener: { en: "Only the player who opened this table may do that. Ask that player.", es: "Solo puede hacerlo quien abrió la mesa. Pídeselo.", retry: false, detail: [] },
  chips_on_table: { en: "Somebody has chips at this table. It can be closed when all have left.", es: "Alguien tiene fichas en esta mesa. Se podrá cerrar cuando todos se hayan ido.", retry: false, detail: [] },
  bad_settings: { en: "A setting of the table cannot be so[: {field} {problem}]. Correct it.", es: "Un ajuste de la mesa no puede ser así[: {field} {problem}]. Corrígelo.", retry: false, detail: ["field", "problem"] },
  player_edge: { en: "With these settings a bet favours the player[: {spots}], and this node refuses that. Choose other settings.", es: "Con estos ajustes una apuesta favorece al jugador[: {spots}], y este nodo no lo admite. Elige otros.", retry: false, detail: ["spots"] },
  unavailable: { en: "The store cannot be reached at this moment. Nothing is lost and the clocks stand still; try again shortly.", es: "El almacén no responde en este momento. No se pierde nada y los relojes están parados; prueba en un momento.", retry: true, detail: [] },
  internal: { en: "The node made a mistake, and nothing changed. Try again; if it goes on, tell the operator[: {incident}].", es: "El nodo cometió un error y nada ha cambiado. Prueba otra vez; si sigue, avisa al responsable[: {incident}].", retry: true, detail: ["incident"] },
  draining: { en: "This node is stopping. Connect again: another node takes over.", es: "Este nodo se detiene. Vuelve a conectar: otro nodo sigue con la partida.", retry: true, detail: [] },
} as const;

export type RefusalCode = keyof typeof CODES;

/** The first frame. With the token of an earlier session it goes on as that player; without one, a guest is made. */
export interface Hello {
  readonly t: "Hello";
  readonly id: number;
  readonly name?: string;
  readonly token?: string;
  readonly client?: string;
}

/** Answered with an Ack whose `now` is the store's time. */
export interface Ping {
  readonly t: "Ping";
  readonly id: number;
}

/** Send the list of tables, and again (about once a second at most) when it changes; `on` false stops that. */
export interface WatchLobby {
  readonly t: "WatchLobby";
  readonly id: number;
  readonly on?: boolean;
}

/** Open a table. `settings` is a JSON document; a table that is not public is reached by its id only. */
export interface OpenTable {
  readonly t: "OpenTable";
  readonly id: number;
  readonly command: string;
  readonly name: string;
  readonly settings: string;
  readonly public?: boolean;
}

/** Close a table that this player opened and where nobody has chips. */
export interface CloseTable {
  readonly t: "CloseTable";
  readonly id: number;
  readonly table: string;
}

/** The last batch that a client has: what follows it is wanted. */
export interface Since {
  readonly version: number;
  readonly head: Uint8Array;
}

/** Follow a table: the batches after `since`, or one snapshot, then every batch as it happens. */
export interface Watch {
  readonly t: "Watch";
  readonly id: number;
  readonly table: string;
  readonly since?: Since;
}

/** Follow the table no longer. A box there is kept for a while, as after a lost connection. */
export interface Unwatch {
  readonly t: "Unwatch";
  readonly id: number;
  readonly table: string;
}

/** More play money, for a player who has less than the house's `top_up_below`, chips at tables included. */
export interface TopUp {
  readonly t: "TopUp";
  readonly id: number;
  readonly command: string;
}

/** Chips from the wallet to the stack at a table where this player holds a box. */
export interface BuyIn {
  readonly t: "BuyIn";
  readonly id: number;
  readonly command: string;
  readonly table: string;
  readonly amount: number;
}

/** Sit down at a free box. The first one at a table has `stint` 0 and any `seq`. */
export interface TakeBox {
  readonly t: "TakeBox";
  readonly id: number;
  readonly table: string;
  readonly stint: number;
  readonly seq: number;
  readonly box: number;
}

/** Give back a box on which nothing is staked. The last one is `Leave`: what is on the stack is cashed out. */
export interface FreeBox {
  readonly t: "FreeBox";
  readonly id: number;
  readonly table: string;
  readonly stint: number;
  readonly seq: number;
  readonly box: number;
}

/** Give back all boxes and cash out: at once before the close, else when the round is settled. */
export interface Leave {
  readonly t: "Leave";
  readonly id: number;
  readonly table: string;
  readonly stint: number;
  readonly seq: number;
}

/** Chips from the stack back to the wallet. */
export interface CashOut {
  readonly t: "CashOut";
  readonly id: number;
  readonly table: string;
  readonly stint: number;
  readonly seq: number;
  readonly amount: number;
}

/** What shall lie on a spot of a box, in all. */
export interface Bet {
  readonly box: number;
  readonly spot: string;
  readonly amount: number;
}

/** Absolute amounts, all or nothing; 0 takes a bet back, main 0 takes its bonus bets along. */
export interface PlaceBets {
  readonly t: "PlaceBets";
  readonly id: number;
  readonly table: string;
  readonly stint: number;
  readonly seq: number;
  readonly bets: readonly Bet[];
  readonly commitment?: Uint8Array;
}

/** Do not wait for me: the round starts when everyone with a stake is ready. */
export interface Ready {
  readonly t: "Ready";
  readonly id: number;
  readonly table: string;
  readonly stint: number;
  readonly seq: number;
  readonly ready?: boolean;
}

/** A decision for the hand whose turn it is; `TurnStarted` lists what is legal. */
export interface Act {
  readonly t: "Act";
  readonly id: number;
  readonly table: string;
  readonly stint: number;
  readonly seq: number;
  readonly box: number;
  readonly hand: number;
  readonly action: "double" | "hit" | "split" | "stand" | "stand_all";
}

/** The 32 bytes that this player is committed to, once bets are closed. As often as one likes, on any connection. */
export interface Reveal {
  readonly t: "Reveal";
  readonly id: number;
  readonly table: string;
  readonly round: number;
  readonly entropy: Uint8Array;
}

/** What each legal decision of the hand is worth that this player has to decide. `exact`: by every card that is seen. */
export interface AskAdvice {
  readonly t: "AskAdvice";
  readonly id: number;
  readonly table: string;
  readonly exact?: boolean;
}

/** `settings` is the document as it was given, byte for byte; the round records carry its SHA-256. */
export interface TableOpened {
  readonly t: "TableOpened";
  readonly name: string;
  readonly game: string;
  readonly settings: string;
  readonly public: boolean;
  readonly opener: string;
}

/** The table goes on with this document, from a new felt. */
export interface SettingsChanged {
  readonly t: "SettingsChanged";
  readonly settings: string;
}

/** The table goes on with these settings from the next round on. */
export interface SettingsQueued {
  readonly t: "SettingsQueued";
  readonly settings: string;
}

/** `stint`: the version at which this player arrived here. `via` names node and connection, for the nodes. */
export interface BoxTaken {
  readonly t: "BoxTaken";
  readonly box: number;
  readonly player: string;
  readonly name: string;
  readonly stint: number;
  readonly via: string;
}

/** The box is free again, and why. */
export interface BoxFreed {
  readonly t: "BoxFreed";
  readonly box: number;
  readonly player: string;
  readonly why: "away" | "closed" | "freed" | "idle" | "left";
}

/** Nothing of this player is at the table any more. */
export interface PlayerLeft {
  readonly t: "PlayerLeft";
  readonly player: string;
}

/** Goes when the round is settled. */
export interface PlayerLeaving {
  readonly t: "PlayerLeaving";
  readonly player: string;
}

/** A buy-in: from the wallet to the stack. */
export interface ChipsIn {
  readonly t: "ChipsIn";
  readonly player: string;
  readonly amount: number;
  readonly transfer: string;
}

/** From the stack to the wallet; on its way until `ChipsArrived`. */
export interface ChipsOut {
  readonly t: "ChipsOut";
  readonly player: string;
  readonly amount: number;
  readonly transfer: string;
}

/** The cash-out is in the wallet. */
export interface ChipsArrived {
  readonly t: "ChipsArrived";
  readonly transfer: string;
}

/** The next round, and the SHA-256 of its secret. Bets may be placed from `BettingOpened` on. */
export interface RoundOpened {
  readonly t: "RoundOpened";
  readonly round: number;
  readonly nonce: Uint8Array;
  readonly commitment: Uint8Array;
}

/** Bets are taken. */
export interface BettingOpened {
  readonly t: "BettingOpened";
  readonly round: number;
}

/** `amount` is what lies on the spot now; 0: nothing. */
export interface BetPlaced {
  readonly t: "BetPlaced";
  readonly box: number;
  readonly player: string;
  readonly spot: string;
  readonly amount: number;
}

/** The round need not wait for this player, or has to again. */
export interface PlayerReady {
  readonly t: "PlayerReady";
  readonly player: string;
  readonly ready: boolean;
}

/** A player is bound to 32 random bytes for this round; a later one takes its place. */
export interface EntropyCommitted {
  readonly t: "EntropyCommitted";
  readonly player: string;
  readonly commitment: Uint8Array;
}

/** What lies on a spot. */
export interface StakeOf {
  readonly spot: string;
  readonly amount: number;
}

/** The bets of a box. */
export interface BoxBets {
  readonly box: number;
  readonly player: string;
  readonly stakes: readonly StakeOf[];
}

/** What a player is bound to. */
export interface CommitmentOf {
  readonly player: string;
  readonly commitment: Uint8Array;
}

/** All bets of the round, in box order, and the commitments of those who bet, in the order of their lowest boxes. Ends its batch: the head after it fixes the cards, with what is revealed. */
export interface BettingClosed {
  readonly t: "BettingClosed";
  readonly round: number;
  readonly bets: readonly BoxBets[];
  readonly commitments: readonly CommitmentOf[];
}

/** The 32 bytes that a player was bound to. */
export interface EntropyRevealed {
  readonly t: "EntropyRevealed";
  readonly player: string;
  readonly entropy: Uint8Array;
}

/** The cards are fixed. `missing`: who was bound to bytes that did not come in time. */
export interface EntropyClosed {
  readonly t: "EntropyClosed";
  readonly round: number;
  readonly missing: readonly string[];
}

/** A countdown starts, moves or (with `until_at` 0) vanishes: `betting`, `closing`, `deal`, `turn`, `pause`, `hold:PLAYER`, `idle:PLAYER`, `out`. Nothing else changes the clocks, but `ClockExtended`. */
export interface ClockSet {
  readonly t: "ClockSet";
  readonly clock: string;
  readonly until_at: number;
}

/** The house was late: nobody loses by it. */
export interface ClockExtended {
  readonly t: "ClockExtended";
  readonly clock: string;
  readonly until_at: number;
  readonly by_ms: number;
}

/** The connection is gone; box and stack are held until `held_until_at`. `since_at`: when the node was last alive, if it is the house's fault (the time that a turn lost since then is given back); else 0. */
export interface PlayerAway {
  readonly t: "PlayerAway";
  readonly player: string;
  readonly held_until_at: number;
  readonly since_at: number;
}

/** Connected, again or elsewhere. `via` names node and connection, for the nodes. */
export interface PlayerBack {
  readonly t: "PlayerBack";
  readonly player: string;
  readonly via: string;
}

/** The clock ran out: the house plays this player's remaining hands of the round. */
export interface PlayerTimedOut {
  readonly t: "PlayerTimedOut";
  readonly player: string;
}

/** `result` in one word, for histories; `secret` lets anyone check the cards. */
export interface RoundSettled {
  readonly t: "RoundSettled";
  readonly round: number;
  readonly result: string;
  readonly secret: Uint8Array;
}

/** Every stake went back. `why`: `idle` (nobody bet for long), `interrupted` (the house was late too often), `incident` (a mistake of ours), `rewound` (the store may have forgotten something). */
export interface RoundVoided {
  readonly t: "RoundVoided";
  readonly round: number;
  readonly why: string;
  readonly secret: Uint8Array;
}

/** An invariant broke: nothing moves until an operator looks. Stakes stay in the ledger. */
export interface TableFrozen {
  readonly t: "TableFrozen";
  readonly incident: string;
}

/** The table is gone; `bank` is what its house part came to. */
export interface TableClosed {
  readonly t: "TableClosed";
  readonly bank: number;
}

/** A card, with the hand's total after it. `soft`: an ace counts eleven. `box` is 0 where it goes to no box. */
export interface CardDealt {
  readonly t: "CardDealt";
  readonly place: "banca" | "box" | "dealer" | "punto";
  readonly box: number;
  readonly hand: number;
  readonly card: string;
  readonly total: number;
  readonly soft: boolean;
  readonly word: number;
}

/** This hand decides; `legal` is all that it may do. Comes again after each card that leaves it a choice. */
export interface TurnStarted {
  readonly t: "TurnStarted";
  readonly box: number;
  readonly hand: number;
  readonly owner: string;
  readonly legal: readonly ("double" | "hit" | "split" | "stand" | "stand_all")[];
}

/** The hand whose turn it is may do other things than before: chips arrived. */
export interface ActionsChanged {
  readonly t: "ActionsChanged";
  readonly box: number;
  readonly hand: number;
  readonly legal: readonly ("double" | "hit" | "split" | "stand" | "stand_all")[];
}

/** Chips from the owner's stack to the hand: a double or a split. */
export interface StakeAdded {
  readonly t: "StakeAdded";
  readonly box: number;
  readonly hand: number;
  readonly owner: string;
  readonly amount: number;
}

/** Hand `hand` became `hand` and `hand + 1`, one card each; the hands to the right moved up by one. */
export interface HandSplit {
  readonly t: "HandSplit";
  readonly box: number;
  readonly hand: number;
}

/** Every remaining hand of this player stands as its turn comes. */
export interface AllStood {
  readonly t: "AllStood";
  readonly owner: string;
  readonly by: "house" | "player";
}

/** Nothing more is dealt to this hand, and why. `by`: who decided it, where somebody did. */
export interface HandClosed {
  readonly t: "HandClosed";
  readonly box: number;
  readonly hand: number;
  readonly why: "blackjack" | "bust" | "dealer_blackjack" | "doubled" | "split_aces" | "stood" | "twenty_one";
  readonly by: "house" | "player";
}

/** The dealer's hand is final. `drew`: it took cards beyond its two. */
export interface DealerDone {
  readonly t: "DealerDone";
  readonly total: number;
  readonly soft: boolean;
  readonly blackjack: boolean;
  readonly drew: boolean;
}

/** The main bet of one hand. `returned` includes the stake where it comes back. */
export interface HandSettled {
  readonly t: "HandSettled";
  readonly box: number;
  readonly hand: number;
  readonly outcome: "blackjack" | "bust" | "lose" | "push" | "win";
  readonly stake: number;
  readonly returned: number;
}

/** A bet on a spot: a bonus bet, or any bet of Punto Banco. */
export interface SpotSettled {
  readonly t: "SpotSettled";
  readonly box: number;
  readonly spot: string;
  readonly outcome: "blackjack" | "bust" | "lose" | "push" | "win";
  readonly stake: number;
  readonly returned: number;
}

/** A box's sum: `staked` left the stack in this round, `returned` goes back to it. */
export interface BoxSettled {
  readonly t: "BoxSettled";
  readonly box: number;
  readonly owner: string;
  readonly staked: number;
  readonly returned: number;
}

/** A new shuffled shoe. */
export interface ShoeOpened {
  readonly t: "ShoeOpened";
  readonly decks: number;
}

/** A card out of play. The first one of a shoe is turned and says how many follow it. */
export interface CardBurnt {
  readonly t: "CardBurnt";
  readonly card: string;
  readonly word: number;
}

/** The cut card came out. `last_coups`: how many more coups are dealt after the present one. */
export interface CutCardShown {
  readonly t: "CutCardShown";
  readonly last_coups: number;
}

/** Whether a side draws, and the cell of the tableau that says so: `row` is the side's two-card total, `column` what the tableau looks at besides, or -1. */
export interface ThirdCardDecided {
  readonly t: "ThirdCardDecided";
  readonly side: "banca" | "punto";
  readonly draws: boolean;
  readonly row: number;
  readonly column: number;
  readonly source: string;
}

/** Both totals are final. `natural`: an 8 or 9 in two cards ended the coup. */
export interface CoupDecided {
  readonly t: "CoupDecided";
  readonly winner: "banca" | "punto" | "tie";
  readonly punto: number;
  readonly banca: number;
  readonly natural: boolean;
  readonly punto_pair: boolean;
  readonly banca_pair: boolean;
}

/** Who this connection is. Keep `token`: it resumes the session on any node. */
export interface Welcome {
  readonly t: "Welcome";
  readonly id: number;
  readonly player: string;
  readonly name: string;
  readonly token: string;
  readonly balance: number;
  readonly now: number;
  readonly node: string;
  readonly tables: readonly string[];
}

/** Done. `version`: the table's version that the command made (or found, if it changed nothing). */
export interface Ack {
  readonly t: "Ack";
  readonly id: number;
  readonly now: number;
  readonly version?: number;
  readonly table?: string;
}

/** Nothing changed. `code` is one of the list of codes; `retry_ms` is there when trying again makes sense. */
export interface Refused {
  readonly t: "Refused";
  readonly id: number;
  readonly code: string;
  readonly message: string;
  readonly detail: { readonly [field: string]: unknown };
  readonly retry_ms?: number;
}

/** The command behind a batch: the player's sequence at the table, and the command's hash. */
export interface Author {
  readonly player: string;
  readonly seq: number;
  readonly digest: Uint8Array;
}

/** One commit: events of `table` from the state after head `prev` to version `v`. Its own head is SHA-256(prev + these very bytes). `schema` is the format of the log. */
export interface Batch {
  readonly t: "Batch";
  readonly table: string;
  readonly v: number;
  readonly prev: Uint8Array;
  readonly at: number;
  readonly events: readonly Event[];
  readonly by?: Author;
  readonly schema: number;
}

/** Somebody with a box or chips here. */
export interface PlayerView {
  readonly player: string;
  readonly name: string;
  readonly stack: number;
  readonly away: boolean;
  readonly held_until_at: number;
  readonly ready: boolean;
  readonly leaving: boolean;
}

/** What lies on a spot before the close. */
export interface BetView {
  readonly box: number;
  readonly spot: string;
  readonly amount: number;
}

/** Cards `left` and `dealt` (burnt ones too), the coup's number, and the cards behind the cut card. `number`: how many shoes were opened at this table, this one included. */
export interface ShoeView {
  readonly decks: number;
  readonly left: number;
  readonly dealt: number;
  readonly coup: number;
  readonly cut_card: number;
  readonly last_coups?: number;
  readonly burnt: readonly string[];
  readonly number: number;
}

/** A hand and the main bet on it. One card: it comes from a split and waits for its turn. */
export interface HandView {
  readonly cards: readonly string[];
  readonly total: number;
  readonly soft: boolean;
  readonly stake: number;
  readonly doubled: boolean;
  readonly closed?: string;
  readonly by?: string;
  readonly outcome?: string;
  readonly returned: number;
}

/** A bet on a spot. `outcome` is absent until it is settled. */
export interface SpotView {
  readonly spot: string;
  readonly stake: number;
  readonly outcome?: string;
  readonly returned: number;
}

/** A box in the present or last round. `returned` is absent until it is settled. */
export interface BoxFelt {
  readonly box: number;
  readonly staked: number;
  readonly hands: readonly HandView[];
  readonly spots: readonly SpotView[];
  readonly returned?: number;
}

/** The dealer's cards, or punto's, or banca's. */
export interface SideView {
  readonly cards: readonly string[];
  readonly total: number;
  readonly soft: boolean;
}

/** The hand that decides, and all that it may do. */
export interface TurnView {
  readonly box: number;
  readonly hand: number;
  readonly owner: string;
  readonly legal: readonly string[];
}

/** As `CoupDecided`. */
export interface CoupView {
  readonly winner: string;
  readonly punto: number;
  readonly banca: number;
  readonly natural: boolean;
  readonly punto_pair: boolean;
  readonly banca_pair: boolean;
}

/** As `ThirdCardDecided`. */
export interface ThirdView {
  readonly side: string;
  readonly draws: boolean;
  readonly row: number;
  readonly column: number;
  readonly source: string;
}

/** Cards and results of the present round, or of the last one until the next is dealt. */
export interface Felt {
  readonly shoe: ShoeView;
  readonly boxes: readonly BoxFelt[];
  readonly dealer?: SideView;
  readonly punto?: SideView;
  readonly banca?: SideView;
  readonly dealer_done: boolean;
  readonly turn?: TurnView;
  readonly standing: readonly string[];
  readonly coup?: CoupView;
  readonly third: readonly ThirdView[];
}

/** A player's part in the cards of the round. `entropy` is absent until it is revealed. */
export interface ContributionView {
  readonly player: string;
  readonly commitment: Uint8Array;
  readonly entropy?: Uint8Array;
  readonly missing: boolean;
}

/** `boxes[i]` is the player who holds box i + 1, or nil. `clocks`: name and store time of each countdown. */
export interface TableView {
  readonly name: string;
  readonly game: string;
  readonly settings: string;
  readonly public: boolean;
  readonly opener: string;
  readonly phase: string;
  readonly round: number;
  readonly commitment: Uint8Array;
  readonly boxes: readonly (string | null)[];
  readonly players: readonly PlayerView[];
  readonly bets: readonly BetView[];
  readonly clocks: readonly (readonly [string, number])[];
  readonly felt: Felt;
  readonly recent: readonly string[];
  readonly frozen?: string;
  readonly contributions: readonly ContributionView[];
}

/** The table as it stands after version `v`. `rewound`: the store went back; forget what came after. */
export interface Snapshot {
  readonly t: "Snapshot";
  readonly table: string;
  readonly v: number;
  readonly head: Uint8Array;
  readonly at: number;
  readonly view: TableView;
  readonly rewound: boolean;
}

/** Private: this player's standing at the table. The next command there carries `stint` and `seq` + 1. */
export interface Place {
  readonly t: "Place";
  readonly table: string;
  readonly stint: number;
  readonly seq: number;
  readonly control: boolean;
}

/** What a decision is worth on average: the net of the hand, in millionths of its stake. */
export interface Worth {
  readonly action: string;
  readonly millionths: number;
}

/** Private: what each legal decision of this player's hand is worth at version `v`, the open bonus bet on sevens included. Comes before the Ack of the `AskAdvice` with the same `id`. `exact`: by the very cards, else by the chart of the rules. `very_bad`: those that cost half the stake or more, or are worse whatever card comes. */
export interface Advice {
  readonly t: "Advice";
  readonly id: number;
  readonly table: string;
  readonly v: number;
  readonly box: number;
  readonly hand: number;
  readonly stake: number;
  readonly exact: boolean;
  readonly worth: readonly Worth[];
  readonly very_bad: readonly string[];
}

/** Private: the player's balance, after something changed it. */
export interface Wallet {
  readonly t: "Wallet";
  readonly balance: number;
}

/** Every ten seconds: the store's time, and the version that the table is at (none without a table). */
export interface Heartbeat {
  readonly t: "Heartbeat";
  readonly now: number;
  readonly table: string;
  readonly v: number;
}

/** Who looks on: ephemeral, about once a second when it changes, never in the log. */
export interface Crowd {
  readonly t: "Crowd";
  readonly table: string;
  readonly spectators: number;
}

/** A box that somebody holds, in miniature: all that is staked there, and the hand that is played, or else the first. */
export interface LobbyBox {
  readonly box: number;
  readonly name: string;
  readonly staked: number;
  readonly cards: readonly string[];
}

/** What a bet on a spot costs on average, in millionths of it; below 0 the bettor has the edge. */
export interface Edge {
  readonly spot: string;
  readonly millionths: number;
}

/** A line of the lobby. `minimum` and `maximum` of the main bet; `recent`: the last results, the newest last. `turn`: the box that decides; `until_at`: store time of the end of that turn, or of the time to bet. */
export interface LobbyTable {
  readonly table: string;
  readonly name: string;
  readonly game: string;
  readonly phase: string;
  readonly players: number;
  readonly free_boxes: number;
  readonly spectators: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly round: number;
  readonly recent: readonly string[];
  readonly tableau?: string;
  readonly boxes: readonly LobbyBox[];
  readonly dealer: readonly string[];
  readonly turn?: number;
  readonly until_at?: number;
  readonly edges: readonly Edge[];
}

/** The public tables, complete; of more than a thousand, those where people play first. */
export interface Lobby {
  readonly t: "Lobby";
  readonly tables: readonly LobbyTable[];
}

/** The table is closed, or was never there. */
export interface Gone {
  readonly t: "Gone";
  readonly table: string;
}

/** Whether commands can be taken at the moment: countdowns freeze while they cannot. */
export interface StoreState {
  readonly t: "StoreState";
  readonly available: boolean;
}

export type Command =
  | Hello
  | Ping
  | WatchLobby
  | OpenTable
  | CloseTable
  | Watch
  | Unwatch
  | TopUp
  | BuyIn
  | TakeBox
  | FreeBox
  | Leave
  | CashOut
  | PlaceBets
  | Ready
  | Act
  | Reveal
  | AskAdvice;

export type TableEvent =
  | TableOpened
  | SettingsChanged
  | SettingsQueued
  | BoxTaken
  | BoxFreed
  | PlayerLeft
  | PlayerLeaving
  | ChipsIn
  | ChipsOut
  | ChipsArrived
  | RoundOpened
  | BettingOpened
  | BetPlaced
  | PlayerReady
  | EntropyCommitted
  | BettingClosed
  | EntropyRevealed
  | EntropyClosed
  | ClockSet
  | ClockExtended
  | PlayerAway
  | PlayerBack
  | PlayerTimedOut
  | RoundSettled
  | RoundVoided
  | TableFrozen
  | TableClosed;

export type FeltEvent =
  | CardDealt
  | TurnStarted
  | ActionsChanged
  | StakeAdded
  | HandSplit
  | AllStood
  | HandClosed
  | DealerDone
  | HandSettled
  | SpotSettled
  | BoxSettled
  | ShoeOpened
  | CardBurnt
  | CutCardShown
  | ThirdCardDecided
  | CoupDecided;

export type Frame =
  | Welcome
  | Ack
  | Refused
  | Batch
  | Snapshot
  | Place
  | Advice
  | Wallet
  | Heartbeat
  | Crowd
  | Lobby
  | Gone
  | StoreState;

export type Event =
  | TableEvent
  | FeltEvent;

/** Each field's shape: i whole number, s text, b boolean, y bytes, m any map, e event, [x list, (xy) that many items,
 * Name a map of that kind; ?: may be absent, |n: may be nil. A pair is a shape and what its absence means. */
export const SHAPES = {
  Welcome: { id: "i", player: "s", name: "s", token: "s", balance: "i", now: "i", node: "s", tables: ["[s", []] },
  Ack: { id: "i", now: "i", version: "i?", table: "s?" },
  Refused: { id: "i", code: "s", message: "s", detail: ["m", {}], retry_ms: "i?" },
  Author: { player: "s", seq: "i", digest: "y" },
  Batch: { table: "s", v: "i", prev: "y", at: "i", events: "[e", by: "Author?", schema: ["i", 1] },
  PlayerView: { player: "s", name: "s", stack: "i", away: ["b", false], held_until_at: ["i", 0], ready: ["b", false], leaving: ["b", false] },
  BetView: { box: "i", spot: "s", amount: "i" },
  ShoeView: { decks: "i", left: "i", dealt: "i", coup: "i", cut_card: "i", last_coups: "i?", burnt: ["[s", []], number: ["i", 0] },
  HandView: { cards: "[s", total: "i", soft: "b", stake: "i", doubled: ["b", false], closed: "s?", by: "s?", outcome: "s?", returned: ["i", 0] },
  SpotView: { spot: "s", stake: "i", outcome: "s?", returned: ["i", 0] },
  BoxFelt: { box: "i", staked: "i", hands: ["[HandView", []], spots: ["[SpotView", []], returned: "i?" },
  SideView: { cards: "[s", total: "i", soft: ["b", false] },
  TurnView: { box: "i", hand: "i", owner: "s", legal: "[s" },
  CoupView: { winner: "s", punto: "i", banca: "i", natural: "b", punto_pair: "b", banca_pair: "b" },
  ThirdView: { side: "s", draws: "b", row: "i", column: "i", source: "s" },
  Felt: { shoe: "ShoeView", boxes: ["[BoxFelt", []], dealer: "SideView?", punto: "SideView?", banca: "SideView?", dealer_done: ["b", false], turn: "TurnView?", standing: ["[s", []], coup: "CoupView?", third: ["[ThirdView", []] },
  ContributionView: { player: "s", commitment: "y", entropy: "y?", missing: ["b", false] },
  TableView: { name: "s", game: "s", settings: "s", public: "b", opener: "s", phase: "s", round: "i", commitment: "y", boxes: "[s|n", players: "[PlayerView", bets: "[BetView", clocks: "[(si)", felt: "Felt", recent: "[s", frozen: "s?", contributions: ["[ContributionView", []] },
  Snapshot: { table: "s", v: "i", head: "y", at: "i", view: "TableView", rewound: ["b", false] },
  Place: { table: "s", stint: "i", seq: "i", control: ["b", true] },
  Worth: { action: "s", millionths: "i" },
  Advice: { id: "i", table: "s", v: "i", box: "i", hand: "i", stake: "i", exact: "b", worth: "[Worth", very_bad: "[s" },
  Wallet: { balance: "i" },
  Heartbeat: { now: "i", table: ["s", ""], v: ["i", 0] },
  Crowd: { table: "s", spectators: "i" },
  LobbyBox: { box: "i", name: "s", staked: ["i", 0], cards: ["[s", []] },
  Edge: { spot: "s", millionths: "i" },
  LobbyTable: { table: "s", name: "s", game: "s", phase: "s", players: "i", free_boxes: "i", spectators: "i", minimum: "i", maximum: "i", round: "i", recent: "[s", tableau: "s?", boxes: ["[LobbyBox", []], dealer: ["[s", []], turn: "i?", until_at: "i?", edges: ["[Edge", []] },
  Lobby: { tables: "[LobbyTable" },
  Gone: { table: "s" },
  StoreState: { available: "b" },
  TableOpened: { name: "s", game: "s", settings: "s", public: "b", opener: "s" },
  SettingsChanged: { settings: "s" },
  SettingsQueued: { settings: "s" },
  BoxTaken: { box: "i", player: "s", name: "s", stint: "i", via: "s" },
  BoxFreed: { box: "i", player: "s", why: "s" },
  PlayerLeft: { player: "s" },
  PlayerLeaving: { player: "s" },
  ChipsIn: { player: "s", amount: "i", transfer: "s" },
  ChipsOut: { player: "s", amount: "i", transfer: "s" },
  ChipsArrived: { transfer: "s" },
  RoundOpened: { round: "i", nonce: "y", commitment: "y" },
  BettingOpened: { round: "i" },
  BetPlaced: { box: "i", player: "s", spot: "s", amount: "i" },
  PlayerReady: { player: "s", ready: "b" },
  EntropyCommitted: { player: "s", commitment: "y" },
  StakeOf: { spot: "s", amount: "i" },
  BoxBets: { box: "i", player: "s", stakes: "[StakeOf" },
  CommitmentOf: { player: "s", commitment: "y" },
  BettingClosed: { round: "i", bets: "[BoxBets", commitments: ["[CommitmentOf", []] },
  EntropyRevealed: { player: "s", entropy: "y" },
  EntropyClosed: { round: "i", missing: "[s" },
  ClockSet: { clock: "s", until_at: "i" },
  ClockExtended: { clock: "s", until_at: "i", by_ms: "i" },
  PlayerAway: { player: "s", held_until_at: "i", since_at: ["i", 0] },
  PlayerBack: { player: "s", via: "s" },
  PlayerTimedOut: { player: "s" },
  RoundSettled: { round: "i", result: "s", secret: "y" },
  RoundVoided: { round: "i", why: "s", secret: "y" },
  TableFrozen: { incident: "s" },
  TableClosed: { bank: "i" },
  CardDealt: { place: "s", box: "i", hand: "i", card: "s", total: "i", soft: "b", word: "i" },
  TurnStarted: { box: "i", hand: "i", owner: "s", legal: "[s" },
  ActionsChanged: { box: "i", hand: "i", legal: "[s" },
  StakeAdded: { box: "i", hand: "i", owner: "s", amount: "i" },
  HandSplit: { box: "i", hand: "i" },
  AllStood: { owner: "s", by: "s" },
  HandClosed: { box: "i", hand: "i", why: "s", by: "s" },
  DealerDone: { total: "i", soft: "b", blackjack: "b", drew: "b" },
  HandSettled: { box: "i", hand: "i", outcome: "s", stake: "i", returned: "i" },
  SpotSettled: { box: "i", spot: "s", outcome: "s", stake: "i", returned: "i" },
  BoxSettled: { box: "i", owner: "s", staked: "i", returned: "i" },
  ShoeOpened: { decks: "i" },
  CardBurnt: { card: "s", word: "i" },
  CutCardShown: { last_coups: "i" },
  ThirdCardDecided: { side: "s", draws: "b", row: "i", column: "i", source: "s" },
  CoupDecided: { winner: "s", punto: "i", banca: "i", natural: "b", punto_pair: "b", banca_pair: "b" },
} satisfies Shapes;

export type Shapes = { readonly [kind: string]: { readonly [field: string]: string | readonly [string, unknown] } };
