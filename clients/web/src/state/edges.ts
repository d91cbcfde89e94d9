/** What each bet costs on average, as a part of the stake: counted over all ordered deals from a full shoe. */

import type { DoubleExposureRules, Odds, PuntoBancoRules } from "./rules";
import { PUNTO_DRAWS_MAX, STOOD, TABLEAUX } from "./tableau";

const gain = ([numerator, denominator]: Odds) => numerator / denominator;

interface Coups {
  punto: number;
  banca: number;
  banca_six: number;
  tie: number;
}

/** Probabilities of the ends of a coup. Cards are drawn by value: ten and figures count nothing. */
export function coupEnds(decks: number, name: string): Coups {
  const tableau = TABLEAUX[name]!;
  const left = [16 * decks, ...Array<number>(9).fill(4 * decks)];
  let cards = 52 * decks;
  const ends = { punto: 0, banca: 0, banca_six: 0, tie: 0 };
  const draw = (chance: number, then: (value: number, chance: number) => void) => {
    for (let value = 0; value < 10; value++) {
      const here = left[value]!;
      if (here === 0) continue;
      left[value] = here - 1;
      cards -= 1;
      then(value, (chance * here) / (cards + 1));
      cards += 1;
      left[value] = here;
    }
  };
  const end = (punto: number, banca: number, chance: number) => {
    if (punto === banca) ends.tie += chance;
    else if (punto > banca) ends.punto += chance;
    else {
      ends.banca += chance;
      if (banca === 6) ends.banca_six += chance;
    }
  };
  const bancaThird = (punto: number, banca: number, column: number, chance: number) => {
    if (!tableau.draws[banca]?.includes(column)) return end(punto, banca, chance);
    return draw(chance, (value, now) => end(punto, (banca + value) % 10, now));
  };
  const thirds = (punto: number, banca: number, chance: number) => {
    if (punto >= 8 || banca >= 8) return end(punto, banca, chance);
    if (punto > PUNTO_DRAWS_MAX) return bancaThird(punto, banca, STOOD, chance);
    return draw(chance, (value, now) => {
      const three = (punto + value) % 10;
      bancaThird(three, banca, tableau.looks_at === "third_card" ? value : three, now);
    });
  };
  draw(1, (p1, c1) => draw(c1, (b1, c2) => draw(c2, (p2, c3) => draw(c3, (b2, c4) => thirds((p1 + p2) % 10, (b1 + b2) % 10, c4)))));
  return ends;
}

export function puntoBancoEdges(rules: PuntoBancoRules): Record<string, number> {
  const { punto, banca, banca_six, tie } = coupEnds(rules.decks, rules.tableau);
  const [part, whole] = rules.commission_rate;
  const bancaGain = rules.commission
    ? banca * (1 - part / whole)
    : banca - banca_six + banca_six * gain(rules.banca_six_odds);
  const pair = (4 * rules.decks - 1) / (52 * rules.decks - 1);
  const pairEdge = 1 - pair - pair * gain(rules.pair_odds);
  return {
    punto: banca - punto * gain(rules.punto_odds),
    banca: punto - bancaGain,
    tie: 1 - tie - tie * gain(rules.tie_odds),
    punto_pair: pairEdge,
    banca_pair: pairEdge,
  };
}

/** Bonus bets only: that of the main bet depends on how it is played. A pair of sevens is taken to hit, which it may unless
 * the dealer has blackjack; then it stays at two sevens. Unseen cards may be thought of in any order, the third one first. */
export function doubleExposureEdges(rules: DoubleExposureRules): { blackjack: number; sevens: number } {
  const cards = 52 * rules.decks;
  const [sevens, aces, tens] = [4 * rules.decks, 4 * rules.decks, 16 * rules.decks];
  const blackjack = (2 * aces * tens) / (cards * (cards - 1));
  const one = sevens / cards;
  const two = (one * (sevens - 1)) / (cards - 1);
  const dealer = (2 * aces * tens) / ((cards - 3) * (cards - 4));
  const three = ((two * (sevens - 2)) / (cards - 2)) * (1 - dealer);
  const back = (one - two) * (1 + gain(rules.seven_odds)) + (two - three) * (1 + gain(rules.two_sevens_odds));
  return {
    blackjack: 1 - blackjack * (1 + gain(rules.bonus_blackjack_odds)),
    sevens: 1 - back - three * (1 + gain(rules.three_sevens_odds)),
  };
}
