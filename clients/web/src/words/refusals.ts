/** Refusals in the reader's language: the templates come with the codes, amounts are written as money. */

import { CODES } from "$tapete";
import { prefs } from "../state/prefs.svelte";
import { chips, words } from "./index.svelte";
import type { ActionName } from "./words";

const AMOUNTS = new Set(["minimum", "maximum", "amount", "chip", "needed", "stack", "balance", "below"]);

/** `[..]` in a template is left out where the detail lacks what it names. */
export function refusalWords(code: string, message: string, detail: { readonly [field: string]: unknown }): string {
  const known = (CODES as Record<string, { en: string; es: string }>)[code];
  if (!known) return message;
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, field: string) => told(field, detail[field]));
  return filled(known[prefs.language].replace(/\[([^\]]*)\]/g, (_, part: string) => (names(part).every((field) => detail[field] !== undefined) ? part : "")));
}

function names(part: string): string[] {
  return Array.from(part.matchAll(/\{(\w+)\}/g), (found) => found[1]!);
}

function told(field: string, value: unknown): string {
  if (AMOUNTS.has(field) && typeof value === "number") return chips(value);
  if (field === "legal" && Array.isArray(value)) return words().or(value.map((action) => words().actions[action as ActionName].toLowerCase()));
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}
