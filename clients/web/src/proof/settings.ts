/** A table's settings as a check needs them: the document, with what it leaves out (*Settings* in `protocol/README.md`). */

import { type Map_, type Reader, flag, list, map, natural, or, positive, words } from "./fields";
import { Unproven, shown } from "./unproven";

/** A win pays numerator for each denominator of the stake. */
export type Odds = readonly [number, number];

interface Both {
  readonly reveals: boolean;
  readonly chip: number;
  readonly main_min: number;
  readonly main_max: number;
  readonly decks: number;
}

export type DoubleOn = "hard_9_to_11" | "low_9_to_11" | "any";
export type BlackjackTie = "push" | "win";

export interface DoubleExposure extends Both {
  readonly game: "double_exposure";
  readonly max_hands: number;
  readonly dealer_hits_soft_17: boolean;
  readonly double_on: DoubleOn;
  readonly double_after_split: boolean;
  readonly blackjack_tie: BlackjackTie;
  readonly bonus_max: number;
  readonly blackjack_odds: Odds;
  readonly bonus_blackjack_odds: Odds;
  /** For one, two and three sevens. */
  readonly sevens_odds: readonly [Odds, Odds, Odds];
}

export type TableauName = "reglamento" | "europacasino" | "casinoonnet";

export interface PuntoBanco extends Both {
  readonly game: "punto_banco";
  readonly tableau: TableauName;
  readonly commission: boolean;
  readonly commission_rate: Odds;
  readonly banca_six_odds: Odds;
  readonly punto_odds: Odds;
  readonly tie_odds: Odds;
  readonly pair_odds: Odds;
  readonly tie_max: number;
  readonly pair_max: number;
  readonly burn: boolean;
  readonly cut_card: number;
}

export type Settings = DoubleExposure | PuntoBanco;

const odds: Reader<Odds> = (value, where) => {
  const pair = list(natural)(value, where);
  if (pair.length !== 2 || pair[1] === 0) throw new Unproven(where, "malformed", shown(value));
  return pair as unknown as Odds;
};

/** One of a few names. */
const among =
  <Name extends string>(...names: readonly Name[]): Reader<Name> =>
  (value, where) => {
    const name = names.find((one) => one === value);
    if (name === undefined) throw new Unproven(where, "malformed", shown(value));
    return name;
  };

const tableau = among<TableauName>("reglamento", "europacasino", "casinoonnet");
const doubleOn = among<DoubleOn>("hard_9_to_11", "low_9_to_11", "any");
const blackjackTie = among<BlackjackTie>("push", "win");

/** Reads one field of a document. */
class Document {
  constructor(readonly from: Map_) {}

  the<T>(name: string, reader: Reader<T>, absent: T): T {
    return or(reader, absent)(this.from[name], `settings.${name}`);
  }
}

export function readSettings(document: string): Settings {
  const from = new Document(map(parsed(document), "settings"));
  const game = words(from.from.game, "settings.game");
  const chips = from.the("chips", list(positive), [100, 500, 2500, 10_000]);
  const both = { reveals: from.the("reveals", flag, false), chip: positive(chips[0], "settings.chips"), main_min: from.the("main_min", positive, 100) };
  if (game === "double_exposure") return { game, ...both, ...doubleExposure(from) };
  if (game === "punto_banco") return { game, ...both, ...puntoBanco(from, both.chip) };
  throw new Unproven("settings.game", "malformed", game);
}

function parsed(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    throw new Unproven("settings", "malformed");
  }
}

function doubleExposure(from: Document) {
  return {
    decks: from.the("decks", positive, 6),
    max_hands: from.the("max_hands", positive, 4),
    dealer_hits_soft_17: from.the("dealer_hits_soft_17", flag, false),
    double_on: from.the("double_on", doubleOn, "hard_9_to_11"),
    double_after_split: from.the("double_after_split", flag, true),
    blackjack_tie: from.the("blackjack_tie", blackjackTie, "push"),
    main_max: from.the("main_max", positive, 50_000),
    bonus_max: from.the("bonus_max", natural, 2000),
    blackjack_odds: from.the("blackjack_odds", odds, [1, 1]),
    bonus_blackjack_odds: from.the("bonus_blackjack_odds", odds, [19, 1]),
    sevens_odds: [from.the("seven_odds", odds, [8, 1]), from.the("two_sevens_odds", odds, [40, 1]), from.the("three_sevens_odds", odds, [250, 1])] as const,
  };
}

function puntoBanco(from: Document, chip: number) {
  const main_max = from.the("main_max", positive, 100_000);
  const eighth = Math.floor(main_max / 8 / chip) * chip;
  return {
    main_max,
    decks: from.the("decks", positive, 8),
    tableau: from.the("tableau", tableau, "reglamento"),
    commission: from.the("commission", flag, true),
    commission_rate: from.the("commission_rate", odds, [1, 20]),
    banca_six_odds: from.the("banca_six_odds", odds, [1, 2]),
    punto_odds: from.the("punto_odds", odds, [1, 1]),
    tie_odds: from.the("tie_odds", odds, [8, 1]),
    pair_odds: from.the("pair_odds", odds, [11, 1]),
    tie_max: from.the("tie_max", natural, eighth),
    pair_max: from.the("pair_max", natural, eighth),
    burn: from.the("burn", flag, true),
    cut_card: from.the("cut_card", natural, 14),
  };
}

/** The spots of a game in its order, each with the least and the most that may lie there. */
export function limitsOf(settings: Settings): readonly (readonly [spot: string, least: number, most: number])[] {
  const { chip, main_min, main_max } = settings;
  if (settings.game === "double_exposure") {
    return [["main", main_min, main_max], ["blackjack", chip, settings.bonus_max], ["sevens", chip, settings.bonus_max]];
  }
  const [tie, pair] = [settings.tie_max, settings.pair_max];
  return [["punto", main_min, main_max], ["banca", main_min, main_max], ["tie", chip, tie], ["punto_pair", chip, pair], ["banca_pair", chip, pair]];
}

/** What comes back of a stake that wins. */
export function won(stake: number, [numerator, denominator]: Odds): number {
  return stake + Number((BigInt(stake) * BigInt(numerator)) / BigInt(denominator));
}
