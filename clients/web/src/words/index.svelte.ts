/** The words of the language that is chosen now. */

import type { Odds } from "../state/rules";
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
export const minutes = figures.minutes;

export function cardName(card: string): string {
  return words().card(card[0] as Rank, card[1] as Suit);
}

export function theCard(card: string): string {
  return words().theCard(card[0] as Rank, card[1] as Suit);
}
