/** All that the page says, in one language. A language that lacks a word does not compile. */

export type Rank = "A" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K";
export type Suit = "S" | "C" | "H" | "D";
export type ActionName = "hit" | "stand" | "stand_all" | "double" | "split";
export type SpotName = "main" | "blackjack" | "sevens" | "punto" | "banca" | "tie" | "punto_pair" | "banca_pair";

type Text<K extends string = never> = Record<K, string>;
type Say1 = (one: string) => string;
type Say2 = (one: string, two: string) => string;
type Say3 = (one: string, two: string, three: string) => string;
type Count = (n: number) => string;

export interface Words {
  locale: string;
  language: string;
  tieLetter: string;
  card: (rank: Rank, suit: Suit) => string;
  theCard: (rank: Rank, suit: Suit) => string;
  games: Record<string, string>;
  spots: Record<SpotName, string>;
  spotsShort: Partial<Record<SpotName, string>>;
  sides: Text<"punto" | "banca" | "tie">;
  actions: Record<ActionName, string>;
  whyNot: Record<ActionName, string>;
  clear: string;
  rebet: string;
  deal: string;
  dealing: string;
  wait: string;
  balance: string;
  staked: string;
  lastWin: string;
  minor: string;
  chip: Say1;
  chips: string;
  table: Say1;
  box: Count;
  boxOf: Count;
  seat: Count;
  you: Say1;
  free: string;
  freeBox: string;
  bet: string;
  dealer: string;
  round: (n: string) => string;
  hand: (n: number, of: number) => string;
  soft: string;
  hard: string;
  stood: string;
  waits: string;
  busted: string;
  doubled: string;
  byHouse: string;
  stands: string;
  tied: string;
  blackjack: string;
  natural: string;
  points: (total: number, soft: boolean) => string;
  win: Say1;
  lose: Say1;
  push: Say1;
  ready: string;
  betting: string;
  away: Say1;
  awayShort: string;
  leavingNow: string;
  opensNext: string;
  sitHere: string;
  sit: string;
  stand: string;
  leave: string;
  watching: Count;
  freeSeats: (boxes: readonly number[]) => string;
  noFreeSeats: string;
  spectators: Count;
  online: string;
  offline: string;
  connecting: string;
  back: string;
  sound: string;
  settings: string;
  history: string;
  paytable: string;
  close: string;
  play: Text<"dealerBlackjack" | "bonusesApart" | "pushed">;
  event: {
    yourTurn: Say2;
    turn: Say2;
    placeBets: string;
    placeBetsHint: string;
    takeSeatHint: string;
    closesIn: string;
    missing: Say1;
    missingMany: Say1;
    missingYou: string;
    missingYouToo: Say1;
    allReady: string;
    closed: string;
    receives: Say2;
    youReceive: Say1;
    dealerPlays: Count;
    dealerStands: Count;
    dealerBusts: Count;
    dealerNoDraw: string;
    youWin: Say1;
    youLose: Say1;
    youEven: string;
    roundOver: string;
    voided: string;
    newBets: Count;
    frozen: string;
    toBet: string;
    waitingFirst: string;
    leaving: string;
  };
  notice: {
    lost: (seconds: number | undefined) => string;
    extended: Count;
    partMissing: Say1;
    partSent: Say1;
  } & Text<
    | "lostMore" | "lostWatching" | "retry" | "unavailable" | "unavailableMore" | "control" | "controlMore" | "rewound" | "rewoundMore" | "moved" | "movedMore"
    | "extendedMore" | "partTaken" | "timedOut" | "frozen" | "gone" | "goneMore" | "over" | "overMore" | "reload" | "ok" | "replay"
  >;
  limit: { max: Say2; min: Say2 } & Text<"money" | "bonusFirst" | "closed" | "taken" | "noChip" | "nothingThere" | "noRebet">;
  limits: Say2;
  paysTitle: string;
  bonusPays: string;
  pays: Text<"blackjack" | "seven" | "two" | "three">;
  limitsMain: string;
  limitsTitle: string;
  limitsBonus: string;
  decks: Count;
  shuffledEach: Count;
  feltRule: readonly [string, string, string];
  edge: string;
  favours: string;
  edgeNote: string;
  feltVariant: Text<"hitsSoft17" | "tiesWin">;
  /** What other houses play otherwise: as choices, and as rules of a table. */
  houseRules: {
    splits: Count;
    doubles: Record<"hard_9_to_11" | "low_9_to_11" | "any", string>;
    splitTo: Count;
  } & Text<
    | "title" | "soft17" | "stands" | "draws" | "doubleOn" | "hard9To11" | "low9To11" | "any" | "afterSplit" | "notAfterSplit" | "splitsLabel" | "tie" | "push" | "win"
  >;
  odds: {
    chart: string;
    legend: string;
    note: string;
    unknown: string;
    mainEdge: Say2;
    inBets: string;
    dealerHas: string;
    dealerHand: Record<"hard" | "soft", string>;
    hand: Record<"hard" | "soft" | "pair", Say1>;
    letters: Record<ActionName, string>;
    howPlayed: string;
    nothingDecided: string;
    bestChoice: string;
    cost: Say2;
    costInAll: Say1;
    allBest: string;
    otherTableaux: string;
    seed: string;
  };
  mainEdgeNote: string;
  warn: {
    title: Record<ActionName, Say1>;
    cannotBust: Say1;
    lost: Say2;
    won: Say2;
    costs: Say1;
    average: Say2;
    back: string;
    anyway: Say1;
    never: string;
  };
  pb: {
    wins: Say3;
    won: Say3;
    tie: Count;
    naturalOf: (side: string, total: number) => string;
    puntoDraws: Count;
    puntoStands: Count;
    bancaDraws: (total: number, why: string) => string;
    bancaStands: (total: number, why: string) => string;
    thirdWas: Count;
    threeWere: Count;
    share: Say1;
    roadRead: Say2;
    commission: Say1;
    noCommission: Say1;
    thirdShort: Count;
    totalShort: Count;
    commissionTaken: Say1;
  } & Text<
    | "shoe" | "coup" | "left" | "cards" | "burnt" | "cut" | "newShoe" | "lastCoup" | "oneMore" | "tableau" | "row" | "stoodColumn" | "draws" | "stands" | "to"
    | "looksThird" | "looksTotal" | "noThird" | "puntoStood" | "puntoStoodShort" | "roads" | "bead" | "big" | "eye" | "small" | "cockroach" | "ifBanca" | "ifPunto" | "pairP" | "pairB" | "naturalCount"
    | "red" | "blue" | "nothing" | "back"
  >;
  lobby: {
    open: Count;
    people: (playing: number, watching: number) => string;
    boxes: (taken: number, all: number) => string;
    seats: (taken: number, all: number) => string;
    phase: Record<string, string>;
    streak: (side: string, n: number) => string;
  } & Text<
    "all" | "game" | "openTable" | "watch" | "sit" | "full" | "goOn" | "first" | "empty" | "loading" | "none" | "results" | "filter" | "topUp" | "toppedUp" | "last" | "minigame" | "noStake"
  >;
  name: Text<"title" | "hint" | "label" | "enter" | "watch" | "rename" | "change">;
  make: { seconds: Count } & Text<
    | "title" | "name" | "game" | "low" | "high" | "betting" | "turn" | "tableau" | "commission" | "public" | "private" | "whoSees" | "open" | "cancel" | "noClock" | "link" | "copy" | "copied" | "favours"
  >;
  prefs: { keysList: readonly (readonly [string, string])[] } & Text<
    "title" | "language" | "sound" | "soundHint" | "speed" | "calm" | "normal" | "fast" | "warnings" | "keys" | "on" | "off" | "share"
  >;
  past: {
    step: (n: number, of: number) => string;
    results: { dealer: Say1 } & Text<"bust" | "blackjack" | "void">;
  } & Text<
    "title" | "none" | "replay" | "check" | "link" | "first" | "back" | "next" | "last" | "play" | "pause" | "leave" | "missing"
  >;
  say: {
    boxTaken: (name: string, box: number) => string;
    boxFreed: Count;
    left: Say1;
    leaving: Say1;
    bettingOpened: (n: string) => string;
    bet: Say3;
    betBack: Say2;
    ready: Say1;
    extended: Count;
    away: Say1;
    back: Say1;
    timedOut: Say1;
    dealt: Say3;
    turn: Say2;
    yourTurn: Say3;
    split: Say1;
    stake: Say2;
    allStood: Say1;
    closedHand: Record<"blackjack" | "bust" | "dealer_blackjack" | "doubled" | "split_aces" | "stood" | "twenty_one", Say1>;
    dealerBust: Count;
    dealerTotal: Count;
    outcome: Record<"win" | "blackjack" | "lose" | "bust" | "push", Say2>;
    burnt: Say1;
    cut: Count;
    pair: Say1;
  } & Text<"closed" | "voided" | "frozen" | "tableClosed" | "settingsQueued" | "settingsChanged" | "dealerBlackjack" | "shoe">;
  and: (names: readonly string[]) => string;
  or: (names: readonly string[]) => string;
  title: string;
  skip: string;
  clock: Count;
}
