/** The chips of one bet, in the order in which they came: the last one is the first to be taken back. */

export const CHIPS_SHOWN_MAX = 6;

/** An amount in the chips of a table, the largest first. What no chip can pay stays in one piece of the lowest. */
export function piecesOf(amount: number, chips: readonly number[]): number[] {
  const pieces: number[] = [];
  let rest = amount;
  for (const chip of [...chips].reverse()) {
    while (rest >= chip && pieces.length < 200) {
      pieces.push(chip);
      rest -= chip;
    }
  }
  return pieces;
}

/** The pieces that came to this amount, or others where it is another one. */
export function pileFor(amount: number, known: readonly number[] | undefined, chips: readonly number[]): number[] {
  const sum = known?.reduce((total, chip) => total + chip, 0);
  return known && sum === amount ? [...known] : piecesOf(amount, chips);
}
