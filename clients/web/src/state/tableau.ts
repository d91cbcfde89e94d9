/** The published rules of banca's third card as tables: a cell for each two-card total and each column that it looks at. */

/** The column of a punto that took no third card. */
export const STOOD = -1;

export interface Tableau {
  readonly looks_at: "third_card" | "three_card_total";
  /** By banca's two-card total: the columns in which it draws. */
  readonly draws: readonly (readonly number[])[];
}

const ALL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const rows = (stood: readonly number[]) =>
  [ALL, ALL, ALL, [0, 1, 2, 3, 4, 5, 6, 7, 9], [2, 3, 4, 5, 6, 7], [4, 5, 6, 7], [6, 7], []].map((columns, total) =>
    stood.includes(total) ? [...columns, STOOD] : columns,
  );

export const TABLEAUX: Readonly<Record<string, Tableau>> = {
  reglamento: { looks_at: "third_card", draws: rows([0, 1, 2, 3, 4, 5]) },
  europacasino: { looks_at: "three_card_total", draws: rows([0, 1, 2]) },
  casinoonnet: { looks_at: "three_card_total", draws: rows([0, 1, 2]) },
};

export const PUNTO_DRAWS_MAX = 5;
