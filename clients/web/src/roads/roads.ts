/** The five roads of a shoe, as players know them: marks only, no drawing. The same vectors hold for Python. */

export type Side = "B" | "P";
export type Mark = "R" | "B";

/** One coup: who won, and what players mark with it. */
export interface Coup {
  readonly winner: Side | "T";
  readonly natural: boolean;
  readonly punto_pair: boolean;
  readonly banca_pair: boolean;
}

/** A cell of the Big Road: a decided coup, and the ties that followed it (or, on the first cell, came before it). */
export interface Cell {
  readonly side: Side;
  readonly coup: Coup;
  readonly ties: number;
}

/** Logical columns of the Big Road, of any height. */
export function bigRoad(coups: readonly Coup[]): Cell[][] {
  const columns: Cell[][] = [];
  let held = 0;
  for (const coup of coups) {
    const column = columns.at(-1);
    if (coup.winner === "T") {
      const last = column?.at(-1);
      if (column && last) column[column.length - 1] = { ...last, ties: last.ties + 1 };
      else held += 1;
      continue;
    }
    const cell = { side: coup.winner, coup, ties: held };
    held = 0;
    if (column && column[0]?.side === coup.winner) column.push(cell);
    else columns.push([cell]);
  }
  return columns;
}

/** Big Eye Boy (1), Small Road (2), Cockroach Road (3): a mark for each Big Road cell that has something to be compared with. */
export function derivedRoad(columns: readonly (readonly unknown[])[], k: 1 | 2 | 3): Mark[] {
  const marks: Mark[] = [];
  const height = (column: number) => columns[column]?.length ?? 0;
  columns.forEach((column, c) => {
    column.forEach((_, r) => {
      if (r === 0 && c >= k + 1) marks.push(height(c - 1) === height(c - 1 - k) ? "R" : "B");
      if (r >= 1 && c >= k) marks.push(r === height(c - k) ? "B" : "R");
    });
  });
  return marks;
}

/** What the next decision of a side would add to the three derived roads; undefined: nothing. */
export function ask(coups: readonly Coup[], side: Side): (Mark | undefined)[] {
  const next = { winner: side, natural: false, punto_pair: false, banca_pair: false };
  const [now, then] = [bigRoad(coups), bigRoad([...coups, next])];
  return ([1, 2, 3] as const).map((k) => derivedRoad(then, k)[derivedRoad(now, k).length]);
}

export const ROWS = 6;
export interface Placed<T> {
  readonly x: number;
  readonly y: number;
  readonly of: T;
}

/** Drawing in six rows: a streak that would leave the last row or meet a cell turns right and keeps on; a new one begins in
 * the first row, right after where the one before began. */
export function placed<T>(streaks: readonly (readonly T[])[]): Placed<T>[] {
  const taken = new Set<string>();
  const cells: Placed<T>[] = [];
  let start = -1;
  for (const streak of streaks) {
    do start += 1;
    while (taken.has(`${start} 0`));
    let [x, y, right] = [start, 0, false];
    streak.forEach((of, place) => {
      if (place > 0) {
        right ||= y === ROWS - 1 || taken.has(`${x} ${y + 1}`);
        if (right) x += 1;
        else y += 1;
      }
      taken.add(`${x} ${y}`);
      cells.push({ x, y, of });
    });
  }
  return cells;
}

/** Runs of the same mark, which are what a derived road draws as streaks. */
export function runs(marks: readonly Mark[]): Mark[][] {
  const found: Mark[][] = [];
  for (const mark of marks) {
    if (found.at(-1)?.[0] === mark) found.at(-1)?.push(mark);
    else found.push([mark]);
  }
  return found;
}
