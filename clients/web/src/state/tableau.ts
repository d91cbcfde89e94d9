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

/** The seed in which each is published. */
const SEEDS: Readonly<Record<string, string>> = { reglamento: "002", europacasino: "000", casinoonnet: "001" };

export interface OtherWord {
  readonly name: string;
  readonly seed: string;
  readonly looks_at: Tableau["looks_at"];
  readonly column: number;
  readonly draws: boolean;
}

/** What every other tableau says to banca's two-card total and punto's cards, with the cell. */
export function otherTableaux(than: string, row: number, punto: readonly string[]): OtherWord[] {
  const points = (card: string) => ("TJQK".includes(card[0]!) ? 0 : card[0] === "A" ? 1 : Number(card[0]));
  const total = punto.reduce((sum, card) => sum + points(card), 0) % 10;
  return Object.entries(TABLEAUX)
    .filter(([name]) => name !== than)
    .map(([name, { looks_at, draws }]) => {
      const column = punto.length < 3 ? STOOD : looks_at === "third_card" ? points(punto[2]!) : total;
      return { name, seed: SEEDS[name] ?? "", looks_at, column, draws: draws[row]?.includes(column) ?? false };
    });
}
