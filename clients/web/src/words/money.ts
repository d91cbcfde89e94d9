/** Amounts and figures as the reader's language writes them. Amounts are whole minor units, 100 to a chip of 1. */

export const MINOR = 100;

const made = new Map<string, Intl.NumberFormat>();

function format(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  const known = made.get(key) ?? new Intl.NumberFormat(locale, { useGrouping: "always", ...options } as Intl.NumberFormatOptions);
  made.set(key, known);
  return known;
}

/** With both decimals: balances. */
export function money(amount: number, locale: string): string {
  return format(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount / MINOR);
}

/** Without decimals where there are none: stakes, limits, chips. */
export function chips(amount: number, locale: string): string {
  return amount % MINOR === 0 ? format(locale, { maximumFractionDigits: 0 }).format(amount / MINOR) : money(amount, locale);
}

/** As `chips`, with its sign; the minus is the real one. */
export function signed(amount: number, locale: string): string {
  return `${amount < 0 ? "−" : "+"}${chips(Math.abs(amount), locale)}`;
}

export function count(n: number, locale: string): string {
  return format(locale, { maximumFractionDigits: 0 }).format(n);
}

export function percent(part: number, locale: string, decimals = 2): string {
  return format(locale, { style: "percent", minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(part);
}

/** `1:1`, and a win less its commission as players write it: `0,95:1`. */
export function odds([numerator, denominator]: readonly [number, number], locale: string): string {
  if (denominator === 1 || numerator * 2 === denominator) return `${numerator}:${denominator}`;
  return `${format(locale, { maximumFractionDigits: 4 }).format(numerator / denominator)}:1`;
}

/** A time in minutes and seconds: `1:40`. */
export function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
