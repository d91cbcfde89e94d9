import type { ShoeView } from "$tapete";

export const DECK_CARDS = 52;

/** What a settings document means that does not say; a game without a cut card shows 0. */
const ABSENT: Readonly<Record<string, { decks: number; cut_card?: number }>> = {
  double_exposure: { decks: 6 },
  punto_banco: { decks: 8, cut_card: 14 },
};

/** The shoe of a table whose settings are new: nothing is dealt from it yet. */
export function newShoe(game: string, settings: string): ShoeView {
  const absent = ABSENT[game] ?? { decks: 0 };
  const said = JSON.parse(settings) as { decks?: number; cut_card?: number };
  const decks = said.decks ?? absent.decks;
  const cut_card = absent.cut_card === undefined ? 0 : (said.cut_card ?? absent.cut_card);
  return { decks, left: decks * DECK_CARDS, dealt: 0, coup: 0, cut_card, burnt: [], number: 0 };
}

export function leftShoe(shoe: ShoeView): ShoeView {
  return { ...shoe, left: shoe.left - 1, dealt: shoe.dealt + 1 };
}

/** Punto's first card: one coup more, and one less to come where they are counted down. */
export function coupBegun(shoe: ShoeView): ShoeView {
  const begun = { ...shoe, coup: shoe.coup + 1 };
  return shoe.last_coups === undefined ? begun : { ...begun, last_coups: shoe.last_coups - 1 };
}

export function reopened(shoe: ShoeView, decks: number): ShoeView {
  return { decks, left: decks * DECK_CARDS, dealt: 0, coup: 0, cut_card: shoe.cut_card, burnt: [], number: shoe.number + 1 };
}
