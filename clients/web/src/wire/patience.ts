/** How often, how long, how many: every bound of this client's connection. */

import { CLOSES } from "$tapete";

export const ANSWER_MS_MAX = 6_000;
export const STABLE_MS_MIN = 10_000;
export const BACKOFF_MS_MIN = 400;
export const BACKOFF_MS_MAX = 15_000;
export const RESENDS_MAX = 8;
export const RETRIES_MAX = 6;
export const FINAL_CODE_MIN = 4500;
export const FINAL_CODE_MAX = 4999;

/** Refusals after which the same command is sent again by itself. `unavailable` is the player's to see. */
export const RETRIED: ReadonlySet<string> = new Set(["busy", "in_flight", "rate_limited", "internal", "draining", "unavailable"]);

/** What a close code advises: null, do not come back. */
export function advisedMs(code: number): number | null {
  if (code >= FINAL_CODE_MIN && code <= FINAL_CODE_MAX) return null;
  const known = (CLOSES as Record<number, { delay_ms: number }>)[code];
  return known?.delay_ms ?? 0;
}

/** A random time between half the delay and all of it; twice the delay after each failed try. */
export function backoffMs(tries: number, chance: number, advised = 0): number {
  const delay = Math.min(BACKOFF_MS_MAX, Math.max(BACKOFF_MS_MIN, advised) * 2 ** Math.min(tries, 8));
  return Math.round(delay * (0.5 + chance / 2));
}
