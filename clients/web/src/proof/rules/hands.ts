/** What cards count in each game. */

export interface Total {
  readonly total: number;
  readonly soft: boolean;
}

const TENS = "TJQK";

/** Ace 1, figures 10. */
export const pips = (card: string): number => (card[0] === "A" ? 1 : TENS.includes(card[0]!) ? 10 : Number(card[0]));

/** As in blackjack: soft where an ace counts eleven. */
export function blackjackTotal(cards: readonly string[]): Total {
  const hard = cards.reduce((sum, card) => sum + pips(card), 0);
  const soft = cards.some((card) => card[0] === "A") && hard + 10 <= 21;
  return { total: soft ? hard + 10 : hard, soft };
}

export const isBlackjack = (cards: readonly string[]): boolean => cards.length === 2 && blackjackTotal(cards).total === 21;

/** As in Punto Banco: tens and figures 0, and only the last digit counts. */
export const puntoTotal = (cards: readonly string[]): number => cards.reduce((sum, card) => sum + pips(card), 0) % 10;
