/** A table's settings document with what it leaves out: limits, chips, payouts, times. The defaults are the server's. */

export type Odds = readonly [number, number];

interface Times {
  betting_ms: number;
  closing_ms: number;
  turn_ms: number;
  pause_ms: number;
  card_ms: number;
}

interface Common {
  chips: readonly number[];
  main_min: number;
  main_max: number;
  decks: number;
  times: Times;
}

/** What other houses play otherwise at Double Exposure. */
export interface HouseRules {
  max_hands: number;
  dealer_hits_soft_17: boolean;
  double_on: "hard_9_to_11" | "low_9_to_11" | "any";
  double_after_split: boolean;
  blackjack_tie: "push" | "win";
}

export const PUBLISHED: Readonly<HouseRules> = { max_hands: 4, dealer_hits_soft_17: false, double_on: "hard_9_to_11", double_after_split: true, blackjack_tie: "push" };

export interface DoubleExposureRules extends Common, HouseRules {
  game: "double_exposure";
  bonus_max: number;
  blackjack_odds: Odds;
  bonus_blackjack_odds: Odds;
  seven_odds: Odds;
  two_sevens_odds: Odds;
  three_sevens_odds: Odds;
}

export interface PuntoBancoRules extends Common {
  game: "punto_banco";
  tableau: string;
  commission: boolean;
  commission_rate: Odds;
  banca_six_odds: Odds;
  punto_odds: Odds;
  tie_odds: Odds;
  pair_odds: Odds;
  tie_max: number;
  pair_max: number;
  cut_card: number;
}

export type Rules = DoubleExposureRules | PuntoBancoRules;

const TIMES: Times = { betting_ms: 15_000, closing_ms: 2_000, turn_ms: 20_000, pause_ms: 4_000, card_ms: 400 };
const CHIPS = [100, 500, 2500, 10_000];
const SIDE_PART = 8;

export function rulesOf(game: string, settings: string): Rules {
  const said = JSON.parse(settings || "{}") as Partial<Rules> & { times?: Partial<Times> };
  return game === "punto_banco" ? puntoBanco(said as Partial<PuntoBancoRules>) : doubleExposure(said as Partial<DoubleExposureRules>);
}

function doubleExposure(said: Partial<DoubleExposureRules>): DoubleExposureRules {
  return {
    chips: CHIPS,
    main_min: 100,
    main_max: 50_000,
    decks: 6,
    bonus_max: 2000,
    blackjack_odds: [1, 1],
    bonus_blackjack_odds: [19, 1],
    seven_odds: [8, 1],
    two_sevens_odds: [40, 1],
    three_sevens_odds: [250, 1],
    ...PUBLISHED,
    ...said,
    game: "double_exposure",
    times: { ...TIMES, ...said.times },
  };
}

function puntoBanco(said: Partial<PuntoBancoRules>): PuntoBancoRules {
  const [main_max, chips] = [said.main_max ?? 100_000, said.chips ?? CHIPS];
  const side_max = Math.floor(main_max / SIDE_PART / chips[0]!) * chips[0]!;
  return {
    chips,
    main_min: 100,
    main_max,
    decks: 8,
    tableau: "reglamento",
    commission: true,
    commission_rate: [1, 20],
    banca_six_odds: [1, 2],
    punto_odds: [1, 1],
    tie_odds: [8, 1],
    pair_odds: [11, 1],
    tie_max: side_max,
    pair_max: side_max,
    cut_card: 14,
    ...said,
    game: "punto_banco",
    times: { ...TIMES, ...said.times },
  };
}

/** The spots of a box, in the order in which they lie on the felt. */
export function spotsOf(rules: Rules): readonly string[] {
  return rules.game === "punto_banco" ? ["punto_pair", "punto", "tie", "banca", "banca_pair"] : ["blackjack", "main", "sevens"];
}

/** Least and largest bet on a spot. */
export function limitsOf(rules: Rules, spot: string): readonly [number, number] {
  if (spot === "main" || spot === "punto" || spot === "banca") return [rules.main_min, rules.main_max];
  if (rules.game === "double_exposure") return [rules.chips[0]!, rules.bonus_max];
  return [rules.chips[0]!, spot === "tie" ? rules.tie_max : rules.pair_max];
}

export function oddsOf(rules: PuntoBancoRules, spot: string): Odds {
  if (spot === "punto") return rules.punto_odds;
  if (spot === "tie") return rules.tie_odds;
  if (spot !== "banca") return rules.pair_odds;
  const [part, whole] = rules.commission_rate;
  return rules.commission ? [whole - part, whole] : [1, 1];
}

/** What the house kept of a win on banca: an even win, less what was won. 0 where it keeps nothing. */
export function commissionOf(rules: Rules, spot: string, stake: number, returned: number): number {
  if (rules.game !== "punto_banco" || !rules.commission || spot !== "banca" || returned <= stake) return 0;
  return 2 * stake - returned;
}
