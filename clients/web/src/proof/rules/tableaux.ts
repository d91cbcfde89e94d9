/** When a side draws its third card. The rows lie as in the source documents: banca's total, then what the tableau looks at. */

import type { TableauName } from "../settings";

const EVERY = "0123456789";
/** By banca's two-card total: the columns on which it draws. */
const BANCA_DRAWS: readonly string[] = [EVERY, EVERY, EVERY, "012345679", "234567", "4567", "67", ""];
/** The highest total on which banca draws when punto stood. Seeds 000 and 001 do not let it draw above 2. */
const BANCA_ALONE: Readonly<Record<TableauName, number>> = { reglamento: 5, europacasino: 2, casinoonnet: 2 };
const PUNTO_DRAWS_TO = 5;

export const puntoDraws = (total: number): boolean => total <= PUNTO_DRAWS_TO;

/** `column` is punto's third card (reglamento) or its total of three, and −1 where punto stood. */
export function bancaDraws(tableau: TableauName, total: number, column: number): boolean {
  return column < 0 ? total <= BANCA_ALONE[tableau] : (BANCA_DRAWS[total] ?? "").includes(String(column));
}
