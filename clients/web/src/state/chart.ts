/** The exact odds of a table, as its node gives them over plain HTTP, and what a hand's decisions are worth by them. */

import type { BoxFelt, HandView } from "$tapete";
import type { ActionName } from "../words/words";
import type { Advice } from "./judge";
import type { DoubleExposureRules } from "./rules";

/** In bets of the hand, by action. */
export type Worth = Readonly<Partial<Record<ActionName, number>>>;

export interface DoubleExposureOdds {
  readonly game: "double_exposure";
  readonly edge: { readonly optimal: number; readonly table: number };
  readonly bonus: { readonly blackjack: { readonly edge: number }; readonly sevens: { readonly always_hit: { readonly edge: number }; readonly table: { readonly edge: number } } };
  /** By the box's hand and then by the dealer's: `hard 16`, `soft 18`, `pair 8`. */
  readonly strategy: Readonly<Record<string, Readonly<Record<string, Worth>>>>;
}

/** Nothing where nobody has worked them out, and for the other game, whose edges the page counts itself. */
async function fetchOdds(table: string): Promise<DoubleExposureOdds | undefined> {
  const answer = await fetch(`/api/tables/${table}/odds`);
  if (!answer.ok) return undefined;
  const odds = (await answer.json()) as DoubleExposureOdds | { readonly game: undefined; readonly unknown: string };
  return odds.game === "double_exposure" ? odds : undefined;
}

/** While nobody knows them the house may be working them out: between two questions at least so long, then twice that, .. */
const ASKED_AGAIN_MS = 4_000;
const ASKED_AGAIN_MS_MAX = 300_000;

/** Asks until they are known; `told` hears every answer. Returns what ends it. */
export function awaitOdds(table: string, told: (odds: DoubleExposureOdds | undefined) => void): () => void {
  let [pauseMs, ended, timer] = [ASKED_AGAIN_MS, false, 0];
  async function ask(): Promise<void> {
    const found = await fetchOdds(table).catch(() => undefined);
    if (ended) return;
    told(found);
    if (found) return;
    timer = window.setTimeout(() => void ask(), pauseMs * (1 + Math.random() / 4));
    pauseMs = Math.min(2 * pauseMs, ASKED_AGAIN_MS_MAX);
  }
  void ask();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

const pips = (card: string) => ("TJQK".includes(card[0]!) ? 10 : card[0] === "A" ? 1 : Number(card[0]));
const letter = (value: number) => (value === 1 ? "A" : value === 10 ? "T" : String(value));

function totalName(cards: readonly string[]): string {
  const hard = cards.reduce((sum, card) => sum + pips(card), 0);
  return hard <= 11 && cards.some((card) => card[0] === "A") ? `soft ${hard + 10}` : `hard ${hard}`;
}

/** The row of the chart that a hand is in. */
export function rowOf(cards: readonly string[]): string {
  const [one, other] = cards;
  return cards.length === 2 && pips(one!) === pips(other!) ? `pair ${letter(pips(one!))}` : totalName(cards);
}

/** The column of the chart for the dealer's first two cards. */
export const columnOf = (dealer: readonly string[]): string => totalName(dealer.slice(0, 2));

/** The action of a cell that is worth most, and of equal ones the first. */
export function best(worth: Worth): ActionName {
  const entries = Object.entries(worth) as [ActionName, number][];
  return entries.reduce((top, one) => (one[1] > top[1] ? one : top))[0];
}

/** Of each legal decision, the expected net in minor units, the open bonus bet on sevens included. */
export function adviceOf(odds: DoubleExposureOdds, rules: DoubleExposureRules, box: BoxFelt, hand: HandView, dealer: readonly string[], legal: readonly string[]): Advice | undefined {
  const worth = odds.strategy[rowOf(hand.cards)]?.[columnOf(dealer)];
  if (!worth) return undefined;
  const advice: Partial<Record<ActionName, number>> = {};
  for (const action of legal as readonly ActionName[]) {
    const value = worth[action === "stand_all" ? "stand" : action];
    if (value !== undefined) advice[action] = value * hand.stake;
  }
  if (advice.hit !== undefined) advice.hit += sevensGain(rules, box, hand, dealer);
  return advice;
}

/** What a hit of 7-7 adds to the open bonus bet on average; 0 for every other hand. */
function sevensGain(rules: DoubleExposureRules, box: BoxFelt, hand: HandView, dealer: readonly string[]): number {
  const open = box.spots.find((spot) => spot.spot === "sevens" && spot.outcome === undefined);
  if (!open || box.hands.length > 1 || hand.cards.length !== 2 || hand.cards.some((card) => card[0] !== "7")) return 0;
  const left = 4 * rules.decks - 2 - dealer.filter((card) => card[0] === "7").length;
  const gain = ([numerator, denominator]: readonly [number, number]) => numerator / denominator;
  return (open.stake * (gain(rules.three_sevens_odds) - gain(rules.two_sevens_odds)) * left) / (52 * rules.decks - 2 - dealer.length);
}
