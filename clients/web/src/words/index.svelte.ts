/** The words of the language that is chosen now. */

import type { DoubleExposureRules, Odds } from "../state/rules";
import { prefs } from "../state/prefs.svelte";
import { en } from "./en";
import { es } from "./es";
import * as figures from "./money";
import type { Rank, Suit, Words } from "./words";

export const LANGUAGES: Readonly<Record<"es" | "en", Words>> = { es, en };

export function words(): Words {
  return LANGUAGES[prefs.language];
}

const locale = () => words().locale;
export const money = (amount: number) => figures.money(amount, locale());
export const chips = (amount: number) => figures.chips(amount, locale());
export const signed = (amount: number) => figures.signed(amount, locale());
export const count = (n: number) => figures.count(n, locale());
export const percent = (part: number, decimals = 2) => figures.percent(part, locale(), decimals);
export const odds = (value: Odds) => figures.odds(value, locale());
export const decimal = (value: number, places: number) => value.toLocaleString(locale(), { minimumFractionDigits: places, maximumFractionDigits: places });
export const minutes = figures.minutes;

/** The rules that are printed on the felt of Double Exposure, as this table has them. */
export function feltRules(rules: DoubleExposureRules): string[] {
  const [blackjack, stands, ties] = words().feltRule;
  const variant = words().feltVariant;
  const pays = rules.blackjack_odds[0] === rules.blackjack_odds[1] ? blackjack : `Blackjack ${odds(rules.blackjack_odds)}`;
  return [pays, rules.dealer_hits_soft_17 ? variant.hitsSoft17 : stands, rules.blackjack_tie === "win" ? variant.tiesWin : ties];
}

/** All of them that differ from house to house, for who reads them in full. */
export function tableRules(rules: DoubleExposureRules): string[] {
  const w = words().houseRules;
  const after = rules.max_hands === 1 ? [] : [rules.double_after_split ? w.afterSplit : w.notAfterSplit];
  return [...feltRules(rules), w.doubles[rules.double_on], ...after, w.splitTo(rules.max_hands)];
}

export function cardName(card: string): string {
  return words().card(card[0] as Rank, card[1] as Suit);
}

export function theCard(card: string): string {
  return words().theCard(card[0] as Rank, card[1] as Suit);
}
